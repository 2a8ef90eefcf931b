//! Zobrist keys and the hash that follows a game move by move.
//!
//! A board is seen by the side to move, so every move swaps the roles. The hash therefore carries the key of both
//! views; a move updates both with one delta and exchanges them, and no side-to-move key is needed.

use crate::board::Board;
use crate::square::Square;

/// Keys of one square.
#[derive(Clone, Copy)]
struct Keys {
    player: u64,
    opponent: u64,
}

/// By square; no square, number 64, changes nothing.
static KEYS: [Keys; 65] = {
    let mut keys = [Keys { player: 0, opponent: 0 }; 65];
    let mut state = 0x5265_6c75_6361_2e31;
    let mut square = 0;
    while square < 64 {
        (keys[square].player, state) = split_mix(state);
        (keys[square].opponent, state) = split_mix(state);
        square += 1;
    }
    keys
};

/// One step of the SplitMix64 generator: the number and the next state.
pub(crate) const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31), state)
}

/// The Zobrist hash of a board, with what it takes to update it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hash {
    key: u64,
    swapped: u64,
}

impl Hash {
    /// The hash of a board, computed from nothing.
    pub fn of(board: Board) -> Hash {
        let mut hash = Hash { key: 0, swapped: 0 };
        for square in board.player() {
            hash.toggle(KEYS[square.index()]);
        }
        for square in board.opponent() {
            let Keys { player, opponent } = KEYS[square.index()];
            hash.toggle(Keys { player: opponent, opponent: player });
        }
        hash
    }

    /// The 64-bit key of the board as the side to move sees it.
    #[inline]
    pub const fn key(self) -> u64 {
        self.key
    }

    /// The hash after the side to move placed a disc on `square` and turned `flips`.
    #[inline]
    pub fn after_move(self, square: Square, flips: crate::Bitboard) -> Hash {
        let mut hash = self;
        hash.toggle(KEYS[square.index()]);
        flips.visit_by_threes(|flipped| {
            let Keys { player, opponent } = KEYS[flipped];
            hash.toggle(Keys { player: player ^ opponent, opponent: player ^ opponent });
        });
        hash.after_pass()
    }

    /// The hash after the side to move passed.
    #[inline]
    pub const fn after_pass(self) -> Hash {
        Hash { key: self.swapped, swapped: self.key }
    }

    #[inline]
    fn toggle(&mut self, keys: Keys) {
        self.key ^= keys.player;
        self.swapped ^= keys.opponent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn keys_are_distinct_and_use_all_64_bits_evenly() {
        let keys: Vec<u64> = KEYS[..64].iter().flat_map(|keys| [keys.player, keys.opponent]).collect();
        assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 128);
        for bit in 0..64 {
            let ones = keys.iter().filter(|&key| key >> bit & 1 != 0).count();
            // Binomial(128, ½) leaves 34..=94 less than once in ten million.
            assert!((34..=94).contains(&ones), "bit {bit} is set in {ones} of 128 keys");
        }
    }

    #[test]
    fn keys_are_linearly_independent_as_far_as_64_bits_allow() {
        let mut basis = [0u64; 64];
        let mut rank = 0;
        for keys in KEYS {
            let mut rest = keys.player ^ keys.opponent;
            while rest != 0 {
                let top = 63 - rest.leading_zeros() as usize;
                if basis[top] == 0 {
                    basis[top] = rest;
                    rank += 1;
                    break;
                }
                rest ^= basis[top];
            }
        }
        assert!(rank >= 60, "flips span only {rank} dimensions of the key");
    }
}

//! Stable discs: those that can never turn again. They bound the score from above: what the opponent is sure to keep,
//! the player cannot win.

#[cfg(target_feature = "avx2")]
mod avx2;
#[cfg(target_feature = "avx2")]
use avx2::{open_lines, outer_columns};

#[cfg(any(test, not(target_feature = "avx2")))]
mod portable;
#[cfg(not(target_feature = "avx2"))]
use portable::{open_lines, outer_columns};

/// `EDGES[opponent << 8 | player]`: the player's discs of an edge that no sequence of moves on the edge can turn.
static EDGES: [u8; 65536] = {
    let mut table = [0; 65536];
    // A place is stable if it is in every position that one more disc can lead to. These come first: more discs are a
    // greater number.
    let mut filled = 256;
    while filled > 0 {
        filled -= 1;
        // All ways to share the discs out, from all of them the player's to none.
        let mut player = filled as u8;
        loop {
            let opponent = filled as u8 ^ player;
            table[edge_index(player, opponent)] = edge_stable(&table, player, opponent);
            if player == 0 {
                break;
            }
            player = (player - 1) & filled as u8;
        }
    }
    table
};

const fn edge_index(player: u8, opponent: u8) -> usize {
    (opponent as usize) << 8 | player as usize
}

const fn edge_stable(table: &[u8; 65536], player: u8, opponent: u8) -> u8 {
    let mut stable = player;
    let mut empty = !(player | opponent);
    while empty != 0 && stable != 0 {
        let place = empty & empty.wrapping_neg();
        empty ^= place;
        let turned = edge_flips(place, player, opponent);
        stable &= table[edge_index(player | turned | place, opponent & !turned)];
        let turned = edge_flips(place, opponent, player);
        stable &= table[edge_index(player & !turned, opponent | turned | place)];
    }
    stable
}

/// What `player` turns on an edge by a disc in a place, which is given as a set.
const fn edge_flips(place: u8, player: u8, opponent: u8) -> u8 {
    let below = flips_above(place.reverse_bits(), player.reverse_bits(), opponent.reverse_bits());
    flips_above(place, player, opponent) | below.reverse_bits()
}

const fn flips_above(place: u8, player: u8, opponent: u8) -> u8 {
    let first = place << 1;
    // The carry runs through the opponent's discs to the place beyond them.
    let bracket = opponent.wrapping_add(first) & !opponent & player;
    if bracket == 0 { 0 } else { bracket - first }
}

const COLUMN_A: u64 = 0x0101_0101_0101_0101;
const COLUMN_H: u64 = 0x8080_8080_8080_8080;
const INNER: u64 = 0x007e_7e7e_7e7e_7e00;

/// A byte spread over column a, lowest bit first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[byte] |= (byte as u64 >> bit & 1) << (8 * bit);
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The player's discs that can never turn, as far as edges, full lines and contact with stable discs show it.
pub fn stable_discs(player: u64, opponent: u64) -> u64 {
    // No more rounds than this can find another disc.
    stable_after::<64>(player, opponent)
}

/// Those of them that so many rounds of looking at the contacts of all discs find.
#[inline]
fn stable_after<const ROUNDS: u32>(player: u64, opponent: u64) -> u64 {
    let [row, column, rising, falling] = open_lines(player | opponent);
    let inner = player & INNER;
    let mut stable = stable_edges(player, opponent);
    for _ in 0..ROUNDS {
        // A disc is at risk along an axis if the line is open and no neighbour on it is stable.
        let alone = |step: u32| !(stable << step | stable >> step);
        let at_risk = row & alone(1) | column & alone(8) | rising & alone(9) | falling & alone(7);
        stable |= inner & !at_risk;
    }
    stable
}

/// The player's stable discs on the edges.
#[inline]
fn stable_edges(player: u64, opponent: u64) -> u64 {
    let row = |shift: u32| EDGES[edge_index((player >> shift) as u8, (opponent >> shift) as u8)] as u64;
    let [a, h] = outer_columns(player, opponent).map(|column| SPREAD[EDGES[column as usize] as usize]);
    row(0) | row(56) << 56 | a | h << 7
}

/// How many discs more than it needs the opponent must have for its stable ones to be worth counting: with fewer they
/// hardly ever suffice (`benches/RESULTS.md`).
pub(super) const SPARE: u32 = 8;

/// An upper bound of the score that is at most `alpha`, if the opponent's stable discs give one; none at once if the
/// opponent has not so many `spare` discs.
#[inline]
pub(super) fn upper_bound(player: u64, opponent: u64, alpha: i32, spare: u32) -> Option<i32> {
    let needed = ((65 - alpha) / 2) as u32;
    if opponent.count_ones() < needed + spare { None } else { counted(player, opponent, needed) }
}

#[inline(never)]
fn counted(player: u64, opponent: u64, needed: u32) -> Option<i32> {
    /// More rounds find few more discs, and an end of the loop that the processor must guess costs more than they save.
    const ROUNDS: u32 = 3;
    let count = stable_after::<ROUNDS>(opponent, player).count_ones();
    (count >= needed).then_some(64 - 2 * count as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::bitboard::Bitboard;
    use crate::moves;
    use std::collections::HashSet;

    /// The player's discs that survive every continuation, by brute force.
    fn survivors(player: u64, opponent: u64) -> u64 {
        fn visit(board: Board, player_moves: bool, seen: &mut HashSet<(Board, bool)>, stable: &mut u64) {
            if !seen.insert((board, player_moves)) {
                return;
            }
            *stable &= if player_moves { board.player().0 } else { board.opponent().0 };
            // Either side may be to move next: more freedom than the rules give, never less.
            for square in board.legal_moves() {
                visit(board.play(square.into()).unwrap(), !player_moves, seen, stable);
            }
            if !board.after_pass().legal_moves().is_empty() {
                visit(board.after_pass(), !player_moves, seen, stable);
            }
        }
        let mut stable = player;
        visit(Board::new(Bitboard(player), Bitboard(opponent)).unwrap(), true, &mut HashSet::new(), &mut stable);
        stable
    }

    #[test]
    fn stable_discs_survive_every_continuation() {
        let mut state = 0x1234_5678_9abc_def1_u64;
        let mut found = 0;
        for _ in 0..2_000 {
            let mut board = Board::START;
            while board.empties() > 5 {
                let legal: Vec<_> = board.legal_moves().into_iter().collect();
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                if legal.is_empty() {
                    if board.is_game_over() {
                        break;
                    }
                    board = board.after_pass();
                } else {
                    board = board.play(legal[(state >> 33) as usize % legal.len()].into()).unwrap();
                }
            }
            if board.empties() == 5 {
                let (player, opponent) = (board.player().0, board.opponent().0);
                let stable = stable_discs(player, opponent);
                found += stable.count_ones();
                assert_eq!(stable & !survivors(player, opponent), 0, "{board:?}");
            }
        }
        assert!(found > 5_000, "only {found} stable discs were found");
        assert_eq!(moves::legal(0, 0), 0);
    }

    /// Discs of two sides on many boards, more and less full.
    fn random_discs() -> impl Iterator<Item = (u64, u64)> {
        let mut state = 0x9876_5432_1fed_cba9_u64;
        let mut random = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        std::iter::repeat_with(move || {
            let (filled, colours) = (random() | random() | random(), random());
            (filled & colours, filled & !colours)
        })
    }

    #[test]
    fn columns_and_open_lines_are_found_as_by_the_plain_kernel() {
        for (player, opponent) in random_discs().take(100_000) {
            assert_eq!(outer_columns(player, opponent), portable::outer_columns(player, opponent));
            assert_eq!(open_lines(player | opponent), portable::open_lines(player | opponent));
        }
    }

    #[test]
    fn more_rounds_find_more_stable_discs_until_there_are_no_more() {
        let mut some = 0;
        for (player, opponent) in random_discs().take(20_000) {
            let all = stable_discs(player, opponent);
            assert_eq!(stable_after::<65>(player, opponent), all, "{player:#x} {opponent:#x}");
            let [few, more] = [stable_after::<1>(player, opponent), stable_after::<3>(player, opponent)];
            assert!(few & !more == 0 && more & !all == 0, "{player:#x} {opponent:#x}");
            some += (few != all) as u32;
        }
        assert!(some > 1_000, "only {some} times were fewer than all found");
    }

    #[test]
    fn outer_columns_are_read_from_the_lowest_row_on() {
        for byte in 0..=255u8 {
            let [a, h] = outer_columns(SPREAD[byte as usize], SPREAD[!byte as usize] << 7);
            assert_eq!((a, h), (byte as u16, (!byte as u16 & 0xff) << 8));
        }
    }

    #[test]
    fn a_corner_is_stable_and_a_bare_edge_disc_is_not() {
        assert_eq!(stable_discs(1, 2), 1);
        assert_eq!(stable_discs(4, 0), 0);
        assert_eq!(stable_discs(!0, 0), !0);
        assert_eq!(stable_discs(1 << 63 | 1 << 55, 0), 1 << 63 | 1 << 55);
    }
}

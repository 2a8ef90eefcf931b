//! Stable discs: those that can never turn again. They bound the score from above: what the opponent is sure to keep,
//! the player cannot win.

#[cfg(target_feature = "avx2")]
mod avx2;
#[cfg(target_feature = "avx2")]
use avx2::{outer_columns, with_inner};

#[cfg(any(test, not(target_feature = "avx2")))]
mod portable;
#[cfg(not(target_feature = "avx2"))]
use portable::{outer_columns, with_inner};

use std::sync::LazyLock;

/// `EDGES[opponent << 8 | player]`: the player's discs of an edge that no sequence of moves on the edge can turn.
static EDGES: LazyLock<Box<[u8; 65536]>> = LazyLock::new(|| {
    let mut table: Box<[u8; 65536]> = vec![0; 65536].into_boxed_slice().try_into().expect("the length is right");
    // Fewer empty places first: a place is stable if it is in every position that one more disc can lead to.
    for empties in 0..=8 {
        for player in 0..=255u8 {
            for opponent in (0..=255u8).filter(|opponent| player & opponent == 0) {
                if (player | opponent).count_zeros() == empties {
                    table[edge_index(player, opponent)] = edge_stable(&table, player, opponent);
                }
            }
        }
    }
    table
});

fn edge_index(player: u8, opponent: u8) -> usize {
    (opponent as usize) << 8 | player as usize
}

fn edge_stable(table: &[u8; 65536], player: u8, opponent: u8) -> u8 {
    let mut stable = player;
    for place in (0..8).filter(|place| (player | opponent) >> place & 1 == 0) {
        let turned = edge_flips(place, player, opponent);
        stable &= table[edge_index(player | turned | 1 << place, opponent & !turned)];
        let turned = edge_flips(place, opponent, player);
        stable &= table[edge_index(player & !turned, opponent | turned | 1 << place)];
    }
    stable
}

fn edge_flips(place: i32, player: u8, opponent: u8) -> u8 {
    let mut flips = 0;
    for step in [1, -1] {
        let mut run = 0;
        let mut at = place + step;
        while (0..8).contains(&at) && opponent >> at & 1 != 0 {
            run |= 1 << at;
            at += step;
        }
        if (0..8).contains(&at) && player >> at & 1 != 0 {
            flips |= run;
        }
    }
    flips
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
    with_inner(stable_edges(player, opponent), player, player | opponent)
}

/// The player's stable discs on the edges.
#[inline]
fn stable_edges(player: u64, opponent: u64) -> u64 {
    let edges = &**EDGES;
    let row = |shift: u32| edges[edge_index((player >> shift) as u8, (opponent >> shift) as u8)] as u64;
    let [a, h] = outer_columns(player, opponent).map(|column| SPREAD[edges[column as usize] as usize]);
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
    let count = stable_discs(opponent, player).count_ones();
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

    #[test]
    fn edges_and_inner_discs_are_found_as_by_the_plain_kernel() {
        let mut state = 0x9876_5432_1fed_cba9_u64;
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for _ in 0..100_000 {
            let (filled, colours) = (random() | random() | random(), random());
            let (player, opponent) = (filled & colours, filled & !colours);
            assert_eq!(outer_columns(player, opponent), portable::outer_columns(player, opponent));
            let edges = stable_edges(player, opponent);
            assert_eq!(with_inner(edges, player, filled), portable::with_inner(edges, player, filled));
        }
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

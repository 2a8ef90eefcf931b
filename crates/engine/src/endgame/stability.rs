//! Stable discs: those that can never turn again. They bound the score from above: what the opponent is sure to keep,
//! the player cannot win.

use std::sync::LazyLock;

/// `EDGES[player << 8 | opponent]`: the player's discs of an edge that no sequence of moves on the edge can turn.
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
    (player as usize) << 8 | opponent as usize
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

/// The eight discs of a column, lowest row first, moved into a byte.
fn column(bits: u64, column: u32) -> u8 {
    ((bits >> column & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// A byte spread over column a, lowest bit first.
fn spread(byte: u8) -> u64 {
    // Seven bits at a time: the eighth would meet the first in the product and carry.
    let seven = (byte as u64 & 0x7f).wrapping_mul(0x0002_0408_1020_4081) & COLUMN_A;
    seven | (byte as u64 & 0x80) << 49
}

/// The player's discs that can never turn, as far as edges, full lines and contact with stable discs show it.
pub fn stable_discs(player: u64, opponent: u64) -> u64 {
    let edges = &**EDGES;
    let edge = |own: u8, other: u8| edges[edge_index(own, other)];
    let mut stable = edge(player as u8, opponent as u8) as u64
        | (edge((player >> 56) as u8, (opponent >> 56) as u8) as u64) << 56
        | spread(edge(column(player, 0), column(opponent, 0)))
        | spread(edge(column(player, 7), column(opponent, 7))) << 7;

    let filled = player | opponent;
    let full = [full_rows(filled), full_columns(filled), full_diagonals::<9>(filled), full_diagonals::<7>(filled)];
    let inner = player & INNER;
    stable |= inner & full[0] & full[1] & full[2] & full[3];
    loop {
        // Safe along an axis: the line is full, or a neighbour on it is stable.
        let safe = |axis: usize, step: u32| full[axis] | stable << step | stable >> step;
        let more = inner & safe(0, 1) & safe(1, 8) & safe(2, 9) & safe(3, 7) & !stable;
        if more == 0 {
            return stable;
        }
        stable |= more;
    }
}

fn full_rows(filled: u64) -> u64 {
    let mut rows = filled & filled >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    (rows & COLUMN_A).wrapping_mul(255)
}

fn full_columns(filled: u64) -> u64 {
    let mut columns = filled & filled.rotate_left(32);
    columns &= columns.rotate_left(16);
    columns & columns.rotate_left(8)
}

/// The squares whose diagonal has no empty square; the index step is 9 or 7.
fn full_diagonals<const STEP: u32>(filled: u64) -> u64 {
    // Emptiness spreads along the diagonal both ways, without wrapping around the edge.
    let (up, down) = if STEP == 9 { (!COLUMN_A, !COLUMN_H) } else { (!COLUMN_H, !COLUMN_A) };
    let mut open = !filled;
    let (mut above, mut below) = (up, down);
    for doubling in 0..3 {
        let step = STEP << doubling;
        open |= (open << step & above) | (open >> step & below);
        above &= above << step;
        below &= below >> step;
    }
    !open
}

/// The least `alpha` at which the stable discs are worth counting, by empty squares: lower ones hardly ever cut.
const WORTH_TRYING: [i32; 31] = [
    64, 64, 64, 64, 6, 8, 10, 12, 14, 16, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 48, 50, 50, 52,
    52, 54,
];

/// An upper bound of the score that is at most `alpha`, if the opponent's stable discs give one.
#[inline]
pub(super) fn upper_bound(player: u64, opponent: u64, alpha: i32, empties: u32) -> Option<i32> {
    // Even if all the opponent's discs were stable, they might be too few.
    if alpha < WORTH_TRYING.get(empties as usize).copied().unwrap_or(64)
        || 64 - 2 * opponent.count_ones() as i32 > alpha
    {
        return None;
    }
    let bound = 64 - 2 * stable_discs(opponent, player).count_ones() as i32;
    (bound <= alpha).then_some(bound)
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
    fn columns_survive_the_way_into_a_byte_and_back() {
        for byte in 0..=255 {
            assert_eq!(spread(byte).count_ones(), byte.count_ones());
            assert_eq!(column(spread(byte), 0), byte);
            assert_eq!(column(spread(byte) << 7, 7), byte);
        }
    }

    #[test]
    fn a_corner_is_stable_and_a_bare_edge_disc_is_not() {
        assert_eq!(stable_discs(1, 2), 1);
        assert_eq!(stable_discs(4, 0), 0);
        assert_eq!(stable_discs(!0, 0), !0);
        assert_eq!(stable_discs(1 << 63 | 1 << 55, 0), 1 << 63 | 1 << 55);
    }

    #[test]
    fn full_lines_are_those_without_an_empty_square() {
        for empty in 0..64u32 {
            let filled = !(1u64 << empty);
            let (row, column) = (empty / 8, empty % 8);
            for square in 0..64u32 {
                let (r, c) = (square / 8, square % 8);
                let is = |full: u64| full >> square & 1 != 0;
                assert_eq!(is(full_rows(filled)), r != row);
                assert_eq!(is(full_columns(filled)), c != column);
                assert_eq!(is(full_diagonals::<9>(filled)), r as i32 - c as i32 != row as i32 - column as i32);
                assert_eq!(is(full_diagonals::<7>(filled)), r + c != row + column);
            }
        }
    }
}

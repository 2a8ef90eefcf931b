//! One to five empty squares: no sorting, only parity and, with five, corners.
//!
//! These functions hold nearly all nodes of a solve. They take bare bitboards and never fail.

use super::{NEIGHBOURS, NONE, Parity, final_score, stability};
use crate::bitboard::Bitboard;
use crate::flip::{flips, last_flips};
use crate::moves::legal;
use crate::square::Square;

#[inline]
fn lowest(squares: u64) -> Square {
    Square::wrapping(squares.trailing_zeros())
}

/// What `player` turns on `square`; 0 at once if no opposing disc is next to it.
#[inline]
fn flips_near(square: Square, player: u64, opponent: u64) -> u64 {
    if NEIGHBOURS[square.index()] & opponent == 0 { 0 } else { flips(square, player, opponent) }
}

/// Three or four empty squares, those of odd regions first, without a loop that the processor would have to guess;
/// `parity` must be that of the squares.
#[inline]
fn by_parity<const EMPTIES: usize>(empty: u64, parity: Parity) -> [Square; EMPTIES] {
    debug_assert_eq!(parity.region(), Parity::of(empty).region());
    let odd = empty & parity.region();
    let mut first = if odd == 0 { empty } else { odd };
    let mut rest = empty;
    std::array::from_fn(|place| {
        // Of three squares one or all are odd, of four none, two or all.
        let part = if place <= EMPTIES - 3 { first } else { rest };
        first &= first.wrapping_sub(1);
        rest ^= part & part.wrapping_neg();
        lowest(part)
    })
}

/// One empty square: the exact score, or one of at most `alpha` if the true one is not above it either.
#[inline]
fn solve_1(player: u64, alpha: i32, square: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let discs = player.count_ones() as i32;
    let own = last_flips(square, player) as i32;
    if own != 0 {
        return 2 * (discs + own) - 62;
    }
    // A pass can only make it worse.
    let unturned = if discs >= 32 { 2 * discs - 62 } else { 2 * discs - 64 };
    if unturned <= alpha {
        return unturned;
    }
    let opponent = !player & !square.bitboard().0;
    let other = last_flips(square, opponent) as i32;
    if other != 0 { 2 * (discs - other) - 64 } else { unturned }
}

/// Two empty squares.
#[inline]
fn solve_2(player: u64, opponent: u64, alpha: i32, empty: u64, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let first = lowest(empty);
    let second = lowest(empty & (empty - 1));
    let mut best = NONE;
    for (square, other) in [(first, second), (second, first)] {
        let turned = flips_near(square, player, opponent);
        if turned != 0 {
            best = best.max(-solve_1(opponent ^ turned, -alpha - 1, other, nodes));
            if best > alpha {
                return best;
            }
        }
    }
    if best != NONE {
        return best;
    }
    // A pass: now the opponent wants at most `alpha`.
    let mut worst = -NONE;
    for (square, other) in [(first, second), (second, first)] {
        let turned = flips_near(square, opponent, player);
        if turned != 0 {
            worst = worst.min(solve_1(player ^ turned, alpha, other, nodes));
            if worst <= alpha {
                return worst;
            }
        }
    }
    if worst != -NONE { worst } else { final_score(player, opponent) }
}

/// Three or four empty squares.
#[inline]
fn solve_small<const EMPTIES: usize>(
    player: u64,
    opponent: u64,
    alpha: i32,
    empty: u64,
    parity: Parity,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    if EMPTIES == 4
        && let Some(bound) = stability::upper_bound(player, opponent, alpha, EMPTIES as u32)
    {
        return bound;
    }
    let mut best = NONE;
    for square in by_parity::<EMPTIES>(empty, parity) {
        let turned = flips_near(square, player, opponent);
        if turned != 0 {
            let bit = square.bitboard().0;
            let (next, rest) = (opponent ^ turned, player ^ turned ^ bit);
            let value = if EMPTIES == 3 {
                -solve_2(next, rest, -alpha - 1, empty ^ bit, nodes)
            } else {
                -solve_small::<3>(next, rest, -alpha - 1, empty ^ bit, parity.after(square), nodes)
            };
            best = best.max(value);
            if best > alpha {
                return best;
            }
        }
    }
    if best != NONE {
        return best;
    }
    let opponent_moves = legal(opponent, player);
    if opponent_moves == 0 {
        return final_score(player, opponent);
    }
    -solve_small::<EMPTIES>(opponent, player, -alpha - 1, empty, parity, nodes)
}

/// Five empty squares, in the order of parity, corners first.
fn solve_5(player: u64, opponent: u64, moves: u64, alpha: i32, empty: u64, parity: Parity, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if let Some(bound) = stability::upper_bound(player, opponent, alpha, 5) {
        return bound;
    }
    if moves == 0 {
        let replies = legal(opponent, player);
        return if replies == 0 {
            final_score(player, opponent)
        } else {
            -solve_5(opponent, player, replies, -alpha - 1, empty, parity, nodes)
        };
    }
    let mut best = NONE;
    let mut left = moves;
    while left != 0 {
        // Without branches, which the processor would guess wrong.
        let narrowed = |squares: u64, to: u64| if squares & to != 0 { squares & to } else { squares };
        let square = lowest(narrowed(narrowed(left, parity.region()), Bitboard::CORNERS.0));
        let bit = square.bitboard().0;
        left ^= bit;
        let turned = flips(square, player, opponent);
        let (next, rest) = (opponent ^ turned, player ^ turned ^ bit);
        best = best.max(-solve_small::<4>(next, rest, -alpha - 1, empty ^ bit, parity.after(square), nodes));
        if best > alpha {
            break;
        }
    }
    best
}

/// Whether the score of at most five empty squares is above `alpha`; `moves` are those of the player.
pub fn solve(player: u64, opponent: u64, moves: u64, alpha: i32, parity: Parity, nodes: &mut u64) -> i32 {
    let empty = !(player | opponent);
    match empty.count_ones() {
        0 => final_score(player, opponent),
        1 => solve_1(player, alpha, lowest(empty), nodes),
        2 => solve_2(player, opponent, alpha, empty, nodes),
        3 => solve_small::<3>(player, opponent, alpha, empty, parity, nodes),
        4 => solve_small::<4>(player, opponent, alpha, empty, parity, nodes),
        _ => solve_5(player, opponent, moves, alpha, empty, parity, nodes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const EMPTIES: usize>(empty: u64) {
        let parity = Parity::of(empty);
        let squares = by_parity::<EMPTIES>(empty, parity);
        assert_eq!(squares.iter().fold(0, |set, square| set | square.bitboard().0), empty, "each square once");
        let odd = squares.map(|square| square.bitboard().0 & parity.region() != 0);
        assert!(odd.is_sorted_by_key(|odd| !odd), "odd regions first: {empty:x} {odd:?}");
    }

    #[test]
    fn the_last_squares_come_by_parity_each_of_them_once() {
        // Four squares of each quadrant.
        let places = [0, 9, 4, 15, 32, 41, 36, 63, 2, 18, 25, 6, 48, 57, 60, 47];
        for set in 0u32..1 << places.len() {
            let empty =
                places.iter().enumerate().filter(|&(n, _)| set >> n & 1 != 0).fold(0, |all, (_, at)| all | 1 << at);
            match set.count_ones() {
                3 => check::<3>(empty),
                4 => check::<4>(empty),
                _ => {}
            }
        }
    }
}

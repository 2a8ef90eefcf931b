//! One to five empty squares: no sorting, only parity and, with five, corners.
//!
//! These functions hold nearly all nodes of a solve. They never fail.

use super::{NEIGHBOURHOODS, NONE, Parity, final_score, stability};
use crate::bitboard::Bitboard;
use crate::moves::legal;
use crate::sides::{Sides, Turned};
use crate::square::Square;

#[inline]
fn lowest(squares: u64) -> Square {
    Square::wrapping(squares.trailing_zeros())
}

/// What the player turns on `square`, if anything; none at once if no opposing disc is next to it.
#[inline]
fn turned(sides: Sides, square: Square) -> Option<Turned> {
    if NEIGHBOURHOODS[square.index()] & sides.opponent() == 0 {
        return None;
    }
    let turned = sides.turned(square);
    (!turned.is_none()).then_some(turned)
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

/// One empty square: the exact score.
#[inline]
fn solve_1(sides: Sides, square: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let discs = sides.player().count_ones() as i32;
    let turned = sides.last_flips(square);
    // Chosen without branches, which the processor would guess wrong.
    let after_pass = if turned.other != 0 { -2 * turned.other as i32 } else { 2 * (discs >= 32) as i32 };
    2 * discs - 64 + if turned.own != 0 { 2 + 2 * turned.own as i32 } else { after_pass }
}

/// Two empty squares.
#[inline]
fn solve_2(sides: Sides, alpha: i32, empty: u64, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let first = lowest(empty);
    let second = lowest(empty & (empty - 1));
    let mut best = NONE;
    for (square, other) in [(first, second), (second, first)] {
        if let Some(turned) = turned(sides, square) {
            best = best.max(-solve_1(sides.after(square, turned), other, nodes));
            if best > alpha {
                return best;
            }
        }
    }
    if best != NONE { best } else { solve_2_after_pass(&sides, alpha, first, second, nodes) }
}

/// Two empty squares that the player cannot take: now the opponent wants at most `alpha`.
#[inline(never)]
fn solve_2_after_pass(sides: &Sides, alpha: i32, first: Square, second: Square, nodes: &mut u64) -> i32 {
    let mut worst = -NONE;
    let passed = sides.passed();
    for (square, other) in [(first, second), (second, first)] {
        if let Some(turned) = turned(passed, square) {
            worst = worst.min(solve_1(passed.after(square, turned), other, nodes));
            if worst <= alpha {
                return worst;
            }
        }
    }
    if worst != -NONE { worst } else { final_score(sides.player(), sides.opponent()) }
}

/// The discs to spare, see `stability::SPARE`, that it takes with three empty squares, where less is saved.
const SPARE_WITH_3: u32 = 10;

/// Three or four empty squares.
#[inline]
fn solve_small<const EMPTIES: usize>(sides: &Sides, alpha: i32, empty: u64, parity: Parity, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let sides = *sides;
    let spare = if EMPTIES == 3 { SPARE_WITH_3 } else { stability::SPARE };
    if let Some(bound) = stability::upper_bound(sides.player(), sides.opponent(), alpha, spare) {
        return bound;
    }
    let mut best = NONE;
    for square in by_parity::<EMPTIES>(empty, parity) {
        if let Some(turned) = turned(sides, square) {
            let bit = square.bitboard().0;
            let next = sides.after(square, turned);
            let value = if EMPTIES == 3 {
                -solve_2(next, -alpha - 1, empty ^ bit, nodes)
            } else {
                -solve_small::<3>(&next, -alpha - 1, empty ^ bit, parity.after(square), nodes)
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
    let passed = sides.passed();
    if passed.moves(empty) == 0 {
        return final_score(sides.player(), sides.opponent());
    }
    -solve_small::<EMPTIES>(&passed, -alpha - 1, empty, parity, nodes)
}

/// Five empty squares, in the order of parity, corners first.
pub fn solve_5(player: u64, opponent: u64, moves: u64, alpha: i32, parity: Parity, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let empty = !(player | opponent);
    if let Some(bound) = stability::upper_bound(player, opponent, alpha, stability::SPARE) {
        return bound;
    }
    if moves == 0 {
        let replies = legal(opponent, player);
        return if replies == 0 {
            final_score(player, opponent)
        } else {
            -solve_5(opponent, player, replies, -alpha - 1, parity, nodes)
        };
    }
    let sides = Sides::new(player, opponent);
    let mut best = NONE;
    let mut left = moves;
    while left != 0 {
        // Without branches, which the processor would guess wrong.
        let narrowed = |squares: u64, to: u64| if squares & to != 0 { squares & to } else { squares };
        let square = lowest(narrowed(narrowed(left, parity.region()), Bitboard::CORNERS.0));
        let bit = square.bitboard().0;
        left ^= bit;
        best = best.max(-solve_small::<4>(
            &sides.after(square, sides.turned(square)),
            -alpha - 1,
            empty ^ bit,
            parity.after(square),
            nodes,
        ));
        if best > alpha {
            break;
        }
    }
    best
}

/// Whether the score of at most five empty squares is above `alpha`; `moves` are those of the player.
pub fn solve(player: u64, opponent: u64, moves: u64, alpha: i32, parity: Parity, nodes: &mut u64) -> i32 {
    let empty = !(player | opponent);
    let sides = Sides::new(player, opponent);
    match empty.count_ones() {
        0 => final_score(player, opponent),
        1 => solve_1(sides, lowest(empty), nodes),
        2 => solve_2(sides, alpha, empty, nodes),
        3 => solve_small::<3>(&sides, alpha, empty, parity, nodes),
        4 => solve_small::<4>(&sides, alpha, empty, parity, nodes),
        _ => solve_5(player, opponent, moves, alpha, parity, nodes),
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

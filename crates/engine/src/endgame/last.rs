//! One to seven empty squares: no table, no sorting, only parity.
//!
//! These functions hold nearly all nodes of a solve. They take bare bitboards and never fail.

use super::{NEIGHBOURS, NONE, Parity, final_score, stability};
use crate::flip::{flips, last_flips};
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

/// Goes through the empty squares, those of odd regions first.
macro_rules! for_each_by_parity {
    ($square:ident in $empty:expr, $parity:expr, $body:block) => {
        let odd = $empty & $parity.region();
        for mut part in [odd, $empty ^ odd] {
            while part != 0 {
                let $square = lowest(part);
                part &= part - 1;
                $body
            }
        }
    };
}

/// The exact score with one empty square left.
#[inline]
fn solve_1(player: u64, square: Square, nodes: &mut u64) -> i32 {
    *nodes += 1;
    let discs = player.count_ones() as i32;
    let own = last_flips(square, player) as i32;
    if own != 0 {
        return 2 * (discs + own) - 62;
    }
    let opponent = !player & !square.bitboard().0;
    let other = last_flips(square, opponent) as i32;
    if other != 0 {
        2 * (discs - other) - 64
    } else if discs >= 32 {
        2 * discs - 62
    } else {
        2 * discs - 64
    }
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
            best = best.max(-solve_1(opponent ^ turned, other, nodes));
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
            worst = worst.min(solve_1(player ^ turned, other, nodes));
            if worst <= alpha {
                return worst;
            }
        }
    }
    if worst != -NONE { worst } else { final_score(player, opponent) }
}

/// Three or four empty squares.
#[inline]
fn solve_small<const EMPTIES: u32>(
    player: u64,
    opponent: u64,
    alpha: i32,
    empty: u64,
    parity: Parity,
    nodes: &mut u64,
) -> i32 {
    *nodes += 1;
    let mut best = NONE;
    for_each_by_parity!(square in empty, parity, {
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
    });
    if best != NONE {
        return best;
    }
    let opponent_moves = crate::moves::legal(opponent, player);
    if opponent_moves == 0 {
        return final_score(player, opponent);
    }
    -solve_small::<EMPTIES>(opponent, player, -alpha - 1, empty, parity, nodes)
}

/// Whether the score of at most seven empty squares is above `alpha`.
pub(super) fn solve_last(player: u64, opponent: u64, alpha: i32, empty: u64, parity: Parity, nodes: &mut u64) -> i32 {
    match empty.count_ones() {
        0 => final_score(player, opponent),
        1 => solve_1(player, lowest(empty), nodes),
        2 => solve_2(player, opponent, alpha, empty, nodes),
        3 => solve_small::<3>(player, opponent, alpha, empty, parity, nodes),
        4 => solve_small::<4>(player, opponent, alpha, empty, parity, nodes),
        _ => solve_by_parity(player, opponent, alpha, empty, parity, nodes),
    }
}

/// Five and more empty squares, in the order of parity.
fn solve_by_parity(player: u64, opponent: u64, alpha: i32, empty: u64, parity: Parity, nodes: &mut u64) -> i32 {
    *nodes += 1;
    if let Some(bound) = stability::upper_bound(player, opponent, alpha, empty.count_ones()) {
        return bound;
    }
    let mut best = NONE;
    for_each_by_parity!(square in empty, parity, {
        let turned = flips_near(square, player, opponent);
        if turned != 0 {
            let bit = square.bitboard().0;
            let (next, rest) = (opponent ^ turned, player ^ turned ^ bit);
            let value = if empty.count_ones() == 5 {
                -solve_small::<4>(next, rest, -alpha - 1, empty ^ bit, parity.after(square), nodes)
            } else {
                -solve_by_parity(next, rest, -alpha - 1, empty ^ bit, parity.after(square), nodes)
            };
            best = best.max(value);
            if best > alpha {
                return best;
            }
        }
    });
    if best != NONE {
        best
    } else if crate::moves::legal(opponent, player) == 0 {
        final_score(player, opponent)
    } else {
        -solve_by_parity(opponent, player, -alpha - 1, empty, parity, nodes)
    }
}

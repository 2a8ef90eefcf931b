//! Flips in plain 64-bit arithmetic.

use super::{LINE_FLIPS, LastFlips, full_line, rays};
use crate::square::Square;

/// The opposing discs that turn when `player` places a disc on `square`; empty if the move is illegal there.
///
/// On each ray the nearest square that is not the opponent's decides: if it is the player's, all before it flips.
#[inline]
pub fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    let rays = rays(square);
    let mut flips = 0;
    for ray in rays.up {
        let beyond = ray & !opponent;
        let bracket = beyond & beyond.wrapping_neg() & player;
        flips |= bracket.wrapping_sub((bracket != 0) as u64) & ray;
    }
    for ray in rays.down {
        let nearest = (1 << 63) >> (ray & !opponent | 1).leading_zeros();
        let bracket = nearest & player & ray;
        flips |= bracket.wrapping_mul(2).wrapping_neg() & ray;
    }
    flips
}

/// How many discs turn when either side fills the only empty square; all discs but `player` are the opponent's.
#[inline]
pub fn last_flips(square: Square, player: u64) -> LastFlips {
    const COLUMN_A: u64 = 0x0101_0101_0101_0101;
    const COLUMN_A_TO_TOP_BYTE: u64 = 0x0102_0408_1020_4080;
    let (column, row) = (square.column() as usize, square.row() as usize);
    let rays = rays(square);
    let line = |axis: usize| player & (rays.up[axis] | rays.down[axis]);
    // A diagonal has one square per column: multiplying by column a adds its rows up in the top byte.
    let by_column = |axis: usize| (line(axis).wrapping_mul(COLUMN_A) >> 56) as usize;
    let own_row = (player >> (8 * row)) as u8 as usize;
    let own_column = ((player >> column & COLUMN_A).wrapping_mul(COLUMN_A_TO_TOP_BYTE) >> 56) as usize;
    // Seen by columns, a diagonal is like the one through the transposed square.
    let transposed = 8 * column + row;
    LastFlips::of_lines([
        LINE_FLIPS[full_line(column)][own_row],
        LINE_FLIPS[full_line(row)][own_column],
        LINE_FLIPS[transposed][by_column(2)],
        LINE_FLIPS[transposed ^ 7][by_column(3)],
    ])
}

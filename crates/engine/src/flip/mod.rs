//! What a move flips, and how much the last move of a game flips.
//!
//! `flips` and `last_flips` are the kernels of the build's tier. The portable ones exist in every build, so tests
//! can compare them.

pub mod portable;

#[cfg(target_feature = "avx2")]
pub mod avx2;
#[cfg(target_feature = "avx2")]
pub use avx2::{flips, last_flips};

#[cfg(not(target_feature = "avx2"))]
pub use portable::{flips, last_flips};

use crate::square::Square;

/// The squares seen from one square in the eight directions, itself excluded.
///
/// Axis order: row, column, falling diagonal, rising diagonal (index steps 1, 8, 9, 7).
#[repr(align(64))]
struct Rays {
    /// Towards higher indices.
    up: [u64; 4],
    /// Towards lower indices.
    down: [u64; 4],
}

static RAYS: [Rays; 64] = {
    let mut rays = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        rays[square].up = [ray(square, 1, 0), ray(square, 0, 1), ray(square, 1, 1), ray(square, -1, 1)];
        rays[square].down = [ray(square, -1, 0), ray(square, 0, -1), ray(square, -1, -1), ray(square, 1, -1)];
        square += 1;
    }
    rays
};

const fn ray(square: usize, columns: i32, rows: i32) -> u64 {
    let mut column = (square % 8) as i32 + columns;
    let mut row = (square / 8) as i32 + rows;
    let mut ray = 0;
    while 0 <= column && column < 8 && 0 <= row && row < 8 {
        ray |= 1 << (row * 8 + column);
        column += columns;
        row += rows;
    }
    ray
}

#[inline]
fn rays(square: Square) -> &'static Rays {
    &RAYS[square.index()]
}

/// What the last move of a game would turn, for either side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LastFlips {
    /// How many discs turn if the player takes the square.
    pub own: u32,
    /// How many turn if the opponent does.
    pub other: u32,
}

impl LastFlips {
    /// The sum of what `LINE_FLIPS` knows of four lines.
    #[inline]
    fn of_lines(lines: [u16; 4]) -> LastFlips {
        // At most 19 discs turn, so the bytes do not meet.
        let sum: u32 = lines.into_iter().map(u32::from).sum();
        LastFlips { own: sum & 0xff, other: sum >> 8 }
    }
}

/// `LINE_FLIPS[square][own]`: discs turned on the falling diagonal through the last empty square if the player fills it
/// (low byte) or the opponent (high byte); bit n of `own` is the player's disc in row n of the diagonal.
///
/// Every line is like one of these: rows and columns like the longest diagonal, rising diagonals like their mirror images.
static LINE_FLIPS: [[u16; 256]; 64] = {
    let mut table = [[0; 256]; 64];
    let mut square = 0usize;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        let first = row.saturating_sub(column);
        let end = 8 - column.saturating_sub(row);
        let mut own = 0;
        while own < 256 {
            table[square][own] = line_flips(row, own, first, end) | line_flips(row, !own, first, end) << 8;
            own += 1;
        }
        square += 1;
    }
    table
};

/// Where `LINE_FLIPS` has a row or column of eight whose last empty place is `at`.
const fn full_line(at: usize) -> usize {
    9 * at
}

/// What turns on a line from place `first` to before `end` when the owner of `own` fills place `at`.
const fn line_flips(at: usize, own: usize, first: usize, end: usize) -> u16 {
    let mut flips = 0;
    let mut place = at + 1;
    while place < end {
        if own >> place & 1 != 0 {
            flips += place - at - 1;
            break;
        }
        place += 1;
    }
    place = at;
    while place > first {
        place -= 1;
        if own >> place & 1 != 0 {
            flips += at - place - 1;
            break;
        }
    }
    flips as u16
}

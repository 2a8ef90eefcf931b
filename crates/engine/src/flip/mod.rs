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

/// `LINE_FLIPS[at][own]`: discs flipped on a full line of eight when the mover, whose other discs are `own`, fills
/// the line's last empty place `at`.
static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut at = 0;
    while at < 8 {
        let mut own = 0;
        while own < 256 {
            table[at][own] = line_flips(at as i32, own, 1) + line_flips(at as i32, own, -1);
            own += 1;
        }
        at += 1;
    }
    table
};

const fn line_flips(at: i32, own: usize, step: i32) -> u8 {
    let mut run = 0;
    let mut place = at + step;
    while 0 <= place && place < 8 {
        if own >> place & 1 != 0 {
            return run;
        }
        run += 1;
        place += step;
    }
    0
}

//! Columns and open lines with the four axes in the four lanes of a vector.

use super::{COLUMN_A, COLUMN_H};
use crate::flip::avx2::lanes;
use std::arch::x86_64::*;

/// Columns a and h, lowest row first: the player's eight squares below the opponent's.
#[inline]
pub fn outer_columns(player: u64, opponent: u64) -> [u16; 2] {
    // SAFETY: this module is compiled only when AVX2 is enabled for the whole build.
    unsafe { outer_columns_vector(player, opponent) }
}

/// The squares of lines with an empty square, by axis.
#[inline]
pub fn open_lines(filled: u64) -> [u64; 4] {
    // SAFETY: this module is compiled only when AVX2 is enabled for the whole build.
    unsafe { open_lines_vector(filled) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn outer_columns_vector(player: u64, opponent: u64) -> [u16; 2] {
    let both = _mm_set_epi64x(opponent as i64, player as i64);
    // Column h is the highest bit of every byte.
    [_mm_movemask_epi8(_mm_slli_epi64::<7>(both)) as u16, _mm_movemask_epi8(both) as u16]
}

/// What may come from a square lower or higher by some steps along each axis, without wrapping around the edge.
struct Spread {
    up: [u64; 4],
    down: [u64; 4],
}

/// For one, two and four steps.
static SPREADS: [Spread; 3] = {
    let mut spreads = [const { Spread { up: [0; 4], down: [0; 4] } }; 3];
    let steps = [1, 8, 9, 7];
    let mut axis = 0;
    while axis < 4 {
        let (mut up, mut down) = match steps[axis] {
            8 => (!0, !0),
            7 => (!COLUMN_H, !COLUMN_A),
            _ => (!COLUMN_A, !COLUMN_H),
        };
        let mut doubling = 0;
        while doubling < 3 {
            spreads[doubling].up[axis] = up;
            spreads[doubling].down[axis] = down;
            up &= up << (steps[axis] << doubling);
            down &= down >> (steps[axis] << doubling);
            doubling += 1;
        }
        axis += 1;
    }
    spreads
};

#[inline]
#[target_feature(enable = "avx2")]
fn open_lines_vector(filled: u64) -> [u64; 4] {
    // Emptiness spreads along each axis both ways.
    let mut open = _mm256_set1_epi64x(!filled as i64);
    let mut steps = _mm256_set_epi64x(7, 9, 8, 1);
    for Spread { up, down } in &SPREADS {
        let up = _mm256_and_si256(_mm256_sllv_epi64(open, steps), lanes(up));
        let down = _mm256_and_si256(_mm256_srlv_epi64(open, steps), lanes(down));
        open = _mm256_or_si256(open, _mm256_or_si256(up, down));
        steps = _mm256_add_epi64(steps, steps);
    }
    let mut lines = [0; 4];
    // SAFETY: there is room for four lanes, and the unaligned store asks for nothing more.
    unsafe { _mm256_storeu_si256(lines.as_mut_ptr().cast(), open) };
    lines
}

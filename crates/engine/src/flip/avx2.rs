//! Flips with the four axes in the four lanes of a vector.

use super::{LINE_FLIPS, LastFlips, RAYS, Rays, full_line, rays};
use crate::square::Square;
use std::arch::x86_64::*;

/// The opposing discs that turn when `player` places a disc on `square`; empty if the move is illegal there.
#[inline]
pub fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    // SAFETY: this module is compiled only when AVX2 is enabled for the whole build.
    unsafe { flips_vector(square, player, opponent) }
}

/// How many discs turn when either side fills the only empty square; all discs but `player` are the opponent's.
#[inline]
pub fn last_flips(square: Square, player: u64) -> LastFlips {
    // SAFETY: this module is compiled only when AVX2 is enabled for the whole build.
    unsafe { last_flips_vector(square, player) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn flips_vector(square: Square, player: u64, opponent: u64) -> u64 {
    union_of_lanes(flips_lanes(square, _mm256_set1_epi64x(player as i64), _mm256_set1_epi64x(opponent as i64)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn last_flips_vector(square: Square, player: u64) -> LastFlips {
    last_flips_lanes(square, _mm256_set1_epi64x(player as i64))
}

/// What turns on `square`, by axis; every lane of a side holds all its discs.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn flips_lanes(square: Square, own: __m256i, other: __m256i) -> __m256i {
    let Rays { up, down } = rays(square);
    let zero = _mm256_setzero_si256();

    // Upwards the nearest square beyond the run is the lowest bit; if it is the player's, the bits below it flip.
    let ray = lanes(up);
    let beyond = _mm256_andnot_si256(other, ray);
    let nearest = _mm256_and_si256(beyond, _mm256_sub_epi64(zero, beyond));
    let bracket = _mm256_and_si256(nearest, own);
    let below = _mm256_add_epi64(bracket, _mm256_set1_epi64x(-1));
    let unbracketed = _mm256_cmpeq_epi64(bracket, zero);
    let flips_up = _mm256_andnot_si256(unbracketed, _mm256_and_si256(below, ray));

    // Downwards it is the highest bit: smear it down the ray; the comparison tells whose bit is the highest.
    let ray = lanes(down);
    let beyond = _mm256_andnot_si256(other, ray);
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let twice = _mm256_add_epi64(step, step);
    let mut shadow = _mm256_or_si256(beyond, _mm256_srlv_epi64(beyond, step));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, twice));
    shadow = _mm256_or_si256(shadow, _mm256_srlv_epi64(shadow, _mm256_add_epi64(twice, twice)));
    let brackets = _mm256_and_si256(beyond, own);
    let bracketed = _mm256_cmpgt_epi64(brackets, _mm256_xor_si256(brackets, beyond));
    let flips_down = _mm256_and_si256(bracketed, _mm256_andnot_si256(shadow, ray));

    _mm256_or_si256(flips_up, flips_down)
}

/// What the last empty square of a board is looked up by, all in one line of the cache.
#[repr(align(64))]
struct LastSquare {
    /// The lines through the square, itself excluded, by axis.
    lines: [u64; 4],
    /// What turns on each of them, by the player's discs there.
    flips: [&'static [u16; 256]; 4],
}

static LAST_SQUARES: [LastSquare; 64] = {
    let mut squares = [const { LastSquare { lines: [0; 4], flips: [&LINE_FLIPS[0]; 4] } }; 64];
    let mut square = 0;
    while square < 64 {
        let (row, column) = (square / 8, square % 8);
        squares[square].flips =
            [&LINE_FLIPS[full_line(column)], &LINE_FLIPS[full_line(row)], &LINE_FLIPS[square], &LINE_FLIPS[square ^ 7]];
        let mut axis = 0;
        while axis < 4 {
            squares[square].lines[axis] = RAYS[square].up[axis] | RAYS[square].down[axis];
            axis += 1;
        }
        square += 1;
    }
    squares
};

/// What either side turns on the last square; every lane holds all discs of the player.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn last_flips_lanes(square: Square, own: __m256i) -> LastFlips {
    let LastSquare { lines, flips } = &LAST_SQUARES[square.index()];
    let on_lines = _mm256_and_si256(lanes(lines), own);
    // A column or diagonal has one square per row, so "byte is not zero" is its content, indexed by row.
    let vacant = _mm256_movemask_epi8(_mm256_cmpeq_epi8(on_lines, _mm256_setzero_si256()));
    let by_row = |axis: usize| (!vacant >> (8 * axis)) as u8 as usize;
    let own_row = (first_lane(own) >> (square.index() & 0o70)) as u8 as usize;
    LastFlips::of_lines([flips[0][own_row], flips[1][by_row(1)], flips[2][by_row(2)], flips[3][by_row(3)]])
}

/// The lanes of the four axes.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn lanes(axes: &[u64; 4]) -> __m256i {
    // SAFETY: the array is 32 readable bytes, and the unaligned load asks for nothing more.
    unsafe { _mm256_loadu_si256(axes.as_ptr().cast()) }
}

/// The bitwise or of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn union_of_lanes(vector: __m256i) -> u64 {
    let halves = _mm_or_si128(_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector));
    let both = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
    _mm_cvtsi128_si64(both) as u64
}

/// The lowest lane.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn first_lane(vector: __m256i) -> u64 {
    _mm_cvtsi128_si64(_mm256_castsi256_si128(vector)) as u64
}

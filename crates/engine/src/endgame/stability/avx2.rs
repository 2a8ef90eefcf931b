//! Edges and stable discs with the four axes in the four lanes of a vector.

use super::{COLUMN_A, COLUMN_H, INNER};
use crate::flip::avx2::{first_lane, lanes};
use std::arch::x86_64::*;

/// Columns a and h, lowest row first: the player's eight squares below the opponent's.
#[inline]
pub fn outer_columns(player: u64, opponent: u64) -> [u16; 2] {
    // SAFETY: this module is compiled only when AVX2 is enabled for the whole build.
    unsafe { outer_columns_vector(player, opponent) }
}

/// The stable discs, given those on the edges.
#[inline]
pub fn with_inner(stable: u64, player: u64, filled: u64) -> u64 {
    // SAFETY: this module is compiled only when AVX2 is enabled for the whole build.
    unsafe { with_inner_vector(stable, player, filled) }
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
fn with_inner_vector(stable: u64, player: u64, filled: u64) -> u64 {
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    // Lines that are not full: emptiness spreads along each axis both ways.
    let mut open = _mm256_set1_epi64x(!filled as i64);
    let mut steps = step;
    for Spread { up, down } in &SPREADS {
        let up = _mm256_and_si256(_mm256_sllv_epi64(open, steps), lanes(up));
        let down = _mm256_and_si256(_mm256_srlv_epi64(open, steps), lanes(down));
        open = _mm256_or_si256(open, _mm256_or_si256(up, down));
        steps = _mm256_add_epi64(steps, steps);
    }
    let inner = _mm256_set1_epi64x((player & INNER) as i64);
    let mut stable = _mm256_set1_epi64x(stable as i64);
    // What is stable, or touches stable discs or full lines along every axis.
    let grown = |stable: __m256i| {
        let near = _mm256_or_si256(_mm256_sllv_epi64(stable, step), _mm256_srlv_epi64(stable, step));
        let at_risk = _mm256_andnot_si256(near, open);
        let halves = _mm256_or_si256(at_risk, _mm256_permute4x64_epi64::<0b01_00_11_10>(at_risk));
        let anywhere = _mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves));
        _mm256_or_si256(stable, _mm256_andnot_si256(anywhere, inner))
    };
    stable = grown(grown(stable));
    loop {
        let next = grown(stable);
        if _mm256_testc_si256(stable, next) != 0 {
            return first_lane(stable);
        }
        stable = next;
    }
}

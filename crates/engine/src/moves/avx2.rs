//! Move generation with the four axes in the four lanes of a vector.

use super::INNER_COLUMNS;
use std::arch::x86_64::*;

/// The squares on which `player` may place a disc.
#[inline]
pub fn legal(player: u64, opponent: u64) -> u64 {
    // SAFETY: this module is compiled only when AVX2 is enabled for the whole build.
    unsafe { legal_vector(player, opponent) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn legal_vector(player: u64, opponent: u64) -> u64 {
    let (own, other) = (_mm256_set1_epi64x(player as i64), _mm256_set1_epi64x(opponent as i64));
    reached_lanes(own, other) & !(player | opponent)
}

/// The squares just beyond runs of opposing discs that begin next to the player's, empty or not; every lane of a side
/// holds all its discs.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn reached_lanes(own: __m256i, other: __m256i) -> u64 {
    const INNER: i64 = INNER_COLUMNS as i64;
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let twice = _mm256_add_epi64(step, step);
    let run = _mm256_and_si256(other, _mm256_set_epi64x(INNER, INNER, -1, INNER));

    let mut left = _mm256_and_si256(run, _mm256_sllv_epi64(own, step));
    let mut right = _mm256_and_si256(run, _mm256_srlv_epi64(own, step));
    left = _mm256_or_si256(left, _mm256_and_si256(run, _mm256_sllv_epi64(left, step)));
    right = _mm256_or_si256(right, _mm256_and_si256(run, _mm256_srlv_epi64(right, step)));
    let pairs_left = _mm256_and_si256(run, _mm256_sllv_epi64(run, step));
    let pairs_right = _mm256_srlv_epi64(pairs_left, step);
    for _ in 0..2 {
        left = _mm256_or_si256(left, _mm256_and_si256(pairs_left, _mm256_sllv_epi64(left, twice)));
        right = _mm256_or_si256(right, _mm256_and_si256(pairs_right, _mm256_srlv_epi64(right, twice)));
    }

    let reached = _mm256_or_si256(_mm256_sllv_epi64(left, step), _mm256_srlv_epi64(right, step));
    crate::flip::avx2::union_of_lanes(reached)
}

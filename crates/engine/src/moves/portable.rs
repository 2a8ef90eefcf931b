//! Move generation in plain 64-bit arithmetic, one axis at a time.

use super::INNER_COLUMNS;

/// The squares on which `player` may place a disc.
#[inline]
pub fn legal(player: u64, opponent: u64) -> u64 {
    let inner = opponent & INNER_COLUMNS;
    let reached = along::<1>(player, inner)
        | along::<8>(player, opponent)
        | along::<7>(player, inner)
        | along::<9>(player, inner);
    reached & !(player | opponent)
}

/// Squares just beyond runs of `opponent` that begin next to `player`, both ways along one axis.
///
/// A run has at most six discs. One step finds the first, then pairs of neighbouring discs double the stride.
#[inline]
fn along<const STEP: u32>(player: u64, opponent: u64) -> u64 {
    let mut left = opponent & (player << STEP);
    let mut right = opponent & (player >> STEP);
    left |= opponent & (left << STEP);
    right |= opponent & (right >> STEP);
    let pairs_left = opponent & (opponent << STEP);
    let pairs_right = pairs_left >> STEP;
    left |= pairs_left & (left << (2 * STEP));
    right |= pairs_right & (right >> (2 * STEP));
    left |= pairs_left & (left << (2 * STEP));
    right |= pairs_right & (right >> (2 * STEP));
    (left << STEP) | (right >> STEP)
}

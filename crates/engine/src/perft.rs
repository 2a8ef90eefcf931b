//! Perft: the number of move sequences of a given length, the standard proof of a move generator.
//!
//! A game that ends early counts as one sequence. The customary counts differ in what a pass is; both conventions
//! are here, by name.

use crate::board::Board;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a pass costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PassRule {
    /// A pass is a ply like any move.
    #[default]
    Ply,
    /// A pass costs no depth.
    Free,
}

/// The number of move sequences of `depth` plies, counted on one thread.
pub fn perft(board: Board, depth: u32, rule: PassRule) -> u64 {
    match rule {
        PassRule::Ply => count::<true>(board, depth),
        PassRule::Free => count::<false>(board, depth),
    }
}

/// The same count by all threads of the current rayon pool; `None` if `stop` was raised before it was complete.
pub fn perft_parallel(board: Board, depth: u32, rule: PassRule, stop: &AtomicBool) -> Option<u64> {
    /// Subtrees of this depth take milliseconds: small enough to balance and to stop between.
    const LEAF_JOB: u32 = 7;
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let moves = board.legal_moves();
    if depth <= LEAF_JOB || moves.is_empty() {
        return Some(perft(board, depth, rule));
    }
    let children: Vec<Board> = moves.into_iter().map(|square| board.after_move(square, board.flips(square))).collect();
    children
        .into_par_iter()
        .map(|child| perft_parallel(child, depth - 1, rule, stop))
        .try_reduce(|| 0, |a, b| Some(a + b))
}

fn count<const PASS_IS_PLY: bool>(board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    if moves.is_empty() {
        let passed = board.after_pass();
        return if passed.legal_moves().is_empty() {
            1
        } else {
            count::<PASS_IS_PLY>(passed, depth - PASS_IS_PLY as u32)
        };
    }
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.into_iter().map(|square| count::<PASS_IS_PLY>(board.after_move(square, board.flips(square)), depth - 1)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts 0 to 10, pass as a ply.
    const PLY: [u64; 11] = [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284];

    #[test]
    fn counts_with_a_pass_as_a_ply_are_the_published_ones() {
        for (depth, &expected) in PLY.iter().enumerate() {
            assert_eq!(perft(Board::START, depth as u32, PassRule::Ply), expected, "depth {depth}");
        }
    }

    #[test]
    fn counts_with_free_passes_are_the_published_ones() {
        for (depth, &expected) in PLY[..9].iter().enumerate() {
            assert_eq!(perft(Board::START, depth as u32, PassRule::Free), expected, "depth {depth}");
        }
        assert_eq!(perft(Board::START, 9, PassRule::Free), 3_005_320);
        assert_eq!(perft(Board::START, 10, PassRule::Free), 24_571_420);
    }

    #[test]
    fn parallel_counts_equal_serial_ones_and_stop_when_told() {
        let never = AtomicBool::new(false);
        assert_eq!(perft_parallel(Board::START, 10, PassRule::Ply, &never), Some(24_571_284));
        assert_eq!(perft_parallel(Board::START, 10, PassRule::Free, &never), Some(24_571_420));
        assert_eq!(perft_parallel(Board::START, 30, PassRule::Ply, &AtomicBool::new(true)), None);
    }
}

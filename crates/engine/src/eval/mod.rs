//! Evaluation: what a position is worth to the side to move, in centidiscs.
//!
//! An evaluator may carry a state from parent to child, so that undoing a move costs nothing.

mod hand;

pub use hand::HandEvaluator;
pub(crate) use hand::neighbours;

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::score::Score;
use crate::square::Square;

/// A static evaluation that follows the search move by move.
///
/// Two boards that differ by a symmetry have the same value, and colours do not enter: a board is seen by its mover.
pub trait Evaluator: Send + Sync {
    /// What is kept per position.
    type State: Clone + Send;

    /// The state of a board, computed from nothing.
    fn state(&self, board: Board) -> Self::State;

    /// The state after the side to move placed a disc on `square` and turned `flips`.
    fn after_move(&self, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// The state after a pass.
    fn after_pass(&self, state: &Self::State) -> Self::State;

    /// The value for the side to move; the game need not be over, and if it is, the value need not be exact.
    fn evaluate(&self, state: &Self::State, board: Board) -> Score;
}

//! Evaluation: what a position is worth to the side to move, in centidiscs.
//!
//! An evaluator may carry a state from parent to child, so that undoing a move costs nothing.

mod hand;
mod pattern;
pub(crate) mod patterns;
mod weights;

pub use hand::HandEvaluator;
pub(crate) use hand::neighbours;
pub use pattern::{PatternEvaluator, SetEvaluator};
pub use patterns::Indices;
pub use weights::{Weights, WeightsError};

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

    /// A cheaper evaluation, good enough to order moves.
    type Small: Evaluator;

    /// The state of a board, computed from nothing.
    fn state(&self, board: Board) -> Self::State;

    /// The state after the side to move placed a disc on `square` and turned `flips`.
    fn after_move(&self, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// The state after a pass.
    fn after_pass(&self, state: &Self::State) -> Self::State;

    /// The value for the side to move; the game need not be over, and if it is, the value need not be exact.
    fn evaluate(&self, state: &Self::State, board: Board) -> Score;

    /// The cheaper evaluation.
    fn small(&self) -> &Self::Small;
}

impl<E: Evaluator> Evaluator for &E {
    type State = E::State;
    type Small = E::Small;

    fn state(&self, board: Board) -> E::State {
        (**self).state(board)
    }

    #[inline]
    fn after_move(&self, state: &E::State, square: Square, flips: Bitboard) -> E::State {
        (**self).after_move(state, square, flips)
    }

    #[inline]
    fn after_pass(&self, state: &E::State) -> E::State {
        (**self).after_pass(state)
    }

    #[inline]
    fn evaluate(&self, state: &E::State, board: Board) -> Score {
        (**self).evaluate(state, board)
    }

    fn small(&self) -> &E::Small {
        (**self).small()
    }
}

//! The trained evaluation: patterns looked up in weights by game stage.

use super::Evaluator;
use super::patterns::{Indices, MAIN_SET, PatternSet, SMALL_SET};
use super::weights::{StageWeights, Weights};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::score::Score;
use crate::square::Square;
use std::sync::{Arc, LazyLock};

/// The greatest estimate: none claims a wipe-out.
const MOST: i32 = 6300;

/// The trained evaluation.
#[derive(Clone)]
pub struct PatternEvaluator {
    main: SetEvaluator<64>,
    small: SetEvaluator<16>,
}

impl PatternEvaluator {
    /// The evaluation with the weights that come with the crate.
    pub fn bundled() -> PatternEvaluator {
        static BUNDLED: LazyLock<PatternEvaluator> = LazyLock::new(|| PatternEvaluator::new(&Weights::bundled()));
        BUNDLED.clone()
    }

    /// An evaluation with these weights; clones share their memory.
    pub fn new(weights: &Weights) -> PatternEvaluator {
        PatternEvaluator {
            main: SetEvaluator { set: &MAIN_SET, weights: weights.main() },
            small: SetEvaluator { set: &SMALL_SET, weights: weights.small() },
        }
    }
}

impl Evaluator for PatternEvaluator {
    type State = Indices<64>;
    type Small = SetEvaluator<16>;

    fn state(&self, board: Board) -> Indices<64> {
        self.main.state(board)
    }

    #[inline]
    fn after_move(&self, state: &Indices<64>, square: Square, flips: Bitboard) -> Indices<64> {
        self.main.after_move(state, square, flips)
    }

    #[inline]
    fn after_pass(&self, state: &Indices<64>) -> Indices<64> {
        self.main.after_pass(state)
    }

    #[inline]
    fn evaluate(&self, state: &Indices<64>, board: Board) -> Score {
        self.main.evaluate(state, board)
    }

    fn small(&self) -> &SetEvaluator<16> {
        &self.small
    }
}

/// An evaluation by the patterns of one set.
#[derive(Clone)]
pub struct SetEvaluator<const LANES: usize> {
    set: &'static PatternSet<LANES>,
    weights: Arc<StageWeights>,
}

impl<const LANES: usize> Evaluator for SetEvaluator<LANES> {
    type State = Indices<LANES>;
    type Small = SetEvaluator<LANES>;

    fn state(&self, board: Board) -> Indices<LANES> {
        self.set.indices(board)
    }

    #[inline]
    fn after_move(&self, state: &Indices<LANES>, square: Square, flips: Bitboard) -> Indices<LANES> {
        self.set.after_move(state, square, flips)
    }

    #[inline]
    fn after_pass(&self, state: &Indices<LANES>) -> Indices<LANES> {
        self.set.after_pass(state)
    }

    #[inline]
    fn evaluate(&self, state: &Indices<LANES>, board: Board) -> Score {
        let sum = self.set.sum(self.weights.stage(board.stage()), state, board);
        Score::from_centidiscs((sum * 100 / StageWeights::SCALE).clamp(-MOST, MOST))
    }

    fn small(&self) -> &SetEvaluator<LANES> {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::symmetry::Symmetry;

    fn bench_boards() -> impl Iterator<Item = Board> {
        crate::bench_positions().into_iter().map(|position| position.board)
    }

    fn value<E: Evaluator>(evaluator: &E, board: Board) -> i32 {
        evaluator.evaluate(&evaluator.state(board), board).centidiscs()
    }

    #[test]
    fn symmetric_boards_have_the_same_value() {
        let evaluator = PatternEvaluator::bundled();
        for board in bench_boards() {
            for symmetry in Symmetry::ALL {
                let image = symmetry.board(board);
                assert_eq!(value(&evaluator, image), value(&evaluator, board), "{board:?} {symmetry:?}");
                assert_eq!(value(evaluator.small(), image), value(evaluator.small(), board), "{board:?} {symmetry:?}");
            }
        }
    }

    #[test]
    fn the_scale_is_discs() {
        let evaluator = PatternEvaluator::bundled();
        let values = bench_boards().map(|board| value(&evaluator, board).abs()).collect::<Vec<_>>();
        let mean = values.iter().sum::<i32>() / values.len() as i32;
        assert!((100..2000).contains(&mean), "the mean of the values is {mean} centidiscs");
    }

    #[test]
    fn no_value_claims_a_wipe_out() {
        let evaluator = PatternEvaluator::bundled();
        let nearly_all = Board::new(Bitboard(!0xff00_0000_0000_0000), Bitboard::EMPTY).unwrap();
        assert!(value(&evaluator, nearly_all) <= MOST && value(&evaluator, nearly_all.after_pass()) >= -MOST);
    }
}

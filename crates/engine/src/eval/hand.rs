//! The hand-made evaluation: mobility, corners, potential mobility and parity.

use super::Evaluator;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::score::Score;
use crate::square::Square;

/// Centidiscs per unit of each feature, set by hand; pinned to disc scale by a test on the spread over real games.
mod weight {
    /// One more legal move than the opponent.
    pub const MOBILITY: i32 = 75;
    /// One more opposing disc neighbour of an empty square.
    pub const POTENTIAL_MOBILITY: i32 = 25;
    /// A corner.
    pub const CORNER: i32 = 800;
    /// A disc diagonally next to an empty corner.
    pub const X_SQUARE: i32 = -300;
    /// A disc beside an empty corner.
    pub const C_SQUARE: i32 = -100;
    /// An odd number of empty squares in the last part of the game: the mover will move last.
    pub const PARITY: i32 = 150;
}

/// From this many empty squares down parity counts.
const PARITY_EMPTIES: u32 = 20;

/// An evaluation that needs no weights file.
#[derive(Clone, Copy, Default, Debug)]
pub struct HandEvaluator;

impl Evaluator for HandEvaluator {
    type State = ();
    type Small = HandEvaluator;

    fn state(&self, _: Board) {}

    fn after_move(&self, (): &(), _: Square, _: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    fn evaluate(&self, (): &(), board: Board) -> Score {
        let passed = board.after_pass();
        let (own_moves, other_moves) = (board.legal_moves(), passed.legal_moves());
        if own_moves.is_empty() && other_moves.is_empty() {
            return board.final_score().into();
        }
        let empty = board.empty();
        let near_empty = neighbours(empty);
        // Squares that matter only while their corner is empty.
        let near_empty_corner = neighbours(empty & Bitboard::CORNERS);
        let difference =
            |feature: Bitboard| (feature & board.player()).len() as i32 - (feature & board.opponent()).len() as i32;
        let parity = (board.empties() % 2 == 1 && board.empties() <= PARITY_EMPTIES) as i32;
        Score::from_centidiscs(
            weight::MOBILITY * (own_moves.len() as i32 - other_moves.len() as i32)
                // A disc next to an empty square is a move for the other side some day.
                - weight::POTENTIAL_MOBILITY * difference(near_empty)
                + weight::CORNER * difference(Bitboard::CORNERS)
                + weight::X_SQUARE * difference(near_empty_corner & Bitboard::X_SQUARES)
                + weight::C_SQUARE * difference(near_empty_corner & Bitboard::C_SQUARES)
                + weight::PARITY * parity,
        )
    }

    fn small(&self) -> &HandEvaluator {
        self
    }
}

/// The squares next to a set, the set itself included.
pub(crate) fn neighbours(squares: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let row = squares.0 | (squares.0 << 1 & NOT_A) | (squares.0 >> 1 & NOT_H);
    Bitboard(row | row << 8 | row >> 8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_transcript;
    use crate::{Game, Position, Symmetry};

    fn value(board: Board) -> i32 {
        HandEvaluator.evaluate(&(), board).centidiscs()
    }

    /// Positions of games that the engine played with itself.
    fn real_positions() -> Vec<Board> {
        let games = [
            "d3c3f5f6b3b2b1f4g6c5c4b4e6d2c6a1e3c1a4d6c2f3a2e2d1g5f1d7g3e7h6e1f2g1f7g4g2",
            "f5f6c4g5h5f4g7f7g4h8e7d3f3h3g3c3e6g6e3h4h2e2d2d8f1b4b5c1c2b1a4d1g2f2f8c5b3d7e1",
            "e6f6g6e3f3d6c4d3c3f5g4e7d8f8c5f4f7f2c6h4h3h5h6d2e8g5g8c2d1c1b1b3g3b4f1b6b5a6a4g7e1a3a2c7",
        ];
        games
            .iter()
            .flat_map(|game| {
                let moves = parse_transcript(game).unwrap();
                (4..moves.len())
                    .map(move |n| Game::replay(Position::START, moves[..n].iter().copied()).unwrap().position().board)
            })
            .collect()
    }

    #[test]
    fn the_scale_is_discs() {
        let values: Vec<f64> = real_positions().into_iter().map(|board| value(board) as f64).collect();
        let spread = (values.iter().map(|value| value * value).sum::<f64>() / values.len() as f64).sqrt();
        assert!((100.0..1000.0).contains(&spread), "the spread is {spread} centidiscs");
    }

    #[test]
    fn exchanging_the_sides_negates_all_but_parity() {
        for board in real_positions() {
            let parity = if board.empties() % 2 == 1 && board.empties() <= PARITY_EMPTIES { weight::PARITY } else { 0 };
            assert_eq!(value(board) + value(board.after_pass()), 2 * parity, "{board:?}");
        }
    }

    #[test]
    fn symmetric_boards_have_the_same_value() {
        for board in real_positions() {
            for symmetry in Symmetry::ALL {
                assert_eq!(value(symmetry.board(board)), value(board), "{board:?} {symmetry:?}");
            }
        }
    }

    #[test]
    fn a_finished_game_has_its_result() {
        let won = Board::new(Bitboard(7), Bitboard::EMPTY).unwrap();
        assert_eq!(value(won), 6400);
    }
}

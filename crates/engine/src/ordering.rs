//! Move ordering: the table's moves first, before any other is generated; then the rest, scored, best first.
//!
//! Scores are in centidiscs, as an estimate of what the move is worth, so that evaluations and bonuses add up.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::eval::neighbours;
use crate::square::Square;
use arrayvec::ArrayVec;

/// What speaks for a move, in centidiscs; set by node counts on the bench positions (`reluca bench`).
mod weight {
    /// Each move left to the opponent; corners count twice.
    pub const MOBILITY: i32 = 60;
    /// Each own disc next to an empty square after the move.
    pub const POTENTIAL_MOBILITY: i32 = 12;
    /// A killer of this ply.
    pub const KILLER: i32 = 120;
    /// The full strength of the history.
    pub const HISTORY: i32 = 150;
    /// Corner, edge, inside, beside a corner, diagonally beside a corner.
    pub const CORNER: i16 = 700;
    pub const EDGE: i16 = 60;
    pub const C_SQUARE: i16 = -150;
    pub const X_SQUARE: i16 = -350;
}

/// Ply numbers reach 60 moves and as many passes.
pub const MAX_PLY: usize = 128;

/// A move with what it flips and what speaks for it.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove {
    /// Where the disc goes.
    pub square: Square,
    /// What turns.
    pub flips: Bitboard,
    /// The greater, the earlier.
    pub score: i32,
}

/// The moves of one node.
pub type MoveList = ArrayVec<ScoredMove, 64>;

/// Takes the best move out of a list; near the leaves that is cheaper than sorting.
pub fn take_best(moves: &mut MoveList) -> Option<ScoredMove> {
    // One number to compare, the place in the list at its end.
    let key = |(place, mv): (usize, &ScoredMove)| {
        (mv.score as i64) << 16 | (63 - mv.square.index() as i64) << 8 | place as i64
    };
    let best = moves.iter().enumerate().map(key).max()?;
    Some(moves.swap_remove(best as u8 as usize))
}

/// Killer moves by ply and history by square: what cut elsewhere in this search.
pub struct Memory {
    killers: [[Option<Square>; 2]; MAX_PLY],
    history: [[u32; 64]; 2],
    most: u32,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory { killers: [[None; 2]; MAX_PLY], history: [[0; 64]; 2], most: 1 }
    }
}

impl Memory {
    /// Notes that a move made a cutoff.
    pub fn note_cutoff(&mut self, square: Square, depth: u32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(square) {
            *killers = [Some(square), killers[0]];
        }
        let count = &mut self.history[ply & 1][square.index()];
        *count = count.saturating_add(depth * depth);
        self.most = self.most.max(*count);
        if self.most > 1 << 24 {
            self.history.as_flattened_mut().iter_mut().for_each(|count| *count /= 2);
            self.most /= 2;
        }
    }

    /// Whether the move is a killer of this ply.
    pub fn is_killer(&self, square: Square, ply: usize) -> bool {
        self.killers[ply].contains(&Some(square))
    }

    /// The history of a move, from 0 to 1.
    pub fn history(&self, square: Square, ply: usize) -> f64 {
        self.history[ply & 1][square.index()] as f64 / self.most as f64
    }

    /// What cutoffs elsewhere speak for the move.
    pub fn bonus(&self, square: Square, ply: usize) -> i32 {
        let killer = if self.is_killer(square, ply) { weight::KILLER } else { 0 };
        let history = self.history[ply & 1][square.index()] as u64 * weight::HISTORY as u64 / self.most as u64;
        killer + history as i32
    }
}

/// What each square itself speaks for, by the set of empty corners: a1, h1, a8, h8.
static SQUARE_SCORES: [[i16; 64]; 16] = {
    let mut scores = [[0; 64]; 16];
    let mut entry = 0;
    while entry < 16 * 64 {
        let (corners, square) = (entry / 64, entry % 64);
        let (row, column) = (square / 8, square % 8);
        let corner_is_empty = corners >> (row / 4 * 2 + column / 4) & 1 != 0;
        // How far the square lies from the two edges nearest to it.
        let from_edges = (if row < 4 { row } else { 7 - row }, if column < 4 { column } else { 7 - column });
        scores[corners][square] = match from_edges {
            (0, 0) => weight::CORNER,
            (1, 1) if corner_is_empty => weight::X_SQUARE,
            (0, 1) | (1, 0) if corner_is_empty => weight::C_SQUARE,
            (0, _) | (_, 0) => weight::EDGE,
            _ => 0,
        };
        entry += 1;
    }
    scores
};

/// What each square itself speaks for.
#[inline]
pub fn square_scores(empty: Bitboard) -> &'static [i16; 64] {
    let corners = (empty & Bitboard::CORNERS).0;
    &SQUARE_SCORES[(corners & 1 | corners >> 6 & 2 | corners >> 54 & 4 | corners >> 60 & 8) as usize]
}

/// What the board after a move, seen by the opponent, speaks for the move: few replies and few open discs.
pub fn mobility_score(child: Board) -> i32 {
    let (replies, corners, open) = replies(child);
    -(weight::MOBILITY * (replies + corners) + weight::POTENTIAL_MOBILITY * open)
}

/// How many replies a board after a move leaves, how many of them take a corner, and how many discs of the side that
/// moved are next to an empty square.
pub fn replies(child: Board) -> (i32, i32, i32) {
    let replies = child.legal_moves();
    let open = neighbours(child.empty()) & child.opponent();
    (replies.len() as i32, (replies & Bitboard::CORNERS).len() as i32, open.len() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_beside_a_corner_are_bad_as_long_as_it_is_empty() {
        let corners: Vec<Square> = Bitboard::CORNERS.into_iter().collect();
        for set in 0..16 {
            let empty: Bitboard =
                (0..4).filter(|corner| set >> corner & 1 != 0).map(|corner| corners[corner]).collect();
            let scores = square_scores(empty);
            for square in Square::all() {
                let bit = square.bitboard();
                let near = !(neighbours(bit) & Bitboard::CORNERS & empty).is_empty();
                let score = scores[square.index()];
                assert_eq!(score == weight::CORNER, corners.contains(&square), "{square}");
                assert_eq!(score == weight::X_SQUARE, near && !(bit & Bitboard::X_SQUARES).is_empty(), "{square}");
                assert_eq!(score == weight::C_SQUARE, near && !(bit & Bitboard::C_SQUARES).is_empty(), "{square}");
            }
        }
        assert_eq!(
            ["a4", "d1", "d4"].map(|name| square_scores(Bitboard::EMPTY)[name.parse::<Square>().unwrap().index()]),
            [60, 60, 0]
        );
    }

    #[test]
    fn the_best_move_comes_first_and_among_equals_the_lower_square() {
        let scored =
            |(name, score): (&str, i32)| ScoredMove { square: name.parse().unwrap(), flips: Bitboard::EMPTY, score };
        let mut moves: MoveList =
            [("h8", -700), ("c3", 5), ("b2", 5), ("a1", -6400), ("d1", 6400)].map(scored).into_iter().collect();
        let taken: Vec<String> = std::iter::from_fn(|| take_best(&mut moves)).map(|mv| mv.square.to_string()).collect();
        assert_eq!(taken, ["d1", "b2", "c3", "h8", "a1"]);
    }
}

//! The board: whose discs are where, seen by the side to move.
//!
//! Invariant: no square belongs to both sides.

use crate::bitboard::Bitboard;
use crate::score::Discs;
use crate::square::{Move, Square};
use crate::stage::Stage;
use crate::symmetry::Symmetry;
use crate::{flip, moves};
use thiserror::Error;

/// A position as the side to move sees it; colours live in [`Game`](crate::Game).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    player: Bitboard,
    opponent: Bitboard,
}

/// Both sides were given discs on the same squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("both sides have a disc on {}", .0.first().map_or(String::new(), |square| square.to_string()))]
pub struct OverlapError(pub Bitboard);

/// A move that the rules do not allow on the board it was played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum IllegalMove {
    /// There is a disc already.
    #[error("illegal move {0}: the square is occupied")]
    Occupied(Square),
    /// The square is empty, but no opposing disc would turn.
    #[error("illegal move {0}: it flips nothing")]
    FlipsNothing(Square),
    /// A side that can place a disc must place one.
    #[error("illegal pass: {0} is playable")]
    PassWithMoves(Square),
    /// Neither side can place a disc.
    #[error("illegal move {0}: the game is over")]
    GameOver(Move),
}

impl Board {
    /// The starting position; black, who moves first, has e4 and d5.
    pub const START: Board =
        Board { player: Bitboard(0x0000_0008_1000_0000), opponent: Bitboard(0x0000_0010_0800_0000) };

    /// A board with the given discs.
    pub const fn new(player: Bitboard, opponent: Bitboard) -> Result<Board, OverlapError> {
        let overlap = player.0 & opponent.0;
        if overlap == 0 { Ok(Board { player, opponent }) } else { Err(OverlapError(Bitboard(overlap))) }
    }

    /// A board with the given discs, which must not overlap.
    #[inline]
    pub const fn new_unchecked(player: Bitboard, opponent: Bitboard) -> Board {
        debug_assert!(player.0 & opponent.0 == 0);
        Board { player, opponent }
    }

    /// A board for comparison only: the sides may overlap.
    #[inline]
    pub(crate) const fn from_raw(player: Bitboard, opponent: Bitboard) -> Board {
        Board { player, opponent }
    }

    /// The discs of the side to move.
    #[inline]
    pub const fn player(self) -> Bitboard {
        self.player
    }

    /// The discs of the other side.
    #[inline]
    pub const fn opponent(self) -> Bitboard {
        self.opponent
    }

    /// The squares without a disc.
    #[inline]
    pub const fn empty(self) -> Bitboard {
        Bitboard(!(self.player.0 | self.opponent.0))
    }

    /// How many discs there are.
    #[inline]
    pub const fn discs(self) -> u32 {
        64 - self.empties()
    }

    /// How many squares have no disc.
    #[inline]
    pub const fn empties(self) -> u32 {
        self.empty().len()
    }

    /// The stage of the game.
    #[inline]
    pub const fn stage(self) -> Stage {
        Stage::of_discs(self.discs())
    }

    /// The squares on which the side to move may place a disc.
    #[inline]
    pub fn legal_moves(self) -> Bitboard {
        Bitboard(moves::legal(self.player.0, self.opponent.0))
    }

    /// The discs that turn when the side to move places one on an empty square; none if that is illegal.
    #[inline]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard(flip::flips(square, self.player.0, self.opponent.0))
    }

    /// Whether the side to move has to pass: it has no move, but the opponent does.
    pub fn must_pass(self) -> bool {
        self.legal_moves().is_empty() && !self.after_pass().legal_moves().is_empty()
    }

    /// Whether neither side has a move.
    pub fn is_game_over(self) -> bool {
        self.legal_moves().is_empty() && self.after_pass().legal_moves().is_empty()
    }

    /// The board after a move, seen by the other side.
    pub fn play(self, mv: Move) -> Result<Board, IllegalMove> {
        match mv {
            Move::Place(square) => self.place(square),
            Move::Pass => match self.legal_moves().first() {
                Some(playable) => Err(IllegalMove::PassWithMoves(playable)),
                None if self.is_game_over() => Err(IllegalMove::GameOver(mv)),
                None => Ok(self.after_pass()),
            },
        }
    }

    fn place(self, square: Square) -> Result<Board, IllegalMove> {
        if !self.empty().contains(square) {
            return Err(IllegalMove::Occupied(square));
        }
        let flips = self.flips(square);
        if !flips.is_empty() {
            Ok(self.after_move(square, flips))
        } else if self.is_game_over() {
            Err(IllegalMove::GameOver(square.into()))
        } else {
            Err(IllegalMove::FlipsNothing(square))
        }
    }

    /// The board after a disc was placed on `square` and `flips` were turned, seen by the other side.
    #[inline]
    pub const fn after_move(self, square: Square, flips: Bitboard) -> Board {
        Board::new_unchecked(
            Bitboard(self.opponent.0 ^ flips.0),
            Bitboard(self.player.0 ^ flips.0 ^ square.bitboard().0),
        )
    }

    /// The same discs seen by the other side: a pass, or an exchange of colours.
    #[inline]
    pub const fn after_pass(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// The result if the game ended here, with the empty squares going to the winner.
    #[inline]
    pub const fn final_score(self) -> Discs {
        Discs::of_finished(self.player.len(), self.opponent.len())
    }

    /// The smallest of the eight symmetric boards, and a symmetry that leads to it.
    pub fn canonical(self) -> (Board, Symmetry) {
        Symmetry::ALL
            .map(|symmetry| (symmetry.board(self), symmetry))
            .into_iter()
            .min_by_key(|&(board, _)| board)
            .expect("there are eight symmetries")
    }
}

impl Default for Board {
    fn default() -> Board {
        Board::START
    }
}

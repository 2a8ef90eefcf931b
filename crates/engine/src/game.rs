//! A game: a board with colours and the moves that led to it.
//!
//! Invariant: replaying `history` from the first position gives the current one, so `pop` only has to restore.

use crate::bitboard::Bitboard;
use crate::board::{Board, IllegalMove};
use crate::square::{Move, Square};
use crate::symmetry::Symmetry;
use std::ops::Not;

/// A side. Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first.
    Black,
    /// The side that moves second.
    White,
}

impl Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        match self {
            Color::Black => Color::White,
            Color::White => Color::Black,
        }
    }
}

/// A board with the colour of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// The discs, seen by the side to move.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
}

impl Position {
    /// The starting position.
    pub const START: Position = Position { board: Board::START, turn: Color::Black };

    /// The discs of one colour.
    pub fn discs_of(self, color: Color) -> Bitboard {
        if color == self.turn { self.board.player() } else { self.board.opponent() }
    }

    /// The colour of the disc on a square.
    pub fn disc_at(self, square: Square) -> Option<Color> {
        if self.board.player().contains(square) {
            Some(self.turn)
        } else if self.board.opponent().contains(square) {
            Some(!self.turn)
        } else {
            None
        }
    }

    /// The position after a move.
    pub fn play(self, mv: Move) -> Result<Position, IllegalMove> {
        Ok(Position { board: self.board.play(mv)?, turn: !self.turn })
    }

    /// The position seen through a symmetry.
    pub fn transform(self, symmetry: Symmetry) -> Position {
        Position { board: symmetry.board(self.board), ..self }
    }

    /// The same game situation with black and white exchanged, the side to move included.
    pub fn swap_colors(self) -> Position {
        Position { turn: !self.turn, ..self }
    }
}

impl Default for Position {
    fn default() -> Position {
        Position::START
    }
}

/// A position and the moves that led to it.
#[derive(Clone, Debug, Default)]
pub struct Game {
    position: Position,
    history: Vec<(Board, Move)>,
}

impl Game {
    /// A game that begins with this position.
    pub fn new(start: Position) -> Game {
        Game { position: start, history: Vec::new() }
    }

    /// Plays the moves one after the other, with the passes that they leave out.
    ///
    /// The error comes with the number of the move that failed.
    pub fn replay(start: Position, moves: impl IntoIterator<Item = Move>) -> Result<Game, (usize, IllegalMove)> {
        let mut game = Game::new(start);
        for (number, mv) in moves.into_iter().enumerate() {
            if mv != Move::Pass && game.position.board.must_pass() {
                game.push(Move::Pass).map_err(|error| (number, error))?;
            }
            game.push(mv).map_err(|error| (number, error))?;
        }
        Ok(game)
    }

    /// The current position.
    #[inline]
    pub fn position(&self) -> Position {
        self.position
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        match self.history.first() {
            None => self.position,
            Some(&(board, _)) if self.history.len().is_multiple_of(2) => Position { board, turn: self.position.turn },
            Some(&(board, _)) => Position { board, turn: !self.position.turn },
        }
    }

    /// The moves played, passes included.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = Move> + ExactSizeIterator {
        self.history.iter().map(|&(_, mv)| mv)
    }

    /// The last move played, if any.
    pub fn last_move(&self) -> Option<Move> {
        self.history.last().map(|&(_, mv)| mv)
    }

    /// Plays a move.
    #[inline]
    pub fn push(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.position.play(mv)?;
        self.history.push((self.position.board, mv));
        self.position = next;
        Ok(())
    }

    /// Takes the last move back; `None` if there is none.
    #[inline]
    pub fn pop(&mut self) -> Option<Move> {
        let (board, mv) = self.history.pop()?;
        self.position = Position { board, turn: !self.position.turn };
        Some(mv)
    }
}

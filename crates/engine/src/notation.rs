//! Text forms: squares, moves, transcripts, boards and OBF lines.
//!
//! Readers accept what Othello programs write in practice and say what is wrong and at which character; writers
//! produce one form, which the readers take back.

use crate::bitboard::Bitboard;
use crate::board::{Board, IllegalMove};
use crate::game::{Color, Game, Position};
use crate::score::Discs;
use crate::square::{Move, Square};
use std::fmt::{self, Write};
use std::str::FromStr;
use thiserror::Error;

/// What is wrong with a text; characters are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NotationError {
    /// Not a column a–h followed by a row 1–8.
    #[error("{0:?} is not a square (a1 to h8)")]
    Square(String),
    /// Neither a square nor a pass.
    #[error("{0:?} is not a move (a1 to h8, or pass)")]
    Move(String),
    /// A transcript has something that is no move.
    #[error("transcript: expected a move at character {at}, found {found:?}")]
    Transcript {
        /// Where, counted from 1.
        at: usize,
        /// What is there.
        found: String,
    },
    /// A transcript has a move that the rules forbid.
    #[error("transcript: move {number}: {error}")]
    Illegal {
        /// Which move, counted from 1 without implied passes.
        number: usize,
        /// Why not.
        error: IllegalMove,
    },
    /// A board has a character that stands for nothing.
    #[error("board: unknown character {found:?} at character {at}")]
    BoardCharacter {
        /// Where, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A board mixes letters with digits, where 0 and O would be confused.
    #[error("board: {found:?} at character {at} does not fit the characters before it (letters and digits are mixed)")]
    MixedAlphabet {
        /// Where, counted from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A board has too few or too many squares.
    #[error("board: expected 64 squares and an optional side to move, found {0} characters")]
    BoardLength(usize),
    /// The side to move is not a disc.
    #[error("board: the side to move must be a disc character, found {0:?}")]
    SideToMove(char),
    /// An OBF line does not name the side to move.
    #[error("OBF: the side to move is missing after the 64 squares")]
    ObfSideToMove,
    /// An OBF field is not `move:score`.
    #[error("OBF: expected move:score, found {0:?}")]
    ObfField(String),
    /// An OBF score is not a number of discs.
    #[error("OBF: {0:?} is not a score (-64 to 64)")]
    ObfScore(String),
    /// An OBF line has two scores for one move.
    #[error("OBF: {0} has two scores")]
    ObfRepeated(Move),
    /// An OBF move is not legal in the position.
    #[error("OBF: {0}")]
    ObfMove(IllegalMove),
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char((b'a' + self.column()) as char)?;
        f.write_char((b'1' + self.row()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Square, NotationError> {
        square(text.as_bytes()).ok_or_else(|| NotationError::Square(excerpt(text)))
    }
}

fn square(text: &[u8]) -> Option<Square> {
    let &[column, row] = text else { return None };
    Square::at(column.to_ascii_lowercase().wrapping_sub(b'a'), row.wrapping_sub(b'1'))
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => square.fmt(f),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// What programs write for a pass; longer spellings first, so that the longest one is taken.
const PASSES: [&str; 5] = ["pass", "pa", "ps", "--", "@@"];

impl FromStr for Move {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Move, NotationError> {
        if let Some(square) = square(text.as_bytes()) {
            Ok(Move::Place(square))
        } else if PASSES.iter().any(|pass| pass.eq_ignore_ascii_case(text)) {
            Ok(Move::Pass)
        } else {
            Err(NotationError::Move(excerpt(text)))
        }
    }
}

/// Reads a transcript: moves in either case, run together or separated by white space, commas, semicolons, single
/// hyphens or move numbers (`1.`).
pub fn parse_transcript(text: &str) -> Result<Vec<Move>, NotationError> {
    let mut moves = Vec::new();
    let mut rest = text;
    loop {
        rest = skip_separators(rest);
        if rest.is_empty() {
            return Ok(moves);
        }
        let (mv, length) = leading_move(rest).ok_or_else(|| NotationError::Transcript {
            at: text[..text.len() - rest.len()].chars().count() + 1,
            found: excerpt(rest),
        })?;
        moves.push(mv);
        rest = &rest[length..];
    }
}

fn skip_separators(text: &str) -> &str {
    let mut rest = text;
    loop {
        let before = rest;
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',' || c == ';');
        if rest.starts_with('-') && !rest.starts_with("--") {
            rest = &rest[1..];
        }
        let after_digits = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if after_digits.len() < rest.len() && after_digits.starts_with('.') {
            rest = after_digits.trim_start_matches('.');
        }
        if rest.len() == before.len() {
            return rest;
        }
    }
}

fn leading_move(text: &str) -> Option<(Move, usize)> {
    let bytes = text.as_bytes();
    if let Some(square) = bytes.get(..2).and_then(square) {
        return Some((Move::Place(square), 2));
    }
    PASSES
        .iter()
        .find(|pass| bytes.get(..pass.len()).is_some_and(|head| head.eq_ignore_ascii_case(pass.as_bytes())))
        .map(|pass| (Move::Pass, pass.len()))
}

/// Writes moves run together, passes as `pass` unless left out.
pub fn format_transcript(moves: impl IntoIterator<Item = Move>, with_passes: bool) -> String {
    moves.into_iter().filter(|&mv| with_passes || mv != Move::Pass).map(|mv| mv.to_string()).collect()
}

impl Game {
    /// Plays a transcript from a position; passes may be written or implied.
    pub fn from_transcript(start: Position, text: &str) -> Result<Game, NotationError> {
        Game::replay(start, parse_transcript(text)?)
            .map_err(|(index, error)| NotationError::Illegal { number: index + 1, error })
    }
}

/// What a board character stands for.
#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Disc(Color),
    Empty,
}

/// Reads one board character; the flag says that it is of the digit alphabet, which must not mix with letters.
fn cell(character: char) -> Option<(Cell, Option<bool>)> {
    Some(match character {
        'X' | 'x' | 'B' | 'b' | '*' | '#' | '●' => (Cell::Disc(Color::Black), Some(false)),
        'O' | 'o' | 'W' | 'w' | '○' => (Cell::Disc(Color::White), Some(false)),
        '1' => (Cell::Disc(Color::Black), Some(true)),
        '2' => (Cell::Disc(Color::White), Some(true)),
        '0' => (Cell::Empty, Some(true)),
        '-' | '.' | '_' | '·' => (Cell::Empty, None),
        _ => return None,
    })
}

impl FromStr for Position {
    type Err = NotationError;

    /// Reads 64 squares from a1 to h8 and an optional side to move (black if absent); white space is ignored.
    ///
    /// Black is `X`, `B`, `*`, `#`, `●` or `1`; white is `O`, `W`, `○` or `2`; empty is `-`, `.`, `_`, `·` or `0`.
    fn from_str(text: &str) -> Result<Position, NotationError> {
        let mut digits = None;
        let mut black = Bitboard::EMPTY;
        let mut white = Bitboard::EMPTY;
        let mut turn = Color::Black;
        let mut squares = 0;
        for (at, found) in text.chars().enumerate().filter(|(_, c)| !c.is_whitespace()) {
            let at = at + 1;
            let (cell, alphabet) = cell(found).ok_or(NotationError::BoardCharacter { at, found })?;
            // The side to move may be written in the other alphabet: no square can be mistaken there.
            if squares < 64 && alphabet.is_some() && digits.is_some() && digits != alphabet {
                return Err(NotationError::MixedAlphabet { at, found });
            }
            digits = digits.or(alphabet);
            match (squares, cell) {
                (0..64, Cell::Disc(Color::Black)) => black.0 |= 1 << squares,
                (0..64, Cell::Disc(Color::White)) => white.0 |= 1 << squares,
                (64, Cell::Disc(color)) => turn = color,
                (64, Cell::Empty) => return Err(NotationError::SideToMove(found)),
                _ => {}
            }
            squares += 1;
        }
        if !(64..=65).contains(&squares) {
            return Err(NotationError::BoardLength(squares));
        }
        let (player, opponent) = if turn == Color::Black { (black, white) } else { (white, black) };
        Ok(Position { board: Board::new_unchecked(player, opponent), turn })
    }
}

impl fmt::Display for Position {
    /// Writes 64 squares and the side to move, with `X`, `O` and `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |color| if color == Color::Black { 'X' } else { 'O' };
        for square in Square::all() {
            f.write_char(self.disc_at(square).map_or('-', letter))?;
        }
        write!(f, " {}", letter(self.turn))
    }
}

impl Position {
    /// The board as people draw it: `X` and `O`, a dot on legal moves, coordinates, and a line that sums up.
    pub fn diagram(&self) -> String {
        const COLUMNS: &str = "  a b c d e f g h\n";
        let legal = self.board.legal_moves();
        let mut text = COLUMNS.to_owned();
        for square in Square::all() {
            if square.column() == 0 {
                text.push((b'1' + square.row()) as char);
            }
            text.push(' ');
            text.push(match self.disc_at(square) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None if legal.contains(square) => '.',
                None => '-',
            });
            if square.column() == 7 {
                text.push('\n');
            }
        }
        let (black, white) = (self.discs_of(Color::Black).len(), self.discs_of(Color::White).len());
        let state = if self.board.is_game_over() {
            "game over"
        } else if self.turn == Color::Black {
            "X to move"
        } else {
            "O to move"
        };
        text + &format!("{state}, X {black}, O {white}")
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Position { board: *self, turn: Color::Black }, f)
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// A position with the scores of some of its moves, as one line of an OBF file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obf {
    /// The position.
    pub position: Position,
    /// Moves with their exact scores for the side to move, in the order of the file.
    pub scores: Vec<(Move, Discs)>,
}

impl FromStr for Obf {
    type Err = NotationError;

    /// Reads `board side; move:score; move:score; …`; what follows a `%` is a comment.
    fn from_str(line: &str) -> Result<Obf, NotationError> {
        let line = line.split('%').next().unwrap_or_default();
        let mut fields = line.split(';').map(str::trim);
        let board = fields.next().unwrap_or_default();
        let position: Position = board.parse()?;
        if board.chars().filter(|c| !c.is_whitespace()).count() == 64 {
            return Err(NotationError::ObfSideToMove);
        }
        let mut scores = Vec::new();
        for field in fields.filter(|field| !field.is_empty()) {
            let (mv, score) = field.split_once(':').ok_or_else(|| NotationError::ObfField(excerpt(field)))?;
            let mv: Move = mv.trim().parse()?;
            if scores.iter().any(|&(known, _)| known == mv) {
                return Err(NotationError::ObfRepeated(mv));
            }
            position.play(mv).map_err(NotationError::ObfMove)?;
            let discs = score.trim().parse().ok().and_then(Discs::new);
            scores.push((mv, discs.ok_or_else(|| NotationError::ObfScore(excerpt(score.trim())))?));
        }
        Ok(Obf { position, scores })
    }
}

impl fmt::Display for Obf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", self.position)?;
        for (mv, score) in &self.scores {
            write!(f, " {mv}:{score};")?;
        }
        Ok(())
    }
}

/// The beginning of a text, short enough for a message.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 20;
    if text.chars().count() <= LONGEST {
        text.to_owned()
    } else {
        text.chars().take(LONGEST).chain("…".chars()).collect()
    }
}

//! `reluca.Board`: a game with python-chess manners.

use crate::errors::{InvalidArgumentError, InvalidBoardError, OrRaise};
use crate::moves::{ColorArg, MoveArg, MoveSet, SquareArg, color_to_python, to_python};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};
use reluca_engine::{self as engine, Bitboard, Color, Game, Hash, Move, Obf, Position, Symmetry};
use std::hash::{DefaultHasher, Hash as _, Hasher};

/// An Othello position and the moves that led to it.
///
/// `Board()` is the starting position; `Board(text)` reads a board as `Board.from_string` does. Two boards are equal,
/// and hash alike, if they have the same discs and the same side to move, however they came about. A board that
/// serves as a key must not be pushed to: use a `copy()`.
#[pyclass(module = "reluca")]
pub struct Board {
    game: Game,
}

impl Board {
    pub fn position(&self) -> Position {
        self.game.position()
    }

    fn engine_board(&self) -> engine::Board {
        self.game.position().board
    }
}

impl From<Position> for Board {
    fn from(position: Position) -> Board {
        Board { game: Game::new(position) }
    }
}

/// Where a game starts: a board, its text, or nothing for the starting position.
struct Start(Position);

impl<'a, 'py> FromPyObject<'a, 'py> for Start {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Start> {
        if let Ok(board) = object.cast::<Board>() {
            Ok(Start(board.try_borrow()?.position()))
        } else if let Ok(text) = object.cast::<PyString>() {
            Ok(Start(text.to_cow()?.parse::<Position>().or_raise()?))
        } else {
            Err(PyTypeError::new_err(format!("expected a Board or its text, got {:?}", *object)))
        }
    }
}

/// A set of squares as a 64-bit mask.
struct MaskArg(Bitboard);

impl<'a, 'py> FromPyObject<'a, 'py> for MaskArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<MaskArg> {
        let mask = object.extract().map(|mask| MaskArg(Bitboard(mask)));
        mask.map_err(|_| InvalidBoardError::new_err(format!("{:?} is not a bitboard (0 to 2**64 - 1)", *object)))
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (text = None, /))]
    fn new(text: Option<&str>) -> PyResult<Board> {
        text.map_or(Ok(Position::START), str::parse::<Position>).or_raise().map(Board::from)
    }

    /// Plays a transcript ("f5d6c3") or a list of moves; passes may be left out.
    #[staticmethod]
    #[pyo3(signature = (moves, start = None))]
    fn from_moves(moves: &Bound<'_, PyAny>, start: Option<Start>) -> PyResult<Board> {
        let start = start.map_or(Position::START, |start| start.0);
        let game = if let Ok(text) = moves.cast::<PyString>() {
            Game::from_transcript(start, &text.to_cow()?).or_raise()?
        } else {
            let moves = moves.try_iter()?.map(|mv| Ok(mv?.extract::<MoveArg>()?.0)).collect::<PyResult<Vec<_>>>()?;
            Game::replay(start, moves)
                .map_err(|(index, error)| engine::NotationError::Illegal { number: index + 1, error })
                .or_raise()?
        };
        Ok(Board { game })
    }

    /// Reads 64 squares from a1 to h8 and the side to move, in the usual alphabets (X O -, * O ., B W ., 1 2 0, ● ○ ·).
    ///
    /// `turn` overrides the side to move that the text names; without either black is to move.
    #[staticmethod]
    #[pyo3(signature = (text, turn = None))]
    fn from_string(text: &str, turn: Option<ColorArg>) -> PyResult<Board> {
        let mut position = text.parse::<Position>().or_raise()?;
        if turn.is_some_and(|turn| turn.0 != position.turn) {
            position = Position { board: position.board.after_pass(), turn: !position.turn };
        }
        Ok(position.into())
    }

    /// Reads the position of an OBF line; `reluca.obf` reads the scores too.
    #[staticmethod]
    fn from_obf(line: &str) -> PyResult<Board> {
        Ok(line.parse::<Obf>().or_raise()?.position.into())
    }

    /// A board with the discs of two 64-bit masks, a1 in the lowest bit.
    #[staticmethod]
    #[pyo3(signature = (black, white, turn = None))]
    fn from_bitboards(black: MaskArg, white: MaskArg, turn: Option<ColorArg>) -> PyResult<Board> {
        let turn = turn.map_or(Color::Black, |turn| turn.0);
        let board = engine::Board::new(black.0, white.0).or_raise()?;
        let board = if turn == Color::Black { board } else { board.after_pass() };
        Ok(Position { board, turn }.into())
    }

    /// Plays a move; `PASS` is legal exactly when it is the only move.
    #[pyo3(signature = (r#move, /))]
    fn push(&mut self, r#move: MoveArg) -> PyResult<()> {
        self.game.push(r#move.0).or_raise()
    }

    /// Takes the last move back and returns it.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mv = self.game.pop().ok_or_else(|| PyIndexError::new_err("pop: no move was played on this board"))?;
        to_python(py, mv)
    }

    /// The last move.
    fn peek<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mv = self.game.last_move();
        to_python(py, mv.ok_or_else(|| PyIndexError::new_err("peek: no move was played on this board"))?)
    }

    /// A new board with the move played; this one stays as it is.
    #[pyo3(signature = (r#move, /))]
    fn play(&self, r#move: MoveArg) -> PyResult<Board> {
        let mut game = self.game.clone();
        game.push(r#move.0).or_raise()?;
        Ok(Board { game })
    }

    /// The moves played so far, passes included.
    #[getter]
    fn move_stack<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let moves = self.game.moves().map(|mv| to_python(py, mv)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, moves)
    }

    /// The moves played so far, as text.
    #[pyo3(signature = (*, passes = true))]
    fn transcript(&self, passes: bool) -> String {
        engine::format_transcript(self.game.moves(), passes)
    }

    /// The legal moves: squares, or a pass if that is the only move, or none if the game is over.
    #[getter]
    fn legal_moves(&self) -> MoveSet {
        let board = self.engine_board();
        let squares = board.legal_moves();
        if squares.is_empty() && board.must_pass() { MoveSet::pass() } else { MoveSet::squares(squares) }
    }

    /// Whether the move is legal.
    #[pyo3(signature = (r#move, /))]
    fn is_legal(&self, r#move: MoveArg) -> bool {
        self.engine_board().play(r#move.0).is_ok()
    }

    /// The discs that a legal move turns.
    #[pyo3(signature = (r#move, /))]
    fn flips(&self, r#move: MoveArg) -> PyResult<MoveSet> {
        let board = self.engine_board();
        board.play(r#move.0).or_raise()?;
        Ok(MoveSet::squares(match r#move.0 {
            Move::Place(square) => board.flips(square),
            Move::Pass => Bitboard::EMPTY,
        }))
    }

    /// The side to move.
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        color_to_python(py, self.position().turn)
    }

    /// Whether the side to move has only a pass.
    #[getter]
    fn must_pass(&self) -> bool {
        self.engine_board().must_pass()
    }

    /// Whether neither side can move.
    fn is_game_over(&self) -> bool {
        self.engine_board().is_game_over()
    }

    /// The outcome of a finished game, or None.
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !self.is_game_over() {
            return Ok(None);
        }
        let class = py.import("reluca.types")?.getattr("Outcome")?;
        class.call1((self.black().count_ones(), self.white().count_ones())).map(Some)
    }

    /// Disc difference as seen by a color (default: the side to move); in a finished game the winner gets the empties.
    #[pyo3(signature = (color = None))]
    fn score(&self, color: Option<ColorArg>) -> i32 {
        let board = self.engine_board();
        let for_player = if board.is_game_over() {
            board.final_score().get() as i32
        } else {
            board.player().len() as i32 - board.opponent().len() as i32
        };
        let color = color.map_or(self.position().turn, |color| color.0);
        if color == self.position().turn { for_player } else { -for_player }
    }

    /// Black's discs as a 64-bit mask, a1 in the lowest bit.
    #[getter]
    fn black(&self) -> u64 {
        self.position().discs_of(Color::Black).0
    }

    /// White's discs as a 64-bit mask.
    #[getter]
    fn white(&self) -> u64 {
        self.position().discs_of(Color::White).0
    }

    /// The discs of the side to move as a 64-bit mask.
    #[getter]
    fn player(&self) -> u64 {
        self.engine_board().player().0
    }

    /// The discs of the other side as a 64-bit mask.
    #[getter]
    fn opponent(&self) -> u64 {
        self.engine_board().opponent().0
    }

    /// How many discs a color has.
    #[pyo3(signature = (color, /))]
    fn count(&self, color: ColorArg) -> u32 {
        self.position().discs_of(color.0).len()
    }

    /// How many squares are empty.
    #[getter]
    fn empties(&self) -> u32 {
        self.engine_board().empties()
    }

    /// How many discs are on the board.
    #[getter]
    fn discs(&self) -> u32 {
        self.engine_board().discs()
    }

    /// The stage of the game, 1 to 15: a quarter of the disc count.
    #[getter]
    fn stage(&self) -> u8 {
        self.engine_board().stage().number()
    }

    /// The color of the disc on a square, or None.
    fn __getitem__<'py>(&self, py: Python<'py>, square: SquareArg) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.position().disc_at(square.0).map(|color| color_to_python(py, color)).transpose()
    }

    /// A copy, with the moves that led here unless told otherwise.
    #[pyo3(signature = (*, stack = true))]
    fn copy(&self, stack: bool) -> Board {
        if stack { Board { game: self.game.clone() } } else { self.position().into() }
    }

    fn __copy__(&self) -> Board {
        self.copy(true)
    }

    #[pyo3(signature = (_memo, /))]
    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Board {
        self.copy(true)
    }

    /// The position seen through one of the eight symmetries, without the moves that led to it.
    #[pyo3(signature = (symmetry, /))]
    fn transform(&self, symmetry: &Bound<'_, PyAny>) -> PyResult<Board> {
        let symmetry = symmetry.extract().ok().and_then(|number: usize| Symmetry::ALL.get(number));
        let symmetry = symmetry.ok_or_else(|| InvalidArgumentError::new_err("a symmetry is a number from 0 to 7"))?;
        Ok(self.position().transform(*symmetry).into())
    }

    /// The one of the eight symmetric positions that stands for them all.
    fn canonical(&self) -> Board {
        Position { board: self.engine_board().canonical().0, ..self.position() }.into()
    }

    /// The position with black and white exchanged, the side to move included.
    fn swap_colors(&self) -> Board {
        self.position().swap_colors().into()
    }

    /// The 64-bit Zobrist key of the position as the side to move sees it.
    #[getter]
    fn zobrist(&self) -> u64 {
        Hash::of(self.engine_board()).key()
    }

    /// The 64 squares and the side to move, as `Board` reads them.
    #[pyo3(name = "to_string")]
    fn text(&self) -> String {
        self.position().to_string()
    }

    /// The position as an OBF line without scores.
    fn to_obf(&self) -> String {
        Obf { position: self.position(), scores: Vec::new() }.to_string()
    }

    fn __eq__(&self, other: &Board) -> bool {
        self.position() == other.position()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.position().hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.position())
    }

    fn __str__(&self) -> String {
        self.position().diagram()
    }

    fn _repr_svg_<'py>(slf: Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("reluca.svg")?.getattr("render")?.call1((slf,))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let class: Bound<'py, PyType> = slf.get_type();
        let board = slf.borrow();
        Ok((class.getattr("from_moves")?, (board.transcript(true), board.game.start().to_string())))
    }
}

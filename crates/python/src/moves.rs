//! Moves between Python and Rust: `reluca.Move` members, plain integers and text all name one.

use crate::errors::{NotationError, OrRaise};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyIterator, PyList, PyString};
use reluca_engine::{Bitboard, Color, Move, Square};

/// The members of an enum of `reluca.types` in the order of their values.
struct Members {
    class: &'static str,
    cell: PyOnceLock<Vec<Py<PyAny>>>,
}

impl Members {
    fn get<'py>(&self, py: Python<'py>, value: usize) -> PyResult<Bound<'py, PyAny>> {
        let members = self.cell.get_or_try_init(py, || {
            let class = py.import("reluca.types")?.getattr(self.class)?;
            class.try_iter()?.map(|member| Ok(member?.unbind())).collect::<PyResult<Vec<_>>>()
        })?;
        Ok(members[value].bind(py).clone())
    }
}

static MOVES: Members = Members { class: "Move", cell: PyOnceLock::new() };
static COLORS: Members = Members { class: "Color", cell: PyOnceLock::new() };

pub fn to_python(py: Python<'_>, mv: Move) -> PyResult<Bound<'_, PyAny>> {
    MOVES.get(py, mv.index() as usize)
}

pub fn color_to_python(py: Python<'_>, color: Color) -> PyResult<Bound<'_, PyAny>> {
    COLORS.get(py, color as usize)
}

/// A move argument.
pub struct MoveArg(pub Move);

impl<'a, 'py> FromPyObject<'a, 'py> for MoveArg {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<MoveArg> {
        if object.is_instance_of::<PyInt>() {
            let mv = object.extract::<u8>().ok().and_then(Move::from_index);
            mv.map(MoveArg).ok_or_else(|| NotationError::new_err(format!("{} is not a move (0 to 64)", *object)))
        } else if let Ok(text) = object.cast::<PyString>() {
            text.to_cow()?.parse::<Move>().or_raise().map(MoveArg)
        } else if let Ok(index) = object.extract::<i64>() {
            // Other integers, such as NumPy's.
            let mv = u8::try_from(index).ok().and_then(Move::from_index);
            mv.map(MoveArg).ok_or_else(|| NotationError::new_err(format!("{index} is not a move (0 to 64)")))
        } else {
            Err(wrong_type("a move (Move, int or str)", object))
        }
    }
}

/// A square argument: a move argument that is not a pass.
pub struct SquareArg(pub Square);

impl<'a, 'py> FromPyObject<'a, 'py> for SquareArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<SquareArg> {
        match object.extract()? {
            MoveArg(Move::Place(square)) => Ok(SquareArg(square)),
            MoveArg(Move::Pass) => Err(NotationError::new_err("pass is not a square (a1 to h8)")),
        }
    }
}

/// A colour argument.
pub struct ColorArg(pub Color);

impl<'a, 'py> FromPyObject<'a, 'py> for ColorArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<ColorArg> {
        match object.extract::<u8>() {
            Ok(0) => Ok(ColorArg(Color::Black)),
            Ok(1) => Ok(ColorArg(Color::White)),
            _ => Err(wrong_type("a color (BLACK or WHITE)", object)),
        }
    }
}

fn wrong_type(expected: &str, object: Borrowed<'_, '_, PyAny>) -> PyErr {
    PyTypeError::new_err(format!("expected {expected}, got {:?}", *object))
}

/// An ordered set of moves: squares from a1 to h8, or a pass alone.
#[pyclass(module = "reluca", frozen, eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub struct MoveSet {
    squares: Bitboard,
    pass: bool,
}

impl MoveSet {
    pub fn squares(squares: Bitboard) -> MoveSet {
        MoveSet { squares, pass: false }
    }

    pub fn pass() -> MoveSet {
        MoveSet { squares: Bitboard::EMPTY, pass: true }
    }

    fn moves(&self) -> impl Iterator<Item = Move> {
        self.squares.into_iter().map(Move::Place).chain(self.pass.then_some(Move::Pass))
    }
}

#[pymethods]
impl MoveSet {
    fn __len__(&self) -> usize {
        self.squares.len() as usize + self.pass as usize
    }

    /// Whether a move is in the set; what is no move at all, such as None, is not.
    fn __contains__(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        match mv.extract() {
            Ok(MoveArg(Move::Place(square))) => Ok(self.squares.contains(square)),
            Ok(MoveArg(Move::Pass)) => Ok(self.pass),
            Err(error) if error.is_instance_of::<PyTypeError>(mv.py()) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let moves = PyList::empty(py);
        for mv in self.moves() {
            moves.append(to_python(py, mv)?)?;
        }
        moves.try_iter()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let from_front = if index < 0 { index + self.__len__() as isize } else { index };
        let mv = usize::try_from(from_front).ok().and_then(|position| self.moves().nth(position));
        to_python(py, mv.ok_or_else(|| PyIndexError::new_err("move index out of range"))?)
    }

    /// The squares as a 64-bit mask, a1 in the lowest bit; a pass is no square.
    fn __int__(&self) -> u64 {
        self.squares.0
    }

    fn __repr__(&self) -> String {
        let moves: Vec<String> = self.moves().map(|mv| mv.to_string()).collect();
        format!("<MoveSet {{{}}}>", moves.join(", "))
    }
}

/// Reads a square or a pass.
#[pyfunction]
pub fn parse_move<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    to_python(py, text.parse::<Move>().or_raise()?)
}

//! Rules over arrays of boards: rows of two bitboards, the side to move first.

use crate::errors::{IllegalMoveError, InvalidArgumentError, InvalidBoardError};
use numpy::ndarray::{Array1, Array2, ArrayView2};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use reluca_engine::{Bitboard, Board, Move};

/// The legal squares of every board as 64-bit masks.
#[pyfunction]
pub fn batch_legal_moves<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let rows = rows(&boards)?;
    let moves = py.detach(|| each(rows, |board| Ok(board.legal_moves().0)))?;
    Ok(Array1::from(moves).into_pyarray(py))
}

/// Every board after its move (0 to 63, or 64 for a pass), seen by the other side.
#[pyfunction]
pub fn batch_play<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    moves: PyReadonlyArray1<'py, i64>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    let rows = rows(&boards)?;
    let moves = moves.as_array();
    if moves.len() != rows.nrows() {
        return Err(InvalidArgumentError::new_err(format!("{} boards, but {} moves", rows.nrows(), moves.len())));
    }
    let played = py.detach(|| {
        let mut moves = moves.iter();
        each(rows, |board| {
            let index = *moves.next().expect("as many moves as boards");
            let mv = u8::try_from(index).ok().and_then(Move::from_index);
            let mv = mv.ok_or_else(|| format!("{index} is not a move (0 to 64)"))?;
            let next = board.play(mv).map_err(|error| error.to_string())?;
            Ok([next.player().0, next.opponent().0])
        })
    })?;
    Ok(Array2::from(played).into_pyarray(py))
}

/// The result of every board if its game ended there, empties to the winner, for the side to move.
#[pyfunction]
pub fn batch_final_scores<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
) -> PyResult<Bound<'py, PyArray1<i8>>> {
    let rows = rows(&boards)?;
    let scores = py.detach(|| each(rows, |board| Ok(board.final_score().get())))?;
    Ok(Array1::from(scores).into_pyarray(py))
}

pub fn rows<'a>(boards: &'a PyReadonlyArray2<'_, u64>) -> PyResult<ArrayView2<'a, u64>> {
    let rows = boards.as_array();
    if rows.ncols() == 2 {
        Ok(rows)
    } else {
        Err(InvalidArgumentError::new_err(format!("boards must have shape (n, 2), not {:?}", rows.shape())))
    }
}

/// What `of` makes of every board; its error is reported with the board's index as an illegal move.
pub fn each<T>(rows: ArrayView2<'_, u64>, mut of: impl FnMut(Board) -> Result<T, String>) -> PyResult<Vec<T>> {
    rows.outer_iter()
        .enumerate()
        .map(|(index, row)| {
            let board = Board::new(Bitboard(row[0]), Bitboard(row[1]))
                .map_err(|error| InvalidBoardError::new_err(format!("board {index}: {error}")))?;
            of(board).map_err(|reason| IllegalMoveError::new_err(format!("board {index}: {reason}")))
        })
        .collect()
}

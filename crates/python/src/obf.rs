//! OBF lines for `reluca.obf`.

use crate::board::Board;
use crate::errors::{NotationError, OrRaise};
use crate::moves::{MoveArg, to_python};
use pyo3::prelude::*;
use reluca_engine::{Discs, Obf};

type Scores<'py> = Vec<(Bound<'py, PyAny>, i8)>;

/// The board of an OBF line and its (move, score) pairs in the order of the line.
#[pyfunction]
pub fn parse_obf<'py>(py: Python<'py>, line: &str) -> PyResult<(Board, Scores<'py>)> {
    let obf = line.parse::<Obf>().or_raise()?;
    let scores = obf.scores.into_iter().map(|(mv, score)| Ok((to_python(py, mv)?, score.get())));
    Ok((obf.position.into(), scores.collect::<PyResult<_>>()?))
}

/// The OBF line of a board and its (move, score) pairs.
#[pyfunction]
pub fn format_obf(board: &Board, scores: Vec<(MoveArg, i64)>) -> PyResult<String> {
    let position = board.position();
    let scores = scores.into_iter().map(|(MoveArg(mv), score)| {
        position.board.play(mv).or_raise()?;
        let score = i8::try_from(score).ok().and_then(Discs::new);
        Ok((mv, score.ok_or_else(|| NotationError::new_err("a score lies between -64 and 64"))?))
    });
    Ok(Obf { position, scores: scores.collect::<PyResult<_>>()? }.to_string())
}

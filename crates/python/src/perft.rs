//! Perft for Python.

use crate::board::Board;
use crate::errors::{InvalidArgumentError, RelucaError};
use crate::interrupt::interruptible;
use pyo3::prelude::*;
use reluca_engine::{PassRule, perft_parallel};
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;

/// The number of move sequences of `depth` plies; `threads` = 0 uses all cores.
#[pyfunction]
#[pyo3(signature = (board, depth, passes, threads))]
pub fn perft(py: Python<'_>, board: &Bound<'_, Board>, depth: u32, passes: &str, threads: usize) -> PyResult<u64> {
    let rule = match passes {
        "ply" => PassRule::Ply,
        "free" => PassRule::Free,
        _ => return Err(InvalidArgumentError::new_err(format!("passes must be 'ply' or 'free', not {passes:?}"))),
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| RelucaError::new_err(format!("cannot start {threads} threads: {error}")))?;
    let position = board.try_borrow()?.position().board;
    let stop = AtomicBool::new(false);
    let count = || pool.install(|| perft_parallel(position, depth, rule, &stop));
    let count = interruptible(py, &stop, |_: Sender<()>| count(), |_, ()| Ok(()))?;
    Ok(count.expect("only an interrupt stops the count, and that was reported"))
}

//! Searches on the opponent's time: on a thread that knows nothing of Python, so that no interpreter waits for it.

use crate::engine::result_to_dict;
use crate::errors::panicked;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use reluca_engine::search::SearchResult;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};

/// What a pondering has found, with the fill of the table in thousandths.
type Found = (SearchResult, u32);

/// A search in the background that goes on until it is stopped.
pub struct Pondering {
    stop: Arc<AtomicBool>,
    thread: Mutex<Option<JoinHandle<Found>>>,
    /// None if the thread panicked.
    found: OnceLock<Option<Found>>,
}

impl Pondering {
    /// Begins a search, which is given the flag that stops it.
    pub fn start(search: impl FnOnce(&AtomicBool) -> Found + Send + 'static) -> std::io::Result<Pondering> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = stop.clone();
        let thread = thread::Builder::new().spawn(move || search(&flag))?;
        Ok(Pondering { stop, thread: Mutex::new(Some(thread)), found: OnceLock::new() })
    }

    /// Asks it to end.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether its thread is still at work.
    pub fn is_running(&self) -> bool {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// Ends it and waits until its thread is gone.
    pub fn end(&self) {
        self.stop();
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(thread) = thread.take() {
            let _ = self.found.set(thread.join().ok());
        }
    }
}

/// The handle of a pondering.
#[pyclass(module = "reluca._engine", frozen)]
pub struct NativePondering(pub Arc<Pondering>);

#[pymethods]
impl NativePondering {
    /// Asks it to end.
    fn stop(&self) {
        self.0.stop();
    }

    /// Whether it still goes on.
    #[getter]
    fn running(&self, py: Python<'_>) -> bool {
        py.detach(|| self.0.is_running())
    }

    /// Ends it, waits for its end, and gives what it has found.
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        py.detach(|| self.0.end());
        let Some(Some((result, fill))) = self.0.found.get() else { return Err(panicked()) };
        result_to_dict(py, result, *fill)
    }
}

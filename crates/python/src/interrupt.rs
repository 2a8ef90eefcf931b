//! The wrapper of every native call that may take longer than a moment.

use crate::errors::RelucaError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often Python's signals are looked at; half of what a user may wait for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` without the GIL on a thread of its own while this one watches for Ctrl-C.
///
/// An interrupt raises `stop` and is reported when `work` has returned; a panic in `work` becomes a `RelucaError`.
pub fn interruptible<T: Send>(py: Python<'_>, stop: &AtomicBool, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (done, finished) = channel::<()>();
            let worker = scope.spawn(move || {
                // Dropped when the work is done or has panicked, which disconnects the channel.
                let _done = done;
                work()
            });
            let mut interrupted = None;
            while finished.recv_timeout(SIGNAL_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                if let Err(signal) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(signal);
                }
            }
            match (worker.join(), interrupted) {
                (_, Some(signal)) => Err(signal),
                (Ok(value), None) => Ok(value),
                (Err(_), None) => Err(RelucaError::new_err("internal error: the engine panicked; please report it")),
            }
        })
    })
}

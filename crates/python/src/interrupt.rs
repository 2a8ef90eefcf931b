//! The wrapper of every native call that may take longer than a moment.

use crate::errors::panicked;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// How often Python's signals are looked at; half of what a user may wait for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` without the GIL on a thread of its own while this one watches for Ctrl-C and hands what `work` sends
/// to `receive`.
///
/// An interrupt, or an exception in `receive`, raises `stop` and is reported when `work` has returned; a panic in
/// `work` becomes a `RelucaError`.
pub fn interruptible<T: Send, M: Send>(
    py: Python<'_>,
    stop: &AtomicBool,
    work: impl FnOnce(Sender<M>) -> T + Send,
    mut receive: impl FnMut(Python<'_>, M) -> PyResult<()> + Send,
) -> PyResult<T> {
    py.detach(|| {
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            // The sender is gone when the work is done or has panicked, which disconnects the channel.
            let worker = scope.spawn(move || work(sender));
            let mut failure = None;
            loop {
                let message = receiver.recv_timeout(SIGNAL_INTERVAL);
                if message.as_ref().is_err_and(|&error| error == RecvTimeoutError::Disconnected) {
                    break;
                }
                if failure.is_none() {
                    let handled = Python::attach(|py| {
                        message.map_or(Ok(()), |message| receive(py, message))?;
                        py.check_signals()
                    });
                    failure = handled.err();
                    if failure.is_some() {
                        stop.store(true, Ordering::Relaxed);
                    }
                }
            }
            match (worker.join(), failure) {
                (_, Some(failure)) => Err(failure),
                (Ok(value), None) => Ok(value),
                (Err(_), None) => Err(panicked()),
            }
        })
    })
}

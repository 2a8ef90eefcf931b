//! Self-play and training for `reluca.training`.

use crate::errors::{InvalidArgumentError, RelucaError, WeightsError};
use crate::interrupt::interruptible;
use crate::weights::Weights;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use reluca_engine::eval::{HandEvaluator, Weights as EngineWeights};
use reluca_engine::tune::{
    Accuracy, Records, RecordsError, Samples, SelfPlay, SelfPlayProgress, TrainOptions, TrainProgress, play, train,
};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Progress is told no more often than this.
const INTERVAL: Duration = Duration::from_millis(100);

fn raise(path: &Path, error: RecordsError) -> PyErr {
    match error {
        RecordsError::Io(error) => PyOSError::new_err(format!("{}: {error}", path.display())),
        error => WeightsError::new_err(format!("{}: {error}", path.display())),
    }
}

/// Plays games into a record file; `on_progress` is told now and then how many games and positions by stage there are.
#[pyfunction]
#[pyo3(signature = (path, weights, *, games, depth, solve_empties, seed, threads, on_progress))]
#[allow(clippy::too_many_arguments, reason = "Python names them all")]
pub fn selfplay(
    py: Python<'_>,
    path: PathBuf,
    weights: Option<&Bound<'_, Weights>>,
    games: u32,
    depth: u32,
    solve_empties: u32,
    seed: u64,
    threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(u32, u32, Vec<u64>)> {
    let settings = SelfPlay { seed, games, depth, solve_empties, threads };
    let stop = AtomicBool::new(false);
    let weights = weights.map(|weights| weights.get());
    let mut told = Instant::now() - INTERVAL;
    let progress = interruptible(
        py,
        &stop,
        |sender| {
            let mut observe = |progress: &SelfPlayProgress| {
                if told.elapsed() >= INTERVAL {
                    told = Instant::now();
                    // A receiver that is gone has raised `stop` already.
                    let _ = sender.send(*progress);
                }
            };
            match weights {
                Some(weights) => {
                    play(weights.evaluator(), &weights.name(), &settings, &path, &stop, &mut observe)
                }
                None => play(&HandEvaluator, "hand-made", &settings, &path, &stop, &mut observe),
            }
        },
        |py, progress: SelfPlayProgress| match &on_progress {
            Some(callback) => callback.call1(py, unpack(&progress)).map(|_| ()),
            None => Ok(()),
        },
    )?;
    Ok(unpack(&progress.map_err(|error| raise(&path, error))?))
}

fn unpack(progress: &SelfPlayProgress) -> (u32, u32, Vec<u64>) {
    (progress.games, progress.resumed, progress.positions.to_vec())
}

/// What a record file says of its making, how many games and how many records it has.
#[pyfunction]
pub fn read_records(py: Python<'_>, path: PathBuf) -> PyResult<(String, usize, usize)> {
    let records = py.detach(|| Records::read(&path)).map_err(|error| raise(&path, error))?;
    let numbers: std::collections::HashSet<u32> = records.games.iter().map(|record| record.game).collect();
    Ok((records.settings, numbers.len(), records.games.len()))
}

/// Fits weights to record files; `on_progress` is told of every iteration.
#[pyfunction]
#[pyo3(signature = (paths, *, iterations, regularisation, halo, provenance, threads, on_progress))]
#[allow(clippy::too_many_arguments, reason = "Python names them all")]
pub fn fit_weights<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    iterations: u32,
    regularisation: f32,
    halo: u32,
    provenance: String,
    threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = TrainOptions { iterations, regularisation, halo };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.map_err(|error| RelucaError::new_err(format!("cannot start {threads} threads: {error}")))?;
    let stop = AtomicBool::new(false);
    let fitted = interruptible(
        py,
        &stop,
        |sender| {
            pool.install(|| {
                let mut games = Vec::new();
                for path in &paths {
                    games.extend(Records::read(path).map_err(|error| raise(path, error))?.games);
                }
                let samples = Samples::from_games(&games);
                drop(games);
                if samples.is_empty() {
                    return Err(InvalidArgumentError::new_err("the record files have no positions to learn from"));
                }
                let fit = train(&samples, &options, &stop, &mut |progress| {
                    let _ = sender.send(*progress);
                });
                Ok((samples.len(), fit))
            })
        },
        |py, progress: TrainProgress| match &on_progress {
            Some(callback) => {
                let TrainProgress { small, stage, iteration, training_rmse, validation_rmse } = progress;
                callback.call1(py, (small, stage.number(), iteration, training_rmse, validation_rmse)).map(|_| ())
            }
            None => Ok(()),
        },
    )?;
    let ((training, validation), fit) = fitted?;
    let fit = fit.expect("only an interrupt stops the fit, and that was reported");
    let weights = EngineWeights::from_parameters(&fit.main, &fit.small, provenance);
    let dict = PyDict::new(py);
    dict.set_item("weights", Weights::new(weights))?;
    dict.set_item("training_positions", training)?;
    dict.set_item("validation_positions", validation)?;
    dict.set_item("accuracy", fit.accuracy.iter().map(accuracy_row).collect::<Vec<_>>())?;
    dict.set_item("small_accuracy", fit.small_accuracy.iter().map(accuracy_row).collect::<Vec<_>>())?;
    Ok(dict)
}

fn accuracy_row(accuracy: &Accuracy) -> (usize, f64, f64, f64, f64, f64) {
    let Accuracy { positions, mae, rmse, correlation, slope, bias } = *accuracy;
    (positions, mae, rmse, correlation, slope, bias)
}

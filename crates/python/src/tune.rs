//! Self-play and training for `reluca.training`.

use crate::batch::{each, rows};
use crate::engine::read_options;
use crate::errors::{InvalidArgumentError, RelucaError, WeightsError};
use crate::interrupt::interruptible;
use crate::weights::Weights;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use reluca_engine::eval::{HandEvaluator, Weights as EngineWeights};
use reluca_engine::tune::{
    self, Accuracy, DepthPlan, Records, RecordsError, Samples, SelfPlay, SelfPlayProgress, TrainOptions, TrainProgress,
    play, train,
};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::Sender;
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
#[pyo3(signature = (path, weights, *, games, depth, solve_empties, random_plies, seed, threads, on_progress))]
#[allow(clippy::too_many_arguments, reason = "Python names them all")]
pub fn selfplay(
    py: Python<'_>,
    path: PathBuf,
    weights: Option<&Bound<'_, Weights>>,
    games: u32,
    depth: u32,
    solve_empties: u32,
    random_plies: u32,
    seed: u64,
    threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<(u32, u32, Vec<u64>, u64)> {
    let settings = SelfPlay { seed, games, depth, solve_empties, random_plies, threads };
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
                Some(weights) => play(weights.evaluator(), &weights.name(), &settings, &path, &stop, &mut observe),
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

fn unpack(progress: &SelfPlayProgress) -> (u32, u32, Vec<u64>, u64) {
    (progress.games, progress.resumed, progress.positions.to_vec(), progress.cut_bytes)
}

/// What a record file says of its making, how many games and records it has, and the bytes of an unfinished last one.
#[pyfunction]
pub fn read_records(py: Python<'_>, path: PathBuf) -> PyResult<(String, usize, usize, u64)> {
    let records = py.detach(|| Records::read(&path)).map_err(|error| raise(&path, error))?;
    let games = records.numbers().len();
    Ok((records.settings, games, records.games.len(), records.unfinished))
}

/// A matrix and a vector.
type Arrays<'py, A, B> = (Bound<'py, PyArray2<A>>, Bound<'py, PyArray1<B>>);

/// The positions of a record file as rows of two bitboards, and their results in discs.
#[pyfunction]
pub fn record_positions<'py>(py: Python<'py>, path: PathBuf) -> PyResult<Arrays<'py, u64, i8>> {
    let records = py.detach(|| Records::read(&path)).map_err(|error| raise(&path, error))?;
    let positions = records.games.iter().flat_map(|game| game.positions());
    let (boards, results): (Vec<[u64; 2]>, Vec<i8>) =
        positions.map(|(board, result)| ([board.player().0, board.opponent().0], result)).unzip();
    Ok((Array2::from(boards).into_pyarray(py), results.into_pyarray(py)))
}

/// The values of boards at every depth from 0 on, and their exact values, in centidiscs; what is not known is -32768.
#[pyfunction]
#[pyo3(signature = (boards, weights, options, *, depth, solve_empties, threads, on_progress))]
#[allow(clippy::too_many_arguments, reason = "Python names them all")]
pub fn depth_values<'py>(
    py: Python<'py>,
    boards: PyReadonlyArray2<'py, u64>,
    weights: Option<&Bound<'_, Weights>>,
    options: Option<&Bound<'_, PyAny>>,
    depth: u32,
    solve_empties: u32,
    threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Arrays<'py, i16, i16>> {
    const UNKNOWN: i16 = i16::MIN;
    let boards = each(rows(&boards)?, Ok)?;
    let options = options.map_or_else(|| Ok(DepthPlan::unpruned()), read_options)?;
    let plan = DepthPlan { options, depth, solve_empties, threads };
    let stop = AtomicBool::new(false);
    let weights = weights.map(|weights| weights.get());
    let found = interruptible(
        py,
        &stop,
        |sender: Sender<usize>| {
            let sender = Mutex::new(sender);
            let observe = |done| {
                if let Ok(sender) = sender.lock() {
                    let _ = sender.send(done);
                }
            };
            match weights {
                Some(weights) => tune::depth_values(weights.evaluator(), &boards, &plan, &stop, &observe),
                None => tune::depth_values(&HandEvaluator, &boards, &plan, &stop, &observe),
            }
        },
        |py, done| match &on_progress {
            Some(callback) => callback.call1(py, (done,)).map(|_| ()),
            None => Ok(()),
        },
    )?;
    let found = found.expect("only an interrupt stops the searches, and that was reported");
    let mut values = Array2::from_elem((found.len(), depth as usize + 1), UNKNOWN);
    for (mut row, board) in values.outer_iter_mut().zip(&found) {
        row.iter_mut().zip(&board.values).for_each(|(place, &value)| *place = value);
    }
    let exact: Vec<i16> = found.iter().map(|board| board.exact.unwrap_or(UNKNOWN)).collect();
    Ok((values.into_pyarray(py), exact.into_pyarray(py)))
}

/// Fits weights to record files; `on_progress` is told of every iteration.
#[pyfunction]
#[pyo3(signature = (paths, start, *, iterations, regularisation, halo, trust, provenance, threads, on_progress))]
#[allow(clippy::too_many_arguments, reason = "Python names them all")]
pub fn fit_weights<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    start: Option<&Bound<'_, Weights>>,
    iterations: u32,
    regularisation: f32,
    halo: u32,
    trust: f32,
    provenance: String,
    threads: usize,
    on_progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let options = TrainOptions { iterations, regularisation, halo, trust };
    let start = start.map(|weights| weights.get().weights());
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
                let fit = train(&samples, start, &options, &stop, &mut |progress| {
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

//! The engine for `reluca.engine`: options and limits in, plain dictionaries out.

use crate::batch::{each, rows};
use crate::board::Board;
use crate::errors::{EngineBusyError, InvalidOptionsError, OutOfMemoryError};
use crate::interrupt::interruptible;
use crate::moves::to_python;
use crate::ponder::{NativePondering, Pondering};
use crate::weights::Weights;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rayon::prelude::*;
use reluca_engine::eval::{HandEvaluator, PatternEvaluator};
use reluca_engine::search::{
    Algorithm, Bound as ScoreBound, Clock, Counters, Engine, EngineError, Iteration, Limit, Line, SearchOptions,
    SearchResult,
};
use reluca_engine::{AspirationTable, MpcCutPair, MpcModel, MpcParameters, MpcTable, Scheme, Stage, Table, TableError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[derive(FromPyObject)]
struct PairArg {
    shallow: u32,
    deep: u32,
}

#[derive(FromPyObject)]
struct ParametersArg {
    a: f64,
    b: f64,
    sigma: f64,
}

#[derive(FromPyObject)]
struct ModelArg {
    intercept: f64,
    shallow: f64,
    deep: f64,
    empties: f64,
}

#[derive(FromPyObject)]
struct MpcTableArg {
    pairs: Vec<PairArg>,
    parameters: Vec<Vec<ParametersArg>>,
    z: f64,
    exact: ModelArg,
}

#[derive(FromPyObject)]
struct AspirationTableArg {
    deltas: Vec<i64>,
    default_delta: i64,
}

#[derive(FromPyObject)]
struct OptionsArg {
    algorithm: String,
    max_depth: u32,
    use_transposition_table: bool,
    use_aspiration_window: bool,
    aspiration_delta: i64,
    aspiration_max_retry: u32,
    aspiration_use_stage_table: bool,
    aspiration_scheme: String,
    aspiration_table: AspirationTableArg,
    aspiration_same_parity: bool,
    aspiration_suppress_store: bool,
    use_multi_prob_cut: bool,
    mpc_table: MpcTableArg,
    mpc_full_window: bool,
    mpc_max_pairs: u32,
    mpc_static_test: bool,
    mpc_nesting: u32,
    mpc_phase_margins: Option<[f64; 3]>,
    mpc_adjust_for_time: bool,
    use_move_count_pruning: bool,
    move_count_max_depth: u32,
    solver_empties: u32,
}

const ALGORITHMS: [(&str, Algorithm); 4] = [
    ("negamax", Algorithm::Negamax),
    ("alphabeta", Algorithm::AlphaBeta),
    ("pvs", Algorithm::Pvs),
    ("mtdf", Algorithm::Mtdf),
];

impl OptionsArg {
    fn into_options(self) -> Result<SearchOptions, String> {
        let algorithm = ALGORITHMS.into_iter().find(|(name, _)| *name == self.algorithm);
        let (_, algorithm) = algorithm
            .ok_or_else(|| format!("algorithm must be negamax, alphabeta, pvs or mtdf, not {:?}", self.algorithm))?;
        let options = SearchOptions {
            algorithm,
            max_depth: self.max_depth,
            use_transposition_table: self.use_transposition_table,
            use_aspiration_window: self.use_aspiration_window,
            aspiration_delta: self.aspiration_delta,
            aspiration_max_retry: self.aspiration_max_retry,
            aspiration_use_stage_table: self.aspiration_use_stage_table,
            aspiration_scheme: scheme(&self.aspiration_scheme)?,
            aspiration_table: self.aspiration_table.into_table()?,
            aspiration_same_parity: self.aspiration_same_parity,
            aspiration_suppress_store: self.aspiration_suppress_store,
            use_multi_prob_cut: self.use_multi_prob_cut,
            mpc_table: self.mpc_table.into_table()?,
            mpc_full_window: self.mpc_full_window,
            mpc_max_pairs: self.mpc_max_pairs,
            mpc_static_test: self.mpc_static_test,
            mpc_nesting: self.mpc_nesting,
            mpc_phase_margins: self.mpc_phase_margins,
            mpc_adjust_for_time: self.mpc_adjust_for_time,
            use_move_count_pruning: self.use_move_count_pruning,
            move_count_max_depth: self.move_count_max_depth,
            solver_empties: self.solver_empties,
        };
        options.validate().map_err(|error| error.to_string())?;
        Ok(options)
    }
}

impl MpcTableArg {
    fn into_table(self) -> Result<MpcTable, String> {
        let pairs: Vec<MpcCutPair> =
            self.pairs.into_iter().map(|PairArg { shallow, deep }| MpcCutPair { shallow, deep }).collect();
        if let Some(row) = self.parameters.iter().find(|row| row.len() != pairs.len()) {
            return Err(format!("MPC: a stage has {} parameter sets for {} pairs", row.len(), pairs.len()));
        }
        let parameters = self.parameters.into_iter().flatten();
        let parameters = parameters.map(|ParametersArg { a, b, sigma }| MpcParameters { a, b, sigma }).collect();
        let ModelArg { intercept, shallow, deep, empties } = self.exact;
        let exact = MpcModel { intercept, shallow, deep, empties };
        let table = MpcTable::new(pairs, parameters, self.z).and_then(|table| table.with_exact(exact));
        table.map_err(|error| error.to_string())
    }
}

impl AspirationTableArg {
    fn into_table(self) -> Result<AspirationTable, String> {
        let deltas: [i64; Stage::COUNT] = self
            .deltas
            .try_into()
            .map_err(|deltas: Vec<i64>| format!("aspiration: a table has 15 deltas, not {}", deltas.len()))?;
        AspirationTable::new(deltas, self.default_delta).map_err(|error| error.to_string())
    }
}

/// The name of the scheme that the options leave to the stage table.
const AUTO: &str = "auto";

fn scheme(name: &str) -> Result<Option<Scheme>, String> {
    let found = Scheme::ALL.into_iter().find(|scheme| scheme.name() == name);
    if found.is_none() && name != AUTO {
        let names = Scheme::ALL.map(Scheme::name).join(", ");
        return Err(format!("aspiration_scheme must be {AUTO} or one of {names}, not {name:?}"));
    }
    Ok(found)
}

/// Reads an argument from a Python object's attributes; an error names the attribute.
fn read<'py, T>(object: &Bound<'py, PyAny>) -> PyResult<T>
where
    T: for<'a> FromPyObject<'a, 'py, Error = PyErr>,
{
    object.extract::<T>().map_err(|error| {
        let py = object.py();
        let cause = error.cause(py).map_or(String::new(), |cause| format!(": {}", cause.value(py)));
        let message = error.value(py).to_string();
        // The reader names its own types; users know only the attribute.
        let attribute = message.rsplit_once("Arg.").map_or(&*message, |(_, attribute)| attribute);
        InvalidOptionsError::new_err(format!("{attribute}{cause}"))
    })
}

/// Raises `InvalidOptionsError` if a table of Multi-ProbCut is impossible.
#[pyfunction]
pub fn validate_mpc_table(table: &Bound<'_, PyAny>) -> PyResult<()> {
    read::<MpcTableArg>(table)?.into_table().map(|_| ()).map_err(InvalidOptionsError::new_err)
}

/// Raises `InvalidOptionsError` if a table of aspiration windows is impossible.
#[pyfunction]
pub fn validate_aspiration_table(table: &Bound<'_, PyAny>) -> PyResult<()> {
    read::<AspirationTableArg>(table)?.into_table().map(|_| ()).map_err(InvalidOptionsError::new_err)
}

/// The options that a Python object has.
pub fn read_options(options: &Bound<'_, PyAny>) -> PyResult<SearchOptions> {
    let arguments = read::<OptionsArg>(options)?;
    arguments.into_options().map_err(InvalidOptionsError::new_err)
}

/// Raises `InvalidOptionsError` if the options contradict themselves.
#[pyfunction]
pub fn validate_options(options: &Bound<'_, PyAny>) -> PyResult<()> {
    read_options(options).map(|_| ())
}

/// The options that the engine itself has by default ("default") or finds strongest ("strongest").
#[pyfunction]
pub fn native_options<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
    let options = if name == "strongest" { SearchOptions::strongest() } else { SearchOptions::default() };
    let (algorithm, _) = ALGORITHMS[options.algorithm as usize];
    let dict = PyDict::new(py);
    dict.set_item("algorithm", algorithm)?;
    dict.set_item("max_depth", options.max_depth)?;
    dict.set_item("use_transposition_table", options.use_transposition_table)?;
    dict.set_item("use_aspiration_window", options.use_aspiration_window)?;
    dict.set_item("aspiration_delta", options.aspiration_delta)?;
    dict.set_item("aspiration_max_retry", options.aspiration_max_retry)?;
    dict.set_item("aspiration_use_stage_table", options.aspiration_use_stage_table)?;
    dict.set_item("aspiration_scheme", options.aspiration_scheme.map_or(AUTO, Scheme::name))?;
    dict.set_item("aspiration_table", aspiration_table_parts(&options.aspiration_table))?;
    dict.set_item("aspiration_same_parity", options.aspiration_same_parity)?;
    dict.set_item("aspiration_suppress_store", options.aspiration_suppress_store)?;
    dict.set_item("use_multi_prob_cut", options.use_multi_prob_cut)?;
    dict.set_item("mpc_table", mpc_table_parts(&options.mpc_table))?;
    dict.set_item("mpc_max_pairs", options.mpc_max_pairs)?;
    dict.set_item("mpc_static_test", options.mpc_static_test)?;
    dict.set_item("mpc_nesting", options.mpc_nesting)?;
    dict.set_item("mpc_full_window", options.mpc_full_window)?;
    dict.set_item("mpc_phase_margins", options.mpc_phase_margins)?;
    dict.set_item("mpc_adjust_for_time", options.mpc_adjust_for_time)?;
    dict.set_item("use_move_count_pruning", options.use_move_count_pruning)?;
    dict.set_item("move_count_max_depth", options.move_count_max_depth)?;
    dict.set_item("solver_empties", options.solver_empties)?;
    Ok(dict)
}

/// Pairs, parameters by stage, the margin, and the model of exact scores.
type MpcTableParts = (Vec<(u32, u32)>, Vec<Vec<(f64, f64, f64)>>, f64, (f64, f64, f64, f64));

fn mpc_table_parts(table: &MpcTable) -> MpcTableParts {
    let row = |stage| {
        let cells = (0..table.pairs().len()).map(|pair| table.parameters(stage, pair));
        cells.map(|cell| (cell.a, cell.b, cell.sigma)).collect()
    };
    let pairs = table.pairs().iter().map(|pair| (pair.shallow, pair.deep)).collect();
    let MpcModel { intercept, shallow, deep, empties } = *table.exact();
    let exact = (intercept, shallow, deep, empties);
    (pairs, (1..=15).filter_map(Stage::new).map(row).collect(), table.z(), exact)
}

fn aspiration_table_parts(table: &AspirationTable) -> (Vec<i64>, i64) {
    (table.delta_by_stage().to_vec(), table.default_delta())
}

/// The tables of Multi-ProbCut and of aspiration windows that were measured with the bundled weights.
#[pyfunction]
pub fn calibrated_tables() -> (MpcTableParts, (Vec<i64>, i64)) {
    (mpc_table_parts(&MpcTable::calibrated()), aspiration_table_parts(&AspirationTable::calibrated()))
}

#[derive(FromPyObject)]
struct ClockArg {
    main: f64,
    increment: f64,
    byoyomi: f64,
}

/// A limit whose numbers Python has checked.
#[derive(FromPyObject)]
pub struct LimitArg {
    depth: Option<u32>,
    time: Option<f64>,
    nodes: Option<u64>,
    exact: bool,
    wld: bool,
    clock: Option<ClockArg>,
}

impl From<LimitArg> for Limit {
    fn from(limit: LimitArg) -> Limit {
        // Centuries are as good as no limit.
        let seconds = |seconds: f64| Duration::from_secs_f64(seconds.min(1e10));
        Limit {
            depth: limit.depth,
            time: limit.time.map(seconds),
            nodes: limit.nodes,
            exact: limit.exact,
            wld: limit.wld,
            clock: limit.clock.map(|clock| Clock {
                main: seconds(clock.main),
                increment: seconds(clock.increment),
                byoyomi: seconds(clock.byoyomi),
            }),
        }
    }
}

/// An engine with one of the evaluations.
enum AnyEngine {
    HandMade(Engine<HandEvaluator>),
    Trained(Engine<PatternEvaluator>),
}

/// Does the same with either engine.
macro_rules! with_engine {
    ($any:expr, $engine:ident => $work:expr) => {
        match $any {
            AnyEngine::HandMade($engine) => $work,
            AnyEngine::Trained($engine) => $work,
        }
    };
}

/// Options, a transposition table and an evaluation.
#[pyclass(module = "reluca._engine", frozen)]
pub struct NativeEngine {
    engine: Arc<AnyEngine>,
    stop: AtomicBool,
    searching: Mutex<()>,
    /// The last search on the opponent's time; whoever holds `searching` begins and ends it.
    pondering: Mutex<Option<Arc<Pondering>>>,
}

#[pymethods]
impl NativeEngine {
    #[new]
    fn new(
        options: &Bound<'_, PyAny>,
        table_mb: usize,
        weights: Option<&Weights>,
        threads: usize,
    ) -> PyResult<NativeEngine> {
        let options = read_options(options)?;
        let engine = match weights {
            Some(weights) => Engine::new(weights.evaluator().clone(), options, table_mb)
                .map(|engine| AnyEngine::Trained(engine.with_threads(threads))),
            None => Engine::new(HandEvaluator, options, table_mb)
                .map(|engine| AnyEngine::HandMade(engine.with_threads(threads))),
        };
        let engine = engine.map_err(|error| match error {
            EngineError::Table(TableError::Memory(_)) => OutOfMemoryError::new_err(error.to_string()),
            _ => InvalidOptionsError::new_err(error.to_string()),
        })?;
        Ok(NativeEngine {
            engine: Arc::new(engine),
            stop: AtomicBool::new(false),
            searching: Mutex::new(()),
            pondering: Mutex::new(None),
        })
    }

    /// Searches a board; `on_iteration` is called on this thread with a dictionary per iteration.
    fn search<'py>(
        &self,
        py: Python<'py>,
        board: &Bound<'_, Board>,
        limit: LimitArg,
        multipv: usize,
        on_iteration: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let _searching = self.begin(py)?;
        // Read once: the board may change while the search runs without the GIL.
        let board = board.try_borrow()?.position().board;
        let limit = Limit::from(limit);
        self.stop.store(false, Ordering::Relaxed);
        let result = interruptible(
            py,
            &self.stop,
            |sender| {
                let mut observe = |iteration: &Iteration| {
                    // A receiver that is gone has raised `stop` already.
                    let _ = sender.send(iteration.clone());
                };
                with_engine!(&*self.engine, engine => engine.search(board, &limit, multipv, &self.stop, &mut observe))
            },
            |py, iteration: Iteration| match &on_iteration {
                Some(callback) => callback.call1(py, (iteration_to_dict(py, &iteration)?,)).map(|_| ()),
                None => Ok(()),
            },
        )?;
        result_to_dict(py, &result, self.table().fill_permille())
    }

    /// Searches a board without limits in the background, until something else is asked for.
    fn ponder(&self, py: Python<'_>, board: &Bound<'_, Board>) -> PyResult<NativePondering> {
        let _searching = self.begin(py)?;
        let board = board.try_borrow()?.position().board;
        let engine = self.engine.clone();
        let pondering = Pondering::start(move |stop| {
            with_engine!(&*engine, engine => {
                let result = engine.search(board, &Limit::default(), 1, stop, &mut |_| ());
                (result, engine.table().fill_permille())
            })
        })?;
        let pondering = Arc::new(pondering);
        *self.pondering() = Some(pondering.clone());
        Ok(NativePondering(pondering))
    }

    /// Ends a search in progress; it returns what it has.
    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(pondering) = &*self.pondering() {
            pondering.stop();
        }
    }

    /// The static evaluation in centidiscs.
    fn evaluate(&self, board: &Board) -> i32 {
        with_engine!(&*self.engine, engine => engine.evaluate(board.position().board)).centidiscs()
    }

    /// The static evaluations, in centidiscs, of rows of two bitboards.
    fn batch_evaluate<'py>(
        &self,
        py: Python<'py>,
        boards: PyReadonlyArray2<'py, u64>,
    ) -> PyResult<Bound<'py, PyArray1<i16>>> {
        let rows = rows(&boards)?;
        let boards = each(rows, Ok)?;
        let values = py.detach(|| -> Vec<i16> {
            with_engine!(&*self.engine, engine => {
                boards.into_par_iter().map(|board| engine.evaluate(board).centidiscs() as i16).collect()
            })
        });
        Ok(values.into_pyarray(py))
    }

    /// Forgets all searched positions.
    fn clear(&self, py: Python<'_>) -> PyResult<()> {
        let _searching = self.begin(py)?;
        py.detach(|| self.table().clear());
        Ok(())
    }

    /// How many entries the table has room for.
    #[getter]
    fn table_capacity(&self) -> usize {
        self.table().capacity()
    }
}

impl NativeEngine {
    fn table(&self) -> &Table {
        with_engine!(&*self.engine, engine => engine.table())
    }

    /// Claims the engine, which may be pondering but not searching.
    fn begin(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, ()>> {
        let claim = self
            .searching
            .try_lock()
            .map_err(|_| EngineBusyError::new_err("this engine is searching already; stop it or use another one"))?;
        py.detach(|| self.end_pondering());
        Ok(claim)
    }

    fn pondering(&self) -> MutexGuard<'_, Option<Arc<Pondering>>> {
        self.pondering.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end_pondering(&self) {
        let pondering = self.pondering().take();
        if let Some(pondering) = pondering {
            pondering.end();
        }
    }
}

impl Drop for NativeEngine {
    fn drop(&mut self) {
        self.end_pondering();
    }
}

fn counters_to_dict<'py>(py: Python<'py>, counters: &Counters) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (name, count) in counters.named() {
        dict.set_item(name, count)?;
    }
    dict.set_item("mpc_beta_cuts", counters.mpc_beta_cuts.to_vec())?;
    dict.set_item("mpc_alpha_cuts", counters.mpc_alpha_cuts.to_vec())?;
    Ok(dict)
}

fn lines_to_list<'py>(py: Python<'py>, lines: &[Line]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for line in lines {
        let bound = match line.bound {
            ScoreBound::Exact => "exact",
            ScoreBound::Lower => "lower",
            ScoreBound::Upper => "upper",
        };
        let pv = line.pv.iter().map(|&mv| to_python(py, mv)).collect::<PyResult<Vec<_>>>()?;
        list.append((line.score.centidiscs(), bound, pv))?;
    }
    Ok(list)
}

fn iteration_to_dict<'py>(py: Python<'py>, iteration: &Iteration) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("depth", iteration.depth)?;
    dict.set_item("margin", iteration.margin)?;
    dict.set_item("lines", lines_to_list(py, &iteration.lines)?)?;
    dict.set_item("counters", counters_to_dict(py, &iteration.counters)?)?;
    dict.set_item("time", iteration.time.as_secs_f64())?;
    dict.set_item("total_nodes", iteration.total_nodes)?;
    dict.set_item("total_time", iteration.total_time.as_secs_f64())?;
    Ok(dict)
}

pub fn result_to_dict<'py>(py: Python<'py>, result: &SearchResult, fill: u32) -> PyResult<Bound<'py, PyDict>> {
    let iterations = PyList::empty(py);
    for iteration in &result.iterations {
        iterations.append(iteration_to_dict(py, iteration)?)?;
    }
    let dict = PyDict::new(py);
    dict.set_item("lines", lines_to_list(py, &result.lines)?)?;
    dict.set_item("depth", result.depth)?;
    dict.set_item("margin", result.margin)?;
    dict.set_item("exact", result.exact)?;
    dict.set_item("stop_reason", result.stop_reason.name())?;
    dict.set_item("counters", counters_to_dict(py, &result.counters)?)?;
    dict.set_item("time", result.time.as_secs_f64())?;
    dict.set_item("table_fill", fill as f64 / 1000.0)?;
    dict.set_item("iterations", iterations)?;
    Ok(dict)
}

/// The games whose last positions the benchmarks search.
#[pyfunction]
pub fn bench_games() -> Vec<&'static str> {
    reluca_engine::BENCH_GAMES.to_vec()
}

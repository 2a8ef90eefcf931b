//! Iterative deepening under limits: the coordinator of a search.
//!
//! An engine is options, a table and an evaluation; everything else lives in the context of one call, so a search
//! that was stopped leaves nothing stale behind.

mod context;
mod counters;
mod limit;
mod node;
mod options;
mod result;
mod root;

pub use counters::Counters;
pub use limit::{Budget, Clock, Limit};
pub use options::{Algorithm, OptionsError, SearchOptions};
pub use result::{Bound, Iteration, Line, SearchResult, StopReason};

use crate::board::Board;
use crate::endgame::Solver;
use crate::eval::Evaluator;
use crate::parallel::{Pool, Task};
use crate::score::Score;
use crate::table::{Selectivity, Table, TableError};
use crate::tree::{Cutoff, Watch};
use context::Context;
use root::Root;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use thiserror::Error;

/// Why an engine cannot be made.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum EngineError {
    /// The options contradict themselves.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The table cannot be had.
    #[error(transparent)]
    Table(#[from] TableError),
}

/// Options, a transposition table and an evaluation.
pub struct Engine<E> {
    evaluator: E,
    options: SearchOptions,
    table: Table,
    threads: usize,
}

impl<E: Evaluator> Engine<E> {
    /// An engine with a table of this many megabytes, which searches with one thread.
    pub fn new(evaluator: E, options: SearchOptions, table_mb: usize) -> Result<Engine<E>, EngineError> {
        options.validate()?;
        Ok(Engine { evaluator, options, table: Table::new(table_mb)?, threads: 1 })
    }

    /// The same engine, searching with this many threads; with one thread it is deterministic.
    pub fn with_threads(self, threads: usize) -> Engine<E> {
        Engine { threads: threads.max(1), ..self }
    }

    /// The options.
    pub fn options(&self) -> &SearchOptions {
        &self.options
    }

    /// The transposition table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The static evaluation of a board.
    pub fn evaluate(&self, board: Board) -> Score {
        self.evaluator.evaluate(&self.evaluator.state(board), board)
    }

    /// Searches a board for its `multipv` best moves; `observe` is told of every completed iteration.
    pub fn search(
        &self,
        board: Board,
        limit: &Limit,
        multipv: usize,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(&Iteration),
    ) -> SearchResult {
        let start = Instant::now();
        let budget = limit.budget(board);
        self.table.new_generation();
        let deadline = budget.and_then(|budget| start.checked_add(budget.limit));
        let watch = Watch::new(stop, deadline, limit.nodes.unwrap_or(u64::MAX));
        let helpers = if is_short(board, limit) { 0 } else { self.threads - 1 };
        let helped = Mutex::default();
        let mut run = |pool, watch| {
            let context = Context::new(&self.evaluator, &self.table, &self.options, pool, watch);
            let deepening = Deepening {
                context,
                helped: &helped,
                threads: helpers + 1,
                start,
                budget,
                limit,
                iterations: Vec::new(),
                passes: 0,
            };
            deepening.run(board, multipv.max(1), observe)
        };
        if helpers == 0 {
            return run(None, watch);
        }
        let (pool, nodes) = (Pool::default(), AtomicU64::new(0));
        let watch = watch.together(&nodes, pool.tree());
        std::thread::scope(|scope| {
            let _closing = pool.closing();
            for _ in 0..helpers {
                scope.spawn(|| self.help(&pool, watch.clone(), &helped));
            }
            run(Some(&pool), watch.clone())
        })
    }

    /// Helps another thread's search until its pool is closed, and adds up what it counts.
    fn help(&self, pool: &Pool, watch: Watch<'_>, helped: &Mutex<Counters>) {
        let mut context = Context::new(&self.evaluator, &self.table, &self.options, Some(pool), watch.clone());
        let exact = self.options.mpc_table.exact();
        let mut solver = Solver::new(&self.evaluator, exact, &self.table, Some(pool), watch, 0);
        let mut told = Counters::default();
        pool.help(|split| {
            match split.task {
                Task::Solve { margin } => solver.work_on(split, margin),
                Task::Search(task) => context.work_on(split, task),
            }
            let mut counted = context.counters;
            counted.nodes += solver.nodes();
            counted.add_table(solver.table_counts());
            let mut helped = helped.lock().unwrap_or_else(PoisonError::into_inner);
            *helped = *helped + (counted - told);
            told = counted;
        });
    }
}

/// Whether a search is over before other threads could help.
fn is_short(board: Board, limit: &Limit) -> bool {
    const DEPTH: u32 = 6;
    const EMPTIES: u32 = 14;
    board.empties() <= EMPTIES || limit.depth.is_some_and(|depth| depth <= DEPTH)
}

/// How far a search is to go.
struct Plan {
    depth_limit: u32,
    /// The depth that reads to the end of the game.
    full_depth: u32,
    /// Whether cuts on probability are made.
    selective: bool,
}

/// One iteration to come.
enum Step {
    Deepen {
        depth: u32,
        selective: bool,
    },
    /// With cuts on probability of some margin, or without.
    Solve {
        margin: Option<f64>,
    },
}

/// Nodes per second and thread of the solver, for estimates.
const SOLVER_SPEED: f64 = 25e6;

/// The nodes that nearly every solve gets by with: each further empty square costs about twice as many.
fn solve_nodes(empties: u32) -> f64 {
    2e6 * 2.1f64.powi(empties as i32 - 18)
}

/// One search in progress.
struct Deepening<'a, E: Evaluator> {
    context: Context<'a, E>,
    /// What other threads have counted.
    helped: &'a Mutex<Counters>,
    threads: usize,
    start: Instant,
    budget: Option<Budget>,
    limit: &'a Limit,
    iterations: Vec<Iteration>,
    /// How many times the solver ran.
    passes: usize,
}

/// From this many empty squares on, selective solves prepare the exact one, with these margins in deviations
/// (`benches/RESULTS.md`).
const SELECTIVE_FROM: u32 = 17;
const MARGINS: [f64; 2] = [1.5, 2.5];

impl<E: Evaluator> Deepening<'_, E> {
    fn run(mut self, board: Board, multipv: usize, observe: &mut dyn FnMut(&Iteration)) -> SearchResult {
        if board.is_game_over() {
            let line = Line { score: board.final_score().into(), bound: Bound::Exact, pv: Vec::new() };
            return self.finish(vec![line], true, StopReason::Complete);
        }
        let mut root = Root::new(&mut self.context, board);
        let lines = multipv.min(root.moves.len());
        let full_depth = board.empties();
        let depth_limit = match (self.limit.to_the_end(), self.limit.depth) {
            (true, _) => full_depth,
            (false, depth) => depth.unwrap_or(60).min(self.context.options.max_depth).min(full_depth),
        };
        let plan = Plan { depth_limit, full_depth, selective: self.is_selective() };
        let mut reason = StopReason::Complete;
        let mut proven = false;
        let mut done = 0;
        // The margin of a solve that was cut off, if its answer so far is kept.
        let mut kept = None;
        while let Some(step) = self.next_step(&plan, done, proven) {
            if self.no_time_for_next() {
                reason = StopReason::NoTimeForNext;
                break;
            }
            let before = (self.counters(), self.start.elapsed());
            let finished = root.moves.clone();
            let completed = match step {
                Step::Deepen { depth, selective } => {
                    self.set_selectivity(selective);
                    self.context.iterate(&mut root, depth, lines)
                }
                Step::Solve { margin } => {
                    self.set_selectivity(false);
                    self.context.selectivity = margin.map_or(Selectivity::FULL, Selectivity::of_margin);
                    self.passes += 1;
                    self.context.solve(&mut root, lines, self.limit.wld, margin)
                }
            };
            let margin = match step {
                Step::Deepen { selective, .. } => self.margin(selective),
                Step::Solve { margin } => margin,
            };
            if completed.is_err() {
                let context = &mut self.context;
                reason = context.watch.reason(context.counters.nodes).unwrap_or(Cutoff::Stop).into();
                if root.news.is_none() || lines > 1 {
                    root.moves = finished;
                } else {
                    kept = margin;
                }
                break;
            }
            done = if let Step::Deepen { depth, .. } = step { depth } else { full_depth };
            proven = done == full_depth && self.context.selectivity == Selectivity::FULL;
            let iteration = self.record(done, margin, &root.moves[..lines], before);
            observe(&iteration);
            self.iterations.push(iteration);
        }
        let best = root.moves.into_iter().take(lines).map(|mv| mv.line).collect();
        let exact = proven && !self.limit.wld;
        let result = self.finish(best, exact, reason);
        SearchResult { margin: kept.or(result.margin), ..result }
    }

    /// What all threads have counted.
    fn counters(&self) -> Counters {
        self.context.counters + *self.helped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_selective(&self) -> bool {
        let options = self.context.options;
        options.use_multi_prob_cut || options.use_move_count_pruning
    }

    /// What to do after the iteration of depth `done`: deepen, or solve when that is due and the time may suffice.
    fn next_step(&self, plan: &Plan, done: u32, proven: bool) -> Option<Step> {
        /// Up to this many empty squares a solve takes milliseconds.
        const AT_ONCE: u32 = 14;
        /// The least depth that a solve has to fall back on when it is cut off.
        const FALLBACK_DEPTH: u32 = 4;
        /// Plies before the end at which a search has shown the way well enough.
        const PRIMING: u32 = 12;
        /// An evaluation, in centidiscs, that tells moves no longer apart.
        const WIPE_OUT: i32 = 6000;
        let &Plan { depth_limit, full_depth, selective } = plan;
        let to_the_end = depth_limit == full_depth;
        let solver = to_the_end && full_depth <= self.context.options.solver_empties || self.limit.to_the_end();
        if proven {
            return None;
        }
        if solver {
            let due = full_depth <= AT_ONCE || done == full_depth;
            let last = self.iterations.last().map_or(0, |iteration| iteration.lines[0].score.centidiscs());
            let primed = done >= FALLBACK_DEPTH && (done + PRIMING >= full_depth || last.abs() >= WIPE_OUT);
            if due || primed && self.is_time_to_solve(full_depth) {
                let passes = if full_depth >= SELECTIVE_FROM { &MARGINS[..] } else { &[] };
                return Some(Step::Solve { margin: passes.get(self.passes).copied() });
            }
        }
        if done < depth_limit {
            return Some(Step::Deepen { depth: done + 1, selective });
        }
        // Read to the end with cuts on probability: now without.
        (to_the_end && selective).then_some(Step::Deepen { depth: full_depth, selective: false })
    }

    /// Whether a solve is likely to finish within the limits.
    fn is_time_to_solve(&self, empties: u32) -> bool {
        /// Estimates are rough; who asks for the end of the game wants it tried unless it is hopeless.
        const HOPE: f64 = 0.2;
        let nodes = if self.limit.to_the_end() { HOPE } else { 1.0 } * solve_nodes(empties);
        let seconds = nodes / (SOLVER_SPEED * self.threads as f64);
        let left = self.limit.nodes.map_or(f64::INFINITY, |limit| (limit - self.counters().nodes.min(limit)) as f64);
        let time_left =
            self.budget.map_or(f64::INFINITY, |budget| budget.limit.saturating_sub(self.start.elapsed()).as_secs_f64());
        nodes <= left && seconds <= time_left
    }

    fn set_selectivity(&mut self, selective: bool) {
        /// The share of the time after which the margin of Multi-ProbCut may be narrowed.
        const PRESSURE: f64 = 0.8;
        let pressed = self.budget.is_some_and(|budget| self.start.elapsed() > budget.target.mul_f64(PRESSURE));
        let context = &mut self.context;
        context.hurry = selective && context.options.mpc_adjust_for_time && pressed;
        context.mpc = selective && context.options.use_multi_prob_cut;
        context.move_count_pruning = selective && context.options.use_move_count_pruning;
        context.selectivity = if selective { context.options.selectivity(context.hurry) } else { Selectivity::FULL };
    }

    /// Whether to leave it at the iterations done: the next would take at least as long as the last one.
    fn no_time_for_next(&self) -> bool {
        let (Some(budget), Some(last)) = (self.budget, self.iterations.last()) else { return false };
        let elapsed = self.start.elapsed();
        elapsed + last.time > budget.limit
            || budget.target < budget.limit && elapsed > budget.target.mul_f64(self.patience())
    }

    /// How much of the target to use: less for a move that stands firm, more in trouble.
    fn patience(&self) -> f64 {
        /// Iterations without a new best move after which a search counts as settled.
        const SETTLED: usize = 4;
        /// A fall of the value, in centidiscs, that calls for more time.
        const TROUBLE: i32 = 300;
        let best = |iteration: &Iteration| iteration.lines[0].pv.first().copied();
        let score = |iteration: &Iteration| iteration.lines[0].score.centidiscs();
        let [.., before, last] = &self.iterations[..] else { return 1.0 };
        let firm = self.iterations.iter().rev().take_while(|iteration| best(iteration) == best(last)).count();
        if score(last) <= score(before) - TROUBLE {
            2.0
        } else if firm == 1 {
            1.4
        } else if firm > SETTLED {
            0.6
        } else {
            1.0
        }
    }

    fn record(
        &self,
        depth: u32,
        margin: Option<f64>,
        moves: &[root::RootMove],
        (counters, time): (Counters, Duration),
    ) -> Iteration {
        let (total_time, total) = (self.start.elapsed(), self.counters());
        Iteration {
            depth,
            margin,
            lines: moves.iter().map(|mv| mv.line.clone()).collect(),
            counters: total - counters,
            time: total_time - time,
            total_nodes: total.nodes,
            total_time,
        }
    }

    fn margin(&self, selective: bool) -> Option<f64> {
        let options = self.context.options;
        if selective && options.use_move_count_pruning {
            Some(0.0)
        } else {
            (selective && options.use_multi_prob_cut).then(|| options.least_margin(self.context.hurry))
        }
    }

    fn finish(self, lines: Vec<Line>, exact: bool, stop_reason: StopReason) -> SearchResult {
        let last = self.iterations.last();
        SearchResult {
            lines,
            depth: last.map_or(0, |iteration| iteration.depth),
            margin: last.and_then(|iteration| iteration.margin),
            exact,
            stop_reason,
            counters: self.counters(),
            time: self.start.elapsed(),
            iterations: self.iterations,
        }
    }
}

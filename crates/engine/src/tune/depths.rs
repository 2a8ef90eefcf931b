//! What positions are worth at every depth: the raw material of calibration.

use crate::board::Board;
use crate::eval::Evaluator;
use crate::search::{Engine, Iteration, Limit, SearchOptions};
use crate::tree::Stopped;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How positions are searched.
#[derive(Clone, PartialEq, Debug)]
pub struct DepthPlan {
    /// Valid options; windows and the solver are left out, since the value of every depth is wanted to the last.
    pub options: SearchOptions,
    /// The deepest search.
    pub depth: u32,
    /// Positions with at most this many empty squares are solved too.
    pub solve_empties: u32,
    /// Threads; at least one works.
    pub threads: usize,
}

impl DepthPlan {
    /// The options of a search that cuts nothing on probability.
    pub fn unpruned() -> SearchOptions {
        SearchOptions { use_transposition_table: true, ..SearchOptions::default() }
    }
}

/// The values of a board in centidiscs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DepthValues {
    /// By depth, from 0 (the evaluation) on; shorter than asked for if the game ends before.
    pub values: Vec<i16>,
    /// The exact value, if the board was solved.
    pub exact: Option<i16>,
}

/// Searches boards to every depth, each with an empty table; a raised `stop` ends it with nothing. `observe` is told, on
/// some thread, how many boards are done.
pub fn depth_values<E: Evaluator>(
    evaluator: &E,
    boards: &[Board],
    plan: &DepthPlan,
    stop: &AtomicBool,
    observe: &(dyn Fn(usize) + Sync),
) -> Result<Vec<DepthValues>, Stopped> {
    let results: Vec<Mutex<Option<DepthValues>>> = boards.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            scope.spawn(|| {
                let options = SearchOptions {
                    use_aspiration_window: false,
                    aspiration_suppress_store: false,
                    solver_empties: 0,
                    ..plan.options.clone()
                };
                let engine = Engine::new(evaluator, options, 64).expect("the options are valid");
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= boards.len() || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let values = board_values(&engine, boards[index], plan, stop);
                    *results[index].lock().expect("no thread panics with the lock") = Some(values);
                    observe(done.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    if stop.load(Ordering::Relaxed) {
        return Err(Stopped);
    }
    let unlock = |result: Mutex<Option<DepthValues>>| result.into_inner().ok().flatten().ok_or(Stopped);
    results.into_iter().map(unlock).collect()
}

fn board_values<E: Evaluator>(engine: &Engine<E>, board: Board, plan: &DepthPlan, stop: &AtomicBool) -> DepthValues {
    engine.table().clear();
    let mut values = vec![engine.evaluate(board).centidiscs() as i16];
    let limit = Limit { depth: Some(plan.depth), ..Limit::default() };
    engine.search(board, &limit, 1, stop, &mut |iteration: &Iteration| {
        // A selective search that has reached the end of the game is repeated without cuts, at the same depth.
        if iteration.depth as usize == values.len() {
            values.push(iteration.lines[0].score.centidiscs() as i16);
        }
    });
    let exact = (board.empties() <= plan.solve_empties).then(|| {
        let limit = Limit { exact: true, ..Limit::default() };
        engine.search(board, &limit, 1, stop, &mut |_| {}).score().centidiscs() as i16
    });
    DepthValues { values, exact }
}

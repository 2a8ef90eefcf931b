//! What positions are worth at every depth: the raw material of calibration.

use crate::board::Board;
use crate::eval::Evaluator;
use crate::search::{Engine, Iteration, Limit, SearchOptions};
use crate::tree::Stopped;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How deep positions are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DepthPlan {
    /// The deepest search.
    pub depth: u32,
    /// Positions with at most this many empty squares are solved too.
    pub solve_empties: u32,
    /// Threads; at least one works.
    pub threads: usize,
}

/// The values of a board in centidiscs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DepthValues {
    /// By depth, from 0 (the evaluation) on; shorter than asked for if the game ends before.
    pub values: Vec<i16>,
    /// The exact value, if the board was solved.
    pub exact: Option<i16>,
}

/// Searches boards to every depth without cuts on probability, each with an empty table; a raised `stop` ends it with
/// nothing. `observe` is told, on some thread, how many boards are done.
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
                // The solver would take over early: values of a depth are wanted to the last.
                let options = SearchOptions { use_transposition_table: true, solver_empties: 0, ..Default::default() };
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
        values.push(iteration.lines[0].score.centidiscs() as i16);
    });
    let exact = (board.empties() <= plan.solve_empties).then(|| {
        let limit = Limit { exact: true, ..Limit::default() };
        engine.search(board, &limit, 1, stop, &mut |_| {}).score().centidiscs() as i16
    });
    DepthValues { values, exact }
}

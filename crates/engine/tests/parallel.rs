//! Several threads give the answers of one, stop as fast, and leave nothing behind.

mod common;

use common::visit_random_games;
use reluca_engine::eval::{Evaluator, HandEvaluator, PatternEvaluator};
use reluca_engine::search::{Algorithm, Engine, Limit, SearchOptions, SearchResult, StopReason};
use reluca_engine::{Bitboard, Board, Score, Square};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::ThreadId;
use std::time::{Duration, Instant};

fn engine(threads: usize) -> Engine<PatternEvaluator> {
    Engine::new(PatternEvaluator::bundled(), SearchOptions::strongest(), 16).unwrap().with_threads(threads)
}

fn run<E: Evaluator>(engine: &Engine<E>, board: Board, limit: Limit) -> SearchResult {
    engine.search(board, &limit, 1, &AtomicBool::new(false), &mut |_| {})
}

const EXACT: Limit = Limit { depth: None, time: None, clock: None, nodes: None, exact: true, wld: false };

/// Boards of random games with this many empty squares.
fn boards(empties: u32, count: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    visit_random_games(0x9a11e1, 64 * count + 64, |board| {
        if board.empties() == empties && boards.len() < count && !board.is_game_over() {
            boards.push(board);
        }
    });
    assert_eq!(boards.len(), count);
    boards
}

#[test]
fn exact_scores_do_not_depend_on_the_number_of_threads() {
    // Warm: each engine keeps its table from position to position; cold: it forgets.
    let alone = engine(1);
    let others = [2, 4, 8].map(engine);
    for (number, board) in boards(16, 120).into_iter().chain(boards(18, 12)).enumerate() {
        let expected = run(&alone, board, EXACT);
        for engine in &others {
            if number % 2 == 0 {
                engine.table().clear();
            }
            let found = run(engine, board, EXACT);
            assert!(found.exact);
            assert_eq!(found.score(), expected.score(), "{board:?}");
            let mut end = board;
            for &mv in &found.lines[0].pv {
                end = end.play(mv).unwrap();
            }
            assert!(end.is_game_over(), "the line of play goes to the end");
            let sign = if found.lines[0].pv.len() % 2 == 0 { 1 } else { -1 };
            assert_eq!(Score::from(end.final_score()).centidiscs() * sign, found.score().centidiscs(), "{board:?}");
        }
    }
}

#[test]
fn every_move_of_a_position_has_the_same_exact_score() {
    let (alone, together) = (engine(1), engine(3));
    for board in boards(16, 12) {
        let scores = |engine: &Engine<PatternEvaluator>| {
            let result = engine.search(board, &EXACT, 64, &AtomicBool::new(false), &mut |_| {});
            let mut scores: Vec<_> =
                result.lines.iter().map(|line| (line.pv[0].index(), line.score.centidiscs())).collect();
            scores.sort_unstable();
            scores
        };
        assert_eq!(scores(&alone), scores(&together), "{board:?}");
    }
}

#[test]
fn values_without_cuts_on_probability_do_not_depend_on_the_number_of_threads() {
    for algorithm in [Algorithm::AlphaBeta, Algorithm::Pvs, Algorithm::Mtdf] {
        // Without a table: values of greater depths found there would be as good, but not the same.
        let options = SearchOptions { algorithm, ..SearchOptions::default() };
        let engine = |threads| Engine::new(HandEvaluator, options.clone(), 1).unwrap().with_threads(threads);
        let (alone, together) = (engine(1), engine(4));
        for board in boards(40, 6) {
            let limit = Limit { depth: Some(8), ..Limit::default() };
            assert_eq!(run(&alone, board, limit).score(), run(&together, board, limit).score(), "{algorithm:?}");
        }
    }
}

/// The hand-made evaluation; it remembers which threads asked for it.
#[derive(Default)]
struct Asked(Mutex<HashSet<ThreadId>>);

impl Evaluator for Asked {
    type State = ();
    type Small = HandEvaluator;

    fn state(&self, _: Board) {}

    fn after_move(&self, (): &(), _: Square, _: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    fn evaluate(&self, (): &(), board: Board) -> Score {
        self.0.lock().unwrap().insert(std::thread::current().id());
        HandEvaluator.evaluate(&HandEvaluator.state(board), board)
    }

    fn small(&self) -> &HandEvaluator {
        &HandEvaluator
    }
}

#[test]
fn several_threads_share_the_work_of_search_and_solver() {
    let depth = |depth| Limit { depth: Some(depth), ..Limit::default() };
    for (threads, board, limit) in
        [(3, boards(40, 1)[0], depth(9)), (3, boards(20, 1)[0], EXACT), (1, Board::START, depth(7))]
    {
        let asked = Asked::default();
        let engine = Engine::new(&asked, SearchOptions::strongest(), 4).unwrap().with_threads(threads);
        run(&engine, board, limit);
        let seen = asked.0.lock().unwrap().len();
        assert!(seen <= threads && (threads == 1 || seen > 1), "{seen} of {threads} threads");
    }
}

#[test]
fn one_thread_is_deterministic() {
    let board = boards(40, 1)[0];
    let limit = Limit { depth: Some(12), ..Limit::default() };
    let (first, second) = (run(&engine(1), board, limit), run(&engine(1), board, limit));
    assert_eq!(first.counters, second.counters);
    assert_eq!(first.lines, second.lines);
}

#[test]
fn a_stop_reaches_every_thread_soon() {
    let engine = engine(4);
    for (empties, limit) in [(60, Limit::default()), (30, EXACT)] {
        let board = if empties == 60 { Board::START } else { boards(empties, 1)[0] };
        let stop = AtomicBool::new(false);
        let (result, waited) = std::thread::scope(|scope| {
            let search = scope.spawn(|| engine.search(board, &limit, 1, &stop, &mut |_| {}));
            std::thread::sleep(Duration::from_millis(300));
            let start = Instant::now();
            stop.store(true, Ordering::Relaxed);
            (search.join().unwrap(), start.elapsed())
        });
        assert_eq!(result.stop_reason, StopReason::Stopped);
        assert!(result.best_move().is_some());
        // Ten milliseconds on an idle machine; a busy one needs longer to run all threads.
        assert!(waited < Duration::from_millis(100), "{waited:?}");
    }
}

#[test]
fn limits_of_time_and_nodes_hold_for_all_threads_together() {
    let engine = engine(4);
    let time = Duration::from_millis(200);
    let start = Instant::now();
    let result = run(&engine, boards(34, 1)[0], Limit { time: Some(time), ..Limit::default() });
    assert!(start.elapsed() < time + Duration::from_millis(100), "{:?}", start.elapsed());
    assert!(matches!(result.stop_reason, StopReason::Time | StopReason::NoTimeForNext));
    let result = run(&engine, Board::START, Limit { nodes: Some(200_000), ..Limit::default() });
    assert_eq!(result.stop_reason, StopReason::Nodes);
    assert!(result.counters.nodes < 200_000 + 4 * 2_000, "{}", result.counters.nodes);
}

/// An evaluation that fails after some calls, on whichever thread that may be.
struct Failing(AtomicU32);

impl Evaluator for Failing {
    type State = ();
    type Small = Failing;

    fn state(&self, _: Board) {}

    fn after_move(&self, (): &(), _: Square, _: Bitboard) {}

    fn after_pass(&self, (): &()) {}

    fn evaluate(&self, (): &(), board: Board) -> Score {
        assert!(self.0.fetch_add(1, Ordering::Relaxed) != 50_000, "planted");
        Score::from_centidiscs((board.player().0 % 997) as i32)
    }

    fn small(&self) -> &Failing {
        self
    }
}

#[test]
fn a_panic_of_any_thread_ends_the_search() {
    for _ in 0..4 {
        let engine = Engine::new(Failing(AtomicU32::new(0)), SearchOptions::strongest(), 4).unwrap().with_threads(4);
        let search = std::panic::AssertUnwindSafe(|| run(&engine, Board::START, Limit::default()));
        assert!(std::panic::catch_unwind(search).is_err());
    }
}

//! The evaluation: from nothing, following a move, and looked up; and its share of the time of a search.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::eval::{Evaluator, PatternEvaluator};
use reluca_engine::search::{Engine, Limit, SearchOptions};
use reluca_engine::{Bitboard, Board, Score, Square, Symmetry, bench_positions};
use std::hint::black_box;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Boards of every stage with a move each.
fn boards() -> Vec<(Board, Square, Bitboard)> {
    let mut boards = Vec::new();
    for position in bench_positions() {
        let mut board = position.board;
        while let Some(square) = board.legal_moves().first() {
            let flips = board.flips(square);
            boards.push((board, square, flips));
            board = board.after_move(square, flips);
        }
    }
    boards
}

fn evaluation<E: Evaluator>(criterion: &mut Criterion, name: &str, evaluator: &E) {
    let boards = boards();
    let states: Vec<E::State> = boards.iter().map(|&(board, ..)| evaluator.state(board)).collect();
    for (&(board, square, flips), state) in boards.iter().zip(&states) {
        let image = Symmetry::Rotate90.board(board);
        let turned = evaluator.evaluate(&evaluator.state(image), image);
        assert_eq!(turned, evaluator.evaluate(state, board), "symmetric boards have the same value");
        let next = board.after_move(square, flips);
        let followed = evaluator.evaluate(&evaluator.after_move(state, square, flips), next);
        assert_eq!(followed, evaluator.evaluate(&evaluator.state(next), next), "a state follows the moves");
    }
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("state of a board", |bencher| {
        bencher.iter(|| boards.iter().for_each(|&(board, ..)| _ = black_box(evaluator.state(board))));
    });
    group.bench_function("state after a move", |bencher| {
        let moves = || boards.iter().zip(&states);
        bencher.iter(|| {
            moves().for_each(|(&(_, square, flips), state)| _ = black_box(evaluator.after_move(state, square, flips)));
        });
    });
    group.bench_function("value", |bencher| {
        let positions = || boards.iter().zip(&states);
        bencher.iter(|| positions().for_each(|(&(board, ..), state)| _ = black_box(evaluator.evaluate(state, board))));
    });
    group.finish();
}

fn evaluations(criterion: &mut Criterion) {
    let evaluator = PatternEvaluator::bundled();
    evaluation(criterion, "main evaluation", &evaluator);
    evaluation(criterion, "small evaluation", evaluator.small());
}

/// What a search asked of its evaluation.
#[derive(Clone)]
enum Call<S> {
    Move(S, Square, Bitboard),
    Value(S, Board),
}

/// An evaluation that writes down what it is asked.
struct Recorder<'a, E: Evaluator> {
    inner: &'a E,
    calls: Mutex<Vec<Call<E::State>>>,
}

impl<E: Evaluator> Evaluator for Recorder<'_, E> {
    type State = E::State;
    type Small = E::Small;

    fn state(&self, board: Board) -> E::State {
        self.inner.state(board)
    }

    fn after_move(&self, state: &E::State, square: Square, flips: Bitboard) -> E::State {
        self.calls.lock().unwrap().push(Call::Move(state.clone(), square, flips));
        self.inner.after_move(state, square, flips)
    }

    fn after_pass(&self, state: &E::State) -> E::State {
        self.inner.after_pass(state)
    }

    fn evaluate(&self, state: &E::State, board: Board) -> Score {
        self.calls.lock().unwrap().push(Call::Value(state.clone(), board));
        self.inner.evaluate(state, board)
    }

    fn small(&self) -> &E::Small {
        self.inner.small()
    }
}

/// Searches the bench positions of the midgame, none of which is solved; gives nodes, evaluations and time.
fn search<E: Evaluator>(evaluator: &E) -> (u64, u64, Duration) {
    const DEPTH: u32 = 12;
    const LEAST_EMPTIES: u32 = 30;
    let engine = Engine::new(evaluator, SearchOptions::strongest(), 16).unwrap();
    let limit = Limit { depth: Some(DEPTH), ..Limit::default() };
    let begin = Instant::now();
    let boards = bench_positions().into_iter().map(|position| position.board);
    let counts = boards.filter(|board| board.empties() >= LEAST_EMPTIES).map(|board| {
        let counters = engine.search(board, &limit, 1, &AtomicBool::new(false), &mut |_| {}).counters;
        (counters.nodes, counters.evaluations)
    });
    let (nodes, evaluations) = counts.fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
    (nodes, evaluations, begin.elapsed())
}

/// Times a search, and then everything that the same search asks of the evaluation, in the same order and nothing else;
/// prints the share of one in the other. The least of some runs counts on both sides.
fn share(_: &mut Criterion) {
    const RUNS: u32 = 15;
    const CHUNK: usize = 256;
    let evaluator = PatternEvaluator::bundled();
    let recorder = Recorder { inner: &evaluator, calls: Mutex::default() };
    let (nodes, evaluations, _) = search(&recorder);
    let calls = recorder.calls.into_inner().unwrap();
    let values = calls.iter().filter(|call| matches!(call, Call::Value(..))).count();
    assert!(values as u64 <= evaluations, "all but full boards are evaluated, and counted");
    let [mut whole, mut part] = [Duration::MAX; 2];
    for _ in 0..RUNS {
        let (same_nodes, _, time) = search(&evaluator);
        assert_eq!(same_nodes, nodes, "writing down changes nothing");
        whole = whole.min(time);
        let mut time = Duration::ZERO;
        for calls in calls.chunks(CHUNK) {
            // A search has its states at hand; here they must not come from far memory either.
            let near = calls.to_vec();
            let begin = Instant::now();
            for call in &near {
                match call {
                    Call::Move(state, square, flips) => _ = black_box(evaluator.after_move(state, *square, *flips)),
                    Call::Value(state, board) => _ = black_box(evaluator.evaluate(state, *board)),
                }
            }
            time += begin.elapsed();
        }
        part = part.min(time);
    }
    println!(
        "evaluation in a search: {nodes} nodes, {values} values and {} states in {part:.1?} of {whole:.1?}: {:.0} %",
        calls.len() - values,
        100.0 * part.as_secs_f64() / whole.as_secs_f64()
    );
}

criterion_group!(benches, evaluations, share);
criterion_main!(benches);

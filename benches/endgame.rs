//! Exact solves of positions of random games; scores and nodes are asserted before they are timed.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::Board;
use reluca_engine::eval::PatternEvaluator;
use reluca_engine::search::{Engine, Limit, SearchOptions};
use std::sync::atomic::AtomicBool;

/// Empty squares, and the sum of the scores of ten positions as the midgame search finds it without the solver.
const CASES: [(u32, i32); 3] = [(10, 42), (12, 20), (14, 38)];

fn endgame(criterion: &mut Criterion) {
    let engine = Engine::new(PatternEvaluator::bundled(), SearchOptions::strongest(), 16).unwrap();
    let limit = Limit { exact: true, ..Limit::default() };
    let solve = |board: Board| engine.search(board, &limit, 1, &AtomicBool::new(false), &mut |_| {});
    let mut group = criterion.benchmark_group("endgame");
    group.sample_size(20);
    for (empties, scores) in CASES {
        let boards: Vec<Board> =
            common::boards(20_000).into_iter().filter(|board| board.empties() == empties).take(10).collect();
        let nodes = || {
            engine.table().clear();
            boards.iter().map(|&board| solve(board).counters.nodes).sum::<u64>()
        };
        let found: i32 = boards.iter().map(|&board| solve(board).score().centidiscs() / 100).sum();
        assert_eq!(found, scores, "{empties} empties");
        let expected = nodes();
        assert_eq!(nodes(), expected, "the solver is not deterministic");
        group.throughput(Throughput::Elements(expected));
        group.bench_function(format!("{empties} empties"), |bencher| bencher.iter(nodes));
    }
}

criterion_group!(benches, endgame);
criterion_main!(benches);

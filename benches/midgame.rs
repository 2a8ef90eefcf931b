//! The midgame search to a fixed depth on positions of every phase; before it is timed, its values are compared with
//! those of alpha-beta without a table, and its nodes with those of a second run.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::eval::PatternEvaluator;
use reluca_engine::search::{Algorithm, Engine, Limit, SearchOptions};
use reluca_engine::{Score, bench_positions};
use std::sync::atomic::AtomicBool;

fn values(engine: &Engine<PatternEvaluator>, depth: u32) -> Vec<Score> {
    let limit = Limit { depth: Some(depth), ..Limit::default() };
    let search = |board| engine.search(board, &limit, 1, &AtomicBool::new(false), &mut |_| {}).score();
    bench_positions().into_iter().map(|position| search(position.board)).collect()
}

fn midgame(criterion: &mut Criterion) {
    const DEPTH: u32 = 7;
    let with_table = SearchOptions { use_transposition_table: true, ..SearchOptions::default() };
    let variants =
        [("plain", SearchOptions::default()), ("table", with_table), ("strongest", SearchOptions::strongest())];
    let alpha_beta = SearchOptions { algorithm: Algorithm::AlphaBeta, ..SearchOptions::default() };
    let plain_alpha_beta = Engine::new(PatternEvaluator::bundled(), alpha_beta, 1).unwrap();
    let mut group = criterion.benchmark_group("midgame");
    group.sample_size(20);
    for (name, options) in variants {
        let engine = Engine::new(PatternEvaluator::bundled(), options, 16).unwrap();
        let nodes = || {
            let limit = Limit { depth: Some(DEPTH), ..Limit::default() };
            engine.table().clear();
            let search = |board| engine.search(board, &limit, 1, &AtomicBool::new(false), &mut |_| {}).counters.nodes;
            bench_positions().into_iter().map(|position| search(position.board)).sum::<u64>()
        };
        if name != "strongest" {
            assert_eq!(values(&engine, DEPTH), values(&plain_alpha_beta, DEPTH), "{name}");
        }
        let expected = nodes();
        assert_eq!(nodes(), expected, "{name}: the search is not deterministic");
        group.throughput(Throughput::Elements(expected));
        group.bench_function(format!("{name} depth {DEPTH}"), |bencher| bencher.iter(nodes));
    }
}

criterion_group!(benches, midgame);
criterion_main!(benches);

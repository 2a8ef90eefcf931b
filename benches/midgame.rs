//! The midgame search to a fixed depth on positions of every phase; the nodes are asserted, as the search is
//! deterministic.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::bench_positions;
use reluca_engine::eval::HandEvaluator;
use reluca_engine::search::{Engine, Limit, SearchOptions};
use std::sync::atomic::AtomicBool;

fn midgame(criterion: &mut Criterion) {
    const DEPTH: u32 = 7;
    let with_table = SearchOptions { use_transposition_table: true, ..SearchOptions::default() };
    let variants =
        [("plain", SearchOptions::default()), ("table", with_table), ("strongest", SearchOptions::strongest())];
    let mut group = criterion.benchmark_group("midgame");
    group.sample_size(20);
    for (name, options) in variants {
        let engine = Engine::new(HandEvaluator, options, 16).unwrap();
        let nodes = || {
            let limit = Limit { depth: Some(DEPTH), ..Limit::default() };
            engine.table().clear();
            let search = |board| engine.search(board, &limit, 1, &AtomicBool::new(false), &mut |_| {}).counters.nodes;
            bench_positions().into_iter().map(|position| search(position.board)).sum::<u64>()
        };
        let expected = nodes();
        assert_eq!(nodes(), expected, "{name}: the search is not deterministic");
        group.throughput(Throughput::Elements(expected));
        group.bench_function(format!("{name} depth {DEPTH}"), |bencher| bencher.iter(nodes));
    }
}

criterion_group!(benches, midgame);
criterion_main!(benches);

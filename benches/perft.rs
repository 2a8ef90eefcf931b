//! Perft from the starting position on one thread: move generation and flips together.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::{Board, PassRule, Tier, perft};
use std::hint::black_box;

fn perft_start(criterion: &mut Criterion) {
    const DEPTH: u32 = 9;
    const LEAVES: u64 = 3_005_288;
    assert_eq!(perft(Board::START, DEPTH, PassRule::Ply), LEAVES);
    let mut group = criterion.benchmark_group("perft");
    group.throughput(Throughput::Elements(LEAVES)).sample_size(20);
    group.bench_function(format!("start depth {DEPTH} {}", Tier::ACTIVE.name()), |bencher| {
        bencher.iter(|| perft(black_box(Board::START), DEPTH, PassRule::Ply));
    });
}

criterion_group!(benches, perft_start);
criterion_main!(benches);

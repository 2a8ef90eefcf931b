//! Legal-move generation, the kernel of the build's tier beside the portable one.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::{Board, Tier, moves};
use std::hint::black_box;

type Legal = fn(u64, u64) -> u64;

fn movegen(criterion: &mut Criterion) {
    let boards = common::boards(4096);
    for board in &boards {
        let expected = moves::portable::legal(board.player().0, board.opponent().0);
        assert_eq!(moves::legal(board.player().0, board.opponent().0), expected);
    }
    let kernels: [(&str, Legal); 2] =
        [(Tier::ACTIVE.name(), moves::legal), ("portable kernel", moves::portable::legal)];
    let mut group = criterion.benchmark_group("movegen");
    group.throughput(Throughput::Elements(boards.len() as u64));
    for (name, legal) in kernels {
        let count = |board: &Board| legal(board.player().0, board.opponent().0).count_ones();
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(&boards).iter().map(count).sum::<u32>());
        });
    }
}

criterion_group!(benches, movegen);
criterion_main!(benches);

//! Stores and probes of the transposition table, far more positions than fit into the caches.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::{Board, Entry, Hash, Selectivity, Table};
use std::hint::black_box;

fn table(criterion: &mut Criterion) {
    let boards: Vec<(u64, Board)> =
        common::boards(100_000).into_iter().map(|board| (Hash::of(board).key(), board)).collect();
    let table = Table::new(Table::DEFAULT_MB).unwrap();
    let store = || {
        for &(key, board) in &boards {
            let value = board.discs() as i16;
            let moves = [board.legal_moves().first(), None];
            let entry = Entry { lower: value, upper: value, depth: 8, selectivity: Selectivity::FULL, moves };
            table.store(key, board, entry);
        }
    };
    let probe = || -> u64 {
        boards.iter().filter_map(|&(key, board)| table.probe(key, board)).map(|entry| entry.lower as u64).sum()
    };
    store();
    let expected: u64 = boards.iter().map(|(_, board)| board.discs() as u64).sum();
    assert_eq!(probe(), expected, "the table forgot a position");
    let mut group = criterion.benchmark_group("table");
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("store", |bencher| bencher.iter(store));
    group.bench_function("probe", |bencher| bencher.iter(|| black_box(probe())));
}

criterion_group!(benches, table);
criterion_main!(benches);

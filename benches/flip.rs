//! Flips of every legal move and the last-disc count, the kernels of the build's tier beside the portable ones.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::{Board, Square, Tier, flip};
use std::hint::black_box;

type Flips = fn(Square, u64, u64) -> u64;
type LastFlips = fn(Square, u64) -> flip::LastFlips;

fn flips(criterion: &mut Criterion) {
    let moves: Vec<(Board, Square)> = common::boards(1024)
        .into_iter()
        .flat_map(|board| board.legal_moves().into_iter().map(move |square| (board, square)))
        .collect();
    let kernels: [(&str, Flips); 2] = [(Tier::ACTIVE.name(), flip::flips), ("portable kernel", flip::portable::flips)];
    let mut group = criterion.benchmark_group("flip");
    group.throughput(Throughput::Elements(moves.len() as u64));
    for (name, kernel) in kernels {
        let union = |moves: &[(Board, Square)]| {
            moves.iter().fold(0, |union, &(board, square)| {
                union ^ kernel(square, board.player().0, board.opponent().0).rotate_left(union as u32 & 63)
            })
        };
        for &(board, square) in &moves {
            let after = board.play(square.into()).expect("the move is legal");
            let flips = kernel(square, board.player().0, board.opponent().0);
            assert_eq!(after.player().0, board.opponent().0 & !flips);
        }
        group.bench_function(name, |bencher| bencher.iter(|| union(black_box(&moves))));
    }
}

fn last_flips(criterion: &mut Criterion) {
    let last: Vec<(Board, Square)> = common::boards(400_000)
        .into_iter()
        .filter(|board| board.empties() == 1)
        .map(|board| (board, board.empty().first().expect("one square is empty")))
        .collect();
    let kernels: [(&str, LastFlips); 2] =
        [(Tier::ACTIVE.name(), flip::last_flips), ("portable kernel", flip::portable::last_flips)];
    let mut group = criterion.benchmark_group("last_flips");
    group.throughput(Throughput::Elements(last.len() as u64));
    for (name, kernel) in kernels {
        let count = |last: &[(Board, Square)]| {
            last.iter().map(|&(board, square)| kernel(square, board.player().0).own).sum::<u32>()
        };
        let expected: u32 = last.iter().map(|&(board, square)| board.flips(square).len()).sum();
        assert_eq!(count(&last), expected);
        group.bench_function(name, |bencher| bencher.iter(|| count(black_box(&last))));
    }
}

criterion_group!(benches, flips, last_flips);
criterion_main!(benches);

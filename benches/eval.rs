//! The evaluation: from nothing, following a move, and looked up.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use reluca_engine::eval::{Evaluator, PatternEvaluator};
use reluca_engine::{Bitboard, Board, Square, Symmetry, bench_positions};
use std::hint::black_box;

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

criterion_group!(benches, evaluations);
criterion_main!(benches);

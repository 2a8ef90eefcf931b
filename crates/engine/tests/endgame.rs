//! The solver against a plain negamax that shares nothing with it.

mod common;

use common::{Random, visit_random_games};
use reluca_engine::eval::{Evaluator, HandEvaluator, PatternEvaluator};
use reluca_engine::search::{Bound, Engine, Limit, SearchOptions, SearchResult, StopReason};
use reluca_engine::{Bitboard, Board, Move, Square, Symmetry};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The exact score by looking at every line; positions met again are remembered.
fn negamax(board: Board, seen: &mut HashMap<Board, i32>) -> i32 {
    if let Some(&score) = seen.get(&board) {
        return score;
    }
    let moves = board.legal_moves();
    let score = if !moves.is_empty() {
        moves.into_iter().map(|square| -negamax(board.play(square.into()).unwrap(), seen)).max().unwrap()
    } else if board.after_pass().legal_moves().is_empty() {
        let difference = board.player().len() as i32 - board.opponent().len() as i32;
        difference + difference.signum() * board.empties() as i32
    } else {
        -negamax(board.after_pass(), seen)
    };
    seen.insert(board, score);
    score
}

fn exact(board: Board) -> i32 {
    negamax(board, &mut HashMap::new())
}

fn engine(table_mb: usize) -> Engine<PatternEvaluator> {
    Engine::new(PatternEvaluator::bundled(), SearchOptions::strongest(), table_mb).unwrap()
}

fn run<E: Evaluator>(engine: &Engine<E>, board: Board, limit: Limit, lines: usize) -> SearchResult {
    engine.search(board, &limit, lines, &AtomicBool::new(false), &mut |_| {})
}

fn solve<E: Evaluator>(engine: &Engine<E>, board: Board) -> SearchResult {
    run(engine, board, Limit { exact: true, ..Limit::default() }, 1)
}

fn discs(result: &SearchResult) -> i32 {
    assert!(result.exact);
    assert_eq!(result.score().centidiscs() % 200, 0, "every score is even");
    result.score().centidiscs() / 100
}

/// A board of legal form with this many empty squares, seldom one that a game reaches.
fn random_board(random: &mut Random, empties: u32) -> Board {
    let mut empty = Bitboard::EMPTY;
    while empty.len() < empties {
        empty |= Square::new((random.next() >> 58) as u8).unwrap().bitboard();
    }
    // From even boards to boards where one side has next to nothing.
    let mut player = random.next();
    for _ in 0..random.next() % 5 {
        player &= random.next();
    }
    if random.next().is_multiple_of(2) {
        player = !player;
    }
    Board::new(Bitboard(player) & !empty, Bitboard(!player) & !empty).unwrap()
}

#[test]
fn random_boards_of_any_kind_have_the_score_of_negamax() {
    let engine = engine(4);
    let mut random = Random(2026);
    let (mut passes, mut early_ends, mut wipe_outs, mut one_sided) = (0, 0, 0, 0);
    for number in 0..24_000 {
        // Looking at every line of ten empty squares takes its time: few of those.
        let empties = if number % 40 == 0 { 9 + number / 40 % 2 } else { number % 8 + 1 };
        let board = random_board(&mut random, empties);
        let expected = exact(board);
        passes += board.must_pass() as u32;
        early_ends += board.is_game_over() as u32;
        wipe_outs += (expected.abs() == 64) as u32;
        one_sided += (board.player().is_empty() || board.opponent().is_empty()) as u32;
        let result = solve(&engine, board);
        assert_eq!(discs(&result), expected, "{board:?}");
        if let Some(best) = result.best_move() {
            assert_eq!(-exact(board.play(best).unwrap()), expected, "{board:?} {best}");
        }
    }
    assert!(passes > 100 && early_ends > 100 && wipe_outs > 100 && one_sided > 20);
}

#[test]
fn positions_of_games_have_the_score_of_negamax_and_play_that_proves_it() {
    let engine = engine(4);
    let mut checked = 0;
    visit_random_games(4242, 400_000, |board| {
        if (5..=10).contains(&board.empties()) && !board.is_game_over() {
            checked += 1;
            if checked % 20 != 0 {
                return;
            }
            let expected = exact(board);
            let result = solve(&engine, board);
            assert_eq!(discs(&result), expected, "{board:?}");
            let play = &result.lines[0].pv;
            let end = play.iter().try_fold(board, |board, &mv| board.play(mv)).unwrap();
            assert!(end.is_game_over(), "{board:?}: {play:?} stops before the end");
            let sign = if play.len().is_multiple_of(2) { 1 } else { -1 };
            assert_eq!(sign * end.final_score().get() as i32, expected, "{board:?}: {play:?}");
        }
    });
    assert!(checked > 30_000);
}

#[test]
fn all_moves_have_their_exact_scores_in_order() {
    let engine = engine(4);
    let mut random = Random(7);
    for _ in 0..300 {
        let board = random_board(&mut random, 8);
        let mut expected: Vec<(i32, Move)> = board
            .legal_moves()
            .into_iter()
            .map(|square| (-exact(board.play(square.into()).unwrap()), square.into()))
            .collect();
        if expected.is_empty() {
            continue;
        }
        let result = run(&engine, board, Limit { exact: true, ..Limit::default() }, 64);
        let mut found: Vec<(i32, Move)> =
            result.lines.iter().map(|line| (line.score.centidiscs() / 100, line.pv[0])).collect();
        assert!(found.is_sorted_by_key(|&(score, _)| -score));
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "{board:?}");
    }
}

#[test]
fn who_wins_is_the_sign_of_the_score() {
    let engine = engine(4);
    let mut random = Random(99);
    for number in 0..3_000 {
        let board = random_board(&mut random, number % 9 + 1);
        if board.is_game_over() {
            continue;
        }
        let result = run(&engine, board, Limit { wld: true, ..Limit::default() }, 1);
        assert_eq!(result.score().centidiscs().signum(), exact(board).signum(), "{board:?}");
        assert!(!result.exact || exact(board) == 0);
        let expected = [Bound::Upper, Bound::Exact, Bound::Lower][(exact(board).signum() + 1) as usize];
        assert_eq!(result.lines[0].bound, expected);
    }
}

/// A few positions of games, with 12 to 14 empty squares.
fn deeper() -> Vec<Board> {
    let mut boards = Vec::new();
    visit_random_games(31, 20_000, |board| {
        if (12..=14).contains(&board.empties()) && !board.is_game_over() && boards.len() < 60 {
            boards.push(board);
        }
    });
    boards
}

#[test]
fn scores_are_the_same_under_symmetries_with_cold_warm_and_tiny_tables() {
    let (cold, warm, tiny) = (engine(8), engine(8), engine(1));
    for board in deeper() {
        cold.table().clear();
        let expected = discs(&solve(&cold, board));
        for symmetry in Symmetry::ALL {
            assert_eq!(discs(&solve(&warm, symmetry.board(board))), expected, "{board:?} {symmetry:?}");
        }
        assert_eq!(discs(&solve(&tiny, board)), expected, "{board:?}");
        // A search of the other kind through the same table, before and after.
        let wld = run(&warm, board, Limit { wld: true, ..Limit::default() }, 1);
        assert_eq!(wld.score().centidiscs().signum(), expected.signum(), "{board:?}");
        assert_eq!(discs(&solve(&warm, board)), expected, "{board:?}");
    }
}

#[test]
fn the_solver_agrees_with_the_midgame_search_read_to_the_end() {
    let plain = Engine::new(
        PatternEvaluator::bundled(),
        SearchOptions { use_transposition_table: true, solver_empties: 0, ..SearchOptions::default() },
        8,
    )
    .unwrap();
    let engine = engine(8);
    for board in deeper().into_iter().take(12) {
        let read = run(&plain, board, Limit { depth: Some(60), ..Limit::default() }, 1);
        assert_eq!(read.iterations.len(), board.empties() as usize, "the solver was not used");
        assert_eq!(discs(&read), discs(&solve(&engine, board)), "{board:?}");
    }
}

#[test]
fn an_aborted_solve_leaves_nothing_wrong_behind_and_is_marked() {
    let (fresh, interrupted) = (engine(8), engine(8));
    for (number, board) in deeper().into_iter().enumerate() {
        for nodes in [50, 500, 5_000] {
            let nodes = nodes + number as u64;
            let result = run(&interrupted, board, Limit { exact: true, nodes: Some(nodes), ..Limit::default() }, 1);
            assert!(board.play(result.best_move().unwrap()).is_ok());
            assert_eq!(result.exact, result.stop_reason == StopReason::Complete);
        }
        assert_eq!(discs(&solve(&interrupted, board)), discs(&solve(&fresh, board)), "{board:?}");
    }
}

#[test]
fn a_solve_stops_in_time_and_when_told() {
    let engine = engine(8);
    let mut hard = None;
    visit_random_games(3, 5_000, |board| {
        if board.empties() == 30 {
            hard = Some(board);
        }
    });
    let board = hard.unwrap();
    for milliseconds in [0, 20, 150] {
        let time = Duration::from_millis(milliseconds);
        // The best of three: a busy machine may hold up a thread, the solver itself must not.
        let elapsed = (0..3).map(|_| {
            let start = Instant::now();
            let result = run(&engine, board, Limit { exact: true, time: Some(time), ..Limit::default() }, 1);
            assert!(!result.exact);
            start.elapsed()
        });
        let elapsed = elapsed.min().unwrap();
        assert!(elapsed < time + Duration::from_millis(50), "{elapsed:?} for {time:?}");
    }
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(30));
            stop.store(true, Ordering::Relaxed);
        });
        let start = Instant::now();
        let result = engine.search(board, &Limit { exact: true, ..Limit::default() }, 1, &stop, &mut |_| {});
        assert!(start.elapsed() < Duration::from_millis(130));
        assert_eq!((result.exact, result.stop_reason), (false, StopReason::Stopped));
    });
}

#[test]
fn a_search_switches_into_the_solver_from_14_empties_by_itself() {
    let engine = engine(8);
    for board in deeper() {
        let result = run(&engine, board, Limit { time: Some(Duration::from_secs(5)), ..Limit::default() }, 1);
        assert!(result.exact, "{board:?}");
        let limited = run(&engine, board, Limit { depth: Some(4), ..Limit::default() }, 1);
        assert_eq!((limited.depth, limited.exact), (4, false), "a depth that was asked for is kept");
    }
}

/// Positions of random games where selective solves prepare the exact one, with symmetric images and either evaluation.
#[test]
fn evaluations_symmetries_and_selective_passes_do_not_change_a_score() {
    let (trained, plain) = (engine(16), Engine::new(HandEvaluator, SearchOptions::strongest(), 16).unwrap());
    let mut boards = Vec::new();
    visit_random_games(17, 2000, |board| {
        if board.empties() == 21 && !board.is_game_over() {
            boards.push(board);
        }
    });
    let mut passes = 0;
    for board in boards.into_iter().step_by(5) {
        let result = solve(&trained, board);
        passes += result.iterations.iter().filter(|iteration| iteration.depth == 21).count() - 1;
        assert_eq!(discs(&result), discs(&solve(&plain, board)), "{board:?}");
        let image = Symmetry::Rotate90.board(board);
        trained.table().clear();
        assert_eq!(discs(&solve(&trained, image)), discs(&result), "{board:?}");
    }
    assert!(passes >= 5, "selective passes come before the exact one: {passes}");
}

#[test]
fn a_selective_solve_that_is_cut_off_says_how_far_its_answer_can_be_trusted() {
    // Without Multi-ProbCut nothing but the solver cuts on probability.
    let options =
        SearchOptions { use_multi_prob_cut: false, use_move_count_pruning: false, ..SearchOptions::strongest() };
    let engine = Engine::new(PatternEvaluator::bundled(), options, 8).unwrap();
    let (mut boards, mut kept) = (Vec::new(), 0);
    visit_random_games(77, 60_000, |board| {
        if board.empties() == 20 && !board.must_pass() && !board.is_game_over() {
            boards.push(board);
        }
    });
    for &board in &boards[..100] {
        let result = run(&engine, board, Limit { exact: true, nodes: Some(1_900_000), ..Limit::default() }, 1);
        let solving =
            result.iterations.last().is_some_and(|iteration| iteration.depth == 8 && iteration.margin.is_none());
        if solving && result.lines[0].bound == Bound::Lower {
            assert_eq!(result.margin, Some(1.5), "{board:?}");
            kept += 1;
        }
    }
    assert!(kept > 0, "no selective solve was cut off with an answer");
}

//! The search against a plain minimax that shares nothing with it, and each feature against its absence.

mod common;

use common::visit_random_games;
use reluca_engine::eval::{Evaluator, HandEvaluator};
use reluca_engine::search::{
    Algorithm, Bound, Clock, Engine, Limit, OptionsError, SearchOptions, SearchResult, StopReason,
};
use reluca_engine::{
    AspirationTable, Board, Game, Move, MpcCutPair, MpcParameters, MpcTable, Position, Scheme, Score, Symmetry,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Minimax without cuts, table or ordering.
fn minimax(board: Board, depth: u32) -> i32 {
    let moves = board.legal_moves();
    if board.empties() == 0 {
        return Score::from(board.final_score()).centidiscs();
    }
    if depth == 0 {
        return HandEvaluator.evaluate(&(), board).centidiscs();
    }
    if moves.is_empty() {
        let passed = board.after_pass();
        return if passed.legal_moves().is_empty() {
            Score::from(board.final_score()).centidiscs()
        } else {
            -minimax(passed, depth)
        };
    }
    moves.into_iter().map(|square| -minimax(board.play(square.into()).unwrap(), depth - 1)).max().unwrap()
}

fn engine(options: SearchOptions) -> Engine<HandEvaluator> {
    Engine::new(HandEvaluator, options, 4).unwrap()
}

fn search(engine: &Engine<HandEvaluator>, board: Board, limit: Limit, multipv: usize) -> SearchResult {
    engine.search(board, &limit, multipv, &AtomicBool::new(false), &mut |_| {})
}

fn to_depth(depth: u32) -> Limit {
    Limit { depth: Some(depth), ..Limit::default() }
}

fn with_table() -> SearchOptions {
    SearchOptions { use_transposition_table: true, ..SearchOptions::default() }
}

/// Every `step`-th board of random games whose game is not over.
fn boards(count: usize, step: usize) -> Vec<Board> {
    let mut boards = Vec::new();
    let mut seen = 0;
    visit_random_games(0xfeed_beef, count * step * 2, |board| {
        seen += 1;
        if seen % step == 0 && boards.len() < count && !board.is_game_over() {
            boards.push(board);
        }
    });
    assert_eq!(boards.len(), count);
    boards
}

/// A middle-game position.
fn middle() -> Board {
    Game::from_transcript(Position::START, "e6f6c4d6f5b3c7c6b4e3c5d3c3a4a3b5d7f7f4b6e7a2").unwrap().position().board
}

/// A table whose margins are so narrow that cuts are certain.
fn eager_mpc(pairs: &[(u32, u32)]) -> MpcTable {
    let pairs: Vec<MpcCutPair> = pairs.iter().map(|&(shallow, deep)| MpcCutPair { shallow, deep }).collect();
    let cell = MpcParameters { a: 1.0, b: 0.0, sigma: 50.0 };
    MpcTable::new(pairs.clone(), vec![cell; 15 * pairs.len()], 1.0).unwrap()
}

#[test]
fn all_algorithms_have_the_value_of_minimax_with_and_without_table() {
    let algorithms = [Algorithm::Negamax, Algorithm::AlphaBeta, Algorithm::Pvs, Algorithm::Mtdf];
    let engines: Vec<Engine<HandEvaluator>> = algorithms
        .into_iter()
        .flat_map(|algorithm| {
            [true, false].map(|table| {
                engine(SearchOptions { algorithm, use_transposition_table: table, ..SearchOptions::default() })
            })
        })
        .collect();
    for (number, board) in boards(3_000, 7).into_iter().enumerate() {
        let depth = (number % 5) as u32;
        let expected = if depth == 0 { None } else { Some(minimax(board, depth.min(board.empties()))) };
        for engine in &engines {
            engine.table().clear();
            let result = search(engine, board, to_depth(depth), 1);
            let best = result.best_move().expect("the game is not over");
            assert!(board.play(best).is_ok(), "{board:?}: {best} is illegal");
            if let Some(expected) = expected {
                assert_eq!(result.score().centidiscs(), expected, "{board:?} {:?}", engine.options());
                // A pass costs no depth, so the best move is judged at one ply less only if it places a disc.
                let rest = depth.min(board.empties()) - (best != Move::Pass) as u32;
                assert_eq!(-minimax(board.play(best).unwrap(), rest), expected, "{board:?} {best}");
            }
        }
    }
}

#[test]
fn a_depth_of_all_empties_is_the_exact_result() {
    let engine = engine(SearchOptions::strongest());
    let mut solved = 0;
    visit_random_games(77, 60_000, |board| {
        if !(1..=8).contains(&board.empties()) || board.is_game_over() {
            return;
        }
        solved += 1;
        if solved % 10 == 0 {
            let result = search(&engine, board, Limit { exact: true, ..Limit::default() }, 1);
            assert!(result.exact, "{board:?}");
            assert_eq!(result.score().centidiscs(), minimax(board, 60), "{board:?}");
            assert_eq!(result.score().centidiscs() % 100, 0);
            let end = result.lines[0].pv.iter().try_fold(board, |board, &mv| board.play(mv)).unwrap();
            assert!(end.is_game_over(), "{board:?}: the line {:?} does not reach the end", result.lines[0].pv);
        }
    });
    assert!(solved > 3_000);
}

#[test]
fn the_expected_play_leads_to_the_score() {
    let engine = engine(with_table());
    for board in boards(60, 11) {
        let depth = 5.min(board.empties());
        let result = search(&engine, board, to_depth(depth), 1);
        let pv = &result.lines[0].pv;
        let placed = pv.iter().filter(|&&mv| mv != Move::Pass).count() as u32;
        let end = pv.iter().try_fold(board, |board, &mv| board.play(mv)).unwrap();
        if placed == depth {
            let sign = if pv.len().is_multiple_of(2) { 1 } else { -1 };
            assert_eq!(sign * minimax(end, 0), result.score().centidiscs(), "{board:?} {pv:?}");
        } else {
            assert!(end.is_game_over(), "{board:?}: {pv:?} breaks off");
        }
    }
}

#[test]
fn symmetric_boards_have_the_same_value() {
    let engine = engine(with_table());
    for board in boards(20, 31) {
        let values = Symmetry::ALL.map(|symmetry| {
            engine.table().clear();
            search(&engine, symmetry.board(board), to_depth(5), 1).score()
        });
        assert_eq!(values, [values[0]; 8], "{board:?}");
    }
}

#[test]
fn multipv_is_the_exact_order_of_the_best_moves() {
    for options in [SearchOptions::default(), with_table()] {
        let engine = engine(options);
        for board in boards(40, 13) {
            let depth = 4.min(board.empties());
            let mut expected: Vec<i32> = board
                .legal_moves()
                .into_iter()
                .map(|square| -minimax(board.play(square.into()).unwrap(), depth - 1))
                .collect();
            if expected.is_empty() {
                expected.push(-minimax(board.after_pass(), depth));
            }
            expected.sort_by_key(|value| -value);
            engine.table().clear();
            let result = search(&engine, board, to_depth(depth), 4);
            let scores: Vec<i32> = result.lines.iter().map(|line| line.score.centidiscs()).collect();
            assert_eq!(scores, expected[..expected.len().min(4)], "{board:?}");
            let mut firsts: Vec<Move> = result.lines.iter().map(|line| line.pv[0]).collect();
            firsts.sort();
            firsts.dedup();
            assert_eq!(firsts.len(), scores.len(), "a move appears twice");
            assert!(result.lines.iter().all(|line| line.bound == Bound::Exact));
        }
    }
}

#[test]
fn the_same_search_twice_has_the_same_nodes() {
    for options in [SearchOptions::default(), with_table(), SearchOptions::strongest()] {
        let run = || search(&engine(options.clone()), middle(), to_depth(9), 1);
        let (first, second) = (run(), run());
        assert_eq!(first.counters, second.counters);
        assert_eq!(first.lines, second.lines);
    }
}

#[test]
fn a_feature_that_is_off_changes_no_node_whatever_its_parameters() {
    let plain = search(&engine(with_table()), middle(), to_depth(8), 1);
    let parameters = SearchOptions {
        aspiration_delta: 7,
        aspiration_max_retry: 9,
        aspiration_use_stage_table: true,
        aspiration_scheme: Some(Scheme::Adaptive),
        mpc_table: eager_mpc(&[(1, 3)]),
        mpc_full_window: false,
        mpc_phase_margins: Some([0.1; 3]),
        mpc_adjust_for_time: true,
        move_count_max_depth: 60,
        ..with_table()
    };
    let same = search(&engine(parameters), middle(), to_depth(8), 1);
    assert_eq!((same.counters, same.lines), (plain.counters, plain.lines));
}

#[test]
fn aspiration_changes_nodes_but_never_the_value() {
    let full = engine(with_table());
    let schemes = Scheme::ALL.map(Some).into_iter().chain([None]);
    let variants: Vec<_> = schemes
        .flat_map(|scheme| [(false, false), (true, false), (false, true), (true, true)].map(|flags| (scheme, flags)))
        .map(|(scheme, (stage_table, suppress))| {
            engine(SearchOptions {
                use_aspiration_window: true,
                aspiration_use_stage_table: stage_table,
                aspiration_same_parity: suppress,
                aspiration_scheme: scheme,
                aspiration_suppress_store: suppress,
                ..with_table()
            })
        })
        .collect();
    let mut retries = 0;
    for board in boards(60, 17) {
        let depth = 6.min(board.empties());
        full.table().clear();
        let expected = search(&full, board, to_depth(depth), 1);
        assert_eq!(expected.counters.aspiration_retries, 0);
        for engine in &variants {
            engine.table().clear();
            let result = search(engine, board, to_depth(depth), 1);
            assert_eq!(result.score(), expected.score(), "{board:?}");
            let by_depth: u64 = result.iterations.iter().map(|it| it.counters.aspiration_retries).sum();
            assert_eq!(by_depth, result.counters.aspiration_retries);
            retries += by_depth;
        }
    }
    assert!(retries > 0, "no window ever failed: the test proves nothing");
}

#[test]
fn an_unnamed_scheme_is_exponential_with_the_stage_table_and_doubling_without() {
    let nodes = |stage_table, scheme| {
        let options = SearchOptions {
            use_aspiration_window: true,
            aspiration_use_stage_table: stage_table,
            aspiration_table: AspirationTable::new([5; 15], 5).unwrap(),
            aspiration_scheme: scheme,
            ..with_table()
        };
        search(&engine(options), middle(), to_depth(8), 1).counters
    };
    assert_eq!(nodes(true, None), nodes(true, Some(Scheme::Exponential)));
    assert_eq!(nodes(false, None), nodes(false, Some(Scheme::Doubling)));
    let all: Vec<u64> = Scheme::ALL.map(|scheme| nodes(true, Some(scheme)).nodes).to_vec();
    assert!((1..4).all(|index| !all[..index].contains(&all[index])), "no two schemes search alike: {all:?}");
}

#[test]
fn a_window_that_cannot_hold_falls_back_to_the_full_one_and_says_so() {
    let narrow = engine(SearchOptions {
        use_aspiration_window: true,
        aspiration_delta: 1,
        aspiration_max_retry: 0,
        ..with_table()
    });
    let result = search(&narrow, middle(), to_depth(6), 1);
    assert_eq!(result.score(), search(&engine(with_table()), middle(), to_depth(6), 1).score());
    assert!(result.counters.aspiration_fallbacks > 0);
    assert_eq!(result.counters.aspiration_fallbacks, result.counters.aspiration_retries);
    assert_eq!(result.iterations[0].counters.aspiration_retries, 0, "depth 1 has no window");
}

#[test]
fn the_stage_table_decides_the_width_only_if_it_is_used() {
    let delta = |value| AspirationTable::new([value; 15], 50).unwrap();
    let run = |use_table, table| {
        let options = SearchOptions {
            use_aspiration_window: true,
            aspiration_use_stage_table: use_table,
            aspiration_table: table,
            ..with_table()
        };
        search(&engine(options), middle(), to_depth(7), 1).counters
    };
    assert_eq!(run(false, delta(1)), run(false, delta(5000)));
    assert!(run(true, delta(1)).aspiration_retries > run(true, delta(5000)).aspiration_retries);
    assert_eq!(run(true, delta(5000)).aspiration_retries, 0);
    assert_eq!(run(true, delta(i64::MAX)).aspiration_retries, 0, "a delta beyond all scores is cut down, not wrapped");
}

#[test]
fn multi_prob_cut_fires_saves_nodes_and_counts_its_cuts_by_pair_and_side() {
    let off = search(&engine(with_table()), middle(), to_depth(10), 1);
    for full_window in [true, false] {
        let on = engine(SearchOptions {
            use_multi_prob_cut: true,
            mpc_table: eager_mpc(&[(2, 6), (4, 10)]),
            mpc_full_window: full_window,
            ..with_table()
        });
        let result = search(&on, middle(), to_depth(10), 1);
        assert!(result.counters.nodes * 2 < off.counters.nodes, "{} of {}", result.counters.nodes, off.counters.nodes);
        assert!(result.counters.mpc_beta_cuts[0] > 0 && result.counters.mpc_alpha_cuts[0] > 0);
        assert_eq!(result.counters.mpc_beta_cuts[2..], [0; MpcTable::MAX_PAIRS - 2]);
        assert_eq!(result.margin, Some(1.0));
        assert!(!result.exact);
    }
    assert_eq!(off.counters.mpc_tries, 0);
}

#[test]
fn multi_prob_cut_is_applied_inside_its_own_shallow_search_only_if_nesting_is_allowed() {
    // The shallow search of a pair is deep enough for the pair before it.
    let run = |mpc_nesting| {
        let mpc_table = eager_mpc(&[(1, 3), (3, 5), (5, 8)]);
        // Without a table, which would know most shallow values from the iteration before.
        let mpc = SearchOptions { use_multi_prob_cut: true, mpc_full_window: false, ..SearchOptions::default() };
        search(&engine(SearchOptions { mpc_table, mpc_nesting, ..mpc }), middle(), to_depth(9), 1).counters
    };
    let [none, one, two] = [0, 1, 2].map(run);
    assert!(none.mpc_tries > 0);
    assert_eq!(none.mpc_nested_tries, 0);
    assert!(one.mpc_nested_tries > 0);
    assert!(one.nodes < none.nodes, "{} of {}", one.nodes, none.nodes);
    assert_ne!(two, one, "the shallow search of a shallow search is cut too");
}

#[test]
fn multi_prob_cut_chooses_moves_as_good_as_the_full_search_in_every_phase() {
    let plain = engine(with_table());
    let cutting = engine(SearchOptions { use_multi_prob_cut: true, mpc_full_window: false, ..with_table() });
    let (mut cuts, mut agreed) = (0, 0);
    for Position { board, .. } in reluca_engine::bench_positions() {
        plain.table().clear();
        cutting.table().clear();
        let best = search(&plain, board, to_depth(9), 1);
        let chosen = search(&cutting, board, to_depth(9), 1);
        cuts += chosen.counters.mpc_cuts();
        let after = board.play(chosen.best_move().unwrap()).unwrap();
        let worth = -search(&plain, after, to_depth(8), 1).score().centidiscs();
        agreed += (worth == best.score().centidiscs()) as u32;
        assert!(worth >= best.score().centidiscs() - 300, "{board:?}: {worth} instead of {}", best.score());
    }
    assert!(cuts > 100, "only {cuts} cuts: the test proves nothing");
    assert!(agreed >= 13, "only {agreed} of 15 moves are as good as those of the full search");
}

#[test]
fn multi_prob_cut_does_nothing_below_its_shallowest_deep_depth() {
    let options = SearchOptions { use_multi_prob_cut: true, ..with_table() };
    let result = search(&engine(options), middle(), to_depth(5), 1);
    assert_eq!(result.counters.mpc_tries, 0);
    assert_eq!(result.counters.nodes, search(&engine(with_table()), middle(), to_depth(5), 1).counters.nodes);
}

#[test]
fn phase_margins_take_the_place_of_the_tables_margin() {
    let run = |margins| {
        let options = SearchOptions {
            use_multi_prob_cut: true,
            mpc_phase_margins: margins,
            mpc_full_window: false,
            ..with_table()
        };
        search(&engine(options), middle(), to_depth(9), 1).counters
    };
    assert_eq!(run(None), run(Some([1.645; 3])));
    assert!(run(Some([0.2; 3])).nodes < run(Some([3.0; 3])).nodes);
}

#[test]
fn a_selective_search_read_to_the_end_is_proved_without_cuts() {
    let engine = engine(SearchOptions { mpc_table: eager_mpc(&[(1, 3)]), ..SearchOptions::strongest() });
    let mut checked = 0;
    visit_random_games(5, 4_000, |board| {
        if board.empties() == 9 && !board.is_game_over() {
            checked += 1;
            let result = search(&engine, board, Limit::default(), 1);
            assert!(result.exact && result.margin.is_none());
            assert_eq!(result.score().centidiscs(), minimax(board, 60), "{board:?}");
        }
    });
    assert!(checked > 30);
}

#[test]
fn move_count_pruning_leaves_out_moves_and_marks_its_values() {
    let pruned = engine(SearchOptions { use_move_count_pruning: true, ..with_table() });
    let result = search(&pruned, middle(), to_depth(8), 1);
    let plain = search(&engine(with_table()), middle(), to_depth(8), 1);
    assert!(result.counters.pruned_moves > 0);
    assert!(result.counters.nodes < plain.counters.nodes);
    assert_eq!(plain.counters.pruned_moves, 0);
    assert_eq!((result.margin, plain.margin), (Some(0.0), None));
    // Read to the end, the pruned values in the table must not pass for proven ones.
    for board in boards(40, 23).into_iter().filter(|board| board.empties() <= 10) {
        assert_eq!(search(&pruned, board, Limit::default(), 1).score().centidiscs(), minimax(board, 60), "{board:?}");
    }
}

#[test]
fn limits_of_nodes_are_kept_to_the_node() {
    for nodes in [0, 1, 17, 1_000, 12_345] {
        let result = search(&engine(with_table()), middle(), Limit { nodes: Some(nodes), ..Limit::default() }, 1);
        assert_eq!(result.counters.nodes, nodes);
        assert_eq!(result.stop_reason, StopReason::Nodes);
        assert!(middle().play(result.best_move().unwrap()).is_ok());
    }
}

#[test]
fn limits_of_time_are_kept_in_middle_and_endgame() {
    let engine = engine(SearchOptions::strongest());
    let late = boards(400, 3).into_iter().find(|board| (24..28).contains(&board.empties())).unwrap();
    for (board, exact) in [(middle(), false), (late, false), (late, true)] {
        for milliseconds in [0, 1, 30, 200] {
            let time = Duration::from_millis(milliseconds);
            // The best of three: a busy machine may hold up a thread, the search itself must not.
            let elapsed = (0..3).map(|_| {
                let start = Instant::now();
                let result = search(&engine, board, Limit { time: Some(time), exact, ..Limit::default() }, 1);
                assert!(board.play(result.best_move().unwrap()).is_ok());
                start.elapsed()
            });
            let elapsed = elapsed.min().unwrap();
            assert!(elapsed < time + Duration::from_millis(50), "{elapsed:?} for {time:?}");
        }
    }
}

#[test]
fn a_clock_is_never_overstepped() {
    let engine = engine(SearchOptions::strongest());
    let mut game = Game::new(Position::START);
    let mut clock = Clock { main: Duration::from_millis(1500), ..Clock::default() };
    while !game.position().board.is_game_over() {
        let start = Instant::now();
        let result = search(&engine, game.position().board, Limit { clock: Some(clock), ..Limit::default() }, 1);
        game.push(result.best_move().unwrap()).unwrap();
        // One clock for both sides: twice as many moves as it was made for.
        clock.main = clock.main.checked_sub(start.elapsed()).expect("the flag fell");
    }
}

#[test]
fn a_stopped_engine_is_as_good_as_new() {
    let engine = engine(with_table());
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            stop.store(true, Ordering::Relaxed);
        });
        let start = Instant::now();
        let result = engine.search(middle(), &Limit::default(), 1, &stop, &mut |_| {});
        assert!(start.elapsed() < Duration::from_millis(150));
        assert_eq!(result.stop_reason, StopReason::Stopped);
    });
    for board in boards(30, 19) {
        let depth = 4.min(board.empties());
        assert_eq!(search(&engine, board, to_depth(depth), 1).score().centidiscs(), minimax(board, depth), "{board:?}");
    }
}

#[test]
fn an_endgame_without_limits_goes_through_iterations_before_it_solves() {
    let engine = engine(SearchOptions::strongest());
    let board = boards(400, 3).into_iter().find(|board| board.empties() == 18).unwrap();
    let result = search(&engine, board, Limit::default(), 1);
    assert!(result.exact && result.iterations.len() > 4);
    // Hopeless within the limit: all of it goes into depth.
    let hopeless = Limit { exact: true, nodes: Some(400_000), ..Limit::default() };
    let result = search(&engine, middle(), hopeless, 1);
    assert!(result.depth >= 8 && !result.exact, "depth {}", result.depth);
}

#[test]
fn a_warm_table_changes_no_exact_value() {
    let engine = engine(SearchOptions::strongest());
    let mut board = boards(400, 3).into_iter().find(|board| board.empties() == 11).unwrap();
    let mut expected = minimax(board, 60);
    while !board.is_game_over() {
        let result = search(&engine, board, Limit { exact: true, ..Limit::default() }, 1);
        assert_eq!(result.score().centidiscs(), expected);
        board = board.play(result.best_move().unwrap()).unwrap();
        expected = -expected;
    }
}

#[test]
fn finished_games_and_forced_passes_get_right_answers() {
    let over: Position = format!("XXX{} X", "-".repeat(61)).parse().unwrap();
    let result = search(&engine(SearchOptions::strongest()), over.board, Limit::default(), 1);
    assert_eq!((result.best_move(), result.score().centidiscs(), result.exact), (None, 6400, true));
    let pass: Position = format!("XO{} O", "-".repeat(62)).parse().unwrap();
    let result = search(&engine(SearchOptions::strongest()), pass.board, to_depth(3), 3);
    assert_eq!((result.best_move(), result.score().centidiscs()), (Some(Move::Pass), -6400));
}

#[test]
fn contradictory_options_are_refused() {
    let error = |options: SearchOptions| options.validate().unwrap_err();
    let default = SearchOptions::default;
    assert_eq!(error(SearchOptions { max_depth: 0, ..default() }), OptionsError::MaxDepth(0));
    assert_eq!(error(SearchOptions { aspiration_delta: 0, ..default() }), OptionsError::AspirationDelta(0));
    assert_eq!(
        error(SearchOptions { algorithm: Algorithm::Negamax, ..SearchOptions::strongest() }),
        OptionsError::NeedsBounds("use_multi_prob_cut")
    );
    assert_eq!(
        error(SearchOptions { algorithm: Algorithm::Mtdf, ..SearchOptions::strongest() }),
        OptionsError::AspirationWithMtdf
    );
    assert_eq!(
        error(SearchOptions { aspiration_suppress_store: true, ..default() }),
        OptionsError::SuppressWithoutTable
    );
    let margins = Some([1.0, f64::NAN, 1.0]);
    assert!(matches!(error(SearchOptions { mpc_phase_margins: margins, ..default() }), OptionsError::PhaseMargin(_)));
}

//! Self-play and training, from a random opening to weights.

use reluca_engine::eval::{HandEvaluator, PatternEvaluator, Weights};
use reluca_engine::search::{Engine, Limit, SearchOptions};
use reluca_engine::tune::{GameRecord, Records, Samples, SelfPlay, SelfPlayProgress, TrainOptions, play, train};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

const SETTINGS: SelfPlay = SelfPlay { seed: 7, games: 40, depth: 1, solve_empties: 10, random_plies: 50, threads: 1 };

/// A file name that no other test uses; removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        Scratch(std::env::temp_dir().join(format!("reluca-tune-{}-{name}", std::process::id())))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn run(scratch: &Scratch, settings: &SelfPlay, observe: &mut dyn FnMut(&SelfPlayProgress)) -> SelfPlayProgress {
    play(&HandEvaluator, "hand-made", settings, &scratch.0, &AtomicBool::new(false), observe).unwrap()
}

fn sorted_games(scratch: &Scratch) -> Vec<GameRecord> {
    let mut games = Records::read(&scratch.0).unwrap().games;
    games.sort_by_key(|record| record.game);
    games
}

#[test]
fn games_are_the_same_with_any_number_of_threads_and_with_any_interruption() {
    let (alone, together, interrupted) = (Scratch::new("alone"), Scratch::new("together"), Scratch::new("interrupted"));
    run(&alone, &SETTINGS, &mut |_| {});
    run(&together, &SelfPlay { threads: 3, ..SETTINGS }, &mut |_| {});
    let stop = AtomicBool::new(false);
    let mut observe = |progress: &SelfPlayProgress| stop.store(progress.games >= 11, Ordering::Relaxed);
    let first = play(&HandEvaluator, "hand-made", &SETTINGS, &interrupted.0, &stop, &mut observe).unwrap();
    assert!((11..40).contains(&first.games), "{first:?}");
    let second = run(&interrupted, &SETTINGS, &mut |_| {});
    assert_eq!((second.games, second.resumed), (40, first.games));
    assert_eq!(sorted_games(&alone), sorted_games(&together));
    assert_eq!(sorted_games(&alone), sorted_games(&interrupted));
    assert!(sorted_games(&alone).len() > 40, "some games have branches");
}

#[test]
fn results_are_the_exact_scores_of_the_last_positions() {
    let scratch = Scratch::new("exact");
    run(&scratch, &SETTINGS, &mut |_| {});
    let engine = Engine::new(HandEvaluator, SearchOptions::strongest(), 1).unwrap();
    let mut checked = 0;
    for game in Records::read(&scratch.0).unwrap().games {
        for (board, score) in game.positions().filter(|(board, _)| board.empties() <= SETTINGS.solve_empties) {
            let limit = Limit { exact: true, ..Limit::default() };
            let exact = engine.search(board, &limit, 1, &AtomicBool::new(false), &mut |_| {}).score();
            assert_eq!(score as i32 * 100, exact.centidiscs(), "{board:?}");
            checked += 1;
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn trained_weights_know_more_than_nothing_and_come_back_from_bytes() {
    let scratch = Scratch::new("train");
    run(&scratch, &SelfPlay { games: 400, threads: 2, ..SETTINGS }, &mut |_| {});
    let samples = Samples::from_games(&Records::read(&scratch.0).unwrap().games);
    let options = TrainOptions { iterations: 4, ..TrainOptions::default() };
    let mut steps = 0;
    let fit = train(&samples, None, &options, &AtomicBool::new(false), &mut |_| steps += 1).unwrap();
    assert_eq!(steps, 2 * 15 * 4);
    let late = fit.accuracy[13];
    assert!(late.positions > 30 && late.correlation > 0.7, "{late:?}");
    let weights = Weights::from_parameters(&fit.main, &fit.small, "a test".to_owned());
    let read = Weights::from_bytes(&weights.to_bytes()).unwrap();
    let values = [weights, read].map(|weights| {
        let engine = Engine::new(PatternEvaluator::new(&weights), SearchOptions::default(), 1).unwrap();
        let positions = reluca_engine::bench_positions().into_iter();
        positions.map(|position| engine.evaluate(position.board)).collect::<Vec<_>>()
    });
    assert_eq!(values[0], values[1]);
}

#[test]
fn training_can_be_stopped() {
    let scratch = Scratch::new("stopped");
    run(&scratch, &SETTINGS, &mut |_| {});
    let samples = Samples::from_games(&Records::read(&scratch.0).unwrap().games);
    let stop = AtomicBool::new(false);
    let fit = train(&samples, None, &TrainOptions::default(), &stop, &mut |_| stop.store(true, Ordering::Relaxed));
    assert!(fit.is_err());
}

#[test]
fn a_fit_goes_as_far_from_earlier_weights_as_regularisation_and_trust_let_it() {
    let scratch = Scratch::new("start");
    run(&scratch, &SETTINGS, &mut |_| {});
    let samples = Samples::from_games(&Records::read(&scratch.0).unwrap().games);
    let start = Weights::bundled();
    let distance = |regularisation: f32, trust: f32| {
        let options = TrainOptions { iterations: 3, regularisation, trust, ..TrainOptions::default() };
        let fit = train(&samples, Some(&start), &options, &AtomicBool::new(false), &mut |_| {}).unwrap();
        let (main, _) = start.to_parameters();
        main.iter().zip(&fit.main).map(|(before, after)| (before - after).abs()).fold(0.0, f32::max)
    };
    let (firm, loose, trusting) = (distance(1e9, 0.0), distance(1.0, 0.0), distance(1.0, 3.0));
    assert!(firm < 0.001 && loose > 0.1, "{firm} {loose}");
    assert!((trusting - loose / 4.0).abs() < 0.001 * loose, "{trusting} {loose}");
}

//! Self-play: fast games of fixed depth from random openings, ended by the solver.
//!
//! Game number n of a seed is the same game on every machine and with any number of threads: its random numbers come
//! from the seed and n alone, and it begins with an empty table.

use super::records::{GameRecord, RecordsError, RecordsWriter};
use crate::board::Board;
use crate::eval::Evaluator;
use crate::search::{Engine, Limit, SearchOptions};
use crate::square::{Move, Square};
use crate::stage::Stage;
use crate::zobrist::split_mix;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc;

/// How games are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelfPlay {
    /// Where the random numbers come from.
    pub seed: u64,
    /// How many games.
    pub games: u32,
    /// Depth of the search.
    pub depth: u32,
    /// From this many empty squares on, play is perfect.
    pub solve_empties: u32,
    /// The most random moves that a game begins with.
    pub random_plies: u32,
    /// Threads; at least one works.
    pub threads: usize,
}

/// What a run has done so far, games of earlier runs into the same file included.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SelfPlayProgress {
    /// Games in the file.
    pub games: u32,
    /// Of these, games that earlier runs had played.
    pub resumed: u32,
    /// Positions by stage.
    pub positions: [u64; Stage::COUNT],
    /// Bytes of an unfinished game of an earlier run that were cut off the end of the file.
    pub cut_bytes: u64,
}

impl SelfPlayProgress {
    fn count(&mut self, records: &[GameRecord]) {
        for (board, _) in records.iter().flat_map(GameRecord::positions) {
            self.positions[board.stage().index()] += 1;
        }
    }
}

/// Plays the games that the file does not have yet; `evaluation` says in the file whose play it is. A raised `stop`
/// ends the run early, with nothing lost.
pub fn play<E: Evaluator>(
    evaluator: &E,
    evaluation: &str,
    settings: &SelfPlay,
    path: &Path,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&SelfPlayProgress),
) -> Result<SelfPlayProgress, RecordsError> {
    let SelfPlay { seed, depth, solve_empties, random_plies, .. } = settings;
    let text = format!(
        "seed {seed}, depth {depth}, solve {solve_empties}, random plies {random_plies}, evaluation {evaluation}"
    );
    let (mut writer, known) = RecordsWriter::open(path, &text)?;
    let played = known.numbers();
    let resumed = played.len() as u32;
    let cut_bytes = known.unfinished;
    let mut progress = SelfPlayProgress { games: resumed, resumed, cut_bytes, ..SelfPlayProgress::default() };
    progress.count(&known.games);
    drop(known);
    observe(&progress);
    let next = AtomicU32::new(0);
    let halt = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel::<Vec<GameRecord>>(64);
        for _ in 0..settings.threads.max(1) {
            let (sender, played, next, halt) = (sender.clone(), &played, &next, &halt);
            scope.spawn(move || {
                let player = Player::new(evaluator, settings, stop);
                while !stop.load(Ordering::Relaxed) && !halt.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= settings.games {
                        break;
                    }
                    if played.contains(&number) {
                        continue;
                    }
                    let Some(records) = player.game(number) else { break };
                    if sender.send(records).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for records in &receiver {
            if let Err(error) = writer.append(&records) {
                halt.store(true, Ordering::Relaxed);
                drop(receiver);
                return Err(error.into());
            }
            progress.games += 1;
            progress.count(&records);
            observe(&progress);
        }
        Ok(progress)
    })
}

/// A source of random numbers.
struct Random(u64);

impl Random {
    fn new(seed: u64, stream: u64) -> Random {
        let (mixed, _) = split_mix(seed);
        Random(mixed ^ stream.wrapping_mul(0xd134_2543_de82_ef95))
    }

    /// A number from 0 to `end - 1`.
    fn below(&mut self, end: u32) -> u32 {
        let (number, state) = split_mix(self.0);
        self.0 = state;
        (((number >> 32) * end as u64) >> 32) as u32
    }

    fn legal_move(&mut self, board: Board) -> Square {
        let moves = board.legal_moves();
        let number = self.below(moves.len()) as usize;
        moves.into_iter().nth(number).expect("there is a move of every number")
    }
}

/// One thread's engine.
struct Player<'a, E: Evaluator> {
    engine: Engine<&'a E>,
    settings: &'a SelfPlay,
    stop: &'a AtomicBool,
}

/// One game in `BRANCHES` has a branch: a random move, then play as before.
const BRANCHES: u32 = 6;

impl<'a, E: Evaluator> Player<'a, E> {
    fn new(evaluator: &'a E, settings: &'a SelfPlay, stop: &'a AtomicBool) -> Player<'a, E> {
        /// Megabytes: a search of a few plies needs no more, and the table is cleared for every game.
        const TABLE: usize = 1;
        let engine = Engine::new(evaluator, SearchOptions::strongest(), TABLE)
            .expect("the options are valid and a megabyte is to be had");
        Player { engine, settings, stop }
    }

    /// A game and perhaps a branch of it; none if the run was stopped.
    fn game(&self, number: u32) -> Option<Vec<GameRecord>> {
        self.engine.table().clear();
        let mut random = Random::new(self.settings.seed, number as u64);
        let game = self.play_on(number, opening(&mut random, self.settings.random_plies))?;
        let mut records = vec![game];
        if random.below(BRANCHES) == 0 {
            let boards: Vec<Board> = records[0].positions().map(|(board, _)| board).collect();
            if !boards.is_empty() {
                let board = boards[random.below(boards.len() as u32) as usize];
                let square = random.legal_move(board);
                let start = with_a_move(board.after_move(square, board.flips(square)));
                if !start.is_game_over() {
                    records.push(self.play_on(number, start)?);
                }
            }
        }
        Some(records)
    }

    /// Plays a game to its end.
    fn play_on(&self, game: u32, start: Board) -> Option<GameRecord> {
        let mut board = start;
        let mut sign = 1;
        let mut moves = Vec::new();
        loop {
            let solving = board.empties() <= self.settings.solve_empties;
            let limit = Limit { depth: (!solving).then_some(self.settings.depth), exact: solving, ..Limit::default() };
            let result = self.engine.search(board, &limit, 1, self.stop, &mut |_| {});
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let pv = &result.lines[0].pv;
            let squares = pv.iter().filter_map(|mv| if let Move::Place(square) = mv { Some(*square) } else { None });
            if solving || pv.is_empty() {
                moves.extend(squares);
                let score = sign * result.score().centidiscs() / 100;
                return Some(GameRecord { game, start, score: score as i8, moves });
            }
            moves.extend(squares.take(if pv[0] == Move::Pass { 0 } else { 1 }));
            board = board.play(pv[0]).expect("the engine plays legal moves");
            sign = -sign;
        }
    }
}

/// The board, or, if its mover has no move, the board after a pass.
fn with_a_move(board: Board) -> Board {
    if board.must_pass() { board.after_pass() } else { board }
}

/// A position after random moves: most often at least ten of them, sometimes fewer, so that openings are seen too.
fn opening(random: &mut Random, most: u32) -> Board {
    const USUAL: u32 = 10;
    let plies = match random.below(8) {
        0 => random.below(USUAL.min(most + 1)),
        _ if most < USUAL => random.below(most + 1),
        _ => {
            let mut number = || USUAL + random.below(most + 1 - USUAL);
            number().min(number())
        }
    };
    loop {
        let mut board = Board::START;
        for _ in 0..plies {
            if board.is_game_over() {
                break;
            }
            let square = random.legal_move(board);
            board = with_a_move(board.after_move(square, board.flips(square)));
        }
        if !board.is_game_over() {
            return board;
        }
    }
}

//! Shared by the tests: a slow reference written without bitboards, and random positions.
#![allow(dead_code, reason = "each test binary uses its own part")]

use proptest::prelude::*;
use reluca_engine::{Bitboard, Board, Color, Game, Move, Position, Square};

/// An array board that steps along lines square by square.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayBoard {
    pub cells: [[char; 8]; 8],
    pub turn: char,
}

impl ArrayBoard {
    pub fn of(position: Position) -> ArrayBoard {
        let mut cells = [['-'; 8]; 8];
        for square in Square::all() {
            if let Some(color) = position.disc_at(square) {
                cells[square.row() as usize][square.column() as usize] = letter(color);
            }
        }
        ArrayBoard { cells, turn: letter(position.turn) }
    }

    /// The (column, row) pairs that turn when the side to move plays there.
    pub fn flips(&self, column: i32, row: i32) -> Vec<(i32, i32)> {
        let mut flips = Vec::new();
        if self.cells[row as usize][column as usize] != '-' {
            return flips;
        }
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)] {
            let mut line = Vec::new();
            let (mut x, mut y) = (column + dx, row + dy);
            while (0..8).contains(&x) && (0..8).contains(&y) {
                let cell = self.cells[y as usize][x as usize];
                if cell == self.turn {
                    flips.append(&mut line);
                    break;
                }
                if cell == '-' {
                    break;
                }
                line.push((x, y));
                (x, y) = (x + dx, y + dy);
            }
        }
        flips
    }

    pub fn legal_moves(&self) -> Vec<(i32, i32)> {
        (0..64).map(|i| (i % 8, i / 8)).filter(|&(x, y)| !self.flips(x, y).is_empty()).collect()
    }

    pub fn play(&mut self, column: i32, row: i32) {
        for (x, y) in self.flips(column, row).into_iter().chain([(column, row)]) {
            self.cells[y as usize][x as usize] = self.turn;
        }
        self.turn = if self.turn == 'X' { 'O' } else { 'X' };
    }
}

fn letter(color: Color) -> char {
    match color {
        Color::Black => 'X',
        Color::White => 'O',
    }
}

pub fn to_bitboard(squares: &[(i32, i32)]) -> Bitboard {
    squares.iter().map(|&(x, y)| Square::at(x as u8, y as u8).unwrap()).collect()
}

/// A game in which each choice picks one of the legal moves; it stops when the game or the choices end.
pub fn play_out(choices: &[u8]) -> Game {
    let mut game = Game::new(Position::START);
    for &choice in choices {
        let board = game.position().board;
        let moves: Vec<Square> = board.legal_moves().into_iter().collect();
        let mv = match moves.len() {
            0 if board.is_game_over() => break,
            0 => Move::Pass,
            n => Move::Place(moves[choice as usize % n]),
        };
        game.push(mv).unwrap();
    }
    game
}

/// Games of any length, reached from the start.
pub fn games() -> impl Strategy<Value = Game> {
    prop::collection::vec(any::<u8>(), 0..70).prop_map(|choices| play_out(&choices))
}

/// Boards of legal form, mostly unreachable.
pub fn any_board() -> impl Strategy<Value = Board> {
    (any::<u64>(), any::<u64>(), any::<u64>(), any::<u64>()).prop_map(|(a, b, c, d)| {
        let occupied = a | c;
        Board::new(Bitboard(occupied & b & d | a & b), Bitboard(occupied & !(b & d | a & b))).unwrap()
    })
}

/// A small generator for loops over millions of positions (xorshift64*).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// Calls `visit` with every board of random games until it has seen `count` boards.
pub fn visit_random_games(seed: u64, count: usize, mut visit: impl FnMut(Board)) {
    let mut random = Random(seed);
    let mut board = Board::START;
    for _ in 0..count {
        visit(board);
        let moves: Vec<Square> = board.legal_moves().into_iter().collect();
        board = if !moves.is_empty() {
            board.play(moves[random.next() as usize % moves.len()].into()).unwrap()
        } else if board.must_pass() {
            board.after_pass()
        } else {
            Board::START
        };
    }
}

//! Shared by the benches: boards of random games, the same in every run.

use reluca_engine::{Board, Square};

/// Boards of random games from a fixed seed, all phases.
pub fn boards(count: usize) -> Vec<Board> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut board = Board::START;
    let mut boards = Vec::with_capacity(count);
    while boards.len() < count {
        boards.push(board);
        let moves: Vec<Square> = board.legal_moves().into_iter().collect();
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        board = match moves.len() {
            0 if board.must_pass() => board.after_pass(),
            0 => Board::START,
            n => board.play(moves[(state >> 32) as usize % n].into()).unwrap(),
        };
    }
    boards
}

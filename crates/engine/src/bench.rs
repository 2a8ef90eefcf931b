//! Positions for benchmarks: five of each phase, from games that the engine played with itself after random openings.

use crate::game::{Game, Position};

/// The games, ordered by length.
pub const BENCH_GAMES: [&str; 15] = [
    "e6f6c4d6f5c3c2c5",
    "e6d6c3f7c6d3c2e3d7c4c5d2",
    "e6d6c5f6c4b4f5d3c6e3a4b3e7f4c3",
    "f5f4c3c6f3c4c5d6d3b4b5b6a4a3a2f6e6",
    "f5f6f7g5h4c5c6f4b5h6e3c4e6d3g4d6b3b4c2a6c3",
    "e6f6c4d6f5b3c7c6b4e3c5d3c3a4a3b5d7f7f4b6e7a2",
    "c4c3e6f6g6c5c6d6b3b4f5f4e3g5f3g4d3d7e7b5a4f8h3h4h5a3",
    "e6f6g6f4f5e7d8g4g5f7d6e8f8h5e3d3f3d2e2c5h6c7h4e1b5c6c4b6",
    "d3c5b6b5c6e3b4c7d7d6c4a6e6d8e8f8e7f7c8b8f4f5g6a5f3g5h6c3f6d2",
    "c4e3f2b4f3g1e2f4g3d2e1g4d3c3c5e6c6h3d1c2b1c1f1g2h5a1h4f5b2d6b5",
    "d3c5b6e3f5c3f2f3f4e6f6c4e2c6c2c1b4a3f7a6c7d8a4a5b3d2d1e1c8b8b2d6b5a1b1",
    "c4c3c2f4f3e3d3e2g4g3e1h4h3c5g5h2f5d2b6f2d1b5f1b3f6d6e6c1b1g2c7a7a4a3b4",
    "f5f6c4g5h5f4g7f7g4h8e7d3f3h3g3c3e6g6e3h4h2e2d2d8f1b4b5c1c2b1a4d1g2f2f8c5b3d7e1",
    "f5f6d3c5f7f3f4c3e6e3d2g4g5e2e1f1f2g3h5h4c2c4g1b1d1h6d6g6b6f8h3h2b5b4g8e8d8a6a4a5a7d7",
    "e6f6g6e3f3d6c4d3c3f5g4e7d8f8c5f4f7f2c6h4h3h5h6d2e8g5g8c2d1c1b1b3g3b4f1b6b5a6a4g7e1a3a2c7",
];

/// The last positions of the games.
pub fn bench_positions() -> Vec<Position> {
    let play = |game| Game::from_transcript(Position::START, game).expect("the games are legal").position();
    BENCH_GAMES.map(play).to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bench_positions_cover_all_phases_and_are_unfinished() {
        let discs: Vec<u32> = bench_positions().iter().map(|position| position.board.discs()).collect();
        assert!(discs.is_sorted() && discs[0] < 16 && discs[14] > 44);
        assert!(bench_positions().iter().all(|position| !position.board.is_game_over()));
    }
}

//! Othello in Rust: rules, kernels and notation on which Reluca's search and solver stand.
//!
//! ```
//! use reluca_engine::{Board, Game, Position, perft, PassRule};
//!
//! let game = Game::from_transcript(Position::START, "f5d6c3d3c4")?;
//! assert_eq!(game.position().board.legal_moves().len(), 6);
//! assert_eq!(perft(Board::START, 6, PassRule::Ply), 8_200);
//! # Ok::<(), reluca_engine::NotationError>(())
//! ```
//!
//! The hot kernels are chosen when the crate is compiled: build with `-C target-cpu=native` (or `x86-64-v3`) to get
//! the AVX2 ones; [`Tier::ACTIVE`] says which ones a build has.

mod aspiration;
mod bench;
mod bitboard;
mod board;
pub mod endgame;
pub mod eval;
pub mod flip;
mod game;
mod memory;
pub mod moves;
mod mpc;
mod notation;
mod ordering;
mod parallel;
mod perft;
mod score;
pub mod search;
mod sides;
mod square;
mod stage;
mod symmetry;
mod table;
mod tier;
mod tree;
pub mod tune;
mod zobrist;

pub use aspiration::{AspirationError, AspirationTable, Scheme, Window};
pub use bench::{BENCH_GAMES, bench_positions};
pub use bitboard::{Bitboard, Squares};
pub use board::{Board, IllegalMove, OverlapError};
pub use game::{Color, Game, Position};
pub use mpc::{MpcCutPair, MpcError, MpcModel, MpcParameters, MpcTable, Phase};
pub use notation::{NotationError, Obf, format_transcript, parse_transcript};
pub use perft::{PassRule, perft, perft_parallel};
pub use score::{Discs, Score};
pub use square::{Move, Square};
pub use stage::Stage;
pub use symmetry::Symmetry;
pub use table::{Entry, Selectivity, Stored, Table, TableCounts, TableError};
pub use tier::Tier;
pub use zobrist::Hash;

//! The endgame solver: exact results in discs.
//!
//! All searches are null-window searches, fail-soft: the question is always whether a position is worth more than
//! `alpha`. A value above it is a lower bound, any other an upper bound. Every final score is even, because the empty
//! squares go to the winner.

mod fastest;
mod high;
mod last;
mod local;
mod stability;

pub use high::Solver;
pub use stability::stable_discs;

use crate::bitboard::Bitboard;
use crate::score::Discs;
use crate::square::Square;

/// Below every score.
const NONE: i32 = -128;

/// The squares of the four quadrants, by a set of quadrant bits.
static QUADRANTS: [u64; 16] = {
    const QUADRANT: [u64; 4] =
        [0x0000_0000_0f0f_0f0f, 0x0000_0000_f0f0_f0f0, 0x0f0f_0f0f_0000_0000, 0xf0f0_f0f0_0000_0000];
    let mut table = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if set >> quadrant & 1 != 0 {
                table[set] |= QUADRANT[quadrant];
            }
            quadrant += 1;
        }
        set += 1;
    }
    table
};

/// The set of quadrants with an odd number of empty squares: who plays there first moves last there.
#[derive(Clone, Copy)]
struct Parity(usize);

impl Parity {
    fn of(empty: u64) -> Parity {
        let odd = |quadrant: usize| ((empty & QUADRANTS[1 << quadrant]).count_ones() as usize & 1) << quadrant;
        Parity(odd(0) | odd(1) | odd(2) | odd(3))
    }

    /// The parity after a disc was placed on a square.
    #[inline]
    fn after(self, square: Square) -> Parity {
        Parity(self.0 ^ 1 << ((square.row() >> 2 << 1) | (square.column() >> 2)))
    }

    /// All squares of the odd quadrants.
    #[inline]
    fn region(self) -> u64 {
        QUADRANTS[self.0 & 15]
    }
}

/// Each square and the squares next to it.
static NEIGHBOURHOODS: [u64; 64] = {
    let mut table = [0; 64];
    let mut square = 0usize;
    while square < 64 {
        let mut other = 0usize;
        while other < 64 {
            let (columns, rows) = ((square % 8).abs_diff(other % 8), (square / 8).abs_diff(other / 8));
            if columns <= 1 && rows <= 1 {
                table[square] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
};

/// The score of a finished game.
#[inline]
fn final_score(player: u64, opponent: u64) -> i32 {
    Discs::of_finished(Bitboard(player).len(), Bitboard(opponent).len()).get() as i32
}

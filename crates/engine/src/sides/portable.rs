//! Both sides as plain bitboards.

use crate::flip::LastFlips;
use crate::flip::portable::{flips, last_flips};
use crate::moves::portable::legal;
use crate::square::Square;

/// The discs of the side to move and of the other.
#[derive(Clone, Copy)]
pub struct Sides {
    player: u64,
    opponent: u64,
}

/// What a move turns.
#[derive(Clone, Copy)]
pub struct Turned(u64);

impl Turned {
    /// Whether nothing turns: the move is illegal.
    #[inline]
    pub fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl Sides {
    #[inline]
    pub fn new(player: u64, opponent: u64) -> Sides {
        Sides { player, opponent }
    }

    #[inline]
    pub fn player(self) -> u64 {
        self.player
    }

    #[inline]
    pub fn opponent(self) -> u64 {
        self.opponent
    }

    /// The sides after a pass.
    #[inline]
    pub fn passed(self) -> Sides {
        Sides { player: self.opponent, opponent: self.player }
    }

    /// What the player turns on a square.
    #[inline]
    pub fn turned(self, square: Square) -> Turned {
        Turned(flips(square, self.player, self.opponent))
    }

    /// The sides after the player took a square.
    #[inline]
    pub fn after(self, square: Square, Turned(turned): Turned) -> Sides {
        Sides { player: self.opponent ^ turned, opponent: self.player ^ turned ^ square.bitboard().0 }
    }

    /// Which of the empty squares the player may take.
    #[inline]
    pub fn moves(self, empty: u64) -> u64 {
        legal(self.player, self.opponent) & empty
    }

    /// How many discs turn when either side takes the only empty square.
    #[inline]
    pub fn last_flips(self, square: Square) -> LastFlips {
        last_flips(square, self.player)
    }
}

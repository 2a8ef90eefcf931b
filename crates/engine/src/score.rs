//! The two units of value: heuristic scores in centidiscs, exact results in discs.

use std::fmt;
use std::ops::Neg;

/// A heuristic value for the side to move, in hundredths of a disc, between −6400 and 6400.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Score(i16);

impl Score {
    /// Loss of all discs.
    pub const MIN: Score = Score(-6400);
    /// Win of all discs.
    pub const MAX: Score = Score(6400);
    /// A draw.
    pub const ZERO: Score = Score(0);

    /// The score nearest to this many centidiscs; what lies beyond ±6400 is cut off there.
    #[inline]
    pub const fn from_centidiscs(centidiscs: i32) -> Score {
        if centidiscs < -6400 {
            Score::MIN
        } else if centidiscs > 6400 {
            Score::MAX
        } else {
            Score(centidiscs as i16)
        }
    }

    /// The value in hundredths of a disc.
    #[inline]
    pub const fn centidiscs(self) -> i32 {
        self.0 as i32
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl From<Discs> for Score {
    #[inline]
    fn from(discs: Discs) -> Score {
        Score(discs.0 as i16 * 100)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", self.0 as f64 / 100.0)
    }
}

/// An exact result for the side to move, in discs, between −64 and 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(transparent)]
pub struct Discs(i8);

impl Discs {
    /// The disc difference, if it is possible on a board.
    #[inline]
    pub const fn new(difference: i8) -> Option<Discs> {
        if -64 <= difference && difference <= 64 { Some(Discs(difference)) } else { None }
    }

    /// The result of a finished game: own discs minus opposing ones, empty squares to the winner.
    #[inline]
    pub const fn of_finished(player: u32, opponent: u32) -> Discs {
        debug_assert!(player + opponent <= 64);
        let difference = player as i8 - opponent as i8;
        let empties = 64 - (player + opponent) as i8;
        Discs(difference + difference.signum() * empties)
    }

    /// The disc difference.
    #[inline]
    pub const fn get(self) -> i8 {
        self.0
    }
}

impl Neg for Discs {
    type Output = Discs;
    #[inline]
    fn neg(self) -> Discs {
        Discs(-self.0)
    }
}

impl fmt::Display for Discs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empties_go_to_the_winner_and_a_draw_stays_a_draw() {
        assert_eq!(Discs::of_finished(40, 20).get(), 24);
        assert_eq!(Discs::of_finished(0, 13).get(), -64);
        assert_eq!(Discs::of_finished(30, 30).get(), 0);
        assert_eq!(Discs::of_finished(64, 0).get(), 64);
    }

    #[test]
    fn a_disc_is_a_hundred_centidiscs() {
        assert_eq!(Score::from(Discs::of_finished(33, 31)).centidiscs(), 200);
        assert_eq!(Score::from_centidiscs(i32::MAX), Score::MAX);
        assert_eq!(Score::from_centidiscs(i32::MIN), Score::MIN);
        assert_eq!(Score::from_centidiscs(-150).to_string(), "-1.50");
    }
}

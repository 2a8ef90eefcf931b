//! The stage of a game, by which the parameter tables are indexed.

use std::fmt;

/// Fifteen stages of four discs each: `clamp(discs / 4, 1, 15)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Stage(u8);

impl Stage {
    /// Number of stages.
    pub const COUNT: usize = 15;

    /// The stage with this number, if it lies in 1..=15.
    pub const fn new(number: u8) -> Option<Stage> {
        if 1 <= number && number <= 15 { Some(Stage(number)) } else { None }
    }

    /// The stage of a board with this many discs.
    #[inline]
    pub const fn of_discs(discs: u32) -> Stage {
        let number = discs / 4;
        Stage(if number < 1 {
            1
        } else if number > 15 {
            15
        } else {
            number as u8
        })
    }

    /// 1 to 15.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// 0 to 14, for tables.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stage_is_four_discs_and_the_ends_are_clamped() {
        let stages: Vec<u8> = (0..=64).map(|discs| Stage::of_discs(discs).number()).collect();
        assert_eq!(stages[..8], [1; 8]);
        assert_eq!(stages[8..12], [2; 4]);
        assert_eq!(stages[59], 14);
        assert_eq!(stages[60..], [15; 5]);
    }
}

//! The aspiration window: how wide it begins by stage and depth, and how it grows when it fails.

use crate::score::Score;
use crate::stage::Stage;
use thiserror::Error;

/// Initial half-widths by stage, in centidiscs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AspirationTable {
    delta_by_stage: [i64; Stage::COUNT],
    default_delta: i64,
}

/// Why a table is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("aspiration: a delta must be positive, not {0}")]
pub struct AspirationError(i64);

impl AspirationTable {
    /// No window needs a half-width beyond this: it spans all scores wherever its centre lies.
    pub const MAX_DELTA: i64 = 2 * Score::MAX.centidiscs() as i64;

    /// A table with the given half-widths.
    pub fn new(delta_by_stage: [i64; Stage::COUNT], default_delta: i64) -> Result<AspirationTable, AspirationError> {
        match delta_by_stage.iter().chain([&default_delta]).find(|&&delta| delta <= 0) {
            Some(&delta) => Err(AspirationError(delta)),
            None => Ok(AspirationTable { delta_by_stage, default_delta }),
        }
    }

    /// The half-widths that cost the fewest nodes with the bundled weights, around the value of two iterations ago
    /// (`reluca calibrate aspiration`; see `docs/calibration.md`).
    pub fn calibrated() -> AspirationTable {
        let mut delta_by_stage = [200; Stage::COUNT];
        delta_by_stage[5..10].fill(300);
        delta_by_stage[10..].fill(400);
        AspirationTable { delta_by_stage, default_delta: 300 }
    }

    /// The half-width of a stage number; the default where there is no such stage.
    pub fn delta(&self, stage: i64) -> i64 {
        let index = usize::try_from(stage - 1).ok();
        index.and_then(|index| self.delta_by_stage.get(index)).copied().unwrap_or(self.default_delta)
    }

    /// The half-widths of all stages.
    pub fn delta_by_stage(&self) -> &[i64; Stage::COUNT] {
        &self.delta_by_stage
    }

    /// The half-width for numbers that are no stage.
    pub fn default_delta(&self) -> i64 {
        self.default_delta
    }

    /// A half-width widened for shallow depths, where values swing more: twice up to 2, half as much again up to 4.
    pub const fn adjusted_delta(delta: i64, depth: u32) -> i64 {
        match depth {
            0..=2 => delta * 2,
            3..=4 => delta * 3 / 2,
            _ => delta,
        }
    }
}

impl Default for AspirationTable {
    /// 80, 50 and 30 in the early, middle and late stages; 50 elsewhere.
    fn default() -> AspirationTable {
        let mut delta_by_stage = [80; Stage::COUNT];
        delta_by_stage[5..10].fill(50);
        delta_by_stage[10..].fill(30);
        AspirationTable { delta_by_stage, default_delta: 50 }
    }
}

/// How a window grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expansion {
    /// ×2, ×4, ×8, …: 2, 8 and 64 times the first width.
    Exponential,
    /// ×2 each time.
    Doubling,
}

impl Expansion {
    /// The half-width after the retry with this number (the first is 0), without overflow.
    pub fn expand(self, delta: i64, retry: u32) -> i64 {
        let doublings = match self {
            Expansion::Exponential => retry + 1,
            Expansion::Doubling => 1,
        };
        match 1i64.checked_shl(doublings.min(62)) {
            Some(factor) => delta.saturating_mul(factor).min(AspirationTable::MAX_DELTA),
            None => AspirationTable::MAX_DELTA,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_has_its_delta_and_other_numbers_the_default() {
        let table = AspirationTable::default();
        let deltas: Vec<i64> = (1..=15).map(|stage| table.delta(stage)).collect();
        assert_eq!(deltas, [80, 80, 80, 80, 80, 50, 50, 50, 50, 50, 30, 30, 30, 30, 30]);
        for outside in [i64::MIN + 1, -1, 0, 16, i64::MAX] {
            assert_eq!(table.delta(outside), 50);
        }
    }

    #[test]
    fn shallow_depths_widen_in_integer_arithmetic() {
        assert_eq!(AspirationTable::adjusted_delta(30, 2), 60);
        assert_eq!(AspirationTable::adjusted_delta(31, 4), 46);
        assert_eq!(AspirationTable::adjusted_delta(50, 5), 50);
    }

    #[test]
    fn exponential_expansion_reaches_2_8_and_64_times_the_width() {
        let mut delta = 10;
        let widths = [0, 1, 2].map(|retry| {
            delta = Expansion::Exponential.expand(delta, retry);
            delta
        });
        assert_eq!(widths, [20, 80, 640]);
    }

    #[test]
    fn doubling_reaches_2_4_and_8_times_the_width() {
        let mut delta = 50;
        let widths = [0, 1, 2].map(|retry| {
            delta = Expansion::Doubling.expand(delta, retry);
            delta
        });
        assert_eq!(widths, [100, 200, 400]);
    }

    #[test]
    fn expansion_is_clamped_without_overflow() {
        assert_eq!(Expansion::Exponential.expand(i64::MAX / 2, 1), AspirationTable::MAX_DELTA);
        assert_eq!(Expansion::Exponential.expand(1, 400), AspirationTable::MAX_DELTA);
        assert_eq!(Expansion::Doubling.expand(i64::MAX, 3), AspirationTable::MAX_DELTA);
    }

    #[test]
    fn a_delta_that_is_not_positive_is_refused() {
        let error = AspirationTable::new([0; 15], 50).unwrap_err();
        assert_eq!(error.to_string(), "aspiration: a delta must be positive, not 0");
    }
}

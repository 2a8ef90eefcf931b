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
        let mut delta_by_stage = [300; Stage::COUNT];
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

/// How a window begins and grows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    /// Both sides by ×2, ×4, ×8, …: 2, 8 and 64 times the first width.
    Exponential,
    /// Both sides by ×2 each time.
    Doubling,
    /// Only the side that failed, from the value found and as fast as `Exponential`; the other bound follows to where
    /// the window failed.
    Asymmetric,
    /// As `Exponential`, but the first width follows the recent changes of the value in the search at hand.
    Adaptive,
}

impl Scheme {
    /// Every scheme.
    pub const ALL: [Scheme; 4] = [Scheme::Exponential, Scheme::Doubling, Scheme::Asymmetric, Scheme::Adaptive];

    /// The name of the scheme.
    pub const fn name(self) -> &'static str {
        match self {
            Scheme::Exponential => "exponential",
            Scheme::Doubling => "doubling",
            Scheme::Asymmetric => "asymmetric",
            Scheme::Adaptive => "adaptive",
        }
    }

    /// The half-width after the retry with this number (the first is 0), without overflow.
    pub fn expand(self, delta: i64, retry: u32) -> i64 {
        let doublings = match self {
            Scheme::Doubling => 1,
            _ => retry + 1,
        };
        match 1i64.checked_shl(doublings.min(62)) {
            Some(factor) => delta.saturating_mul(factor).min(AspirationTable::MAX_DELTA),
            None => AspirationTable::MAX_DELTA,
        }
    }

    /// The half-width to begin with: `delta`; if it adapts, twice the mean change of the last values from those `step`
    /// iterations before, within half and twice `delta`.
    pub fn first_delta(self, delta: i64, values: &[i32], step: usize) -> i64 {
        /// How many changes count: a search may settle, or stop being settled.
        const RECENT: usize = 3;
        let changes = values.iter().skip(step).zip(values).map(|(now, then)| (now - then).unsigned_abs() as i64);
        let recent = changes.rev().take(RECENT);
        let count = recent.len() as i64;
        if self != Scheme::Adaptive || count == 0 {
            return delta;
        }
        (2 * recent.sum::<i64>() / count).clamp((delta / 2).max(1), delta.saturating_mul(2))
    }
}

/// A window around a guess that widens until the value lies inside it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    scheme: Scheme,
    guess: i64,
    delta: i64,
    retry: u32,
    low: i64,
    high: i64,
}

impl Window {
    /// The window of half-width `delta` around a guess.
    pub fn new(scheme: Scheme, guess: i32, delta: i64) -> Window {
        let guess = guess as i64;
        Window { scheme, guess, delta, retry: 0, low: guess - delta, high: guess + delta }
    }

    /// Its bounds, no further out than `limit`.
    pub fn bounds(&self, limit: i32) -> (i32, i32) {
        (self.low.max(-limit as i64) as i32, self.high.min(limit as i64) as i32)
    }

    /// Widens the window after a value that is not inside it.
    pub fn widen(&mut self, value: i32) {
        let value = value as i64;
        self.delta = self.scheme.expand(self.delta, self.retry);
        self.retry += 1;
        (self.low, self.high) = match self.scheme {
            Scheme::Asymmetric if value <= self.low => (value - self.delta, self.low + 1),
            Scheme::Asymmetric => (self.high - 1, value + self.delta),
            _ => (self.guess - self.delta, self.guess + self.delta),
        };
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
            delta = Scheme::Exponential.expand(delta, retry);
            delta
        });
        assert_eq!(widths, [20, 80, 640]);
    }

    #[test]
    fn doubling_reaches_2_4_and_8_times_the_width() {
        let mut delta = 50;
        let widths = [0, 1, 2].map(|retry| {
            delta = Scheme::Doubling.expand(delta, retry);
            delta
        });
        assert_eq!(widths, [100, 200, 400]);
    }

    #[test]
    fn expansion_is_clamped_without_overflow() {
        assert_eq!(Scheme::Exponential.expand(i64::MAX / 2, 1), AspirationTable::MAX_DELTA);
        assert_eq!(Scheme::Exponential.expand(1, 400), AspirationTable::MAX_DELTA);
        assert_eq!(Scheme::Doubling.expand(i64::MAX, 3), AspirationTable::MAX_DELTA);
    }

    #[test]
    fn symmetric_windows_grow_around_the_guess_whatever_side_fails() {
        for value in [-90, 90] {
            let mut window = Window::new(Scheme::Exponential, 20, 50);
            assert_eq!(window.bounds(6401), (-30, 70));
            window.widen(value);
            assert_eq!(window.bounds(6401), (-80, 120));
            window.widen(value * 3);
            assert_eq!(window.bounds(6401), (-380, 420));
            window.widen(value * 50);
            assert_eq!(window.bounds(1000), (-1000, 1000));
        }
    }

    #[test]
    fn an_asymmetric_window_widens_only_where_it_failed_and_holds_what_the_failure_proved() {
        let mut window = Window::new(Scheme::Asymmetric, 0, 50);
        window.widen(-70);
        assert_eq!(window.bounds(6401), (-170, -49), "a value of at most -50, and 100 below the one found");
        window.widen(-170);
        assert_eq!(window.bounds(6401), (-570, -169));
        let mut window = Window::new(Scheme::Asymmetric, 0, 50);
        window.widen(50);
        assert_eq!(window.bounds(6401), (49, 150));
        window.widen(20);
        assert_eq!(window.bounds(6401), (-380, 50), "a search that changes its mind is followed");
    }

    #[test]
    fn an_adaptive_window_follows_the_last_changes_within_half_and_twice_the_width() {
        let first = |values: &[i32], step| Scheme::Adaptive.first_delta(100, values, step);
        assert_eq!(first(&[], 1), 100);
        assert_eq!(first(&[300], 1), 100, "no change is known yet");
        assert_eq!(first(&[0, 60, 0], 1), 120);
        assert_eq!(first(&[0, 5, 10], 1), 50);
        assert_eq!(first(&[0, 900, 0], 1), 200);
        assert_eq!(first(&[900, 0, 0, 90, 0], 1), 120, "the last three changes: 0, 90 and 90");
        assert_eq!(first(&[0, 500, 60, 560], 2), 120, "from two iterations before");
        assert_eq!(first(&[0, 500], 2), 100);
        assert_eq!(Scheme::Exponential.first_delta(100, &[0, 900], 1), 100);
    }

    #[test]
    fn a_delta_that_is_not_positive_is_refused() {
        let error = AspirationTable::new([0; 15], 50).unwrap_err();
        assert_eq!(error.to_string(), "aspiration: a delta must be positive, not 0");
    }
}

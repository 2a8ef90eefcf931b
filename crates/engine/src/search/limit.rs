//! How long a search may go on.

use crate::board::Board;
use std::time::Duration;

/// Limits of one call; what is absent does not limit.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limit {
    /// The deepest iteration; 0 evaluates the position and orders its moves.
    pub depth: Option<u32>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// The clock of the game, from which the time for this move is allotted.
    pub clock: Option<Clock>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Read the game to its end, without cuts on probability.
    pub exact: bool,
    /// Read the game to its end, but find out only who wins.
    pub wld: bool,
}

/// What is left on the mover's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time for the rest of the game.
    pub main: Duration,
    /// Added after every move.
    pub increment: Duration,
    /// Time per move once the main time is gone.
    pub byoyomi: Duration,
}

/// The time of one move: what to aim at, and what never to exceed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Where a quiet search stops.
    pub target: Duration,
    /// Where every search stops.
    pub limit: Duration,
}

/// Taken off every limit for what happens outside the search.
const OVERHEAD: Duration = Duration::from_millis(5);

impl Limit {
    /// Whether the game is to be read to its end.
    pub fn to_the_end(&self) -> bool {
        self.exact || self.wld
    }

    /// The time budget on a board; none if time does not limit.
    pub fn budget(&self, board: Board) -> Option<Budget> {
        let fixed = self.time.map(|time| {
            let limit = time.saturating_sub(OVERHEAD.min(time / 10));
            Budget { target: limit, limit }
        });
        let clocked = self.clock.map(|clock| clock.budget(board.empties()));
        match (fixed, clocked) {
            (Some(fixed), Some(clocked)) => {
                Some(Budget { target: fixed.target.min(clocked.target), limit: fixed.limit.min(clocked.limit) })
            }
            (fixed, clocked) => fixed.or(clocked),
        }
    }
}

impl Clock {
    /// The time for a move with this many empty squares: most in the midgame, where depth decides.
    fn budget(&self, empties: u32) -> Budget {
        /// The share of the main time beyond which no single move may go.
        const MOST_OF_MAIN: f64 = 0.4;
        /// How far a troubled search may exceed its target.
        const STRETCH: f64 = 3.0;
        /// Longer times are cut down to this: a lifetime, and safe to calculate with.
        const LONGEST: Duration = Duration::from_secs(1 << 32);
        let [main, increment, byoyomi] = [self.main, self.increment, self.byoyomi].map(|time| time.min(LONGEST));
        let coming: f64 = (1..=empties).rev().step_by(2).map(weight).sum();
        let share = main.mul_f64(weight(empties) / coming.max(weight(empties)));
        let bonus = increment.mul_f64(0.9) + byoyomi.mul_f64(0.9);
        let reserve = OVERHEAD * 4;
        let available = (main + byoyomi).saturating_sub(reserve);
        let limit = (share.mul_f64(STRETCH).min(main.mul_f64(MOST_OF_MAIN)) + bonus).min(available);
        Budget { target: (share + bonus).min(limit), limit }
    }
}

/// The worth of thinking time by empty squares: it rises to the midgame and falls where the solver takes over.
fn weight(empties: u32) -> f64 {
    const PEAK: f64 = 34.0;
    const WIDTH: f64 = 14.0;
    let distance = (empties as f64 - PEAK) / WIDTH;
    0.15 + (-0.5 * distance * distance).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(main: u64, increment: u64, byoyomi: u64, empties: u32) -> Budget {
        let [main, increment, byoyomi] = [main, increment, byoyomi].map(Duration::from_millis);
        Clock { main, increment, byoyomi }.budget(empties)
    }

    #[test]
    fn a_whole_game_of_targets_fits_into_the_main_time() {
        for start in [60, 59, 40, 21, 2] {
            let mut main = Duration::from_secs(60);
            for empties in (1..=start).rev().step_by(2) {
                let budget = Clock { main, ..Clock::default() }.budget(empties);
                assert!(budget.target <= budget.limit && budget.limit <= main, "{empties}: {budget:?} of {main:?}");
                main -= budget.target;
            }
        }
    }

    #[test]
    fn a_whole_game_of_limits_never_oversteps_the_clock() {
        let mut main = Duration::from_secs(10);
        for empties in (1..=60).rev().step_by(2) {
            let limit = Clock { main, ..Clock::default() }.budget(empties).limit;
            assert!(limit <= main);
            main -= limit;
        }
    }

    #[test]
    fn the_longest_times_do_not_overflow() {
        let forever = Clock { main: Duration::MAX, increment: Duration::MAX, byoyomi: Duration::MAX };
        assert!(forever.budget(60).target <= forever.budget(60).limit);
    }

    #[test]
    fn the_midgame_gets_more_than_opening_and_ending() {
        let share = |empties| budget(60_000, 0, 0, empties).target.as_secs_f64() / remaining(empties);
        // Compare the weight of one move, not the share of what is left.
        fn remaining(empties: u32) -> f64 {
            1.0 / (1..=empties).rev().step_by(2).map(weight).sum::<f64>()
        }
        assert!(share(34) > 1.5 * share(60));
        assert!(share(34) > 1.5 * share(10));
    }

    #[test]
    fn byoyomi_and_increment_are_used_when_the_main_time_is_gone() {
        let alone = budget(0, 0, 1_000, 40);
        assert!(alone.limit <= Duration::from_millis(980) && alone.target >= Duration::from_millis(800), "{alone:?}");
        assert!(budget(1_000, 1_000, 0, 40).target > budget(1_000, 0, 0, 40).target);
    }
}

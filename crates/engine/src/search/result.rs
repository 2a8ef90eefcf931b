//! What a search gives back.

use super::counters::Counters;
use crate::score::Score;
use crate::square::Move;
use crate::tree::Cutoff;
use std::time::Duration;

/// How a score relates to the true value at its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// A move with its value and the play that is expected after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The value for the side to move.
    pub score: Score,
    /// How the score relates to the value.
    pub bound: Bound,
    /// The expected play, beginning with the move; empty only if the game is over.
    pub pv: Vec<Move>,
}

/// One completed iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// Its depth.
    pub depth: u32,
    /// The margin of the narrowest cut on probability, in deviations; none if nothing was cut, 0 if moves were left out
    /// without any stated confidence.
    pub margin: Option<f64>,
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// What was counted in this iteration alone.
    pub counters: Counters,
    /// Time of this iteration alone.
    pub time: Duration,
    /// Nodes since the search began.
    pub total_nodes: u64,
    /// Time since the search began.
    pub total_time: Duration,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// The depth asked for is complete, or there is nothing more to read.
    Complete,
    /// The time was up in the middle of an iteration.
    Time,
    /// The next iteration could not have finished in time, or the move was clear enough.
    NoTimeForNext,
    /// The nodes were used up.
    Nodes,
    /// Somebody said stop.
    Stopped,
}

impl From<Cutoff> for StopReason {
    fn from(cutoff: Cutoff) -> StopReason {
        match cutoff {
            Cutoff::Stop => StopReason::Stopped,
            Cutoff::Nodes => StopReason::Nodes,
            Cutoff::Time => StopReason::Time,
        }
    }
}

impl StopReason {
    /// The name in snake case.
    pub const fn name(self) -> &'static str {
        match self {
            StopReason::Complete => "complete",
            StopReason::Time => "time",
            StopReason::NoTimeForNext => "no_time_for_next",
            StopReason::Nodes => "nodes",
            StopReason::Stopped => "stopped",
        }
    }
}

/// The outcome of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchResult {
    /// The best lines, best first; the first one's first move is the move to play.
    pub lines: Vec<Line>,
    /// The depth of the last completed iteration.
    pub depth: u32,
    /// The margin of the narrowest cut on probability, in deviations; none if nothing was cut, 0 if moves were left out
    /// without any stated confidence.
    pub margin: Option<f64>,
    /// Whether the score is the proven result of the game.
    pub exact: bool,
    /// Why the search ended.
    pub stop_reason: StopReason,
    /// What was counted.
    pub counters: Counters,
    /// How long it took.
    pub time: Duration,
    /// Every completed iteration.
    pub iterations: Vec<Iteration>,
}

impl SearchResult {
    /// The move to play; none if the game is over.
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first()?.pv.first().copied()
    }

    /// The value of the best move.
    pub fn score(&self) -> Score {
        self.lines.first().map_or(Score::ZERO, |line| line.score)
    }
}

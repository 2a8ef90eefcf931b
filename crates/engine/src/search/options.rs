//! What a search does: every feature can be switched on and off.

use crate::aspiration::{AspirationTable, Scheme};
use crate::mpc::{MpcTable, Phase};
use crate::stage::Stage;
use crate::table::Selectivity;
use thiserror::Error;

/// The search algorithm; at equal depth and without pruning features all give the same value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Algorithm {
    /// Looks at every line.
    Negamax,
    /// Cuts what cannot matter.
    AlphaBeta,
    /// Principal variation search: tests all but the first move with a null window.
    #[default]
    Pvs,
    /// Closes in on the value with null windows alone.
    Mtdf,
}

/// Options of a search; the default has every feature off.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchOptions {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The deepest iteration, if the limit does not say less.
    pub max_depth: u32,
    /// Remember searched positions.
    pub use_transposition_table: bool,
    /// Search around the previous iteration's value first.
    pub use_aspiration_window: bool,
    /// The half-width of the window, in centidiscs, if the stage table is not used.
    pub aspiration_delta: i64,
    /// How often a window is widened before the full one is used.
    pub aspiration_max_retry: u32,
    /// Take the half-width from the stage table and widen it exponentially.
    pub aspiration_use_stage_table: bool,
    /// How the window begins and grows; if none is named, exponentially with the stage table and by doubling without.
    pub aspiration_scheme: Option<Scheme>,
    /// The stage table.
    pub aspiration_table: AspirationTable,
    /// Put the window around the value of two iterations ago: depths of equal parity agree better.
    pub aspiration_same_parity: bool,
    /// Store nothing in the table until a window has held, then search again.
    pub aspiration_suppress_store: bool,
    /// Cut on the prediction of shallow searches.
    pub use_multi_prob_cut: bool,
    /// The table of Multi-ProbCut.
    pub mpc_table: MpcTable,
    /// Search the shallow depth with the full window instead of a null window at the bound.
    pub mpc_full_window: bool,
    /// How many pairs are tried at a node, the deepest first.
    pub mpc_max_pairs: u32,
    /// Try a cut only on the side that the static evaluation speaks for.
    pub mpc_static_test: bool,
    /// How deep shallow searches may be nested: with 0 nothing is cut inside a shallow search, with 1 not inside the
    /// next. The confidence of a table is that of shallow searches without cuts.
    pub mpc_nesting: u32,
    /// Margins by phase that take the place of the table's.
    pub mpc_phase_margins: Option<[f64; 3]>,
    /// Narrow the margin when most of the time is gone.
    pub mpc_adjust_for_time: bool,
    /// Leave out late quiet moves near the leaves.
    pub use_move_count_pruning: bool,
    /// The greatest remaining depth at which moves are left out.
    pub move_count_max_depth: u32,
    /// The most empty squares at which a search that may read to the end does so with the solver, time permitting.
    pub solver_empties: u32,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            algorithm: Algorithm::Pvs,
            max_depth: 60,
            use_transposition_table: false,
            use_aspiration_window: false,
            aspiration_delta: 50,
            aspiration_max_retry: 3,
            aspiration_use_stage_table: false,
            aspiration_scheme: None,
            aspiration_table: AspirationTable::default(),
            aspiration_same_parity: false,
            aspiration_suppress_store: false,
            use_multi_prob_cut: false,
            mpc_table: MpcTable::literature(),
            mpc_full_window: true,
            mpc_max_pairs: MpcTable::MAX_PAIRS as u32,
            mpc_static_test: false,
            mpc_nesting: 0,
            mpc_phase_margins: None,
            mpc_adjust_for_time: false,
            use_move_count_pruning: false,
            move_count_max_depth: 5,
            solver_empties: 14,
        }
    }
}

/// Options that contradict themselves.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum OptionsError {
    /// No depth at all, or more than a game has.
    #[error("max_depth must be between 1 and 60, not {0}")]
    MaxDepth(u32),
    /// A window without width.
    #[error("aspiration_delta must be positive, not {0}")]
    AspirationDelta(i64),
    /// A margin that is no positive number.
    #[error("mpc_phase_margins must be positive numbers, not {0}")]
    PhaseMargin(f64),
    /// A store that is suppressed where there is no table.
    #[error("aspiration_suppress_store needs use_transposition_table and use_aspiration_window")]
    SuppressWithoutTable,
    /// Cuts that need bounds in an algorithm without any.
    #[error("{0} needs an algorithm with bounds: alpha-beta, PVS or MTD(f), not negamax")]
    NeedsBounds(&'static str),
    /// A window around an algorithm that makes its own.
    #[error("use_aspiration_window does not apply to MTD(f), which makes its own windows")]
    AspirationWithMtdf,
}

impl SearchOptions {
    /// What plays best.
    pub fn strongest() -> SearchOptions {
        SearchOptions {
            use_transposition_table: true,
            use_aspiration_window: true,
            aspiration_use_stage_table: true,
            aspiration_table: AspirationTable::calibrated(),
            aspiration_same_parity: true,
            use_multi_prob_cut: true,
            mpc_table: MpcTable::calibrated(),
            mpc_full_window: false,
            mpc_max_pairs: 1,
            mpc_static_test: true,
            mpc_nesting: 1,
            solver_empties: 30,
            ..SearchOptions::default()
        }
    }

    /// Refuses options that contradict each other.
    pub fn validate(&self) -> Result<(), OptionsError> {
        if !(1..=60).contains(&self.max_depth) {
            return Err(OptionsError::MaxDepth(self.max_depth));
        }
        if self.aspiration_delta <= 0 {
            return Err(OptionsError::AspirationDelta(self.aspiration_delta));
        }
        let mut margins = self.mpc_phase_margins.iter().flatten();
        if let Some(&margin) = margins.find(|margin| !(margin.is_finite() && **margin > 0.0)) {
            return Err(OptionsError::PhaseMargin(margin));
        }
        if self.aspiration_suppress_store && !(self.use_transposition_table && self.use_aspiration_window) {
            return Err(OptionsError::SuppressWithoutTable);
        }
        if self.algorithm == Algorithm::Negamax {
            let features = [
                ("use_multi_prob_cut", self.use_multi_prob_cut),
                ("use_move_count_pruning", self.use_move_count_pruning),
                ("use_aspiration_window", self.use_aspiration_window),
            ];
            if let Some((name, _)) = features.into_iter().find(|&(_, on)| on) {
                return Err(OptionsError::NeedsBounds(name));
            }
        }
        if self.algorithm == Algorithm::Mtdf && self.use_aspiration_window {
            return Err(OptionsError::AspirationWithMtdf);
        }
        Ok(())
    }

    /// How the aspiration window begins and grows.
    pub(super) fn scheme(&self) -> Scheme {
        let unnamed = if self.aspiration_use_stage_table { Scheme::Exponential } else { Scheme::Doubling };
        self.aspiration_scheme.unwrap_or(unnamed)
    }

    /// The half-width with which the aspiration window begins.
    pub(super) fn first_delta(&self, stage: Stage, depth: u32) -> i64 {
        if self.aspiration_use_stage_table {
            let delta = self.aspiration_table.delta(stage.number() as i64);
            AspirationTable::adjusted_delta(delta.min(AspirationTable::MAX_DELTA), depth)
        } else {
            self.aspiration_delta.min(AspirationTable::MAX_DELTA)
        }
    }

    /// The margin of Multi-ProbCut in a stage, in deviations; `hurry` narrows it.
    pub(super) fn mpc_margin(&self, stage: Stage, hurry: bool) -> f64 {
        /// What the margin is multiplied by when more than four fifths of the time are gone.
        const HURRY: f64 = 0.8;
        let margin = self.mpc_phase_margins.map_or(self.mpc_table.z(), |margins| margins[Phase::of(stage) as usize]);
        if hurry { margin * HURRY } else { margin }
    }

    /// How much the values of a search can be trusted.
    pub(super) fn selectivity(&self, hurry: bool) -> Selectivity {
        if self.use_move_count_pruning {
            Selectivity::UNSTATED
        } else if self.use_multi_prob_cut {
            Selectivity::of_margin(self.least_margin(hurry))
        } else {
            Selectivity::FULL
        }
    }

    /// The narrowest margin of Multi-ProbCut in any stage.
    pub(super) fn least_margin(&self, hurry: bool) -> f64 {
        let margins = [1, 8, 15].map(|stage| self.mpc_margin(Stage::of_discs(4 * stage), hurry));
        margins.into_iter().fold(f64::INFINITY, f64::min)
    }
}

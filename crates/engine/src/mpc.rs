//! Multi-ProbCut: the tables and their arithmetic.
//!
//! A deep search's value is predicted from a shallow one's: deep ≈ a · shallow + b, with an error of deviation σ. If
//! the prediction lies z·σ beyond a bound, the deep search would fail there too with the confidence that belongs to z.

use crate::stage::Stage;
use thiserror::Error;

/// The regression of a deep value on a shallow one, in centidiscs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MpcParameters {
    /// Slope.
    pub a: f64,
    /// Intercept.
    pub b: f64,
    /// Standard deviation of the error.
    pub sigma: f64,
}

impl MpcParameters {
    /// The least shallow value that promises a deep one of at least `beta`.
    pub fn beta_threshold(self, z: f64, beta: i32) -> i32 {
        ((z * self.sigma + beta as f64 - self.b) / self.a).ceil() as i32
    }

    /// The greatest shallow value that promises a deep one of at most `alpha`.
    pub fn alpha_threshold(self, z: f64, alpha: i32) -> i32 {
        ((-z * self.sigma + alpha as f64 - self.b) / self.a).floor() as i32
    }
}

/// A shallow depth that predicts a deep one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MpcCutPair {
    /// The depth that is searched.
    pub shallow: u32,
    /// The least remaining depth at which the pair applies.
    pub deep: u32,
}

/// The parameters of every stage and pair, and of exact scores.
#[derive(Clone, PartialEq, Debug)]
pub struct MpcTable {
    pairs: Vec<MpcCutPair>,
    parameters: Vec<MpcParameters>,
    z: f64,
    exact: MpcModel,
}

/// Why a table is refused.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum MpcError {
    /// No pair at all, or more than can be counted.
    #[error("MPC: a table has 1 to {max} cut pairs, not {0}", max = MpcTable::MAX_PAIRS)]
    PairCount(usize),
    /// A pair whose shallow depth is not below its deep one.
    #[error("MPC: the shallow depth {} of a pair must be below its deep depth {}", .0.shallow, .0.deep)]
    Pair(MpcCutPair),
    /// Pairs not in ascending order of their deep depths.
    #[error("MPC: cut pairs must be sorted by their deep depths")]
    Unsorted,
    /// Not one parameter set per stage and pair.
    #[error("MPC: {pairs} pairs need {} parameter sets (15 stages), not {found}", .pairs * Stage::COUNT)]
    ParameterCount {
        /// Number of pairs.
        pairs: usize,
        /// Number of parameter sets.
        found: usize,
    },
    /// A slope that is not a positive number.
    #[error("MPC: a slope must be a positive number, not {0}")]
    Slope(f64),
    /// An intercept that is not a number.
    #[error("MPC: an intercept must be a finite number, not {0}")]
    Intercept(f64),
    /// A deviation that is not a positive number.
    #[error("MPC: sigma must be a positive number, not {0}")]
    Sigma(f64),
    /// A margin that is not a positive number.
    #[error("MPC: z must be a positive number, not {0}")]
    Z(f64),
}

impl MpcTable {
    /// The most cut pairs that a table can have.
    pub const MAX_PAIRS: usize = 32;

    /// A table with parameters in the order stage 1 pair 1, stage 1 pair 2, …
    pub fn new(pairs: Vec<MpcCutPair>, parameters: Vec<MpcParameters>, z: f64) -> Result<MpcTable, MpcError> {
        let positive = |value: f64| value.is_finite() && value > 0.0;
        if !(1..=MpcTable::MAX_PAIRS).contains(&pairs.len()) {
            return Err(MpcError::PairCount(pairs.len()));
        }
        if let Some(&pair) = pairs.iter().find(|pair| pair.shallow >= pair.deep) {
            return Err(MpcError::Pair(pair));
        }
        if !pairs.is_sorted_by_key(|pair| pair.deep) {
            return Err(MpcError::Unsorted);
        }
        if parameters.len() != pairs.len() * Stage::COUNT {
            return Err(MpcError::ParameterCount { pairs: pairs.len(), found: parameters.len() });
        }
        for &MpcParameters { a, b, sigma } in &parameters {
            if !positive(a) {
                return Err(MpcError::Slope(a));
            }
            if !b.is_finite() {
                return Err(MpcError::Intercept(b));
            }
            if !positive(sigma) {
                return Err(MpcError::Sigma(sigma));
            }
        }
        if !positive(z) {
            return Err(MpcError::Z(z));
        }
        Ok(MpcTable { pairs, parameters, z, exact: MpcModel::EXACT })
    }

    /// The same table with another model of exact scores.
    pub fn with_exact(self, exact: MpcModel) -> Result<MpcTable, MpcError> {
        for empties in 0..=60 {
            let sigma = exact.sigma(0, empties, empties as f64);
            if !(sigma.is_finite() && sigma > 0.0) {
                return Err(MpcError::Sigma(sigma));
            }
        }
        Ok(MpcTable { exact, ..self })
    }

    /// The hand-set table of the literature: slope 1, intercept 0, σ falling with the game.
    pub fn literature() -> MpcTable {
        const SIGMA: [[f64; 3]; 3] = [[800.0, 1200.0, 1600.0], [500.0, 800.0, 1100.0], [300.0, 500.0, 700.0]];
        let pairs = [(2, 6), (4, 10), (6, 14)].map(|(shallow, deep)| MpcCutPair { shallow, deep });
        let parameters = (0..Stage::COUNT)
            .flat_map(|stage| SIGMA[Phase::of_index(stage) as usize])
            .map(|sigma| MpcParameters { a: 1.0, b: 0.0, sigma })
            .collect();
        MpcTable::new(pairs.to_vec(), parameters, 1.645).expect("the table is valid")
    }

    /// The table measured with the bundled weights: a pair for every depth, σ from a smooth model.
    pub fn calibrated() -> MpcTable {
        /// The depths for which there are pairs.
        const DEEP: std::ops::RangeInclusive<u32> = 3..=24;
        /// The margin that played best (`docs/calibration.md`).
        const Z: f64 = 1.1;
        let pairs: Vec<MpcCutPair> = DEEP.map(|deep| MpcCutPair { shallow: deep / 4 * 2 + deep % 2, deep }).collect();
        let cell = |stage: u32, pair: &MpcCutPair| {
            // The middle of the stage.
            let empties = 64.0 - (4.0 * stage as f64 + 1.5);
            MpcParameters { a: 1.0, b: 0.0, sigma: MpcModel::CALIBRATED.sigma(pair.shallow, pair.deep, empties) }
        };
        let stages = 1..=Stage::COUNT as u32;
        let parameters = stages.flat_map(|stage| pairs.iter().map(move |pair| cell(stage, pair))).collect();
        MpcTable::new(pairs, parameters, Z).expect("the table is valid")
    }

    /// The cut pairs, shallowest first.
    pub fn pairs(&self) -> &[MpcCutPair] {
        &self.pairs
    }

    /// The parameters of a stage and a pair.
    #[inline]
    pub fn parameters(&self, stage: Stage, pair: usize) -> MpcParameters {
        self.parameters[stage.index() * self.pairs.len() + pair]
    }

    /// The margin in deviations.
    pub fn z(&self) -> f64 {
        self.z
    }

    /// How far exact scores lie from shallow values.
    pub fn exact(&self) -> &MpcModel {
        &self.exact
    }
}

/// A smooth model of the deviation: ln σ is linear in both depths and the number of empty squares.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MpcModel {
    /// ln σ, in centidiscs, at zero.
    pub intercept: f64,
    /// Change with the shallow depth.
    pub shallow: f64,
    /// Change with the deep depth.
    pub deep: f64,
    /// Change with the number of empty squares.
    pub empties: f64,
}

impl MpcModel {
    /// Fitted with the bundled weights (`reluca calibrate mpc`; see `docs/calibration.md`).
    pub const CALIBRATED: MpcModel = MpcModel { intercept: 6.1618, shallow: -0.1391, deep: 0.0558, empties: -0.01657 };

    /// The same for exact scores, whatever the depth that they take.
    pub const EXACT: MpcModel = MpcModel { intercept: 6.3786, shallow: -0.0587, deep: 0.0, empties: 0.00565 };

    /// The deviation of a deep value from a shallow one, in centidiscs.
    pub fn sigma(&self, shallow: u32, deep: u32, empties: f64) -> f64 {
        let MpcModel { intercept, shallow: by_shallow, deep: by_deep, empties: by_empties } = *self;
        (intercept + by_shallow * shallow as f64 + by_deep * deep as f64 + by_empties * empties).exp()
    }
}

/// Thirds of a game by stage: 1–5, 6–10, 11–15.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Stages 1 to 5.
    Early,
    /// Stages 6 to 10.
    Middle,
    /// Stages 11 to 15.
    Late,
}

impl Phase {
    /// The phase of a stage.
    #[inline]
    pub fn of(stage: Stage) -> Phase {
        Phase::of_index(stage.index())
    }

    fn of_index(index: usize) -> Phase {
        match index {
            0..5 => Phase::Early,
            5..10 => Phase::Middle,
            _ => Phase::Late,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literature(stage: u8, pair: usize) -> MpcParameters {
        MpcTable::literature().parameters(Stage::new(stage).unwrap(), pair)
    }

    #[test]
    fn the_literature_table_has_the_published_values_in_every_cell() {
        for stage in 1..=15 {
            let sigmas = [0, 1, 2].map(|pair| literature(stage, pair).sigma);
            let expected = match stage {
                1..=5 => [800.0, 1200.0, 1600.0],
                6..=10 => [500.0, 800.0, 1100.0],
                _ => [300.0, 500.0, 700.0],
            };
            assert_eq!(sigmas, expected, "stage {stage}");
            assert!((0..3).all(|pair| (literature(stage, pair).a, literature(stage, pair).b) == (1.0, 0.0)));
        }
        assert_eq!(MpcTable::literature().z(), 1.645);
    }

    #[test]
    fn thresholds_follow_the_formulas_and_round_to_the_safe_side() {
        let plain = MpcParameters { a: 1.0, b: 0.0, sigma: 500.0 };
        assert_eq!(plain.beta_threshold(1.645, 100), 923); // 922.5 up
        assert_eq!(plain.alpha_threshold(1.645, 100), -723); // −722.5 down
        let fitted = MpcParameters { a: 0.5, b: 30.0, sigma: 200.0 };
        assert_eq!(fitted.beta_threshold(1.0, 130), 600);
        assert_eq!(fitted.alpha_threshold(1.0, 130), -200);
    }

    #[test]
    fn broken_tables_are_refused_with_the_reason() {
        let pair = |shallow, deep| MpcCutPair { shallow, deep };
        let cell = MpcParameters { a: 1.0, b: 0.0, sigma: 300.0 };
        let error = |pairs: &[MpcCutPair], cell: MpcParameters, z| {
            MpcTable::new(pairs.to_vec(), vec![cell; 15 * pairs.len()], z).unwrap_err().to_string()
        };
        assert_eq!(error(&[], cell, 1.0), "MPC: a table has 1 to 32 cut pairs, not 0");
        assert_eq!(
            error(&[pair(6, 6)], cell, 1.0),
            "MPC: the shallow depth 6 of a pair must be below its deep depth 6"
        );
        assert_eq!(error(&[pair(4, 10), pair(2, 6)], cell, 1.0), "MPC: cut pairs must be sorted by their deep depths");
        let sigma = |sigma| MpcParameters { sigma, ..cell };
        assert_eq!(error(&[pair(2, 6)], sigma(0.0), 1.0), "MPC: sigma must be a positive number, not 0");
        assert_eq!(error(&[pair(2, 6)], sigma(f64::NAN), 1.0), "MPC: sigma must be a positive number, not NaN");
        assert_eq!(error(&[pair(2, 6)], cell, -1.0), "MPC: z must be a positive number, not -1");
        let slope = MpcParameters { a: 0.0, ..cell };
        assert_eq!(error(&[pair(2, 6)], slope, 1.0), "MPC: a slope must be a positive number, not 0");
        let short = MpcTable::new(vec![pair(2, 6)], vec![cell; 14], 1.0).unwrap_err();
        assert_eq!(short.to_string(), "MPC: 1 pairs need 15 parameter sets (15 stages), not 14");
        for intercept in [f64::NAN, 1e3, -1e3] {
            let exact = MpcModel { intercept, ..MpcModel::EXACT };
            assert!(matches!(MpcTable::literature().with_exact(exact), Err(MpcError::Sigma(_))), "{intercept}");
        }
    }
}

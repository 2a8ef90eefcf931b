//! The instruction-set tier that this copy of the engine was compiled for.
//!
//! A tier is a property of the whole build, not of a call: with `-C target-cpu=x86-64-v3` every kernel and all code
//! around it is AVX2/BMI2 code that inlines freely; without it everything is portable. The Python package ships one
//! extension module per tier and picks one at import.

/// An instruction-set tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tier {
    /// Baseline instructions of the target; runs on every machine of its architecture.
    Portable,
    /// x86-64-v3: AVX2, BMI1/2, LZCNT, POPCNT, FMA.
    Avx2,
    /// x86-64-v4: the same kernels, with the instructions of AVX-512 for vectors of any length.
    Avx512,
}

impl Tier {
    /// All tiers, the slowest first.
    pub const ALL: [Tier; 3] = [Tier::Portable, Tier::Avx2, Tier::Avx512];

    /// The tier of this build.
    pub const ACTIVE: Tier = if cfg!(target_feature = "avx512vl") {
        Tier::Avx512
    } else if cfg!(target_feature = "avx2") {
        Tier::Avx2
    } else {
        Tier::Portable
    };

    /// The lower-case name, as the Python package and its environment variable spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Portable => "portable",
            Tier::Avx2 => "avx2",
            Tier::Avx512 => "avx512",
        }
    }

    /// The features of this machine's processor that the tier needs and that are missing, by name.
    pub fn missing_features(self) -> Vec<&'static str> {
        match self {
            Tier::Portable => Vec::new(),
            Tier::Avx2 => missing_for_avx2(),
            Tier::Avx512 => [missing_for_avx2(), missing_for_avx512()].concat(),
        }
    }
}

/// Those of some features that this machine's processor lacks.
#[cfg(target_arch = "x86_64")]
macro_rules! missing {
    ($($feature:tt)*) => {
        [$(($feature, std::arch::is_x86_feature_detected!($feature))),*]
            .into_iter()
            .filter_map(|(name, present)| (!present).then_some(name))
            .collect()
    };
}

#[cfg(target_arch = "x86_64")]
fn missing_for_avx2() -> Vec<&'static str> {
    missing!("avx2" "bmi1" "bmi2" "fma" "f16c" "lzcnt" "movbe" "popcnt" "sse4.2" "ssse3")
}

#[cfg(target_arch = "x86_64")]
fn missing_for_avx512() -> Vec<&'static str> {
    missing!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl")
}

#[cfg(not(target_arch = "x86_64"))]
fn missing_for_avx2() -> Vec<&'static str> {
    vec!["x86-64"]
}

#[cfg(not(target_arch = "x86_64"))]
fn missing_for_avx512() -> Vec<&'static str> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tier_asks_for_all_that_the_one_before_does() {
        assert_eq!(Tier::Portable.missing_features(), Vec::<&str>::new());
        assert!(Tier::ACTIVE.missing_features().is_empty(), "this build runs here");
        for pair in Tier::ALL.windows(2) {
            let [less, more] = [pair[0].missing_features(), pair[1].missing_features()];
            assert!(less.iter().all(|feature| more.contains(feature)), "{less:?} {more:?}");
        }
    }
}

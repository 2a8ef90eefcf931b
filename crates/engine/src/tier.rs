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
}

impl Tier {
    /// The tier of this build.
    pub const ACTIVE: Tier = if cfg!(target_feature = "avx2") { Tier::Avx2 } else { Tier::Portable };

    /// The lower-case name, as the Python package and its environment variable spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Tier::Portable => "portable",
            Tier::Avx2 => "avx2",
        }
    }

    /// The features of this machine's processor that the tier needs and that are missing, by name.
    pub fn missing_features(self) -> Vec<&'static str> {
        match self {
            Tier::Portable => Vec::new(),
            Tier::Avx2 => avx2_missing(),
        }
    }
}

#[cfg(target_arch = "x86_64")]
fn avx2_missing() -> Vec<&'static str> {
    macro_rules! missing {
        ($($feature:tt)*) => {
            [$(($feature, std::arch::is_x86_feature_detected!($feature))),*]
                .into_iter()
                .filter_map(|(name, present)| (!present).then_some(name))
                .collect()
        };
    }
    missing!("avx2" "bmi1" "bmi2" "fma" "f16c" "lzcnt" "movbe" "popcnt" "sse4.2" "ssse3")
}

#[cfg(not(target_arch = "x86_64"))]
fn avx2_missing() -> Vec<&'static str> {
    vec!["x86-64"]
}

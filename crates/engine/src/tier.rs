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
        self.features().into_iter().filter_map(|(name, present)| (!present).then_some(name)).collect()
    }

    /// The features that the tier needs, and whether this machine's processor has them.
    #[cfg(target_arch = "x86_64")]
    fn features(self) -> Vec<(&'static str, bool)> {
        macro_rules! features {
            ($($feature:tt)*) => { vec![$(($feature, std::arch::is_x86_feature_detected!($feature))),*] };
        }
        let mut needed = Vec::new();
        if self != Tier::Portable {
            needed.extend(features!("avx2" "bmi1" "bmi2" "fma" "f16c" "lzcnt" "movbe" "popcnt" "sse4.2" "ssse3"));
        }
        if self == Tier::Avx512 {
            needed.extend(features!("avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl"));
        }
        needed
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn features(self) -> Vec<(&'static str, bool)> {
        if self == Tier::Portable { Vec::new() } else { vec![("x86-64", false)] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tier_needs_all_that_the_one_before_does() {
        let [portable, avx2, avx512] = Tier::ALL.map(Tier::features);
        assert!(portable.is_empty() && !avx2.is_empty() && avx2.iter().all(|feature| avx512.contains(feature)));
        assert!(Tier::ACTIVE.missing_features().is_empty(), "this build runs here");
    }
}

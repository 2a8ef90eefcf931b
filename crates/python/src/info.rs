//! What this copy of the engine is and which processors can run it.

use pyo3::prelude::*;
use reluca_engine::Tier;
use std::collections::BTreeMap;

/// The package version.
#[pyfunction]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The tier that this copy of the module was compiled for.
#[pyfunction]
pub fn active_tier() -> &'static str {
    Tier::ACTIVE.name()
}

/// The processor architecture and operating system that the module was compiled for.
#[pyfunction]
pub fn target() -> String {
    format!("{}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

/// The processor features that each tier needs and this machine lacks.
#[pyfunction]
pub fn missing_features() -> BTreeMap<&'static str, Vec<&'static str>> {
    Tier::ALL.into_iter().map(|tier| (tier.name(), tier.missing_features())).collect()
}

/// How many physical cores this process may use.
#[pyfunction]
pub fn physical_cores() -> usize {
    // In a container fewer may be had than the machine has.
    num_cpus::get_physical().min(num_cpus::get()).max(1)
}

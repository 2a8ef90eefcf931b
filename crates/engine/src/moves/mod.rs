//! Legal-move generation: which empty squares bracket at least one line of opposing discs.
//!
//! `legal` is the kernel of the build's tier. The portable one exists in every build, so tests can compare them.

pub mod portable;

#[cfg(target_feature = "avx2")]
pub mod avx2;
#[cfg(target_feature = "avx2")]
pub use avx2::legal;

#[cfg(not(target_feature = "avx2"))]
pub use portable::legal;

/// Columns b to g: a disc on a or h cannot be bracketed along a row or a diagonal.
const INNER_COLUMNS: u64 = 0x7e7e_7e7e_7e7e_7e7e;

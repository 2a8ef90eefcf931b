//! The extension module `native`; the package ships one copy of it per instruction-set tier.

mod batch;
mod board;
mod engine;
mod errors;
mod info;
mod interrupt;
mod moves;
mod obf;
mod perft;
mod ponder;
mod tune;
mod weights;

use pyo3::prelude::*;

#[pymodule]
mod native {
    #[pymodule_export]
    use super::batch::{batch_final_scores, batch_legal_moves, batch_play};
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::engine::{
        NativeEngine, bench_games, calibrated_tables, native_options, validate_aspiration_table, validate_mpc_table,
        validate_options,
    };
    #[pymodule_export]
    use super::info::{active_tier, missing_features, physical_cores, target, version};
    #[pymodule_export]
    use super::moves::{MoveSet, parse_move};
    #[pymodule_export]
    use super::obf::{format_obf, parse_obf};
    #[pymodule_export]
    use super::perft::perft;
    #[pymodule_export]
    use super::ponder::NativePondering;
    #[pymodule_export]
    use super::tune::{depth_values, fit_weights, read_records, record_positions, selfplay};
    #[pymodule_export]
    use super::weights::Weights;
}

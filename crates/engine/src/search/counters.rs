//! Everything that a search counts.

use crate::mpc::MpcTable;
use crate::table::TableCounts;
use std::ops::{Add, Sub};

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// Counts of one search or one iteration.
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct Counters {
            $($(#[$doc])* pub $name: u64,)*
            /// Multi-ProbCut cuts at beta, by pair.
            pub mpc_beta_cuts: [u64; MpcTable::MAX_PAIRS],
            /// Multi-ProbCut cuts at alpha, by pair.
            pub mpc_alpha_cuts: [u64; MpcTable::MAX_PAIRS],
        }

        impl Counters {
            /// The plain counts with their names.
            pub fn named(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }

        impl Add for Counters {
            type Output = Counters;
            /// What was counted by two threads.
            fn add(self, other: Counters) -> Counters {
                let sum = |one: [u64; MpcTable::MAX_PAIRS], two: [u64; MpcTable::MAX_PAIRS]| {
                    std::array::from_fn(|pair| one[pair] + two[pair])
                };
                Counters {
                    $($name: self.$name + other.$name,)*
                    mpc_beta_cuts: sum(self.mpc_beta_cuts, other.mpc_beta_cuts),
                    mpc_alpha_cuts: sum(self.mpc_alpha_cuts, other.mpc_alpha_cuts),
                }
            }
        }

        impl Sub for Counters {
            type Output = Counters;
            /// What was counted since `earlier`.
            fn sub(self, earlier: Counters) -> Counters {
                let difference = |now: [u64; MpcTable::MAX_PAIRS], then: [u64; MpcTable::MAX_PAIRS]| {
                    std::array::from_fn(|pair| now[pair] - then[pair])
                };
                Counters {
                    $($name: self.$name - earlier.$name,)*
                    mpc_beta_cuts: difference(self.mpc_beta_cuts, earlier.mpc_beta_cuts),
                    mpc_alpha_cuts: difference(self.mpc_alpha_cuts, earlier.mpc_alpha_cuts),
                }
            }
        }
    };
}

counters! {
    /// Positions visited, the root included.
    nodes,
    /// Static evaluations.
    evaluations,
    /// Look-ups in the transposition table.
    table_probes,
    /// Look-ups that found the position.
    table_hits,
    /// Look-ups that ended the node.
    table_cutoffs,
    /// Entries written.
    table_stores,
    /// Entries written over another position.
    table_replacements,
    /// Nodes that ended with a value of at least beta.
    cutoffs,
    /// Cutoffs by the first move searched.
    first_move_cutoffs,
    /// Nodes at which Multi-ProbCut was tried.
    mpc_tries,
    /// Tries inside a shallow search of Multi-ProbCut: none unless `mpc_nesting` allows it.
    mpc_nested_tries,
    /// Moves left out by move-count pruning.
    pruned_moves,
    /// Windows that failed and were widened.
    aspiration_retries,
    /// Searches that fell back to the full window.
    aspiration_fallbacks,
}

impl Counters {
    /// Adds what another part of the search did to the table.
    pub fn add_table(&mut self, counts: TableCounts) {
        self.table_probes += counts.probes;
        self.table_hits += counts.hits;
        self.table_cutoffs += counts.cutoffs;
        self.table_stores += counts.stores;
        self.table_replacements += counts.replacements;
    }

    /// All cuts of Multi-ProbCut.
    pub fn mpc_cuts(&self) -> u64 {
        self.mpc_beta_cuts.iter().chain(&self.mpc_alpha_cuts).sum()
    }
}

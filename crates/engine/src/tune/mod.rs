//! From games to weights: self-play records, and the fit that turns them into parameters.

mod depths;
mod records;
mod selfplay;
mod train;

pub use depths::{DepthPlan, DepthValues, depth_values};
pub use records::{GameRecord, Records, RecordsError, RecordsWriter};
pub use selfplay::{SelfPlay, SelfPlayProgress, play};
pub use train::{Accuracy, Fit, Samples, TrainOptions, TrainProgress, train};

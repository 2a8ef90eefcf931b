//! Weights and their file.
//!
//! All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `RELUCA` 0x1a `W` |
//! | 4 | version of the format: 1 |
//! | 4 | length of the provenance |
//! | 2 × 16 | main and small set: id of the pattern set, stages, scale (units of a disc), parameters of a stage |
//! | … | provenance, UTF-8 |
//! | … | parameters of the main set, 16 bits each, stage by stage; then those of the small set |
//! | 4 | CRC-32 of everything before |

use super::patterns::{MAIN_SET, PatternSet, SMALL_SET};
use crate::memory::ask_for_large_pages;
use crate::stage::Stage;
use std::sync::Arc;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"RELUCA\x1aW";
const VERSION: u32 = 1;
const HEADER: usize = 48;

/// The file in `weights/`, whose README says how it was made.
static BUNDLED: &[u8] = include_bytes!("../../../../weights/reluca.weights");

/// Why bytes are no usable weights.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// Something else altogether.
    #[error("this is not a Reluca weights file")]
    Foreign,
    /// Written by a later release.
    #[error("the weights file has format {0}, made by a newer Reluca; this release reads format {VERSION}")]
    Version(u32),
    /// The end is missing, or there is more than there should be.
    #[error("the weights file should have {expected} bytes, but has {actual}: is it truncated?")]
    Length {
        /// By its header.
        expected: u64,
        /// In truth.
        actual: u64,
    },
    /// Some byte has changed.
    #[error("the weights file is corrupted: its checksum is wrong")]
    Checksum,
    /// Made for other patterns, stages or units.
    #[error("the weights file was made for other patterns than this release has")]
    Patterns,
}

/// The weights of one pattern set, by stage.
pub struct StageWeights {
    values: Vec<i16>,
    per_stage: usize,
}

impl StageWeights {
    /// Units of a disc.
    pub const SCALE: i32 = 128;

    /// The weights of a stage.
    #[inline]
    pub fn stage(&self, stage: Stage) -> &[i16] {
        let start = stage.index() * self.per_stage;
        &self.values[start..start + self.per_stage]
    }

    /// Gives every weight its parameter; `parameters` are those of all stages in turn.
    fn unpack<const LANES: usize>(set: &PatternSet<LANES>, parameters: &[i16]) -> StageWeights {
        let mut values: Vec<i16> = Vec::with_capacity(Stage::COUNT * set.parameters().len());
        ask_for_large_pages(values.as_mut_ptr(), size_of::<i16>() * values.capacity());
        for stage in parameters.chunks_exact(set.parameter_count()) {
            values.extend(set.parameters().iter().map(|&parameter| stage[parameter as usize]));
        }
        StageWeights { values, per_stage: set.parameters().len() }
    }
}

/// Trained weights: those of the main evaluation, and those of the small one that orders moves in the solver.
#[derive(Clone)]
pub struct Weights {
    main: Vec<i16>,
    small: Vec<i16>,
    provenance: String,
    checksum: u32,
}

/// Stages, scale and parameters of a set, as the header has them.
fn description<const LANES: usize>(set: &PatternSet<LANES>) -> [u32; 4] {
    [set.id(), Stage::COUNT as u32, StageWeights::SCALE as u32, set.parameter_count() as u32]
}

impl Weights {
    /// Weights from trained parameters in discs, all stages in turn; a parameter beyond the range of the file is cut
    /// down to it.
    pub fn from_parameters(main: &[f32], small: &[f32], provenance: String) -> Weights {
        assert_eq!(main.len(), Stage::COUNT * MAIN_SET.parameter_count());
        assert_eq!(small.len(), Stage::COUNT * SMALL_SET.parameter_count());
        let quantise = |parameters: &[f32]| -> Vec<i16> {
            parameters.iter().map(|&discs| (discs * StageWeights::SCALE as f32).round() as i16).collect()
        };
        let mut weights = Weights { main: quantise(main), small: quantise(small), provenance, checksum: 0 };
        let bytes = weights.to_bytes();
        weights.checksum = u32::from_le_bytes(bytes[bytes.len() - 4..].try_into().expect("four bytes"));
        weights
    }

    /// The trained parameters in discs, all stages in turn: those of the main evaluation and those of the small one.
    pub fn to_parameters(&self) -> (Vec<f32>, Vec<f32>) {
        let discs = |parameters: &[i16]| -> Vec<f32> {
            parameters.iter().map(|&parameter| parameter as f32 / StageWeights::SCALE as f32).collect()
        };
        (discs(&self.main), discs(&self.small))
    }

    /// The weights that come with the crate.
    pub fn bundled() -> Weights {
        Weights::from_bytes(BUNDLED).expect("a test reads the bundled weights")
    }

    /// How many parameters a stage of the main set, and of the small set, has.
    pub fn parameters_per_stage() -> (usize, usize) {
        (MAIN_SET.parameter_count(), SMALL_SET.parameter_count())
    }

    /// Reads the contents of a weights file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, WeightsError> {
        if bytes.len() < MAGIC.len() || bytes[..MAGIC.len()] != MAGIC {
            return Err(WeightsError::Foreign);
        }
        let truncated =
            |expected: usize| WeightsError::Length { expected: expected as u64, actual: bytes.len() as u64 };
        if bytes.len() < HEADER {
            return Err(truncated(HEADER));
        }
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
        if word(8) != VERSION {
            return Err(WeightsError::Version(word(8)));
        }
        let words = |at: usize| [word(at), word(at + 4), word(at + 8), word(at + 12)];
        if words(16) != description(&*MAIN_SET) || words(32) != description(&*SMALL_SET) {
            return Err(WeightsError::Patterns);
        }
        let provenance_end = HEADER + word(12) as usize;
        let main_end = provenance_end + 2 * Stage::COUNT * MAIN_SET.parameter_count();
        let small_end = main_end + 2 * Stage::COUNT * SMALL_SET.parameter_count();
        if bytes.len() != small_end + 4 {
            return Err(truncated(small_end + 4));
        }
        let checksum = word(small_end);
        if crc32fast::hash(&bytes[..small_end]) != checksum {
            return Err(WeightsError::Checksum);
        }
        let numbers = |part: &[u8]| part.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        Ok(Weights {
            main: numbers(&bytes[provenance_end..main_end]),
            small: numbers(&bytes[main_end..small_end]),
            provenance: String::from_utf8_lossy(&bytes[HEADER..provenance_end]).into_owned(),
            checksum,
        })
    }

    /// The contents of a weights file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let header = [VERSION, self.provenance.len() as u32].into_iter();
        for word in header.chain(description(&*MAIN_SET)).chain(description(&*SMALL_SET)) {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.provenance.as_bytes());
        for parameter in self.main.iter().chain(&self.small) {
            bytes.extend(parameter.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// Where the weights come from, as their maker wrote it.
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// What tells these weights from others.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }

    /// How many of the main evaluation's parameters are not zero, by stage.
    pub fn trained_parameters(&self) -> [usize; Stage::COUNT] {
        let mut stages = self.main.chunks_exact(MAIN_SET.parameter_count());
        std::array::from_fn(|_| {
            let stage = stages.next().expect("there are parameters of every stage");
            stage.iter().filter(|&&parameter| parameter != 0).count()
        })
    }

    pub(super) fn main(&self) -> Arc<StageWeights> {
        Arc::new(StageWeights::unpack(&MAIN_SET, &self.main))
    }

    pub(super) fn small(&self) -> Arc<StageWeights> {
        Arc::new(StageWeights::unpack(&SMALL_SET, &self.small))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some_weights() -> Weights {
        let ramp = |count: usize| (0..count).map(|number| (number % 1001) as f32 / 128.0 - 3.0).collect::<Vec<f32>>();
        let (main, small) = Weights::parameters_per_stage();
        Weights::from_parameters(&ramp(Stage::COUNT * main), &ramp(Stage::COUNT * small), "made up".to_owned())
    }

    /// Bytes with a checksum that is right again.
    fn resealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let end = bytes.len() - 4;
        let checksum = crc32fast::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    fn error(bytes: &[u8]) -> WeightsError {
        Weights::from_bytes(bytes).err().expect("these are no weights")
    }

    #[test]
    fn weights_come_back_from_their_file_as_they_were() {
        let weights = some_weights();
        let read = Weights::from_bytes(&weights.to_bytes()).unwrap();
        assert!(read.main == weights.main && read.small == weights.small);
        assert_eq!((read.provenance(), read.checksum()), ("made up", weights.checksum()));
    }

    #[test]
    fn a_file_that_is_damaged_anywhere_is_refused() {
        let bytes = some_weights().to_bytes();
        for length in [0, 7, 8, 47, 48, 60, bytes.len() / 2, bytes.len() - 1] {
            assert!(matches!(error(&bytes[..length]), WeightsError::Foreign | WeightsError::Length { .. }), "{length}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(matches!(error(&longer), WeightsError::Length { .. }));
        for at in [50, 1000, bytes.len() / 2, bytes.len() - 5, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            assert_eq!(error(&damaged), WeightsError::Checksum, "{at}");
        }
    }

    #[test]
    fn a_foreign_a_newer_and_an_unfit_file_are_told_apart() {
        let bytes = some_weights().to_bytes();
        assert_eq!(error(b"\x7fELF and so on, for at least as long as a header of weights"), WeightsError::Foreign);
        let with = |at: usize, value: u8| {
            let mut changed = bytes.clone();
            changed[at] = value;
            resealed(changed)
        };
        assert_eq!(error(&with(8, 2)), WeightsError::Version(2));
        assert_eq!(error(&with(16, !bytes[16])), WeightsError::Patterns);
        assert_eq!(error(&with(20, 60)), WeightsError::Patterns);
        assert_eq!(error(&with(24, 100)), WeightsError::Patterns);
    }

    #[test]
    fn parameters_beyond_the_range_are_cut_down() {
        let (main, small) = Weights::parameters_per_stage();
        let weights =
            Weights::from_parameters(&vec![1e6; Stage::COUNT * main], &vec![-1e6; Stage::COUNT * small], String::new());
        assert_eq!((weights.main[0], weights.small[0]), (i16::MAX, i16::MIN));
    }

    #[test]
    fn the_bundled_weights_are_trained_in_every_stage() {
        assert!(Weights::bundled().trained_parameters().iter().all(|&count| count > 10_000));
    }
}

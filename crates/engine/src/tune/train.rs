//! The fit: parameters that come closest to the results of many positions.
//!
//! Stage by stage, from the last to the first, the regularised least-squares problem is solved with conjugate
//! gradients, preconditioned by how often each parameter is seen. A stage also learns from its neighbours' positions
//! nearby, and a parameter that it sees rarely is held to what the next stage made of it, which keeps the evaluation
//! smooth from stage to stage and rare patterns sensible; or it is held to earlier weights, which know more games.

use super::records::GameRecord;
use crate::board::Board;
use crate::eval::Weights;
use crate::eval::patterns::{MAIN_SET, PatternSet, SMALL_SET};
use crate::stage::Stage;
use crate::tree::Stopped;
use rayon::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// How to fit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainOptions {
    /// Iterations per stage.
    pub iterations: u32,
    /// How many positions the pull towards the next stage, or towards earlier weights, weighs as much as.
    pub regularisation: f32,
    /// How many discs beyond its own a stage learns from, on both sides.
    pub halo: u32,
    /// How many times as much as the samples earlier weights count, if the fit begins with some: what they learned
    /// from is not seen again, and the mean of two fits errs less than either.
    pub trust: f32,
}

impl Default for TrainOptions {
    fn default() -> TrainOptions {
        TrainOptions { iterations: 30, regularisation: 10.0, halo: 2, trust: 0.0 }
    }
}

/// A position with its mean result, in discs for the side to move.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Sample {
    board: Board,
    score: f32,
}

/// Positions to learn from and positions to judge by, sorted by number of discs.
#[derive(Default)]
pub struct Samples {
    training: Vec<Sample>,
    validation: Vec<Sample>,
}

/// One game in this many is kept for validation.
const VALIDATION: u32 = 50;

impl Samples {
    /// Takes the positions out of games; equal ones, symmetric ones among them, become one with their mean result.
    pub fn from_games<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Samples {
        let (mut training, mut validation) = (Vec::new(), Vec::new());
        for game in games {
            let part = if game.game % VALIDATION == 0 { &mut validation } else { &mut training };
            part.extend(game.positions().map(|(board, score)| Sample { board, score: score as f32 }));
        }
        Samples { training: distinct(training), validation: distinct(validation) }
    }

    /// How many positions there are to learn from, and to judge by.
    pub fn len(&self) -> (usize, usize) {
        (self.training.len(), self.validation.len())
    }

    /// Whether there is nothing to learn from.
    pub fn is_empty(&self) -> bool {
        self.training.is_empty()
    }
}

fn distinct(mut samples: Vec<Sample>) -> Vec<Sample> {
    samples.par_iter_mut().for_each(|sample| sample.board = sample.board.canonical().0);
    samples.par_sort_unstable_by_key(|sample| (sample.board.discs(), sample.board));
    let equal = samples.chunk_by(|left, right| left.board == right.board);
    equal
        .map(|group| {
            let sum: f32 = group.iter().map(|sample| sample.score).sum();
            Sample { score: sum / group.len() as f32, ..group[0] }
        })
        .collect()
}

/// The samples with disc counts in a range.
fn part(samples: &[Sample], least: u32, most: u32) -> &[Sample] {
    let start = samples.partition_point(|sample| sample.board.discs() < least);
    let end = samples.partition_point(|sample| sample.board.discs() <= most);
    &samples[start..end]
}

/// How well estimates agree with results.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Accuracy {
    /// Positions.
    pub positions: usize,
    /// Mean absolute error in discs.
    pub mae: f64,
    /// Root of the mean squared error in discs.
    pub rmse: f64,
    /// Correlation of estimate and result.
    pub correlation: f64,
    /// How much the result grows with the estimate; 1 if the estimate is neither timid nor bold.
    pub slope: f64,
    /// How much the results exceed the estimates on average, in discs.
    pub bias: f64,
}

impl Accuracy {
    /// The accuracy of pairs of an estimate and a result.
    pub fn of(pairs: impl IntoIterator<Item = (f64, f64)>) -> Accuracy {
        let (mut n, mut absolute, mut squared) = (0usize, 0.0, 0.0);
        let (mut x, mut y, mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (estimate, result) in pairs {
            n += 1;
            absolute += (result - estimate).abs();
            squared += (result - estimate).powi(2);
            x += estimate;
            y += result;
            xx += estimate * estimate;
            xy += estimate * result;
            yy += result * result;
        }
        if n == 0 {
            return Accuracy::default();
        }
        let count = n as f64;
        let (variance_x, variance_y) = (xx - x * x / count, yy - y * y / count);
        let covariance = xy - x * y / count;
        let ratio = |value: f64, by: f64| if by > 0.0 { value / by } else { 0.0 };
        Accuracy {
            positions: n,
            mae: absolute / count,
            rmse: (squared / count).sqrt(),
            correlation: ratio(covariance, (variance_x * variance_y).sqrt()),
            slope: ratio(covariance, variance_x),
            bias: (y - x) / count,
        }
    }
}

/// Tells of every iteration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainProgress {
    /// Whether the small evaluation is being fitted.
    pub small: bool,
    /// The stage at hand.
    pub stage: Stage,
    /// The number of the iteration, from 1.
    pub iteration: u32,
    /// Root of the mean squared error on the positions learned from, in discs.
    pub training_rmse: f64,
    /// The same on the positions kept apart.
    pub validation_rmse: f64,
}

/// Fitted parameters.
pub struct Fit {
    /// Parameters of the main evaluation in discs, all stages in turn.
    pub main: Vec<f32>,
    /// Those of the small evaluation.
    pub small: Vec<f32>,
    /// The main evaluation's accuracy, by stage, on the positions kept apart.
    pub accuracy: Vec<Accuracy>,
    /// The small evaluation's.
    pub small_accuracy: Vec<Accuracy>,
}

/// Fits both evaluations, beginning with earlier weights if there are some; a raised `stop` ends it with nothing.
pub fn train(
    samples: &Samples,
    start: Option<&Weights>,
    options: &TrainOptions,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&TrainProgress),
) -> Result<Fit, Stopped> {
    let (main, small) = start.map(Weights::to_parameters).unzip();
    let (main, accuracy) = fit_set(&*MAIN_SET, false, samples, main, options, stop, observe)?;
    let (small, small_accuracy) = fit_set(&*SMALL_SET, true, samples, small, options, stop, observe)?;
    Ok(Fit { main, small, accuracy, small_accuracy })
}

fn fit_set<const LANES: usize>(
    set: &PatternSet<LANES>,
    small: bool,
    samples: &Samples,
    start: Option<Vec<f32>>,
    options: &TrainOptions,
    stop: &AtomicBool,
    observe: &mut dyn FnMut(&TrainProgress),
) -> Result<(Vec<f32>, Vec<Accuracy>), Stopped> {
    let mut stages = vec![Vec::new(); Stage::COUNT];
    let mut accuracies = vec![Accuracy::default(); Stage::COUNT];
    let mut parameters = vec![0.0; set.parameter_count()];
    for number in (1..=Stage::COUNT as u8).rev() {
        let stage = Stage::new(number).expect("stages are numbered from 1");
        let (least, most) = (4 * number as u32, if number == 15 { 64 } else { 4 * number as u32 + 3 });
        let earlier =
            start.as_ref().map(|start| &start[stage.index() * set.parameter_count()..][..set.parameter_count()]);
        if let Some(earlier) = earlier {
            parameters.copy_from_slice(earlier);
        }
        let near = part(&samples.training, least.saturating_sub(options.halo), most + options.halo);
        let training = Problem::new(set, near);
        let validation = Problem::new(set, part(&samples.validation, least, most));
        let mut observe = |iteration, training_rmse, parameters: &[f32]| {
            let validation_rmse = rms(&validation.residuals(parameters));
            observe(&TrainProgress { small, stage, iteration, training_rmse, validation_rmse });
        };
        training.minimise(&mut parameters, options, stop, &mut observe)?;
        for (parameter, earlier) in parameters.iter_mut().zip(earlier.into_iter().flatten()) {
            *parameter = (options.trust * earlier + *parameter) / (options.trust + 1.0);
        }
        let estimates = validation.predict(&parameters).into_iter().map(f64::from);
        let results = validation.results.iter().map(|&result| result as f64);
        accuracies[stage.index()] = Accuracy::of(estimates.zip(results));
        stages[stage.index()] = parameters.clone();
    }
    Ok((stages.concat(), accuracies))
}

fn rms(residuals: &[f32]) -> f64 {
    (dot(residuals, residuals) / residuals.len().max(1) as f64).sqrt()
}

fn dot(left: &[f32], right: &[f32]) -> f64 {
    left.iter().zip(right).map(|(&a, &b)| a as f64 * b as f64).sum()
}

/// A sparse matrix of ones, a row of parameter numbers per position, with the results it should come to.
struct Problem {
    rows: Vec<u32>,
    terms: usize,
    parameter_count: usize,
    results: Vec<f32>,
}

impl Problem {
    fn new<const LANES: usize>(set: &PatternSet<LANES>, samples: &[Sample]) -> Problem {
        let terms = set.terms();
        let mut rows = vec![0; samples.len() * terms];
        rows.par_chunks_exact_mut(terms).zip(samples).for_each(|(row, sample)| {
            row.iter_mut().zip(set.board_parameters(sample.board)).for_each(|(place, parameter)| *place = parameter);
        });
        let results = samples.iter().map(|sample| sample.score).collect();
        Problem { rows, terms, parameter_count: set.parameter_count(), results }
    }

    /// The matrix times a vector of parameters.
    fn predict(&self, parameters: &[f32]) -> Vec<f32> {
        let sum = |row: &[u32]| row.iter().map(|&parameter| parameters[parameter as usize]).sum();
        self.rows.par_chunks_exact(self.terms).map(sum).collect()
    }

    fn residuals(&self, parameters: &[f32]) -> Vec<f32> {
        let predicted = self.predict(parameters);
        predicted.iter().zip(&self.results).map(|(predicted, result)| result - predicted).collect()
    }

    /// The transposed matrix times a vector of one value per position.
    fn collect(&self, values: &[f32]) -> Vec<f32> {
        let zeros = || vec![0.0; self.parameter_count];
        // One part per thread: each needs a vector of its own.
        let per_thread = values.len().div_ceil(rayon::current_num_threads()).max(1);
        let parts = self.rows.par_chunks(per_thread * self.terms).zip(values.par_chunks(per_thread));
        let sums = parts.map(|(rows, values)| {
            let mut sums = zeros();
            for (row, value) in rows.chunks_exact(self.terms).zip(values) {
                row.iter().for_each(|&parameter| sums[parameter as usize] += value);
            }
            sums
        });
        sums.reduce(zeros, |mut left, right| {
            left.iter_mut().zip(right).for_each(|(left, right)| *left += right);
            left
        })
    }

    /// Moves the parameters towards the least squared error, penalised by the squared distance from where they began.
    fn minimise(
        &self,
        parameters: &mut [f32],
        options: &TrainOptions,
        stop: &AtomicBool,
        observe: &mut dyn FnMut(u32, f64, &[f32]),
    ) -> Result<(), Stopped> {
        if self.results.is_empty() {
            return Ok(());
        }
        let seen = self.collect(&vec![1.0; self.results.len()]);
        let scale: Vec<f32> = seen.iter().map(|seen| 1.0 / (seen + options.regularisation)).collect();
        let precondition =
            |gradient: &[f32]| -> Vec<f32> { gradient.iter().zip(&scale).map(|(g, scale)| g * scale).collect() };
        // With x the change of the parameters, M the matrix and r the residuals: (MᵀM + λ) x = Mᵀ r.
        let mut residuals = self.residuals(parameters);
        let mut gradient = self.collect(&residuals);
        let mut direction = precondition(&gradient);
        let mut steepness = dot(&gradient, &direction);
        for iteration in 1..=options.iterations {
            if stop.load(Ordering::Relaxed) {
                return Err(Stopped);
            }
            let change = self.predict(&direction);
            let curvature = dot(&change, &change) + options.regularisation as f64 * dot(&direction, &direction);
            if steepness <= 0.0 || curvature <= 0.0 {
                break;
            }
            let step = (steepness / curvature) as f32;
            parameters.iter_mut().zip(&direction).for_each(|(parameter, direction)| *parameter += step * direction);
            residuals.iter_mut().zip(&change).for_each(|(residual, change)| *residual -= step * change);
            let pull = options.regularisation;
            let back = self.collect(&change);
            for ((gradient, back), direction) in gradient.iter_mut().zip(back).zip(&direction) {
                *gradient -= step * (back + pull * direction);
            }
            let next = precondition(&gradient);
            let next_steepness = dot(&gradient, &next);
            let momentum = (next_steepness / steepness) as f32;
            steepness = next_steepness;
            direction.iter_mut().zip(next).for_each(|(direction, next)| *direction = next + momentum * *direction);
            observe(iteration, rms(&residuals), parameters);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::bench_positions;
    use crate::symmetry::Symmetry;

    fn boards() -> Vec<Board> {
        let mut boards: Vec<Board> = bench_positions().into_iter().map(|position| position.board).collect();
        for index in 0..400 {
            let board = boards[index];
            let children = board.legal_moves().into_iter().map(|square| board.after_move(square, board.flips(square)));
            boards.extend(children.take(3));
        }
        boards
    }

    #[test]
    fn planted_parameters_are_found_again() {
        let planted: Vec<f32> =
            (0..SMALL_SET.parameter_count()).map(|number| (number * 7919 % 97) as f32 / 97.0 - 0.5).collect();
        let samples: Vec<Sample> = boards()
            .into_iter()
            .map(|board| {
                let score = SMALL_SET.board_parameters(board).map(|parameter| planted[parameter as usize]).sum();
                Sample { board, score }
            })
            .collect();
        let problem = Problem::new(&SMALL_SET, &samples);
        let mut found = vec![0.0; SMALL_SET.parameter_count()];
        let before = rms(&problem.residuals(&found));
        let options = TrainOptions { iterations: 60, regularisation: 0.001, halo: 0, ..TrainOptions::default() };
        problem.minimise(&mut found, &options, &AtomicBool::new(false), &mut |_, _, _| {}).unwrap();
        let after = rms(&problem.residuals(&found));
        assert!(before > 0.5 && after < 0.01 * before, "from {before} to {after}");
    }

    #[test]
    fn the_error_that_is_told_is_the_error_there_is() {
        let samples: Vec<Sample> =
            boards().into_iter().map(|board| Sample { board, score: board.player().len() as f32 - 10.0 }).collect();
        let problem = Problem::new(&SMALL_SET, &samples);
        let mut parameters = vec![0.0; SMALL_SET.parameter_count()];
        let mut check = |_, told: f64, parameters: &[f32]| {
            let error = rms(&problem.residuals(parameters));
            assert!((told - error).abs() < 1e-3 * (1.0 + error), "{told} {error}");
        };
        problem.minimise(&mut parameters, &TrainOptions::default(), &AtomicBool::new(false), &mut check).unwrap();
    }

    #[test]
    fn equal_and_symmetric_positions_become_one_with_their_mean() {
        let board = boards()[3];
        let samples = Symmetry::ALL
            .into_iter()
            .enumerate()
            .map(|(number, symmetry)| Sample { board: symmetry.board(board), score: number as f32 })
            .collect();
        let merged = distinct(samples);
        assert_eq!((merged.len(), merged[0].score), (1, 3.5));
    }

    #[test]
    fn accuracy_is_what_the_textbook_says() {
        let accuracy = Accuracy::of([(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)]);
        assert_eq!((accuracy.positions, accuracy.mae, accuracy.slope, accuracy.bias), (3, 2.0, 2.0, 2.0));
        assert!((accuracy.correlation - 1.0).abs() < 1e-9);
        assert_eq!(Accuracy::of([]), Accuracy::default());
    }
}

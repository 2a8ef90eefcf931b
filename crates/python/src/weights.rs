//! Weights for `reluca.weights`.

use crate::errors::WeightsError;
use pyo3::prelude::*;
use reluca_engine::eval::{PatternEvaluator, Weights as EngineWeights};

/// Trained weights of the evaluation; engines that use one object share its memory.
#[pyclass(module = "reluca._engine", frozen, name = "Weights")]
pub struct Weights {
    weights: EngineWeights,
    evaluator: PatternEvaluator,
}

impl Weights {
    pub fn new(weights: EngineWeights) -> Weights {
        let evaluator = PatternEvaluator::new(&weights);
        Weights { weights, evaluator }
    }

    pub fn weights(&self) -> &EngineWeights {
        &self.weights
    }

    pub fn evaluator(&self) -> &PatternEvaluator {
        &self.evaluator
    }

    /// What tells these weights from others.
    pub fn name(&self) -> String {
        format!("{:08x}", self.weights.checksum())
    }
}

#[pymethods]
impl Weights {
    /// Reads the contents of a weights file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: &[u8]) -> PyResult<Weights> {
        py.detach(|| EngineWeights::from_bytes(data).map(Weights::new))
            .map_err(|error| WeightsError::new_err(error.to_string()))
    }

    /// The weights that come with the package.
    #[staticmethod]
    fn bundled(py: Python<'_>) -> Weights {
        py.detach(|| Weights::new(EngineWeights::bundled()))
    }

    /// The contents of a weights file.
    fn to_bytes(&self) -> Vec<u8> {
        self.weights.to_bytes()
    }

    /// What tells these weights from others: the checksum of their file.
    #[getter]
    fn checksum(&self) -> String {
        self.name()
    }

    /// Where the weights come from, as their maker wrote it.
    #[getter]
    fn provenance(&self) -> &str {
        self.weights.provenance()
    }

    /// How many parameters of the main evaluation are not zero, by stage.
    #[getter]
    fn trained_parameters(&self) -> Vec<usize> {
        self.weights.trained_parameters().to_vec()
    }

    /// How many parameters a stage of the main evaluation, and of the small one, has.
    #[getter]
    fn parameters_per_stage(&self) -> (usize, usize) {
        EngineWeights::parameters_per_stage()
    }

    fn __repr__(&self) -> String {
        format!("<Weights {}>", self.name())
    }
}

//! The one place where engine errors become Python exceptions.

use pyo3::prelude::*;
use reluca_engine as engine;

pyo3::import_exception!(reluca.errors, EngineBusyError);
pyo3::import_exception!(reluca.errors, IllegalMoveError);
pyo3::import_exception!(reluca.errors, InvalidArgumentError);
pyo3::import_exception!(reluca.errors, InvalidBoardError);
pyo3::import_exception!(reluca.errors, InvalidOptionsError);
pyo3::import_exception!(reluca.errors, NotationError);
pyo3::import_exception!(reluca.errors, OutOfMemoryError);
pyo3::import_exception!(reluca.errors, RelucaError);
pyo3::import_exception!(reluca.errors, WeightsError);

/// What a panic in the engine becomes.
pub fn panicked() -> PyErr {
    RelucaError::new_err("internal error: the engine panicked; please report it")
}

/// An engine result whose error becomes the Python exception of its kind.
pub trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T> OrRaise<T> for Result<T, engine::IllegalMove> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| IllegalMoveError::new_err(error.to_string()))
    }
}

impl<T> OrRaise<T> for Result<T, engine::OverlapError> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(|error| InvalidBoardError::new_err(error.to_string()))
    }
}

impl<T> OrRaise<T> for Result<T, engine::NotationError> {
    fn or_raise(self) -> PyResult<T> {
        use engine::NotationError as E;
        self.map_err(|error| match error {
            E::Illegal { .. } | E::ObfMove(_) => IllegalMoveError::new_err(error.to_string()),
            _ => NotationError::new_err(error.to_string()),
        })
    }
}

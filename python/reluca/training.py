"""From games to weights: self-play into record files, and the fit of weights to them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reluca import _engine
from reluca._engine import Weights
from reluca.errors import InvalidArgumentError
from reluca.weights import WeightsSource, resolve

Name = str | os.PathLike[str]


@dataclass(frozen=True)
class SelfPlayProgress:
    """How far a run of self-play is."""

    games: int
    """Games in the file, those of earlier runs included."""
    resumed: int
    """Of these, games of earlier runs."""
    positions: list[int]
    """Positions by stage, from stage 1 to 15."""
    cut_bytes: int = 0
    """Bytes of an unfinished game of an earlier run that were cut off the end of the file."""


def selfplay(
    path: Name,
    *,
    games: int,
    depth: int = 4,
    solve_empties: int = 14,
    random_plies: int = 50,
    seed: int = 1,
    threads: int | None = None,
    weights: WeightsSource = None,
    on_progress: Callable[[SelfPlayProgress], object] | None = None,
) -> SelfPlayProgress:
    """Plays games from random openings into a record file until it has `games` of them.

    A game begins with at most `random_plies` random moves, which are not recorded; then play is of fixed `depth`, and
    perfect from `solve_empties` on. A file of the same settings is continued, unless another run is writing it; game
    number n of a seed is the same whatever the number of threads.
    """
    _check_range("games", games, 1, 2**32 - 1)
    _check_range("depth", depth, 1, 60)
    _check_range("solve_empties", solve_empties, 1, 30)
    _check_range("random_plies", random_plies, 0, 50)
    _check_range("seed", seed, 0, 2**64 - 1)

    def tell(*progress: Any) -> None:
        if on_progress is not None:
            on_progress(SelfPlayProgress(*progress))

    native = _engine.selfplay(
        Path(path),
        resolve(weights),
        games=games,
        depth=depth,
        solve_empties=solve_empties,
        random_plies=random_plies,
        seed=seed,
        threads=thread_count(threads),
        on_progress=tell,
    )
    return SelfPlayProgress(*native)


@dataclass(frozen=True)
class Accuracy:
    """How well estimates agree with results."""

    positions: int
    mae: float
    """Mean absolute error in discs."""
    rmse: float
    """Root of the mean squared error in discs."""
    correlation: float
    slope: float
    """How much the result grows with the estimate: above 1 the estimates are timid, below 1 bold."""
    bias: float
    """How much results exceed estimates on average, in discs."""

    @staticmethod
    def of(estimates: NDArray[np.float64], results: NDArray[np.float64]) -> Accuracy:
        """Compares estimates with results, both in discs.

        >>> accuracy = Accuracy.of(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
        >>> accuracy.mae, accuracy.slope
        (2.0, 2.0)
        """
        if len(estimates) == 0:
            return Accuracy(0, 0.0, 0.0, 0.0, 0.0, 0.0)
        error = results - estimates
        spread = float(estimates.std() * results.std())
        covariance = float(np.mean((estimates - estimates.mean()) * (results - results.mean())))
        return Accuracy(
            positions=len(estimates),
            mae=float(np.abs(error).mean()),
            rmse=float(np.sqrt((error**2).mean())),
            correlation=covariance / spread if spread else 0.0,
            slope=covariance / float(estimates.var()) if estimates.var() else 0.0,
            bias=float(error.mean()),
        )


@dataclass(frozen=True)
class Step:
    """One iteration of the fit of one stage."""

    small: bool
    """Whether the small evaluation, which orders moves in the solver, is being fitted."""
    stage: int
    iteration: int
    training_rmse: float
    validation_rmse: float


@dataclass(frozen=True)
class Training:
    """Fitted weights and how good they are."""

    weights: Weights
    training_positions: int
    validation_positions: int
    accuracy: list[Accuracy]
    """The main evaluation's, by stage, on games that were kept apart."""
    small_accuracy: list[Accuracy]
    """The small evaluation's."""
    steps: list[Step]
    """The learning curves."""


def train(
    records: Iterable[Name],
    *,
    start: WeightsSource = None,
    iterations: int = 30,
    regularisation: float = 10.0,
    halo: int = 2,
    trust: float = 0.0,
    name: str = "",
    threads: int | None = None,
    on_step: Callable[[Step], object] | None = None,
) -> Training:
    """Fits weights to the games of record files.

    One game in fifty is kept apart to judge by. A stage also learns from positions with up to `halo` discs more or
    less than its own, and a parameter is held to the next stage's as if `regularisation` positions had said so; or,
    if the fit is to `start` with trained weights, to theirs. Those count `trust` times as much as the games in the end:
    the result is the mean of both, which errs less than either.
    """
    paths = [Path(record) for record in records]
    if not paths:
        raise InvalidArgumentError("training needs at least one record file")
    _check_range("iterations", iterations, 1, 10_000)
    _check_range("halo", halo, 0, 60)
    if not 0 < regularisation < float("inf"):
        raise InvalidArgumentError(f"regularisation must be a number above 0, not {regularisation!r}")
    if not 0 <= trust < float("inf"):
        raise InvalidArgumentError(f"trust must be a number of at least 0, not {trust!r}")
    if trust and start is None:
        raise InvalidArgumentError("trust needs weights to start with")
    earlier = None if start is None else resolve(start)
    if start is not None and earlier is None:
        raise InvalidArgumentError("the hand-made evaluation has no weights to start with")
    steps: list[Step] = []

    def tell(*step: Any) -> None:
        steps.append(Step(*step))
        if on_step is not None:
            on_step(steps[-1])

    settings = f"{iterations} iterations, regularisation {regularisation:g}, halo {halo}"
    if earlier is not None:
        settings += f", from weights {earlier.checksum}" + (f", which count {trust:g} times" if trust else "")
    native = _engine.fit_weights(
        paths,
        earlier,
        iterations=iterations,
        regularisation=regularisation,
        halo=halo,
        trust=trust,
        provenance="\n".join([*([name] if name else []), settings, *(describe_records(path) for path in paths)]),
        threads=thread_count(threads),
        on_progress=tell,
    )
    return Training(
        weights=native["weights"],
        training_positions=native["training_positions"],
        validation_positions=native["validation_positions"],
        accuracy=[Accuracy(*row) for row in native["accuracy"]],
        small_accuracy=[Accuracy(*row) for row in native["small_accuracy"]],
        steps=steps,
    )


def describe_records(path: Name) -> str:
    """What a record file holds, in one line."""
    settings, games, records, unfinished = _engine.read_records(Path(path))
    rest = f"; {unfinished} bytes of an unfinished game left out" if unfinished else ""
    return f"{games} games ({records - games} branches): {settings}{rest}"


def thread_count(threads: int | None) -> int:
    """So many threads, or as many as there are cores."""
    if threads is None:
        return os.cpu_count() or 1
    _check_range("threads", threads, 1, 1024)
    return threads


def _check_range(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidArgumentError(f"{name} must be a whole number from {least} to {most}, not {value!r}")

"""Calibration: the tables of Multi-ProbCut and of aspiration windows, measured instead of guessed.

Positions are searched to every depth without any pruning; what shallow searches say of deep ones becomes the tables.
Values and deviations are in centidiscs.
"""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reluca import _engine, batch
from reluca.batch import Boards
from reluca.engine import Engine
from reluca.errors import InvalidArgumentError, NotationError
from reluca.limits import Limit
from reluca.options import SearchOptions
from reluca.tables import (
    STAGES,
    AspirationParameterTable,
    MpcCutPair,
    MpcParameters,
    MpcParameterTable,
    confidence_of_z,
)
from reluca.training import Name, selfplay, thread_count
from reluca.weights import HAND_MADE, WeightsSource, resolve

UNKNOWN = -32768
"""In the place of a value that was not searched for."""

Progress = Callable[[int], object]


def _stages(empties: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.clip((64 - empties) // 4, 1, 15)


def sample_boards(
    per_stage: int, *, seed: int = 1, records: Iterable[Name] = (), weights: WeightsSource = None
) -> Boards:
    """Positions of self-play, equally many of every stage from 3 to 14, in random order.

    They come from record files, or from games played for the purpose; random openings make quiet and wild ones.
    """
    paths = [Path(record) for record in records]
    if paths:
        boards = np.concatenate([_engine.record_positions(path)[0] for path in paths])
    else:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "games.rec"
            selfplay(path, games=max(3 * per_stage, 50), depth=2, solve_empties=8, seed=seed, weights=weights)
            boards = _engine.record_positions(path)[0]
    stages = _stages(batch.empties(boards))
    generator = np.random.default_rng(seed)
    chosen = []
    for stage in range(3, 15):
        there = np.flatnonzero(stages == stage)
        if len(there) < per_stage:
            raise InvalidArgumentError(f"stage {stage}: the games have {len(there)} positions, not {per_stage}")
        chosen.append(generator.choice(there, per_stage, replace=False))
    picked: Boards = boards[generator.permutation(np.concatenate(chosen))]
    return picked


@dataclass(frozen=True)
class DepthSamples:
    """Boards and their values at every depth."""

    boards: Boards
    values: NDArray[np.int16]
    """By board and depth from 0 on; `UNKNOWN` where the game ends before."""
    exact: NDArray[np.int16]
    """The solved values; `UNKNOWN` where none was asked for."""
    settings: dict[str, Any]
    """Weights and depths."""

    def __len__(self) -> int:
        return len(self.boards)


def collect(
    path: Name,
    boards: Boards,
    *,
    depth: int = 12,
    solve_empties: int = 20,
    weights: WeightsSource = None,
    threads: int | None = None,
    force: bool = False,
    on_progress: Progress | None = None,
) -> DepthSamples:
    """Searches boards to every depth and appends their values to a file; boards that it has already are not searched.

    An interrupted run loses at most the boards in hand. A file made with other weights or depths is refused, unless
    `force` says to use it as it is.
    """
    chosen = resolve(weights)
    settings = {
        "weights": HAND_MADE if chosen is None else chosen.checksum,
        "depth": depth,
        "solve_empties": solve_empties,
    }
    file = Path(path)
    if not file.exists():
        file.write_text(f"# {json.dumps(settings)}\n", encoding="utf-8")
    samples = read_samples(file)
    if samples.settings != settings:
        if force:
            return samples
        raise InvalidArgumentError(
            f"{file} was made with {json.dumps(samples.settings)}, not with {json.dumps(settings)}"
        )
    known = {(int(player), int(opponent)) for player, opponent in samples.boards}
    missing = [row for row in boards if (int(row[0]), int(row[1])) not in known]
    done = len(boards) - len(missing)
    step = 8 * thread_count(threads)
    for start in range(0, len(missing), step):
        part = np.array(missing[start : start + step], dtype=np.uint64)
        values, exact = _engine.depth_values(
            part,
            chosen,
            depth=depth,
            solve_empties=solve_empties,
            threads=thread_count(threads),
            on_progress=None,
        )
        rows = (
            f"{player:016x},{opponent:016x},{end},{','.join(map(str, row))}\n"
            for (player, opponent), end, row in zip(part.tolist(), exact.tolist(), values.tolist(), strict=True)
        )
        with file.open("a", encoding="utf-8") as out:
            out.write("".join(rows))
        done += len(part)
        if on_progress is not None:
            on_progress(done)
    return read_samples(file)


def read_samples(path: Name) -> DepthSamples:
    """Reads a file of samples; a last line that was cut off is removed from it."""
    file = Path(path)
    text = file.read_text(encoding="utf-8", errors="replace")
    if text and not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
        file.write_text(text, encoding="utf-8")
    head, _, body = text.partition("\n")
    try:
        settings = json.loads(head.removeprefix("# "))
        rows = [line.split(",") for line in body.splitlines()]
        boards = np.array([[int(row[0], 16), int(row[1], 16)] for row in rows], dtype=np.uint64).reshape(-1, 2)
        values = np.array([row[3:] for row in rows], dtype=np.int16).reshape(len(rows), settings["depth"] + 1)
        exact = np.array([row[2] for row in rows], dtype=np.int16)
    except (ValueError, IndexError, KeyError, TypeError) as error:
        raise NotationError(f"{file}: not a file of samples: {error}") from None
    return DepthSamples(boards, values, exact, settings)


@dataclass(frozen=True)
class MpcModel:
    """ln σ = intercept + shallow · s + deep · d + empties · e."""

    intercept: float
    shallow: float
    deep: float
    empties: float

    def sigma(self, shallow: int, deep: int, empties: float) -> float:
        """The deviation of a deep value from a shallow one."""
        return math.exp(self.intercept + self.shallow * shallow + self.deep * deep + self.empties * empties)


@dataclass(frozen=True)
class Cell:
    """What was measured for a stage and a pair."""

    stage: int
    shallow: int
    deep: int
    count: int
    a: float
    b: float
    sigma: float
    """The root of the mean squared difference of deep and shallow value."""
    low: float
    """The 95 % interval of sigma."""
    high: float
    model_sigma: float
    from_model: bool
    """Whether there are too few samples, so that the model alone speaks for the cell."""


@dataclass(frozen=True)
class Coverage:
    """How often a cut would have been right, on samples that the model did not see."""

    where: str
    z: float
    count: int
    predicted: float
    observed: float

    @property
    def overconfidence(self) -> float:
        """How much less often it was right than predicted, less what chance explains (two standard errors)."""
        error = math.sqrt(self.predicted * (1 - self.predicted) / max(self.count, 1))
        return self.predicted - self.observed - 2 * error


@dataclass(frozen=True)
class MpcCalibration:
    """The measured table of Multi-ProbCut."""

    model: MpcModel
    endgame_model: MpcModel | None
    """For exact scores, with the number of empty squares as the deep depth; none if none were solved."""
    cells: list[Cell]
    coverage: list[Coverage]
    z: float
    samples: int
    settings: dict[str, Any]

    @property
    def blessed(self) -> bool:
        """Whether no margin is over-confident by more than two points."""
        return all(row.overconfidence <= 0.02 for row in self.coverage)

    def table(self, *, smooth: bool = True) -> MpcParameterTable:
        """The table: a pair for every depth from 3 to 24 by the model, or the measured cells of the seeds' pairs."""
        if smooth:
            pairs = [MpcCutPair(deep // 4 * 2 + deep % 2, deep) for deep in range(3, 25)]
            return self._table(pairs, {})
        measured = {
            (c.stage, c.shallow, c.deep): MpcParameters(c.a, c.b, c.sigma) for c in self.cells if not c.from_model
        }
        return self._table([MpcCutPair(2, 6), MpcCutPair(4, 10), MpcCutPair(6, 14)], measured)

    def _table(
        self, pairs: Sequence[MpcCutPair], measured: dict[tuple[int, int, int], MpcParameters]
    ) -> MpcParameterTable:
        def cell(stage: int, pair: MpcCutPair) -> MpcParameters:
            sigma = self.model.sigma(pair.shallow, pair.deep, _middle(stage))
            return measured.get((stage, pair.shallow, pair.deep), MpcParameters(1.0, 0.0, sigma))

        rows = tuple(tuple(cell(stage, pair) for pair in pairs) for stage in STAGES)
        return MpcParameterTable(tuple(pairs), rows, self.z)

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON; `table` is what `MpcParameterTable.from_dict` reads."""
        return {
            "provenance": {**self.settings, "samples": self.samples, "date": date.today().isoformat()},
            "blessed": self.blessed,
            "model": asdict(self.model),
            "endgame_model": None if self.endgame_model is None else asdict(self.endgame_model),
            "coverage": [asdict(row) for row in self.coverage],
            "cells": [asdict(cell) for cell in self.cells],
            "table": self.table().to_dict(),
        }


def _middle(stage: int) -> float:
    """The number of empty squares in the middle of a stage."""
    return 64 - (4 * stage + 1.5)


FEW = 25
"""With fewer samples a cell is left to the model."""


def fit_mpc(samples: DepthSamples, *, z: float = 1.1, seed: int = 1) -> MpcCalibration:
    """Fits the deviation of deep values from shallow ones, smooth in both depths and the number of empty squares.

    Pairs have equal parity. Coverage is judged on halves that the model did not see.
    """
    if len(samples) < 2 * FEW:
        raise InvalidArgumentError(f"{len(samples)} samples are too few; {2 * FEW} are the least")
    points = _points(samples)
    model = _fit_model(points)
    cells = _cells(points, model)
    coverage = _cross_coverage(points, len(samples), seed)
    endgame = _endgame_points(samples)
    endgame_model = _fit_model(endgame) if len(endgame) > 4 * FEW else None
    return MpcCalibration(model, endgame_model, cells, coverage, z, len(samples), samples.settings)


_POINT = np.dtype([("sample", "i4"), ("empties", "i4"), ("s", "i4"), ("d", "i4"), ("shallow", "f8"), ("deep", "f8")])


def _points(samples: DepthSamples) -> NDArray[np.void]:
    """Every pair of a shallow and a deep value of one sample."""
    empties = batch.empties(samples.boards)
    parts = []
    for deep in range(3, samples.values.shape[1]):
        for shallow in range(deep % 2, deep, 2):
            # A search that reads to the end is no search of some depth.
            known = np.flatnonzero((samples.values[:, deep] != UNKNOWN) & (empties > deep))
            part = np.empty(len(known), dtype=_POINT)
            part["sample"], part["empties"], part["s"], part["d"] = known, empties[known], shallow, deep
            part["shallow"], part["deep"] = samples.values[known, shallow], samples.values[known, deep]
            parts.append(part)
    return np.concatenate(parts)


def _endgame_points(samples: DepthSamples) -> NDArray[np.void]:
    """Every pair of a shallow and the exact value of one sample."""
    empties = batch.empties(samples.boards)
    parts = []
    for shallow in range(0, min(9, samples.values.shape[1])):
        solved = (samples.exact != UNKNOWN) & (samples.values[:, shallow] != UNKNOWN) & (empties > shallow + 2)
        known = np.flatnonzero(solved)
        part = np.empty(len(known), dtype=_POINT)
        part["sample"], part["empties"], part["s"], part["d"] = known, empties[known], shallow, empties[known]
        part["shallow"], part["deep"] = samples.values[known, shallow], samples.exact[known]
        parts.append(part)
    return np.concatenate(parts)


def _fit_model(points: NDArray[np.void]) -> MpcModel:
    """Maximum likelihood of normal errors whose ln σ is linear, by Newton steps."""
    squares = np.maximum((points["deep"] - points["shallow"]) ** 2, 1.0)
    same = bool((points["d"] == points["empties"]).all())
    columns = [np.ones(len(points)), points["s"], np.zeros(len(points)) if same else points["d"], points["empties"]]
    design = np.stack(columns, axis=1).astype(float)
    use = [0, 1, 3] if same else [0, 1, 2, 3]
    matrix = design[:, use]
    found = np.zeros(len(use))
    found[0] = 0.5 * math.log(float(squares.mean()))
    for _ in range(50):
        ratio = squares * np.exp(-2 * (matrix @ found))
        step = np.linalg.solve(matrix.T @ (matrix * ratio[:, None]) * 2, matrix.T @ (ratio - 1))
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    full = np.zeros(4)
    full[use] = found
    return MpcModel(*(float(value) for value in full))


def _sigmas(model: MpcModel, points: NDArray[np.void]) -> NDArray[np.float64]:
    exponents = (
        model.intercept + model.shallow * points["s"] + model.deep * points["d"] + model.empties * points["empties"]
    )
    sigmas: NDArray[np.float64] = np.exp(exponents)
    return sigmas


def _cells(points: NDArray[np.void], model: MpcModel) -> list[Cell]:
    cells = []
    stages = _stages(points["empties"].astype(np.int64))
    for stage in range(3, 15):
        for deep in range(3, int(points["d"].max()) + 1):
            for shallow in range(deep % 2, deep, 2):
                part = points[(stages == stage) & (points["d"] == deep) & (points["s"] == shallow)]
                if len(part):
                    cells.append(_cell(stage, shallow, deep, part, model.sigma(shallow, deep, _middle(stage))))
    return cells


def _cell(stage: int, shallow: int, deep: int, part: NDArray[np.void], model_sigma: float) -> Cell:
    if len(part) < FEW:
        return Cell(stage, shallow, deep, len(part), 1.0, 0.0, model_sigma, 0.0, 0.0, model_sigma, True)
    a, b = np.polyfit(part["shallow"], part["deep"], 1)
    sigma = float(np.sqrt(np.mean((part["deep"] - part["shallow"]) ** 2)))
    error = 1.96 * sigma / math.sqrt(2 * len(part))
    return Cell(
        stage, shallow, deep, len(part), float(a), float(b), sigma, sigma - error, sigma + error, model_sigma, False
    )


def _cross_coverage(points: NDArray[np.void], samples: int, seed: int) -> list[Coverage]:
    """Judges every half of the samples by the model of the other half."""
    half = np.random.default_rng(seed).permutation(samples) % 2
    errors = np.empty(len(points))
    for side in (0, 1):
        unseen = half[points["sample"]] == side
        sigmas = _sigmas(_fit_model(points[~unseen]), points[unseen])
        errors[unseen] = (points["deep"][unseen] - points["shallow"][unseen]) / sigmas
    stages = _stages(points["empties"].astype(np.int64))
    # The pairs that the table uses.
    used = points["s"] == points["d"] // 4 * 2 + points["d"] % 2
    groups = [
        (f"stages {low}-{high}", used & (stages >= low) & (stages <= high))
        for low, high in ((3, 5), (6, 8), (9, 11), (12, 14))
    ]
    groups += [
        (f"pair ({deep // 4 * 2 + deep % 2}, {deep})", used & (points["d"] == deep))
        for deep in range(3, int(points["d"].max()) + 1)
    ]
    rows = []
    for where, chosen in groups:
        for z in (1.1, 1.645, 2.0):
            part = errors[chosen]
            if len(part) >= FEW:
                # Both sides of the bound count: a cut above it and a cut below it.
                observed = 0.5 * float((part >= -z).mean() + (part <= z).mean())
                rows.append(Coverage(where, z, len(part), confidence_of_z(z), observed))
    return rows


@dataclass(frozen=True)
class WindowTrial:
    """What one width of the aspiration window cost."""

    delta: int
    scheme: str
    """`exponential` or `doubling`, and `same parity` if the window lies around the value of two iterations ago."""
    phase: str
    nodes: int
    full_nodes: int
    """The nodes of the full window."""
    retry_rate: float
    """Retries per iteration."""
    fallback_rate: float
    agreement: float
    """How often the move is that of the full window."""


@dataclass(frozen=True)
class AspirationCalibration:
    """The measured half-widths of the aspiration window."""

    changes: dict[str, dict[int, list[float]]]
    """By phase and depth: the 50th, 80th and 95th percentile of |value(d) - value(d-1)|, then of two iterations."""
    trials: list[WindowTrial]
    table: AspirationParameterTable
    settings: dict[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "provenance": {**self.settings, "date": date.today().isoformat()},
            "changes": self.changes,
            "trials": [asdict(trial) for trial in self.trials],
            "table": self.table.to_dict(),
        }


PHASES = {"early": range(1, 6), "middle": range(6, 11), "late": range(11, 16)}
"""Thirds of the game by stage."""


def value_changes(samples: DepthSamples) -> dict[str, dict[int, list[float]]]:
    """How much values change from one iteration, and from two iterations, to the next, by phase and depth."""
    stages = _stages(batch.empties(samples.boards))
    values = samples.values.astype(np.float64)
    values[samples.values == UNKNOWN] = np.nan
    found: dict[str, dict[int, list[float]]] = {}
    for phase, numbers in PHASES.items():
        there = values[np.isin(stages, list(numbers))]
        found[phase] = {}
        for depth in range(3, values.shape[1]):
            one, two = (np.abs(there[:, depth] - there[:, depth - back]) for back in (1, 2))
            one, two = one[~np.isnan(one)], two[~np.isnan(two)]
            if len(one) >= FEW:
                found[phase][depth] = [float(np.percentile(c, q)) for c in (one, two) for q in (50, 80, 95)]
    return found


def calibrate_aspiration(
    samples: DepthSamples,
    *,
    depth: int = 12,
    boards_per_phase: int = 40,
    deltas: Sequence[int] = (50, 100, 150, 200, 300, 400, 600, 800),
    options: SearchOptions | None = None,
    weights: WeightsSource = None,
    on_progress: Progress | None = None,
) -> AspirationCalibration:
    """Searches boards with windows of many widths and picks, by phase, the width that costs the fewest nodes.

    Only widths with fewer than one retry in five iterations and one fallback in twenty are picked, if there are any.
    """
    base = options or SearchOptions.strongest()
    stages = _stages(batch.empties(samples.boards))
    trials: list[WindowTrial] = []
    picked: dict[str, int] = {}
    full = replace(base, use_aspiration_window=False)
    schemes = {
        f"{growth}{', same parity' if same else ''}": (growth == "exponential", same)
        for growth in ("exponential", "doubling")
        for same in (False, True)
    }
    done = 0
    for phase, numbers in PHASES.items():
        boards = batch.to_boards(samples.boards[np.isin(stages, list(numbers))][:boards_per_phase])
        reference = _run(boards, full, depth, weights)
        for scheme, (exponential, same) in schemes.items():
            for delta in deltas:
                tried = replace(
                    base,
                    use_aspiration_window=True,
                    aspiration_use_stage_table=exponential,
                    aspiration_table=AspirationParameterTable((delta,) * 15, delta),
                    aspiration_delta=delta,
                    aspiration_same_parity=same,
                )
                trials.append(_trial(delta, scheme, phase, _run(boards, tried, depth, weights), reference))
                done += 1
                if on_progress is not None:
                    on_progress(done)
        candidates = [t for t in trials if t.phase == phase and t.scheme == "exponential, same parity"]
        good = [t for t in candidates if t.retry_rate < 0.2 and t.fallback_rate < 0.05] or candidates
        picked[phase] = min(good, key=lambda trial: trial.nodes).delta
    by_stage = tuple(next(picked[phase] for phase, numbers in PHASES.items() if stage in numbers) for stage in STAGES)
    table = AspirationParameterTable(by_stage, picked["middle"])
    settings = {**samples.settings, "search_depth": depth, "boards_per_phase": boards_per_phase}
    return AspirationCalibration(value_changes(samples), trials, table, settings)


@dataclass(frozen=True)
class _Runs:
    nodes: int
    iterations: int
    retries: int
    fallbacks: int
    moves: list[Any]


def _run(boards: Sequence[_engine.Board], options: SearchOptions, depth: int, weights: WeightsSource) -> _Runs:
    engine = Engine(options, table_mb=32, weights=weights)
    results = []
    for board in boards:
        engine.new_game()
        results.append(engine.search(board, Limit(depth=depth)))
    return _Runs(
        nodes=sum(result.nodes for result in results),
        iterations=sum(max(len(result.iterations) - 1, 0) for result in results),
        retries=sum(result.counters.aspiration_retries for result in results),
        fallbacks=sum(result.counters.aspiration_fallbacks for result in results),
        moves=[result.best_move for result in results],
    )


def _trial(delta: int, scheme: str, phase: str, runs: _Runs, full: _Runs) -> WindowTrial:
    same = sum(a == b for a, b in zip(runs.moves, full.moves, strict=True))
    iterations = max(runs.iterations, 1)
    return WindowTrial(
        delta,
        scheme,
        phase,
        runs.nodes,
        full.nodes,
        runs.retries / iterations,
        runs.fallbacks / iterations,
        same / max(len(runs.moves), 1),
    )


def write_json(calibration: MpcCalibration | AspirationCalibration, path: Name) -> None:
    """Writes a calibration; an old file of this name is replaced only when the new one is complete."""
    target = Path(path)
    partial = target.with_name(target.name + ".part")
    partial.write_text(json.dumps(calibration.to_dict(), indent=1), encoding="utf-8")
    os.replace(partial, target)

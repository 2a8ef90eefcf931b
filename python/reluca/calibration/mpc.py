"""The table of Multi-ProbCut: how far deep values lie from shallow ones.

Fits are judged on halves of the samples that they did not see. Deviations are in centidiscs, a margin z in deviations.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from reluca.calibration.samples import SAMPLED, UNKNOWN, DepthSamples, stages_of
from reluca.errors import InvalidArgumentError
from reluca.tables import (
    STAGES,
    MpcCutPair,
    MpcModel,
    MpcParameters,
    MpcParameterTable,
    confidence_of_z,
    z_of_confidence,
)

FEW = 25
"""With fewer samples a cell is left to the model."""

FEW_EXACT = 4 * FEW
"""Up to this many exact values, from all depths together, nothing is made of them."""

MOST_OVERCONFIDENT = 0.02
"""A table whose margins are right less often than they promise, by more than this, is not blessed."""

GREATEST_ERROR = 0.005
"""The greatest standard error, of the coverage of all samples together, with which a table is judged.

Two of them are half of `MOST_OVERCONFIDENT`.
"""

GREATEST_EXACT_ERROR = 0.01
"""The same for exact values, of which there are fewer: only late positions are solved."""

LEAST_JUDGED = 0.9
"""The least share of cells of stage and pair, of those that the samples can reach, that must be judged."""

MARGINS = (1.1, 1.645, 2.0)
"""The margins that every table is judged at, beside its own."""

WORTH_A_LINE = 0.03
"""By how much a fitted line must lower the deviation before it is worth more than slope 1 and intercept 0."""


def shallow_of(deep: int) -> int:
    """The shallow depth that the table pairs with a deep one: about half of it, of the same parity."""
    return deep // 4 * 2 + deep % 2


@dataclass(frozen=True)
class Cell:
    """What was measured for a stage and a pair; errors are half-widths of 95 % intervals."""

    stage: int
    shallow: int
    deep: int
    count: int
    sigma: float
    """The root of the mean squared difference of deep and shallow value: the deviation from slope 1 and intercept 0."""
    low: float
    """The 95 % interval of sigma."""
    high: float
    a: float
    """The slope of the fitted line."""
    a_error: float
    b: float
    """The intercept of the fitted line."""
    b_error: float
    residual: float
    """The deviation from the fitted line."""
    model_sigma: float
    from_model: bool
    """Whether there are too few samples, so that the model alone speaks for the cell."""


@dataclass(frozen=True)
class LineFit:
    """Whether a pair is better served by a fitted line than by slope 1 and intercept 0, all stages together."""

    shallow: int
    deep: int
    count: int
    a: float
    a_error: float
    """Half the width of the 95 % interval."""
    b: float
    b_error: float
    sigma: float
    """The deviation from slope 1 and intercept 0."""
    fitted: float
    """The deviation from the line, on halves that it was not fitted to."""

    @property
    def gain(self) -> float:
        """By how much the line lowers the deviation, as a share."""
        return 1 - self.fitted / self.sigma if self.sigma else 0.0

    @property
    def pays(self) -> bool:
        """Whether that is worth it."""
        return self.gain > WORTH_A_LINE


@dataclass(frozen=True)
class Coverage:
    """How often a cut would have been right, on samples that the model did not see."""

    where: str
    """A stage, a pair, both, or a depth whose value is compared with the exact one."""
    z: float
    count: int
    predicted: float
    observed: float
    error: float = 0.0
    """The standard error of `observed`; values of one board count as one observation."""
    allowed: float = 2.0
    """How many standard errors are put down to chance: more where many cells are judged."""
    stage: int | None = None
    deep: int | None = None

    @property
    def overconfidence(self) -> float:
        """How much less often it was right than predicted, less what chance explains."""
        return self.predicted - self.observed - self.allowed * self.error


@dataclass(frozen=True)
class Evidence:
    """How much the samples prove."""

    error: float
    """The standard error of the coverage of all samples together; `GREATEST_ERROR` is the greatest that will do."""
    exact_error: float
    """The same for exact values; zero if none were solved. `GREATEST_EXACT_ERROR` is the greatest that will do."""
    cells: int
    """Cells of stage and pair that the samples can reach."""
    judged: int
    """Those with enough samples to be judged; `LEAST_JUDGED` is the least share that will do."""
    missing: int
    """About how many more samples are needed, evenly spread over the stages; 0 if there are enough."""


Verdict = Literal["blessed", "over-confident", "not proved"]


@dataclass(frozen=True)
class Normality:
    """The shape of the errors of a pair in deviations of the model; a normal error has 0, 1, 0, 0."""

    where: str
    count: int
    mean: float
    deviation: float
    skewness: float
    excess_kurtosis: float
    """Above zero: more small and more large errors than a normal curve has."""
    distance: float
    """The greatest distance between their distribution and the normal one (Kolmogorov and Smirnov)."""
    critical: float
    """What normal errors exceed in one of twenty cases."""

    @property
    def normal(self) -> bool:
        """Whether nothing speaks against a normal error."""
        return self.distance <= self.critical


@dataclass(frozen=True, kw_only=True)
class MpcJudgement:
    """How sure the cuts of a table of Multi-ProbCut are, on samples that it was not fitted to."""

    coverage: list[Coverage]
    evidence: Evidence
    samples: int
    provenance: dict[str, Any]
    """Weights, depths, engine, positions and date."""

    @property
    def verdict(self) -> Verdict:
        """What to make of the table: too sure by more than two points somewhere, not proved to be good, or good."""
        if any(row.overconfidence > MOST_OVERCONFIDENT for row in self.coverage):
            return "over-confident"
        return "not proved" if self.evidence.missing else "blessed"

    @property
    def blessed(self) -> bool:
        """Whether there is enough evidence that no margin is over-confident by more than two points."""
        return self.verdict == "blessed"

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {
            "provenance": self.provenance,
            "blessed": self.blessed,
            "verdict": self.verdict,
            "evidence": asdict(self.evidence),
            "coverage": [asdict(row) for row in self.coverage],
        }


@dataclass(frozen=True, kw_only=True)
class MpcCalibration(MpcJudgement):
    """The measured table of Multi-ProbCut."""

    model: MpcModel
    endgame_model: MpcModel | None
    """For exact scores, with the number of empty squares as the deep depth; none if none were solved."""
    cells: list[Cell]
    lines: list[LineFit]
    normality: list[Normality]
    z: float
    pairs: list[tuple[int, int]]
    """The pairs of the table: shallow and deep depth."""
    residuals: NDArray[np.void] = field(repr=False, compare=False)
    """Deep values minus predicted ones in deviations of a table that did not see them: `stage`, `s`, `d`, `error`."""

    def table(self, *, smooth: bool = True) -> MpcParameterTable:
        """The table: by the model, with the line of a pair for which that pays.

        If not `smooth`, cells that were measured have their own line and deviation; the others are left to the model.
        """
        measured = {} if smooth else {(c.stage, c.shallow, c.deep): c for c in self.cells if not c.from_model}
        lines = {(line.shallow, line.deep): line for line in self.lines if line.pays}

        def parameters(stage: int, shallow: int, deep: int) -> MpcParameters:
            if (cell := measured.get((stage, shallow, deep))) is not None:
                return MpcParameters(cell.a, cell.b, cell.residual)
            return _parameters(self.model, lines.get((shallow, deep)), stage, shallow, deep)

        return MpcParameterTable(
            tuple(MpcCutPair(*pair) for pair in self.pairs),
            tuple(tuple(parameters(stage, *pair) for pair in self.pairs) for stage in STAGES),
            self.z,
            MpcParameterTable.exact if self.endgame_model is None else self.endgame_model,
            self.provenance.get("weights"),
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything but the residuals, for JSON; `table` is what `MpcParameterTable.from_dict` reads."""
        return {
            **super().to_dict(),
            "model": asdict(self.model),
            "endgame_model": None if self.endgame_model is None else asdict(self.endgame_model),
            "lines": [{**asdict(line), "gain": line.gain, "pays": line.pays} for line in self.lines],
            "normality": [{**asdict(row), "normal": row.normal} for row in self.normality],
            "cells": [asdict(cell) for cell in self.cells],
            "table": self.table().to_dict(),
        }


def _parameters(model: MpcModel, line: LineFit | None, stage: int, shallow: int, deep: int) -> MpcParameters:
    """What a table has for a stage and a pair."""
    sigma = model.sigma(shallow, deep, _middle(stage))
    return MpcParameters(1.0, 0.0, sigma) if line is None else MpcParameters(line.a, line.b, sigma * (1 - line.gain))


def _middle(stage: int) -> float:
    """The number of empty squares in the middle of a stage."""
    return 64 - (4 * stage + 1.5)


def fit_mpc(
    samples: DepthSamples, *, z: float = 1.1, pairs: Sequence[tuple[int, int]] | None = None, seed: int = 1
) -> MpcCalibration:
    """Fits the deviation of deep values from shallow ones, smooth in both depths and the number of empty squares.

    The table has `pairs` (shallow, deep) of equal parity, or one for every depth from 3 to 24. Coverage, normality and
    the use of lines are judged, for these pairs, on halves that a fit did not see.
    """
    if len(samples) < 2 * FEW:
        raise InvalidArgumentError(f"{len(samples)} samples are too few; {2 * FEW} are the least")
    if samples.values.shape[1] < 4:
        raise InvalidArgumentError(f"samples to depth {samples.values.shape[1] - 1} hold no pair; 3 is the least")
    points = _points(samples)
    if not len(points):
        raise InvalidArgumentError("no sample has a value of depth 3 that is not exact")
    chosen = _checked(pairs)
    half = np.random.default_rng(seed).permutation(len(samples)) % 2
    model = _fit_model(points)
    used = points[[pair in chosen for pair in points[["s", "d"]].tolist()]]
    if not len(used):
        raise InvalidArgumentError(
            f"the samples reach depth {samples.values.shape[1] - 1}, which no pair of the table does"
        )
    lines = [_line(part, half) for part in _by_deep(used)]
    residuals = _residuals(points, used, half, lines)
    endgame = _endgame_points(samples)
    endgame_model = _fit_model(endgame) if len(endgame) > FEW_EXACT else None
    margins = sorted({*MARGINS, z})
    coverage = _coverage(residuals, margins)
    error, exact_error = _pooled_error(residuals, margins), 0.0
    if endgame_model is not None:
        exact = _exact_residuals(endgame, half)
        coverage += _endgame_coverage(exact, margins)
        exact_error = _pooled_error(exact, margins)
    return MpcCalibration(
        model=model,
        endgame_model=endgame_model,
        cells=_cells(points, model),
        lines=lines,
        coverage=coverage,
        normality=[_normality(part) for part in _by_deep(residuals)],
        z=z,
        samples=len(samples),
        provenance=samples.provenance(),
        pairs=chosen,
        evidence=_evidence(samples, chosen, coverage, error, exact_error),
        residuals=residuals,
    )


def judge_mpc(samples: DepthSamples, table: MpcParameterTable) -> MpcJudgement:
    """Judges a finished table by samples of positions that it was not fitted to."""
    weights = samples.provenance().get("weights")
    if table.weights is not None and table.weights != weights:
        raise InvalidArgumentError(f"the table was made with the weights {table.weights}, the samples with {weights}")
    points, endgame = _points(samples), _endgame_points(samples)
    pairs = [(pair.shallow, pair.deep) for pair in table.pairs]
    used = points[[pair in pairs for pair in points[["s", "d"]].tolist()]]
    if not len(used):
        raise InvalidArgumentError(f"no pair of the table is among samples to depth {samples.values.shape[1] - 1}")
    residuals = _unjudged(used)
    for number, (shallow, deep) in enumerate(pairs):
        for stage in STAGES:
            chosen = (used["s"] == shallow) & (used["d"] == deep) & (residuals["stage"] == stage)
            cell = table.parameters[stage - 1][number]
            residuals["error"][chosen] = (used["deep"][chosen] - cell.a * used["shallow"][chosen] - cell.b) / cell.sigma
    margins = sorted({*MARGINS, table.z})
    coverage = _coverage(residuals, margins)
    error, exact_error = _pooled_error(residuals, margins), 0.0
    if len(endgame) > FEW_EXACT:
        exact = _unjudged(endgame)
        exact["error"] = _errors(endgame, table.exact)
        coverage += _endgame_coverage(exact, margins)
        exact_error = _pooled_error(exact, margins)
    return MpcJudgement(
        coverage=coverage,
        evidence=_evidence(samples, pairs, coverage, error, exact_error),
        samples=len(samples),
        provenance=samples.provenance(),
    )


def _checked(pairs: Sequence[tuple[int, int]] | None) -> list[tuple[int, int]]:
    """The pairs of a table by deep depth."""
    if pairs is None:
        return [(shallow_of(deep), deep) for deep in range(3, 25)]
    for shallow, deep in pairs:
        if not 0 <= shallow < deep or (deep - shallow) % 2:
            raise InvalidArgumentError(
                f"({shallow}, {deep}) is not a pair of depths of equal parity, the shallow one first"
            )
    found = sorted(pairs, key=lambda pair: pair[1])
    if not found or len({deep for _, deep in found}) < len(found):
        raise InvalidArgumentError(f"a table has one pair for a deep depth, not {found}")
    return found


_POINT = np.dtype([("sample", "i4"), ("empties", "i4"), ("s", "i4"), ("d", "i4"), ("shallow", "f8"), ("deep", "f8")])
_RESIDUAL = np.dtype([("sample", "i4"), ("stage", "i4"), ("s", "i4"), ("d", "i4"), ("error", "f8")])


def _points(samples: DepthSamples) -> NDArray[np.void]:
    """Every pair of a shallow and a deep value of one sample."""
    return np.concatenate(
        [
            _pairs(samples, samples.searched(deep), shallow, samples.values[:, deep], np.full(len(samples), deep))
            for deep in range(3, samples.values.shape[1])
            for shallow in range(deep % 2, deep, 2)
        ]
    )


def _endgame_points(samples: DepthSamples) -> NDArray[np.void]:
    """Every pair of a shallow and the exact value of one sample."""
    empties = samples.empties
    return np.concatenate(
        [
            _pairs(
                samples,
                (samples.exact != UNKNOWN) & (samples.values[:, shallow] != UNKNOWN) & (empties > shallow + 2),
                shallow,
                samples.exact,
                empties,
            )
            for shallow in range(min(9, samples.values.shape[1]))
        ]
    )


def _pairs(
    samples: DepthSamples,
    chosen: NDArray[np.bool_],
    shallow: int,
    deep_values: NDArray[np.int16],
    deep: NDArray[np.int64],
) -> NDArray[np.void]:
    known = np.flatnonzero(chosen)
    part = np.empty(len(known), dtype=_POINT)
    part["sample"], part["empties"], part["s"], part["d"] = known, samples.empties[known], shallow, deep[known]
    part["shallow"], part["deep"] = samples.values[known, shallow], deep_values[known]
    return part


def _by_deep(points: NDArray[np.void]) -> Iterator[NDArray[np.void]]:
    """The points of every deep depth that has enough of them."""
    for deep in np.unique(points["d"]):
        part = points[points["d"] == deep]
        if len(part) >= FEW:
            yield part


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
        # Where a depth or a number of empty squares never changes, its coefficient stays zero.
        step = np.linalg.lstsq(matrix.T @ (matrix * ratio[:, None]) * 2, matrix.T @ (ratio - 1), rcond=None)[0]
        found += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    full = np.zeros(4)
    full[use] = found
    return MpcModel(*(float(value) for value in full))


def _residuals(
    points: NDArray[np.void], used: NDArray[np.void], half: NDArray[np.int64], lines: Sequence[LineFit]
) -> NDArray[np.void]:
    """The errors of the used points in deviations, every half of the samples judged by the table of the other."""
    found = _unjudged(used)
    paying = {line.deep: line for line in lines if line.pays}
    for side in (0, 1):
        model = _fit_model(points[half[points["sample"]] != side])
        for deep in np.unique(used["d"]).tolist():
            there = used["d"] == deep
            unseen = there & (half[used["sample"]] == side)
            line = paying.get(deep)
            if line is not None:
                (a, _), (b, _) = _regression(used[there & ~unseen])
                line = replace(line, a=a, b=b)
            for stage in np.unique(found["stage"][unseen]).tolist():
                chosen = unseen & (found["stage"] == stage)
                cell = _parameters(model, line, stage, int(used["s"][chosen][0]), deep)
                predicted = cell.a * used["shallow"][chosen] + cell.b
                found["error"][chosen] = (used["deep"][chosen] - predicted) / cell.sigma
    return found


def _exact_residuals(points: NDArray[np.void], half: NDArray[np.int64]) -> NDArray[np.void]:
    """The errors of exact values in deviations, every half of the samples judged by the model of the other."""
    found = _unjudged(points)
    for side in (0, 1):
        unseen = half[points["sample"]] == side
        model = _fit_model(points[~unseen])
        found["error"][unseen] = _errors(points[unseen], model)
    return found


def _errors(points: NDArray[np.void], model: MpcModel) -> NDArray[np.float64]:
    """How far deep values lie from shallow ones, in deviations of a model."""
    exponents = model.intercept + model.shallow * points["s"] + model.deep * points["d"]
    sigmas = np.exp(exponents + model.empties * points["empties"])
    return cast("NDArray[np.float64]", (points["deep"] - points["shallow"]) / sigmas)


def _unjudged(points: NDArray[np.void]) -> NDArray[np.void]:
    """Residuals of points whose errors are still to come."""
    found = np.zeros(len(points), dtype=_RESIDUAL)
    found["sample"], found["s"], found["d"] = points["sample"], points["s"], points["d"]
    found["stage"] = stages_of(points["empties"].astype(np.int64))
    return found


def _evidence(
    samples: DepthSamples,
    pairs: Sequence[tuple[int, int]],
    coverage: Sequence[Coverage],
    error: float,
    exact_error: float,
) -> Evidence:
    """How much the samples prove, and about how many more would do."""
    # Every board of these stages has more empty squares than the pair is deep.
    deepest = samples.values.shape[1] - 1
    cells = {(stage, deep) for stage in SAMPLED for _, deep in pairs if deep <= deepest and deep < 61 - 4 * stage}
    judged = cells & {(row.stage, row.deep) for row in coverage}
    # Errors fall with the root of the number of samples.
    excess = max(error / GREATEST_ERROR, exact_error / GREATEST_EXACT_ERROR, 1.0)
    missing = math.ceil(len(samples) * (excess**2 - 1))
    if len(judged) < LEAST_JUDGED * len(cells):
        counts = np.bincount(samples.stages, minlength=len(STAGES) + 1)
        missing = max(
            missing, sum(max(FEW - int(counts[stage]), 1) for stage in {stage for stage, _ in cells - judged})
        )
    return Evidence(error, exact_error, len(cells), len(judged), missing)


def _pooled_error(residuals: NDArray[np.void], margins: Sequence[float]) -> float:
    """The standard error of the coverage of all samples together, at the margin where it is greatest."""
    return max((row.error for row in _covered(residuals, margins, "all")), default=1.0)


def _cells(points: NDArray[np.void], model: MpcModel) -> list[Cell]:
    cells = []
    stages = stages_of(points["empties"].astype(np.int64))
    for stage in SAMPLED:
        there = points[stages == stage]
        for deep in np.unique(there["d"]).tolist():
            for shallow in range(deep % 2, deep, 2):
                part = there[(there["d"] == deep) & (there["s"] == shallow)]
                cells.append(_cell(stage, shallow, deep, part, model.sigma(shallow, deep, _middle(stage))))
    return cells


def _cell(stage: int, shallow: int, deep: int, part: NDArray[np.void], model_sigma: float) -> Cell:
    if len(part) < FEW:
        nothing = (model_sigma, model_sigma, model_sigma, 1.0, 0.0, 0.0, 0.0, model_sigma)
        return Cell(stage, shallow, deep, len(part), *nothing, model_sigma, True)
    (a, a_error), (b, b_error) = _regression(part)
    residual = float(np.std(part["deep"] - a * part["shallow"] - b))
    differences = part["deep"] - part["shallow"]
    squares = differences**2
    sigma = math.sqrt(float(squares.mean()))
    # From the scatter of the squares, not from a normal curve: tails are heavier than that.
    error = 1.96 * float(squares.std()) / (2 * max(sigma, 1.0) * math.sqrt(len(part)))
    measured = (sigma, sigma - error, sigma + error, a, a_error, b, b_error, residual)
    return Cell(stage, shallow, deep, len(part), *measured, model_sigma, False)


def _regression(part: NDArray[np.void]) -> tuple[tuple[float, float], tuple[float, float]]:
    """Slope and intercept of deep on shallow values, each with half its 95 % interval."""
    (a, b), covariance = np.polyfit(part["shallow"], part["deep"], 1, cov=True)
    a_error, b_error = 1.96 * np.sqrt(np.diag(covariance))
    return (float(a), float(a_error)), (float(b), float(b_error))


def _line(part: NDArray[np.void], half: NDArray[np.int64]) -> LineFit:
    """The line of a pair, judged on the half that it was not fitted to."""
    squares = 0.0
    for side in (0, 1):
        unseen = half[part["sample"]] == side
        (a, _), (b, _) = _regression(part[~unseen])
        squares += float(((part["deep"] - a * part["shallow"] - b)[unseen] ** 2).sum())
    (a, a_error), (b, b_error) = _regression(part)
    sigma = math.sqrt(float(((part["deep"] - part["shallow"]) ** 2).mean()))
    fitted = math.sqrt(squares / len(part))
    shallow, deep = int(part["s"][0]), int(part["d"][0])
    return LineFit(shallow, deep, len(part), a, a_error, b, b_error, sigma, fitted)


def _coverage(residuals: NDArray[np.void], margins: Sequence[float]) -> list[Coverage]:
    """Predicted against observed confidence by stage, by pair, and by both."""
    stages, depths = np.unique(residuals["stage"]).tolist(), np.unique(residuals["d"]).tolist()
    names = {deep: _name(residuals[residuals["d"] == deep]) for deep in depths}
    rows = []
    for stage in stages:
        rows += _covered(residuals[residuals["stage"] == stage], margins, f"stage {stage}", stage=stage)
    for deep in depths:
        rows += _covered(residuals[residuals["d"] == deep], margins, f"pair {names[deep]}", deep=deep)
    cells = [(stage, deep) for stage in stages for deep in depths]
    # Of so many cells the worst is judged: as many standard errors are granted as it may reach by chance.
    allowed = z_of_confidence(1 - 0.025 / max(len(cells), 1))
    for stage, deep in cells:
        part = residuals[(residuals["stage"] == stage) & (residuals["d"] == deep)]
        where = f"stage {stage}, pair {names[deep]}"
        rows += _covered(part, margins, where, allowed=allowed, stage=stage, deep=deep)
    return rows


def _endgame_coverage(residuals: NDArray[np.void], margins: Sequence[float]) -> list[Coverage]:
    """The same for exact values, by the depth that predicts them."""
    return [
        row
        for shallow in np.unique(residuals["s"]).tolist()
        for row in _covered(residuals[residuals["s"] == shallow], margins, f"exact from depth {shallow}")
    ]


def _name(part: NDArray[np.void]) -> str:
    """The pair of points that all have the same."""
    return f"({part['s'][0]}, {part['d'][0]})"


def _covered(
    part: NDArray[np.void],
    margins: Sequence[float],
    where: str,
    *,
    allowed: float = 2.0,
    stage: int | None = None,
    deep: int | None = None,
) -> list[Coverage]:
    if len(part) < FEW:
        return []
    rows = []
    for z in margins:
        # Both sides of the bound count: a cut above it and a cut below it.
        right = 0.5 * ((part["error"] >= -z).astype(float) + (part["error"] <= z))
        observed = float(right.mean())
        by_sample = np.bincount(part["sample"], weights=right - observed)
        error = math.sqrt(float((by_sample**2).sum())) / len(part)
        rows.append(Coverage(where, z, len(part), confidence_of_z(z), observed, error, allowed, stage, deep))
    return rows


def _normality(part: NDArray[np.void]) -> Normality:
    errors = np.sort(part["error"])
    count = len(errors)
    centred = errors - errors.mean()
    deviation = max(float(centred.std()), 1e-9)
    normal = np.array([confidence_of_z(float(error)) for error in errors])
    steps = np.arange(count + 1) / count
    distance = float(max((steps[1:] - normal).max(), (normal - steps[:-1]).max()))
    return Normality(
        f"pair {_name(part)}",
        count,
        float(errors.mean()),
        deviation,
        float((centred**3).mean() / deviation**3),
        float((centred**4).mean() / deviation**4 - 3),
        distance,
        1.358 / math.sqrt(count),
    )

"""The table of aspiration windows: which half-width and which scheme cost the fewest nodes.

Half-widths are picked on some boards of every stage, and what was picked is judged on others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reluca import batch
from reluca.calibration.changes import ValueChange, value_changes
from reluca.calibration.runs import Ratio, Runs, ratio, search_all
from reluca.calibration.samples import PHASES, SAMPLED, DepthSamples, stages_of
from reluca.errors import InvalidArgumentError
from reluca.options import AspirationScheme, SearchOptions
from reluca.tables import STAGES, AspirationParameterTable, MpcParameterTable
from reluca.weights import WeightsSource, checksum, resolve

SCHEMES: tuple[AspirationScheme, ...] = ("exponential", "doubling", "asymmetric", "adaptive")
"""How windows can begin and grow."""

DELTAS = (50, 100, 150, 200, 300, 400, 600, 800)
"""The half-widths that are tried, in centidiscs."""

MOST_RETRIES = 0.2
MOST_FALLBACKS = 0.05
LEAST_AGREEMENT = 0.9

NEIGHBOURS = 2
"""The half-width of a stage is picked on the boards of so many stages before and after it, too."""

Steps = Callable[[int, int], object]
"""Is told how many steps of how many are done."""


@dataclass(frozen=True)
class WindowTrial:
    """What windows of some kind cost in some stages, against the full window and against the legacy one."""

    where: str
    """A phase, or `all`."""
    scheme: AspirationScheme
    same_parity: bool
    """Whether the window lies around the value of two iterations ago."""
    delta: int | None
    """The half-width; none if a table gives it by stage."""
    boards: int
    nodes: int
    full: Ratio
    """The nodes as a share of the full window's."""
    legacy: Ratio
    """The nodes as a share of those of a fixed half-width of 50 that doubles."""
    retry_rate: float
    """Retries per iteration."""
    fallback_rate: float
    agreement: float
    """How often the move is that of the full window."""
    legacy_agreement: float
    """How often it is that of the legacy window."""

    @property
    def kind(self) -> str:
        """Scheme and centre in words."""
        return f"{self.scheme}{', same parity' if self.same_parity else ''}"

    @property
    def marks(self) -> dict[str, bool]:
        """Which of the marks are met."""
        return {
            "retries < 20 %": self.retry_rate < MOST_RETRIES,
            "fallbacks < 5 %": self.fallback_rate < MOST_FALLBACKS,
            "nodes ≤ full window": self.full.value <= 1,
            "nodes ≤ legacy": self.legacy.value <= 1,
            "same move ≥ 90 %": min(self.agreement, self.legacy_agreement) >= LEAST_AGREEMENT,
        }

    @property
    def missed(self) -> list[str]:
        """The marks that are not met."""
        return [name for name, met in self.marks.items() if not met]

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        return {**asdict(self), "marks": self.marks}


@dataclass(frozen=True)
class AspirationCalibration:
    """The measured half-widths of the aspiration window, and the scheme that they are for."""

    changes: list[ValueChange]
    trials: list[WindowTrial]
    """Every scheme and half-width by phase."""
    schemes: list[WindowTrial]
    """Every scheme with the half-widths picked for it, over all stages; the best one first."""
    table: AspirationParameterTable
    scheme: AspirationScheme
    same_parity: bool
    verdicts: list[WindowTrial]
    """What was picked, by phase and over all stages, on boards that it was not picked on."""
    in_use: list[WindowTrial]
    """The same for the options that the search has now."""
    gain: Ratio
    """The nodes of what was picked as a share of those of the options in use, on the same boards."""
    provenance: dict[str, Any]
    """Weights, depths, engine, positions and date."""

    @property
    def met(self) -> bool:
        """Whether every mark is met in every phase."""
        return not any(trial.missed for trial in self.verdicts)

    def options(self, base: SearchOptions | None = None) -> SearchOptions:
        """Options (`strongest()` if none are given) with what was picked."""
        return _windows(base or SearchOptions.strongest(), self.scheme, self.same_parity, self.table)

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON; `table` is what `AspirationParameterTable.from_dict` reads."""
        return {
            "provenance": self.provenance,
            "scheme": self.scheme,
            "same_parity": self.same_parity,
            "met": self.met,
            "table": self.table.to_dict(),
            "verdicts": [trial.to_dict() for trial in self.verdicts],
            "gain": asdict(self.gain),
            "in_use": [trial.to_dict() for trial in self.in_use],
            "schemes": [trial.to_dict() for trial in self.schemes],
            "trials": [trial.to_dict() for trial in self.trials],
            "changes": [asdict(change) for change in self.changes],
        }


def calibrate_aspiration(
    samples: DepthSamples,
    *,
    selective: DepthSamples | None = None,
    depth: int = 12,
    boards_per_stage: int = 10,
    deltas: Sequence[int] = DELTAS,
    schemes: Sequence[AspirationScheme] = SCHEMES,
    options: SearchOptions | None = None,
    weights: WeightsSource = None,
    threads: int | None = None,
    on_progress: Steps | None = None,
) -> AspirationCalibration:
    """Searches boards with windows of many kinds and picks the scheme, and by stage the half-width, of fewest nodes.

    Half-widths with a retry in five iterations or a fallback in twenty are picked only if there are no others. The
    samples give the boards; those of `selective`, searched with Multi-ProbCut, add to the changes of values.
    """
    if not deltas or min(deltas) <= 0:
        raise InvalidArgumentError(f"half-widths are positive numbers, not {list(deltas)}")
    if unknown := set(schemes) - set(SCHEMES):
        raise InvalidArgumentError(f"there is no scheme {sorted(unknown)[0]!r}; schemes: {', '.join(SCHEMES)}")
    if not schemes:
        raise InvalidArgumentError("at least one scheme is needed")
    base = options or SearchOptions.strongest()
    picking, judging = _split(samples, boards_per_stage)
    kinds = list(product(schemes, (False, True)))
    steps = len(kinds) * len(deltas) + 6
    done = 0

    def run(boards: NDArray[np.uint64], tried: SearchOptions) -> Runs:
        nonlocal done
        found = search_all(batch.to_boards(boards), tried, depth, weights=weights, threads=threads)
        done += 1
        if on_progress is not None:
            on_progress(done, steps)
        return found

    bench = _Bench.of(picking, base, run)
    trials: list[WindowTrial] = []
    best: list[tuple[WindowTrial, tuple[int, ...]]] = []
    for scheme, same in kinds:
        runs = {}
        for delta in deltas:
            table = AspirationParameterTable((delta,) * 15, delta)
            runs[delta] = run(picking, _windows(base, scheme, same, table))
            trials += [bench.trial(where, scheme, same, delta, runs[delta]) for where in PHASES]
        picked = _pick(runs, bench.stages)
        chosen = _by_stage(runs, bench.stages, picked)
        best.append((bench.trial("all", scheme, same, None, chosen), picked))
    best.sort(key=lambda entry: (len(entry[0].missed), entry[0].nodes))
    winner, picked = best[0]
    used = checksum(resolve(weights))
    table = AspirationParameterTable(picked, picked[7], used)
    judge = _Bench.of(judging, base, run)
    places = (*PHASES, "all")
    picked_runs = run(judging, _windows(base, winner.scheme, winner.same_parity, table))
    used_runs = run(judging, base)
    used_scheme = base.aspiration_scheme
    if used_scheme == "auto":
        used_scheme = "exponential" if base.aspiration_use_stage_table else "doubling"
    return AspirationCalibration(
        changes=value_changes(samples) + ([] if selective is None else value_changes(selective, multi_prob_cut=True)),
        trials=trials,
        schemes=[trial for trial, _ in best],
        table=table,
        scheme=winner.scheme,
        same_parity=winner.same_parity,
        verdicts=[judge.trial(where, winner.scheme, winner.same_parity, None, picked_runs) for where in places],
        in_use=[judge.trial(where, used_scheme, base.aspiration_same_parity, None, used_runs) for where in places],
        gain=ratio(picked_runs.nodes, used_runs.nodes),
        provenance={
            **samples.provenance(),
            "weights": used,
            **_forced(samples, selective, used),
            "search_depth": depth,
            "boards_per_stage": boards_per_stage,
            "options": _named(base),
        },
    )


def _forced(samples: DepthSamples, selective: DepthSamples | None, used: str) -> dict[str, Any]:
    """That samples were made with other weights or settings than those asked for, if so."""
    found = samples.settings.get("weights", used)
    if found != used:
        return {"sample_weights": found, "forced": True}
    return {"forced": True} if samples.forced or (selective is not None and selective.forced) else {}


def _named(options: SearchOptions) -> str:
    """Options by how they differ from the strongest ones."""
    strongest = SearchOptions.strongest()
    changed = []
    for field in fields(options):
        value = getattr(options, field.name)
        if value != getattr(strongest, field.name):
            if isinstance(value, MpcParameterTable | AspirationParameterTable):
                value = hashlib.sha256(value.to_json().encode()).hexdigest()[:16]
            changed.append(f"{field.name}={value}")
    return ", ".join(["strongest", *changed])


def _windows(
    base: SearchOptions, scheme: AspirationScheme, same_parity: bool, table: AspirationParameterTable
) -> SearchOptions:
    return replace(
        base,
        use_aspiration_window=True,
        aspiration_use_stage_table=True,
        aspiration_scheme=scheme,
        aspiration_same_parity=same_parity,
        aspiration_table=table,
    )


def _split(samples: DepthSamples, boards_per_stage: int) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Boards to pick on and boards to judge by, equally many of every stage."""
    stages = samples.stages
    first, second = [], []
    for stage in SAMPLED:
        there = np.flatnonzero(stages == stage)
        if len(there) < 2 * boards_per_stage:
            raise InvalidArgumentError(
                f"stage {stage}: {2 * boards_per_stage} samples are needed, half of them to judge by; "
                f"there are {len(there)}"
            )
        first.append(there[:boards_per_stage])
        second.append(there[boards_per_stage : 2 * boards_per_stage])
    return samples.boards[np.concatenate(first)], samples.boards[np.concatenate(second)]


@dataclass(frozen=True)
class _Bench:
    """Boards, and what the full and the legacy window take for them."""

    stages: NDArray[np.int64]
    full: Runs
    legacy: Runs

    @staticmethod
    def of(
        boards: NDArray[np.uint64], base: SearchOptions, run: Callable[[NDArray[np.uint64], SearchOptions], Runs]
    ) -> _Bench:
        legacy = replace(
            base,
            use_aspiration_window=True,
            aspiration_use_stage_table=False,
            aspiration_scheme="doubling",
            aspiration_same_parity=False,
            aspiration_delta=50,
        )
        full = replace(base, use_aspiration_window=False, aspiration_suppress_store=False)
        stages = stages_of(batch.empties(boards))
        return _Bench(stages, run(boards, full), run(boards, legacy))

    def trial(
        self, where: str, scheme: AspirationScheme, same_parity: bool, delta: int | None, runs: Runs
    ) -> WindowTrial:
        """What windows cost in a phase."""
        chosen = np.isin(self.stages, list(PHASES.get(where, STAGES)))
        part, full, legacy = (source[chosen] for source in (runs, self.full, self.legacy))
        return WindowTrial(
            where=where,
            scheme=scheme,
            same_parity=same_parity,
            delta=delta,
            boards=int(chosen.sum()),
            nodes=int(part.nodes.sum()),
            full=ratio(part.nodes, full.nodes),
            legacy=ratio(part.nodes, legacy.nodes),
            retry_rate=part.rate("retries"),
            fallback_rate=part.rate("fallbacks"),
            agreement=part.agreement(full),
            legacy_agreement=part.agreement(legacy),
        )


def _pick(runs: dict[int, Runs], stages: NDArray[np.int64]) -> tuple[int, ...]:
    """The half-width of every stage."""
    picked = {}
    for stage in SAMPLED:
        near = {delta: run[np.abs(stages - stage) <= NEIGHBOURS] for delta, run in runs.items()}
        good = [
            delta
            for delta, run in near.items()
            if run.rate("retries") < MOST_RETRIES and run.rate("fallbacks") < MOST_FALLBACKS
        ]
        if good:
            picked[stage] = min(good, key=lambda delta: int(near[delta].nodes.sum()))
        else:
            picked[stage] = min(near, key=lambda delta: near[delta].rate("retries"))
    return tuple(picked[min(max(stage, SAMPLED[0]), SAMPLED[-1])] for stage in STAGES)


def _by_stage(runs: dict[int, Runs], stages: NDArray[np.int64], picked: Sequence[int]) -> Runs:
    """The runs that a table of half-widths would have made: of every board those of its stage's."""
    return Runs(np.array([runs[picked[stage - 1]].rows[row] for row, stage in enumerate(stages.tolist())]))

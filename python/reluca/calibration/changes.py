"""How much the value of a search changes from one iteration to the next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from reluca.calibration.mpc import FEW
from reluca.calibration.samples import PHASES, SAMPLED, DepthSamples


@dataclass(frozen=True)
class ValueChange:
    """The distribution of |value(depth) - value(depth - back)| in some stages, in centidiscs."""

    where: str
    """A phase, or a stage as in `stage 7`."""
    depth: int
    back: int
    """1: from the iteration before; 2: from the one before that, of the same parity."""
    multi_prob_cut: bool
    """Whether the searches used Multi-ProbCut."""
    count: int
    mean: float
    deviation: float
    """The root of the mean squared change."""
    median: float
    p80: float
    p95: float
    largest: float


def value_changes(samples: DepthSamples, *, multi_prob_cut: bool = False) -> list[ValueChange]:
    """How much values change, by phase and by stage, for every depth with enough samples.

    `multi_prob_cut` says how the samples were searched.
    """
    return list(_changes(samples, multi_prob_cut))


def _changes(samples: DepthSamples, multi_prob_cut: bool) -> Iterator[ValueChange]:
    stages = samples.stages
    values = samples.values.astype(np.float64)
    places = PHASES | {f"stage {stage}": range(stage, stage + 1) for stage in SAMPLED}
    for where, numbers in places.items():
        there = np.isin(stages, list(numbers))
        for depth in range(3, values.shape[1]):
            chosen = there & samples.searched(depth)
            if chosen.sum() < FEW:
                continue
            for back in (1, 2):
                changes = np.abs(values[chosen, depth] - values[chosen, depth - back])
                median, p80, p95 = (float(value) for value in np.percentile(changes, (50, 80, 95)))
                yield ValueChange(
                    where=where,
                    depth=depth,
                    back=back,
                    multi_prob_cut=multi_prob_cut,
                    count=len(changes),
                    mean=float(changes.mean()),
                    deviation=float(np.sqrt((changes**2).mean())),
                    median=median,
                    p80=p80,
                    p95=p95,
                    largest=float(changes.max()),
                )

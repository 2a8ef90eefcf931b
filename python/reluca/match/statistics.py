"""What a score says about strength, from pairs of games with the same opening and both colours.

The two games of a pair are not independent, so errors are taken from the pairs (the five outcomes 0 to 2 points).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_Z95 = 1.959964


@dataclass(frozen=True)
class Estimate:
    """A difference in strength with its 95 % interval."""

    elo: float
    low: float
    high: float
    los: float
    """The likelihood that the first is really stronger."""

    def __str__(self) -> str:
        elo, low, high = (round(value) for value in (self.elo, self.low, self.high))
        return f"{elo:+d} Elo [{low:+d}, {high:+d}], LOS {self.los:.1%}"


def elo_of_score(score: float) -> float:
    """The difference in strength at which the stronger scores this share of the points.

    >>> round(elo_of_score(0.75))
    191
    """
    return -400 * math.log10(1 / score - 1)


def score_of_elo(elo: float) -> float:
    """The share of the points that this difference in strength gives."""
    return 1 / (1 + 10 ** (-elo / 400))


def _moments(pairs: Sequence[float]) -> tuple[float, float]:
    """Mean and variance of the score per game, from points per pair (0 to 2)."""
    count = len(pairs)
    # Half a pair of each kind keeps a short or one-sided match from claiming certainty.
    shares = [points / 2 for points in pairs] + [0.0, 1.0]
    weights = [1.0] * count + [0.25, 0.25]
    total = sum(weights)
    mean = sum(w * s for w, s in zip(weights, shares, strict=True)) / total
    variance = sum(w * (s - mean) ** 2 for w, s in zip(weights, shares, strict=True)) / total
    return mean, variance


def elo_estimate(pairs: Sequence[float]) -> Estimate | None:
    """The difference in strength that points per pair (0, ½, 1, 1½ or 2) speak for; none without a pair.

    >>> estimate = elo_estimate([2, 1, 1.5, 1, 0.5, 2, 1, 1.5])
    >>> estimate.low < estimate.elo < estimate.high
    True
    """
    if not pairs:
        return None
    mean, variance = _moments(pairs)
    error = math.sqrt(variance / len(pairs))
    edge = 1e-6
    low, middle, high = (min(max(mean + z * error, edge), 1 - edge) for z in (-_Z95, 0, _Z95))
    los = 0.5 * (1 + math.erf((mean - 0.5) / (error * math.sqrt(2)))) if error else float(mean > 0.5)
    return Estimate(elo_of_score(middle), elo_of_score(low), elo_of_score(high), los)


@dataclass(frozen=True)
class Sprt:
    """A sequential test of `elo1` against `elo0`."""

    llr: float
    """The logarithm of the likelihood ratio."""
    lower: float
    upper: float

    @property
    def verdict(self) -> str | None:
        """`H1` (at least `elo1`), `H0` (no more than `elo0`), or none yet."""
        if self.llr >= self.upper:
            return "H1"
        return "H0" if self.llr <= self.lower else None


def sprt(pairs: Sequence[float], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> Sprt:
    """The generalised sequential probability ratio test on pairs.

    >>> sprt([2] * 30 + [1] * 10, 0, 10).verdict
    'H1'
    """
    lower, upper = math.log(beta / (1 - alpha)), math.log((1 - beta) / alpha)
    if not pairs:
        return Sprt(0.0, lower, upper)
    mean, variance = _moments(pairs)
    score0, score1 = score_of_elo(elo0), score_of_elo(elo1)
    llr = len(pairs) * (score1 - score0) * (2 * mean - score0 - score1) / (2 * variance)
    return Sprt(llr, lower, upper)

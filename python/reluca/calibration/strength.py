"""What tables are worth in games: candidates against the options in use, and the acceptance of Multi-ProbCut.

A fit says how sure a cut is; only games say how sure it ought to be. Matches are logged game by game, under a name that
stands for all settings, so that an interrupted measurement goes on where it was and never mixes with another.
"""

from __future__ import annotations

import hashlib
import math
import re
import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, Literal

from reluca import match
from reluca._engine import Board
from reluca.calibration.runs import Ratio, ratio, search_all
from reluca.errors import InvalidArgumentError
from reluca.limits import Limit
from reluca.match import MatchResult
from reluca.match.statistics import score_of_elo
from reluca.options import SearchOptions
from reluca.training import Name
from reluca.weights import WeightsSource, checksum, resolve

MOST_NODES = 0.5
"""Multi-ProbCut must leave no more of the nodes at equal depth than this share."""

LEAST_SCORE = 0.45
"""At equal depth it may cost five points of a hundred against a search without it."""

GameProgress = Callable[[str, int, int], object]
"""Is told what is being played, how many games are over, and of how many."""


@dataclass(frozen=True)
class Candidate:
    """Options with a name."""

    name: str
    options: SearchOptions


@dataclass(frozen=True)
class Trials:
    """How candidates are measured; the same for all of them."""

    boards: Sequence[Board]
    """Where nodes at equal depth are compared."""
    openings: Sequence[Board]
    """Where games begin; each is played with both colours."""
    games: int = 200
    nodes_depth: int = 10
    """The depth at which nodes are compared."""
    time: float = 0.05
    """Seconds per move in matches at equal time."""
    match_depth: int = 8
    """The depth of matches at equal depth."""
    adjudicate: int = 12
    """Empty squares at which a game is decided by its exact score."""
    concurrency: int = 1
    """Games, and searches for nodes, at the same time."""
    weights: WeightsSource = None
    logs: Name | None = None
    """A directory for the games, from which a measurement goes on."""
    on_progress: GameProgress | None = None

    def __post_init__(self) -> None:
        if not self.boards:
            raise InvalidArgumentError("nodes need at least one board to be compared on")
        if self.games < 2:
            raise InvalidArgumentError(f"a match has at least one pair of games, not {self.games} games")

    def settings(self) -> dict[str, Any]:
        """What a result depends on, for JSON."""
        return {
            "weights": checksum(resolve(self.weights)),
            "boards": len(self.boards),
            "openings": len(self.openings),
            "games": self.games,
            "nodes_depth": self.nodes_depth,
            "time": self.time,
            "match_depth": self.match_depth,
            "adjudicate": self.adjudicate,
            "concurrency": self.concurrency,
            "date": date.today().isoformat(),
        }

    def nodes(self, candidate: Candidate, reference: Candidate) -> tuple[Ratio, float]:
        """Nodes at equal depth as a share of the reference's, and how often the moves agree."""
        ours, theirs = (
            search_all(self.boards, side.options, self.nodes_depth, weights=self.weights, threads=self.concurrency)
            for side in (candidate, reference)
        )
        return ratio(ours.nodes, theirs.nodes), ours.agreement(theirs)

    def play(self, candidate: Candidate, reference: Candidate, *, equal: Literal["time", "depth"]) -> MatchResult:
        """A match between two candidates at equal time per move or at equal depth."""
        limit = Limit(time=self.time) if equal == "time" else Limit(depth=self.match_depth)
        rules = match.Rules(move_time=limit.time, adjudicate=self.adjudicate)
        first, second = (
            match.EnginePlayer(side.name, side.options, limit=limit, weights=self.weights)
            for side in (candidate, reference)
        )
        title = f"{candidate.name} at equal {equal}"
        if self.on_progress is not None:
            self.on_progress(title, 0, self.games)
        return match.play(
            first,
            second,
            self.openings,
            games=self.games,
            rules=rules,
            concurrency=self.concurrency,
            log=self._log(candidate, reference, limit, title),
            on_game=lambda _, so_far: self.on_progress and self.on_progress(title, so_far.games, self.games),
        )

    def _log(self, candidate: Candidate, reference: Candidate, limit: Limit, title: str) -> Path | None:
        if self.logs is None:
            return None
        directory = Path(self.logs)
        directory.mkdir(parents=True, exist_ok=True)
        openings = [board.to_string() for board in self.openings[:1]]
        identity = (
            candidate.options,
            reference.options,
            checksum(resolve(self.weights)),
            limit,
            self.adjudicate,
            openings,
        )
        digest = hashlib.sha256(repr(identity).encode()).hexdigest()[:10]
        return directory / f"{re.sub(r'[^a-z0-9.]+', '-', title.lower())}-{digest}.jsonl"


@dataclass(frozen=True)
class CandidateResult:
    """A candidate against the options in use."""

    name: str
    nodes: Ratio
    """Nodes at equal depth as a share of those of the options in use."""
    agreement: float
    """How often the move at equal depth is the same."""
    games: MatchResult
    """The match at equal time, seen by the candidate."""

    @property
    def depths(self) -> tuple[float, float]:
        """The mean depth reached in that time: the candidate's, and that of the options in use."""
        ours, theirs = (self.games.usage(first=first).depth or 0.0 for first in (True, False))
        return ours, theirs

    @property
    def stronger(self) -> bool:
        """Whether the games leave no doubt (95 %) that the candidate is stronger."""
        return self.games.elo is not None and self.games.elo.low > 0

    def to_dict(self) -> dict[str, Any]:
        """Everything but the games themselves, for JSON."""
        return {
            "name": self.name,
            "nodes": asdict(self.nodes),
            "agreement": self.agreement,
            "depth": self.depths[0],
            "depth_in_use": self.depths[1],
            "stronger": self.stronger,
            "match": self.games.to_dict(),
        }


@dataclass(frozen=True)
class Choice:
    """Which of some candidates to use."""

    results: list[CandidateResult]
    settings: dict[str, Any]

    @property
    def best(self) -> CandidateResult | None:
        """The strongest candidate that is surely stronger than the options in use; none if these stay."""
        sure = [result for result in self.results if result.stronger]
        return max(sure, key=lambda result: result.games.score, default=None)

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""
        best = self.best
        return {
            "provenance": self.settings,
            "best": None if best is None else best.name,
            "candidates": [result.to_dict() for result in self.results],
        }


def choose(candidates: Sequence[Candidate], trials: Trials, *, base: SearchOptions | None = None) -> Choice:
    """Measures candidates against the options in use: nodes at equal depth, depth and strength at equal time."""
    if not candidates:
        raise InvalidArgumentError("there is no candidate to choose from")
    in_use = Candidate("in use", base or SearchOptions.strongest())
    results = [
        CandidateResult(candidate.name, *trials.nodes(candidate, in_use), trials.play(candidate, in_use, equal="time"))
        for candidate in candidates
    ]
    return Choice(results, trials.settings())


Verdict = Literal["met", "missed", "open"]


@dataclass(frozen=True)
class Criterion:
    """A demand, what was measured, and whether that settles it."""

    name: str
    value: float
    low: float
    """The 95 % interval."""
    high: float
    bound: float
    at_least: bool
    """Whether the bound is the least or the greatest value allowed."""
    text: str
    """The measurement in words."""

    @property
    def verdict(self) -> Verdict:
        """`met` or `missed` if the whole interval lies on one side of the bound, `open` if more games are needed."""
        low, high, bound = (self.low, self.high, self.bound) if self.at_least else (-self.high, -self.low, -self.bound)
        return "met" if low >= bound else "missed" if high < bound else "open"


@dataclass(frozen=True)
class Acceptance:
    """Whether Multi-ProbCut keeps what it promises."""

    criteria: list[Criterion]
    nodes: Ratio
    equal_depth: MatchResult
    equal_time: MatchResult
    settings: dict[str, Any]

    @property
    def accepted(self) -> bool:
        """Whether every criterion is met."""
        return all(criterion.verdict == "met" for criterion in self.criteria)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the games themselves, for JSON."""
        return {
            "provenance": self.settings,
            "accepted": self.accepted,
            "criteria": [{**asdict(criterion), "verdict": criterion.verdict} for criterion in self.criteria],
            "equal_depth": self.equal_depth.to_dict(),
            "equal_time": self.equal_time.to_dict(),
        }


def accept(trials: Trials, *, options: SearchOptions | None = None) -> Acceptance:
    """Plays Multi-ProbCut on against off: half the nodes at equal depth, no weaker there, stronger at equal time."""
    base = options or SearchOptions.strongest()
    if not base.use_multi_prob_cut:
        raise InvalidArgumentError("the options to accept do not use Multi-ProbCut")
    on, off = Candidate("on", base), Candidate("off", replace(base, use_multi_prob_cut=False))
    nodes, agreement = trials.nodes(on, off)
    equal_depth = trials.play(on, off, equal="depth")
    equal_time = trials.play(on, off, equal="time")
    text = f"{nodes} of the nodes to depth {trials.nodes_depth}, same move on {agreement:.0%} of the boards"
    low, high = nodes.value - nodes.error, nodes.value + nodes.error
    criteria = [
        Criterion(f"nodes at equal depth: at most {MOST_NODES:.0%}", nodes.value, low, high, MOST_NODES, False, text),
        _strength("strength at equal depth: at least 45 % of the points", equal_depth, LEAST_SCORE),
        _strength("strength at equal time: more than half of the points", equal_time, 0.5),
        _deeper("depth at equal time: deeper", equal_time),
    ]
    return Acceptance(criteria, nodes, equal_depth, equal_time, trials.settings())


def _strength(name: str, result: MatchResult, bound: float) -> Criterion:
    estimate = result.elo
    low, high = (0.0, 1.0) if estimate is None else (score_of_elo(estimate.low), score_of_elo(estimate.high))
    text = f"{result.score:.1%} [{low:.1%}, {high:.1%}] of {result.games} games, {estimate or 'no complete pair'}"
    return Criterion(name, result.score, low, high, bound, True, text)


def _deeper(name: str, result: MatchResult) -> Criterion:
    gains = []
    for record in result.records:
        black, white = (record.usage[side].depth or 0.0 for side in ("black", "white"))
        gains.append(black - white if record.number % 2 == 0 else white - black)
    mean = statistics.fmean(gains)
    error = 1.96 * statistics.stdev(gains) / math.sqrt(len(gains)) if len(gains) > 1 else math.inf
    ours, theirs = (result.usage(first=first).depth or 0.0 for first in (True, False))
    text = f"{mean:+.2f} ± {error:.2f} plies, {ours:.1f} against {theirs:.1f} on average"
    return Criterion(name, mean, mean - error, mean + error, 0.0, True, text)

"""What a search gives back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import total_ordering
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from reluca._engine import Board
from reluca.svg import render, render_scores
from reluca.tables import confidence_of_z
from reluca.types import Move

Bound = Literal["exact", "lower", "upper"]
"""Whether a score is the value at its depth, or a bound of it."""

StopReason = Literal["complete", "time", "no_time_for_next", "nodes", "stopped"]
"""Why a search ended."""


@total_ordering
@dataclass(frozen=True)
class Score:
    """A value for the side to move.

    >>> score = Score(250)
    >>> str(score), score.discs, -score < score
    ('+2.50', 2.5, True)
    """

    centidiscs: int
    """In hundredths of a disc, -6400 to 6400."""

    @property
    def discs(self) -> float:
        """In discs."""
        return self.centidiscs / 100

    def __neg__(self) -> Score:
        return Score(-self.centidiscs)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self.centidiscs < other.centidiscs

    def __float__(self) -> float:
        return self.discs

    def __str__(self) -> str:
        return f"{self.discs:+.2f}"


@dataclass(frozen=True)
class Line:
    """A move with its value and the play expected after it."""

    score: Score
    """The value for the side to move."""
    bound: Bound
    """How the score relates to the value."""
    pv: tuple[Move, ...]
    """The expected play, beginning with the move."""

    @property
    def move(self) -> Move | None:
        """The move; None if the game is over."""
        return self.pv[0] if self.pv else None

    def __str__(self) -> str:
        return f"{self.score} {' '.join(map(str, self.pv))}"


@dataclass(frozen=True)
class Counters:
    """What was counted in a search or an iteration."""

    nodes: int
    """Positions visited, the root included."""
    evaluations: int
    """Static evaluations."""
    table_probes: int
    """Look-ups in the transposition table."""
    table_hits: int
    """Look-ups that found the position."""
    table_cutoffs: int
    """Look-ups that ended the node."""
    table_stores: int
    """Entries written."""
    table_replacements: int
    """Entries written over another position."""
    cutoffs: int
    """Nodes that ended with a value of at least beta."""
    first_move_cutoffs: int
    """Cutoffs by the first move searched."""
    mpc_tries: int
    """Nodes at which Multi-ProbCut was tried."""
    mpc_nested_tries: int
    """Tries inside a shallow search of Multi-ProbCut: none unless `mpc_nesting` allows it."""
    pruned_moves: int
    """Moves left out by move-count pruning."""
    aspiration_retries: int
    """Windows that failed and were widened."""
    aspiration_fallbacks: int
    """Searches that fell back to the full window."""
    mpc_beta_cuts: tuple[int, ...]
    """Multi-ProbCut cuts at beta, by pair."""
    mpc_alpha_cuts: tuple[int, ...]
    """Multi-ProbCut cuts at alpha, by pair."""

    @property
    def mpc_cuts(self) -> int:
        """All cuts of Multi-ProbCut."""
        return sum(self.mpc_beta_cuts) + sum(self.mpc_alpha_cuts)

    @property
    def table_hit_rate(self) -> float:
        """The share of look-ups that found their position."""
        return self.table_hits / self.table_probes if self.table_probes else 0.0

    @property
    def first_move_cutoff_rate(self) -> float:
        """The share of cutoffs made by the first move: the mark of good ordering."""
        return self.first_move_cutoffs / self.cutoffs if self.cutoffs else 0.0


@dataclass(frozen=True)
class Iteration:
    """One completed iteration."""

    depth: int
    """Its depth."""
    lines: tuple[Line, ...]
    """The best lines, best first."""
    margin: float | None
    """The narrowest margin of cuts on probability, in deviations; None if nothing was cut, 0 if moves were left out."""
    counters: Counters
    """What was counted in this iteration alone."""
    time: float
    """Seconds of this iteration alone."""
    total_nodes: int
    """Nodes since the search began."""
    total_time: float
    """Seconds since the search began."""
    board: Board | None = field(default=None, repr=False, compare=False)
    """The position that was searched, if it is known; a notebook draws it with the scores of the moves."""

    @property
    def score(self) -> Score:
        """The value of the best move."""
        return self.lines[0].score

    @property
    def best_move(self) -> Move | None:
        """The best move."""
        return self.lines[0].move

    @property
    def pv(self) -> tuple[Move, ...]:
        """The expected play."""
        return self.lines[0].pv

    @property
    def nodes(self) -> int:
        """Nodes of this iteration alone."""
        return self.counters.nodes

    @property
    def mpc_cuts(self) -> int:
        """Cuts of Multi-ProbCut in this iteration."""
        return self.counters.mpc_cuts

    def row(self) -> dict[str, int | float | str]:
        """The iteration as a flat row."""
        counters = self.counters
        return {
            "depth": self.depth,
            "score": self.score.discs,
            "best_move": str(self.best_move),
            "nodes": self.nodes,
            "time": self.time,
            "total_nodes": self.total_nodes,
            "total_time": self.total_time,
            "mpc_cuts": counters.mpc_cuts,
            "aspiration_retries": counters.aspiration_retries,
            "aspiration_fallbacks": counters.aspiration_fallbacks,
            "first_move_cutoff_rate": counters.first_move_cutoff_rate,
            "table_hit_rate": counters.table_hit_rate,
        }

    def _repr_svg_(self) -> str | None:
        if self.board is None:
            return None
        return render_scores(self.board, _scores(self.lines), f"depth {self.depth}")


@dataclass(frozen=True)
class SearchResult:
    """The outcome of a search."""

    lines: tuple[Line, ...]
    """The best lines, best first; more than one if several were asked for."""
    depth: int
    """The depth of the last completed iteration."""
    margin: float | None
    """The narrowest margin of cuts on probability, in deviations; None if nothing was cut, 0 if moves were left out."""
    exact: bool
    """Whether the score is the proven result of the game."""
    stop_reason: StopReason
    """Why the search ended."""
    counters: Counters
    """What was counted."""
    time: float
    """Seconds."""
    table_fill: float
    """The share of the transposition table in use."""
    iterations: tuple[Iteration, ...]
    """Every completed iteration."""
    board: Board | None = field(default=None, repr=False, compare=False)
    """The position that was searched, if it is known; a notebook draws it with the scores of the moves."""

    @property
    def best_move(self) -> Move | None:
        """The move to play; None if the game is over."""
        return self.lines[0].move

    @property
    def score(self) -> Score:
        """The value of the best move for the side to move."""
        return self.lines[0].score

    @property
    def bound(self) -> Bound:
        """How the score relates to the value."""
        return self.lines[0].bound

    @property
    def pv(self) -> tuple[Move, ...]:
        """The expected play."""
        return self.lines[0].pv

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return self.counters.nodes

    @property
    def nps(self) -> float:
        """Positions visited per second."""
        return self.nodes / self.time if self.time > 0 else 0.0

    @property
    def selectivity(self) -> float:
        """The confidence of each cut on probability: 1.0 if nothing was cut, 0.0 if moves were left out without one."""
        if self.margin is None:
            return 1.0
        return confidence_of_z(self.margin) if self.margin > 0 else 0.0

    @property
    def table_hit_rate(self) -> float:
        """The share of table look-ups that found their position."""
        return self.counters.table_hit_rate

    @property
    def first_move_cutoff_rate(self) -> float:
        """The share of cutoffs made by the first move."""
        return self.counters.first_move_cutoff_rate

    def rows(self) -> list[dict[str, int | float | str]]:
        """One flat row per iteration, ready for `pandas.DataFrame`."""
        return [iteration.row() for iteration in self.iterations]

    def to_numpy(self) -> NDArray[np.void]:
        """The rows as a structured array."""
        rows = self.rows()
        kinds = {int: "i8", float: "f8", str: "U4"}
        names = list(rows[0]) if rows else []
        dtype = [(name, kinds[type(rows[0][name])]) for name in names]
        return np.array([tuple(row.values()) for row in rows], dtype=dtype)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "best_move": None if self.best_move is None else str(self.best_move),
            "score": self.score.discs,
            "bound": self.bound,
            "exact": self.exact,
            "depth": self.depth,
            "selectivity": self.selectivity,
            "pv": [str(move) for move in self.pv],
            "lines": [
                {"score": line.score.discs, "bound": line.bound, "pv": [str(move) for move in line.pv]}
                for line in self.lines
            ],
            "nodes": self.nodes,
            "time": self.time,
            "nps": self.nps,
            "table_hit_rate": self.table_hit_rate,
            "table_fill": self.table_fill,
            "first_move_cutoff_rate": self.first_move_cutoff_rate,
            "stop_reason": self.stop_reason,
            "counters": asdict(self.counters),
            "iterations": self.rows(),
        }

    def to_json(self) -> str:
        """The result as JSON."""
        return json.dumps(self.to_dict(), indent=2)

    def _repr_svg_(self) -> str | None:
        if self.board is None:
            return None
        how = "exact" if self.exact else f"depth {self.depth}"
        return render_scores(self.board, _scores(self.lines), how, exact=self.exact)


Result = Literal["win", "draw", "loss"]
"""The result of a game for the side to move."""


@dataclass(frozen=True)
class SolveResult:
    """The outcome of a solve.

    If it is not `proven`, time or nodes ran out, and the score is what a search of `search.depth` plies thinks.
    """

    proven: bool
    """Whether the answer is certain."""
    wld: bool
    """Whether only the winner was asked for."""
    search: SearchResult
    """The search behind it, with all that was counted."""

    @property
    def best_move(self) -> Move | None:
        """The move to play; None if the game is over."""
        return self.search.best_move

    @property
    def pv(self) -> tuple[Move, ...]:
        """Best play to the end of the game; if only the winner was asked for, its first move."""
        return self.search.pv

    @property
    def score(self) -> float:
        """The result in discs for the side to move, empties to the winner; whole if proven.

        If only the winner was asked for, +2 stands for a win and -2 for a loss of any size.
        """
        return self.search.score.discs

    @property
    def result(self) -> Result:
        """Who wins, for the side to move; certain only if proven."""
        return "win" if self.score > 0 else "loss" if self.score < 0 else "draw"

    @property
    def scores(self) -> dict[Move, float]:
        """The score of every move that was solved, best first."""
        return _scores(self.search.lines)

    @property
    def nodes(self) -> int:
        """Positions visited."""
        return self.search.nodes

    @property
    def time(self) -> float:
        """Seconds."""
        return self.search.time

    @property
    def nps(self) -> float:
        """Positions visited per second."""
        return self.search.nps

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "best_move": None if self.best_move is None else str(self.best_move),
            "score": self.score,
            "result": self.result,
            "proven": self.proven,
            "pv": [str(move) for move in self.pv],
            "scores": {str(move): score for move, score in self.scores.items()},
            "nodes": self.nodes,
            "time": self.time,
            "nps": self.nps,
            "stop_reason": self.search.stop_reason,
        }

    def _repr_svg_(self) -> str | None:
        if self.search.board is None or not (self.proven and self.wld):
            return self.search._repr_svg_()
        return render(self.search.board, highlight=self.best_move, caption=f"{self.search.board.turn}: {self.result}")


def _scores(lines: tuple[Line, ...]) -> dict[Move, float]:
    return {line.pv[0]: line.score.discs for line in lines if line.pv}


def _lines(lines: list[tuple[int, Bound, list[Move]]]) -> tuple[Line, ...]:
    return tuple(Line(Score(score), bound, tuple(pv)) for score, bound, pv in lines)


def _counters(counters: Mapping[str, Any]) -> Counters:
    by_pair = {name: tuple(counters[name]) for name in ("mpc_beta_cuts", "mpc_alpha_cuts")}
    converted: dict[str, Any] = {**counters, **by_pair}
    return Counters(**converted)


def iteration_from_native(native: Mapping[str, Any], board: Board) -> Iteration:
    """The iteration that the native engine described."""
    converted = {"lines": _lines(native["lines"]), "counters": _counters(native["counters"]), "board": board}
    return Iteration(**{**native, **converted})


def result_from_native(native: Mapping[str, Any], board: Board) -> SearchResult:
    """The result that the native engine described."""
    iterations = tuple(iteration_from_native(iteration, board) for iteration in native["iterations"])
    converted = {"lines": _lines(native["lines"]), "counters": _counters(native["counters"]), "iterations": iterations}
    return SearchResult(**{**native, **converted, "board": board})

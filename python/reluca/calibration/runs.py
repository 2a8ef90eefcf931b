"""Searches of many boards to one depth with one set of options: what is compared when options are."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reluca._engine import Board
from reluca.engine import Engine
from reluca.limits import Limit
from reluca.options import SearchOptions
from reluca.training import thread_count
from reluca.weights import WeightsSource


@dataclass(frozen=True)
class Runs:
    """What every search took, by board."""

    rows: NDArray[np.void]
    """`nodes`, `iterations` (those with a window), `retries`, `fallbacks` and `move` (-1 if there is none)."""

    def __getitem__(self, chosen: NDArray[np.bool_]) -> Runs:
        """The runs of some boards."""
        return Runs(self.rows[chosen])

    @property
    def nodes(self) -> NDArray[np.int64]:
        """The nodes of every search."""
        nodes: NDArray[np.int64] = self.rows["nodes"]
        return nodes

    def rate(self, event: str) -> float:
        """How often there were `retries` or `fallbacks`, per iteration that has a window."""
        return float(self.rows[event].sum() / max(self.rows["iterations"].sum(), 1))

    def agreement(self, other: Runs) -> float:
        """How often the moves are the same."""
        return float((self.rows["move"] == other.rows["move"]).mean()) if len(self.rows) else 0.0


_RUN = np.dtype([(name, "i8") for name in ("nodes", "iterations", "retries", "fallbacks", "move")])


def search_all(
    boards: Sequence[Board],
    options: SearchOptions,
    depth: int,
    *,
    weights: WeightsSource = None,
    threads: int | None = None,
    table_mb: int = 32,
) -> Runs:
    """Searches every board with an empty table; the counts do not depend on the number of threads.

    An interrupt ends the searches at once.
    """
    workers = min(thread_count(threads), max(len(boards), 1))
    rows = np.zeros(len(boards), dtype=_RUN)

    engines = [Engine(options, table_mb=table_mb, weights=weights, threads=1) for _ in range(workers)]
    stopped = threading.Event()

    def work(number: int) -> None:
        engine = engines[number]
        for index in range(number, len(boards), workers):
            if stopped.is_set():
                return
            engine.new_game()
            result = engine.search(boards[index], Limit(depth=depth))
            counters = result.counters
            windows = max(len(result.iterations) - 1, 0)
            move = -1 if result.best_move is None else int(result.best_move)
            rows[index] = (
                result.nodes,
                windows,
                counters.aspiration_retries,
                counters.aspiration_fallbacks,
                move,
            )

    with ThreadPoolExecutor(workers) as pool:
        try:
            list(pool.map(work, range(workers)))
        except BaseException:
            # The pool waits for its threads, an interrupt or not.
            stopped.set()
            for engine in engines:
                engine.stop()
            raise
    return Runs(rows)


@dataclass(frozen=True)
class Ratio:
    """A share of totals with its 95 % error, from the scatter over boards."""

    value: float
    error: float

    def __str__(self) -> str:
        return f"{self.value:.1%} ± {self.error:.1%}"


def ratio(numbers: NDArray[np.int64], reference: NDArray[np.int64]) -> Ratio:
    """The total of some numbers as a share of the total of others, board by board.

    >>> str(ratio(np.array([50, 110]), np.array([100, 200])))
    '53.3% ± 4.4%'
    """
    total = max(int(reference.sum()), 1)
    value = float(numbers.sum() / total)
    count = len(numbers)
    if count < 2:
        return Ratio(value, math.inf)
    scatter = float(((numbers - value * reference) ** 2).sum())
    return Ratio(value, 1.96 * math.sqrt(scatter * count / (count - 1)) / total)

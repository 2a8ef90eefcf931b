"""The engine: options, a transposition table and an evaluation."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reluca import batch
from reluca._engine import Board, NativeEngine, NativePondering, physical_cores
from reluca.errors import EngineBusyError, InvalidLimitError, InvalidOptionsError
from reluca.limits import Limit
from reluca.options import SearchOptions
from reluca.results import Iteration, Score, SearchResult, SolveResult, iteration_from_native, result_from_native
from reluca.weights import WeightsSource, checksum, resolve

logger = logging.getLogger("reluca.search")
"""One record per iteration (SearchProgress) and one for a search that time ended (TimeControl, Timeout)."""
MOST_THREADS = 256


class Engine:
    """An Othello engine.

    >>> engine = Engine(table_mb=16)
    >>> result = engine.search(Board.from_moves("f5d6c3d3c4"), Limit(depth=6))
    >>> result.depth, result.best_move in Board.from_moves("f5d6c3d3c4").legal_moves
    (6, True)

    An engine does one search at a time; two engines in two threads search side by side.
    """

    def __init__(
        self,
        options: SearchOptions | None = None,
        *,
        table_mb: int = 128,
        weights: WeightsSource = None,
        threads: int | None = None,
    ) -> None:
        """Makes an engine with a transposition table of `table_mb` megabytes.

        It evaluates with the bundled weights, or with others: a file, an object, or `reluca.weights.HAND_MADE`. Its
        searches use `threads` threads, by default one per physical core. With one thread the same options, table and
        limit give the same nodes and answer; with several, exact scores stay the same, but nodes and lines may not.
        """
        if isinstance(table_mb, bool) or not isinstance(table_mb, int) or not 1 <= table_mb < 2**44:
            raise InvalidOptionsError(f"table_mb must be a whole number of at least 1, not {table_mb!r}")
        if threads is None:
            threads = min(physical_cores(), MOST_THREADS)
        if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
            raise InvalidOptionsError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {threads!r}")
        self.options = SearchOptions.strongest() if options is None else options
        self.table_mb = table_mb
        self.threads = threads
        """How many threads search together."""
        self.weights = resolve(weights)
        """The weights in use; none for the hand-made evaluation."""
        self.options.require_weights(checksum(self.weights))
        self._native = NativeEngine(self.options, table_mb, self.weights, threads)
        self._searching = threading.Lock()

    def __repr__(self) -> str:
        threads = f"{self.threads} thread{'s' if self.threads > 1 else ''}"
        return (
            f"<Engine {self.options.algorithm}, table {self.table_mb} MB, weights {checksum(self.weights)}, {threads}>"
        )

    def search(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        on_iteration: Callable[[Iteration], object] | None = None,
    ) -> SearchResult:
        """Searches a board for its `multipv` best moves; `on_iteration` is called after every iteration.

        Without a limit the search goes on until the game is read to its end, or until `stop()` or Ctrl-C.
        """
        limit = _checked(board, limit, multipv)
        self._begin()
        try:
            return self._search(board, limit, multipv, on_iteration)
        finally:
            self._searching.release()

    def _begin(self) -> None:
        """Claims the engine for one search; `_searching` is released when it ends."""
        if not self._searching.acquire(blocking=False):
            raise EngineBusyError("this engine is searching already; stop it or use another one")

    def _search(
        self, board: Board, limit: Limit, multipv: int, on_iteration: Callable[[Iteration], object] | None
    ) -> SearchResult:
        searched = board.copy()

        def observe(native: dict[str, Any]) -> None:
            iteration = iteration_from_native(native, searched)
            _log_progress(iteration)
            if on_iteration is not None:
                on_iteration(iteration)

        observed = on_iteration is not None or logger.isEnabledFor(logging.INFO)
        native = self._native.search(board, limit, min(multipv, 64), observe if observed else None)
        result = result_from_native(native, searched)
        _log_end(result)
        return result

    def solve(
        self, board: Board, *, all_moves: bool = False, wld: bool = False, limit: Limit | None = None
    ) -> SolveResult:
        """Reads the game to its end: the exact score with best play, of the best move or of `all_moves`.

        With `wld` it only finds out who wins, which is faster. If `limit` (time or nodes) runs out first, the result is
        the best answer so far and not `proven`.

        >>> Engine(table_mb=16).solve(Board("XO" + "-" * 62)).score
        64.0
        """
        limit = replace(_checked(board, limit, 1), exact=not wld, wld=wld)
        search = self.search(board, limit, multipv=64 if all_moves else 1)
        proven = search.exact or (wld and search.stop_reason == "complete")
        return SolveResult(proven=proven, wld=wld, search=search)

    def analysis(self, board: Board, limit: Limit | None = None, *, multipv: int = 1) -> Analysis:
        """Searches in the background and yields the iterations as they complete.

        >>> with Engine(table_mb=16).analysis(Board(), Limit(depth=4)) as iterations:
        ...     [iteration.depth for iteration in iterations]
        [1, 2, 3, 4]
        """
        return Analysis(self, board.copy(), _checked(board, limit, multipv), multipv)

    def ponder(self, board: Board) -> Pondering:
        """Searches a board in the background, on the opponent's time, and remembers what it finds.

        The engine ponders until `stop()`, or until the next thing is asked of it.

        >>> engine = Engine(table_mb=16)
        >>> with engine.ponder(Board()) as pondering:
        ...     opponent = Board.from_moves("f5")
        >>> pondering.result().stop_reason
        'stopped'
        """
        _checked(board, None, 1)
        self._begin()
        try:
            return Pondering(self, board.copy())
        finally:
            self._searching.release()

    def stop(self) -> None:
        """Ends a search or pondering in progress, from any thread; it returns what it has."""
        self._native.stop()

    def evaluate(self, board: Board) -> Score:
        """The static evaluation of a board for the side to move."""
        return Score(self._native.evaluate(board))

    def evaluate_batch(self, boards: ArrayLike) -> NDArray[np.int16]:
        """The static evaluations, in centidiscs, of a batch of boards (see `reluca.batch`), on all cores.

        >>> Engine(table_mb=1).evaluate_batch(batch.from_boards([Board()])).tolist() == [
        ...     Engine(table_mb=1).evaluate(Board()).centidiscs
        ... ]
        True
        """
        return self._native.batch_evaluate(batch.checked(boards))

    def new_game(self) -> None:
        """Forgets all searched positions."""
        self._begin()
        try:
            self._native.clear()
        finally:
            self._searching.release()

    @property
    def table_capacity(self) -> int:
        """How many positions the transposition table has room for."""
        return self._native.table_capacity


class Analysis:
    """A search in the background: iterate over it, stop it, or wait for its result.

    Leaving the `with` block stops the search.
    """

    def __init__(self, engine: Engine, board: Board, limit: Limit, multipv: int) -> None:
        self._engine = engine
        self._stopping = False
        self._ended = False
        self._iterations: queue.SimpleQueue[Iteration | None] = queue.SimpleQueue()
        self._result: SearchResult | None = None
        self._error: BaseException | None = None
        engine._begin()
        self._thread = threading.Thread(target=self._run, args=(board, limit, multipv), daemon=True)
        self._thread.start()

    def _run(self, board: Board, limit: Limit, multipv: int) -> None:
        try:
            self._result = self._engine._search(board, limit, multipv, self._receive)
        except BaseException as error:
            self._error = error
        finally:
            self._ended = True
            self._engine._searching.release()
            self._iterations.put(None)

    def _receive(self, iteration: Iteration) -> None:
        self._iterations.put(iteration)
        if self._stopping:
            self._engine.stop()

    def __iter__(self) -> Iterator[Iteration]:
        while (iteration := self._iterations.get()) is not None:
            yield iteration
        self._iterations.put(None)
        if self._error is not None:
            raise self._error

    def stop(self) -> None:
        """Ends the search; `wait` gives what it has."""
        # A search that has not begun yet would miss the call; it hears of it after its first iteration.
        self._stopping = True
        if not self._ended:
            self._engine.stop()

    def wait(self) -> SearchResult:
        """Waits for the end of the search and returns its result."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._thread.join()


class Pondering:
    """A search on the opponent's time, without an end of its own; leaving the `with` block ends it."""

    def __init__(self, engine: Engine, board: Board) -> None:
        # An engine that is collected ends its pondering: the handle holds on to it.
        self._engine = engine
        self.board = board
        """What is pondered."""
        self._native: NativePondering = engine._native.ponder(board)

    @property
    def running(self) -> bool:
        """Whether it still goes on; it ends by itself when the game is read to its end."""
        return self._native.running

    def stop(self) -> None:
        """Ends the pondering, and nothing that the engine has begun since."""
        self._native.stop()

    def result(self) -> SearchResult:
        """Ends the pondering and returns what it has found."""
        return result_from_native(self._native.result(), self.board)

    def __enter__(self) -> Pondering:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._native.result()


def _checked(board: Board, limit: Limit | None, multipv: int) -> Limit:
    """The limit, if all arguments are what they should be."""
    if not isinstance(board, Board):
        raise TypeError(f"expected a Board, got {board!r}")
    if limit is not None and not isinstance(limit, Limit):
        raise TypeError(f"expected a Limit, got {limit!r}")
    if isinstance(multipv, bool) or not isinstance(multipv, int) or multipv < 1:
        raise InvalidLimitError(f"multipv must be a whole number of at least 1, not {multipv!r}")
    return Limit() if limit is None else limit


def _log_progress(iteration: Iteration) -> None:
    logger.info(
        "depth %d score %s nodes %d pv %s",
        iteration.depth,
        iteration.score,
        iteration.nodes,
        " ".join(map(str, iteration.pv)),
        extra={"event": "SearchProgress", **iteration.row()},
    )


def _log_end(result: SearchResult) -> None:
    events = {"time": "Timeout", "no_time_for_next": "TimeControl"}
    if result.stop_reason in events:
        logger.info(
            "%s after depth %d in %.3f s",
            result.stop_reason,
            result.depth,
            result.time,
            extra={"event": events[result.stop_reason], "depth": result.depth, "elapsed": result.time},
        )

"""Several threads in one search, several engines at once, and pondering."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import reluca
from conversation import happens
from reluca import Board, Engine, Limit, obf
from reluca._engine import physical_cores

OPENING = Board.from_moves("f5d6c3d3c4")
TASKS = Path("/proc/self/task")
needs_tasks = pytest.mark.skipif(not TASKS.exists(), reason="counts the threads of the process as Linux shows them")


def tasks() -> int:
    """The threads of this process, native ones too."""
    return len(list(TASKS.iterdir()))


def endgames(count: int, empties: int) -> list[Board]:
    """Positions of random games, with too many empty squares for one thread to be done before others can help."""
    rng = random.Random(7)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board()
        while board.empties > empties and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            boards.append(board)
    return boards


def test_an_engine_uses_all_physical_cores_or_as_many_threads_as_it_is_told() -> None:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    assert Engine(table_mb=1).threads == physical_cores() <= cores
    engine = Engine(table_mb=1, threads=3)
    assert engine.threads == 3
    assert repr(engine).endswith(", 3 threads>")
    assert repr(Engine(table_mb=1, threads=1)).endswith(", 1 thread>")


@needs_tasks
def test_the_threads_of_a_search_are_there_while_it_lasts_and_gone_afterwards() -> None:
    before = tasks()
    for threads in (1, 5):
        with Engine(table_mb=1, threads=threads).analysis(OPENING) as analysis:
            next(iter(analysis))
            # Beside the threads that search, one in Python waits for them.
            assert happens(lambda: tasks() == before + 1 + threads, 5), threads  # noqa: B023
        assert happens(lambda: tasks() == before, 5)


def test_engines_in_several_threads_prove_what_one_thread_proves() -> None:
    boards = endgames(6, 17)
    expected = [Engine(table_mb=16, threads=1).solve(board, all_moves=True).scores for board in boards]
    proved = list(obf.read(Path(__file__).parent / "data" / "proved.obf"))

    def work(number: int) -> None:
        engine = Engine(table_mb=4, threads=2)
        for index in range(number, number + len(boards)):
            # Warm from the board before, and each engine in another order.
            solved = engine.solve(boards[index % len(boards)], all_moves=True)
            assert solved.proven
            assert solved.scores == expected[index % len(boards)]
        for position in proved:
            assert engine.solve(position.board, all_moves=True).scores == position.scores

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))


def test_an_engine_that_is_shared_does_one_search_and_refuses_the_others() -> None:
    engine = Engine(table_mb=4, threads=2)
    together = threading.Barrier(4)

    def work(_: int) -> str:
        together.wait()
        try:
            return engine.search(OPENING, Limit(time=0.5)).stop_reason
        except reluca.EngineBusyError:
            return "busy"

    with ThreadPoolExecutor(4) as pool:
        outcomes = sorted(pool.map(work, range(4)))
    assert outcomes[:3] == ["busy"] * 3
    assert outcomes[3] in ("time", "no_time_for_next")
    assert engine.search(OPENING, Limit(depth=8)).depth == 8


@pytest.mark.parametrize("reply", [None, "f4"])
def test_a_search_after_pondering_needs_fewer_nodes(reply: str | None) -> None:
    board = OPENING if reply is None else OPENING.play(reply)
    cold = Engine(table_mb=16, threads=1).search(board, Limit(depth=10)).nodes

    def warm(seconds: float) -> int:
        engine = Engine(table_mb=16, threads=1)
        engine.ponder(OPENING)
        time.sleep(seconds)
        return engine.search(board, Limit(depth=10)).nodes

    # A machine that is busy with something else may take longer to get there.
    assert any(warm(seconds) < cold / 2 for seconds in (0.5, 2, 10))


def ways_to_end() -> dict[str, Callable[[Engine, reluca.Pondering], object]]:
    return {
        "search": lambda engine, _: engine.search(OPENING, Limit(depth=1)),
        "solve": lambda engine, _: engine.solve(Board("XO" + "-" * 62)),
        "analysis": lambda engine, _: engine.analysis(OPENING, Limit(depth=1)).wait(),
        "new game": lambda engine, _: engine.new_game(),
        "pondering something else": lambda engine, _: engine.ponder(Board()),
        "the end of the with block": lambda _, pondering: pondering.__exit__(None, None, None),
        "result": lambda _, pondering: pondering.result(),
    }


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("way", ways_to_end())
def test_pondering_has_ended_after_whatever_is_asked_next(way: str, threads: int) -> None:
    engine = Engine(table_mb=1, threads=threads)
    pondering = engine.ponder(OPENING)
    assert not happens(lambda: not pondering.running, 0.05)
    ways_to_end()[way](engine, pondering)
    assert not pondering.running
    result = pondering.result()
    assert (result.stop_reason, result.board) == ("stopped", OPENING)
    assert result.best_move in OPENING.legal_moves


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_ends_pondering_at_once(threads: int) -> None:
    engine = Engine(table_mb=1, threads=threads)
    for stop in (engine.stop, None):
        pondering = engine.ponder(OPENING)
        (stop or pondering.stop)()
        assert happens(lambda: not pondering.running, 0.2)  # noqa: B023


def test_a_handle_stops_its_own_pondering_only() -> None:
    engine = Engine(table_mb=1, threads=1)
    first = engine.ponder(OPENING)
    second = engine.ponder(Board())
    first.stop()
    assert first.result().board == OPENING
    assert not happens(lambda: not second.running, 0.1)
    with engine.analysis(OPENING) as analysis:
        second.stop()
        iterations = iter(analysis)
        assert [next(iterations).depth for _ in range(8)] == list(range(1, 9))


def test_an_engine_that_searches_does_not_ponder() -> None:
    engine = Engine(table_mb=1, threads=1)
    with engine.analysis(OPENING), pytest.raises(reluca.EngineBusyError, match="searching already"):
        engine.ponder(OPENING)


def test_pondering_ends_by_itself_at_the_end_of_the_game() -> None:
    pondering = Engine(table_mb=1).ponder(endgames(1, 8)[0])
    assert happens(lambda: not pondering.running, 10)
    assert pondering.result().exact


def test_pondering_ends_with_its_engine_which_lives_as_long_as_the_handle() -> None:
    engine = Engine(table_mb=1, threads=2)
    pondering = engine.ponder(OPENING)
    native = pondering._native
    del engine
    assert native.running
    del pondering
    assert not native.running


@pytest.mark.parametrize("keep", ["", "sys.kept = engine", "engine.myself = engine; del engine"])
def test_a_program_that_ends_while_its_engine_ponders_ends_at_once(keep: str) -> None:
    code = f"import sys, reluca\nengine = reluca.Engine()\nengine.ponder(reluca.Board())\n{keep}\nprint('done')"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20)
    assert (result.returncode, result.stdout, result.stderr) == (0, "done\n", "")

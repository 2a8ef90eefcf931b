"""The engine from Python: options, limits, results, streaming, interruption."""

from __future__ import annotations

import json
import logging
import math
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import reluca
from reluca import (
    AspirationParameterTable,
    Board,
    Clock,
    Engine,
    InvalidLimitError,
    InvalidOptionsError,
    Iteration,
    Limit,
    Move,
    MpcCutPair,
    MpcModel,
    MpcParameters,
    MpcParameterTable,
    SearchOptions,
    weights,
)
from reluca._engine import native_options
from reluca.match import random_openings

MIDDLE = Board.from_moves("e6d6c6d7e8f4c4c5d3e3b5c3c2b3a4c1d2b4a5")


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(table_mb=16, threads=1)


@pytest.mark.parametrize(("name", "options"), [("default", SearchOptions()), ("strongest", SearchOptions.strongest())])
def test_python_and_rust_agree_on_the_options(name: str, options: SearchOptions) -> None:
    native = native_options(name)
    assert set(native) == {field.name for field in fields(SearchOptions)}
    deltas, default_delta = native.pop("aspiration_table")
    assert options.aspiration_table == AspirationParameterTable(tuple(deltas), default_delta)
    pairs, parameters, z, exact = native.pop("mpc_table")
    assert options.mpc_table == MpcParameterTable(
        tuple(MpcCutPair(*pair) for pair in pairs),
        tuple(tuple(MpcParameters(*cell) for cell in row) for row in parameters),
        z,
        MpcModel(*exact),
    )
    for field, value in native.items():
        assert getattr(options, field) == value, field


def test_a_search_reports_all_that_it_did(engine: Engine) -> None:
    engine.new_game()
    result = engine.search(MIDDLE, Limit(depth=8))
    assert result.best_move in MIDDLE.legal_moves
    assert result.depth == 8
    assert [iteration.depth for iteration in result.iterations] == list(range(1, 9))
    assert result.iterations[-1].total_nodes == sum(iteration.nodes for iteration in result.iterations) == result.nodes
    assert result.iterations[-1].score == result.score
    assert result.pv[0] is result.best_move
    assert result.stop_reason == "complete"
    assert result.bound == "exact"
    assert 0.86 < result.selectivity < 0.87
    assert 0 < result.table_hit_rate < 1
    assert 0.5 < result.first_move_cutoff_rate < 1
    assert 0 < Engine(table_mb=1).search(MIDDLE, Limit(depth=11)).table_fill < 1
    assert result.nps > 0
    board = MIDDLE.copy()
    for move in result.pv:
        board.push(move)


def test_results_become_json_rows_and_arrays(engine: Engine) -> None:
    result = engine.search(MIDDLE, Limit(depth=5))
    data = json.loads(result.to_json())
    assert data["best_move"] == str(result.best_move)
    assert data["counters"]["nodes"] == result.nodes
    assert data["lines"][0]["bound"] == "exact"
    assert [row["depth"] for row in data["iterations"]] == [1, 2, 3, 4, 5]
    array = result.to_numpy()
    assert array["nodes"].sum() == result.nodes
    assert array.dtype["score"] == np.float64
    assert result.rows()[0]["depth"] == 1


def test_multipv_gives_the_best_moves_in_order(engine: Engine) -> None:
    engine = Engine(SearchOptions(use_transposition_table=True), table_mb=4, threads=1)
    result = engine.search(MIDDLE, Limit(depth=4), multipv=3)
    scores = [line.score for line in result.lines]
    assert scores == sorted(scores, reverse=True)
    singles = sorted(
        (-engine.search(MIDDLE.play(move), Limit(depth=3)).score for move in MIDDLE.legal_moves), reverse=True
    )
    assert scores == singles[:3]
    everything = engine.search(MIDDLE, Limit(depth=2), multipv=1000)
    assert len(everything.lines) == len(MIDDLE.legal_moves)


def test_iterations_are_called_back_and_an_exception_there_ends_the_search(engine: Engine) -> None:
    depths: list[int] = []
    engine.search(MIDDLE, Limit(depth=4), on_iteration=lambda iteration: depths.append(iteration.depth))
    assert depths == [1, 2, 3, 4]

    def refuse(iteration: Iteration) -> None:
        raise RuntimeError(f"enough at depth {iteration.depth}")

    start = time.perf_counter()
    with pytest.raises(RuntimeError, match="enough at depth 1"):
        engine.search(MIDDLE, Limit(time=60), on_iteration=refuse)
    assert time.perf_counter() - start < 1
    assert engine.search(MIDDLE, Limit(depth=2)).depth == 2


def test_every_iteration_and_the_end_by_time_are_logged(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="reluca.search"):
        engine.search(MIDDLE, Limit(depth=3))
        result = engine.search(MIDDLE, Limit(time=0.05))
    events = [record.__dict__["event"] for record in caplog.records]
    assert events[:3] == ["SearchProgress"] * 3
    assert events[-1] == {"time": "Timeout", "no_time_for_next": "TimeControl"}[result.stop_reason]
    assert caplog.records[2].__dict__["depth"] == 3
    assert "aspiration_retries" in caplog.records[2].__dict__


def test_an_analysis_streams_and_can_be_stopped(engine: Engine) -> None:
    with engine.analysis(MIDDLE, Limit(depth=5), multipv=2) as analysis:
        iterations = list(analysis)
    assert [iteration.depth for iteration in iterations] == [1, 2, 3, 4, 5]
    assert all(len(iteration.lines) == 2 for iteration in iterations)
    assert analysis.wait().depth == 5

    start = time.perf_counter()
    with engine.analysis(MIDDLE) as endless:
        for iteration in endless:
            if iteration.depth == 4:
                break
    assert time.perf_counter() - start < 5
    assert endless.wait().stop_reason == "stopped"
    assert engine.search(MIDDLE, Limit(depth=3)).depth == 3


def test_an_analysis_refuses_bad_arguments_at_once_and_leaves_other_searches_alone(engine: Engine) -> None:
    with pytest.raises(InvalidLimitError, match="multipv"):
        engine.analysis(MIDDLE, multipv=0)
    finished = engine.analysis(MIDDLE, Limit(depth=2))
    finished.wait()
    with engine.analysis(MIDDLE) as endless:
        iterations = iter(endless)
        next(iterations)
        with pytest.raises(reluca.EngineBusyError):
            engine.analysis(MIDDLE)
        finished.stop()
        # It goes on: there are always deeper iterations to come.
        assert next(iteration.depth for iteration in iterations if iteration.depth >= 10) == 10


def test_a_board_may_change_while_it_is_searched(engine: Engine) -> None:
    board = MIDDLE.copy()
    searched = engine.search(board, Limit(depth=3), on_iteration=lambda _: board.push(board.legal_moves[0]))
    assert len(board.move_stack) == len(MIDDLE.move_stack) + 3
    assert searched.best_move in MIDDLE.legal_moves


def test_an_analysis_of_an_endgame_streams_before_it_solves(engine: Engine) -> None:
    board = MIDDLE.copy()
    while board.empties > 28:
        board.push(board.legal_moves[0])
    with engine.analysis(board) as analysis:
        iterations = [iteration for iteration, _ in zip(analysis, range(4), strict=False)]
    assert [iteration.depth for iteration in iterations] == [1, 2, 3, 4]


def test_moves_left_out_are_not_called_exact() -> None:
    engine = Engine(SearchOptions(use_transposition_table=True, use_move_count_pruning=True), table_mb=4, threads=1)
    result = engine.search(MIDDLE, Limit(depth=7))
    assert result.counters.pruned_moves > 0
    assert (result.selectivity, result.exact) == (0.0, False)


def test_the_longest_times_are_no_problem(engine: Engine) -> None:
    for limit in (Limit(time=1e19, depth=2), Limit(clock=Clock(main=9e18, increment=9e18, byoyomi=1e19), depth=2)):
        assert engine.search(MIDDLE, limit).depth == 2


@pytest.mark.parametrize("threads", [1, 2])
def test_stop_from_another_thread_ends_the_search(threads: int) -> None:
    engine = Engine(table_mb=16, threads=threads)
    timer = threading.Timer(0.2, engine.stop)
    timer.start()
    start = time.perf_counter()
    result = engine.search(MIDDLE)
    assert result.stop_reason == "stopped"
    assert 0.15 < time.perf_counter() - start < 0.5
    assert result.best_move in MIDDLE.legal_moves


def test_an_engine_does_one_search_at_a_time(engine: Engine) -> None:
    with engine.analysis(MIDDLE) as analysis:
        next(iter(analysis))
        with pytest.raises(reluca.EngineBusyError, match="searching already"):
            engine.search(MIDDLE, Limit(depth=1))
        with pytest.raises(reluca.EngineBusyError):
            engine.new_game()


def test_two_engines_search_side_by_side_with_the_answers_they_give_alone() -> None:
    boards = [Board(), MIDDLE, Board.from_moves("f5d6c3d3c4"), MIDDLE.swap_colors()]
    alone = [Engine(table_mb=8, threads=1).search(board, Limit(depth=8)) for board in boards]
    together: dict[int, reluca.SearchResult] = {}

    def work(index: int) -> None:
        together[index] = Engine(table_mb=8, threads=1).search(boards[index], Limit(depth=8))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(len(boards))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for index, result in enumerate(alone):
        assert together[index].counters == result.counters
        assert together[index].lines == result.lines


@pytest.mark.parametrize("seconds", [0, 0.05, 0.3])
@pytest.mark.parametrize("exact", [False, True])
def test_time_is_kept(engine: Engine, seconds: float, exact: bool) -> None:
    def elapsed() -> float:
        start = time.perf_counter()
        assert engine.search(MIDDLE, Limit(time=seconds, exact=exact)).best_move in MIDDLE.legal_moves
        return time.perf_counter() - start

    # The best of three: a busy machine may hold up a thread, the search itself must not.
    assert min(elapsed() for _ in range(3)) < seconds + 0.05


def test_a_clock_is_used_in_part(engine: Engine) -> None:
    start = time.perf_counter()
    result = engine.search(MIDDLE, Limit(clock=Clock(main=2.0, increment=0.1)))
    assert time.perf_counter() - start < 1.0
    assert result.best_move is not None


def test_nodes_are_kept_to_the_node(engine: Engine) -> None:
    result = engine.search(MIDDLE, Limit(nodes=5_000))
    assert (result.nodes, result.stop_reason) == (5_000, "nodes")


def test_exact_reads_to_the_end() -> None:
    board = Board.from_moves("f5f6c4g5h5f4g7f7g4h8e7d3f3h3g3c3e6g6e3h4h2e2d2d8f1b4b5c1c2b1a4d1g2f2f8c5b3d7e1")
    while board.empties > 10:
        board.push(board.legal_moves[0])
    result = Engine(table_mb=4).search(board, Limit(exact=True))
    assert result.exact
    assert result.selectivity == 1.0

    def solve(board: Board) -> int:
        if board.is_game_over():
            return board.score()
        return max(-solve(board.play(move)) for move in board.legal_moves)

    while board.empties > 6:
        board.push(board.legal_moves[0])
    assert Engine(table_mb=4).search(board, Limit(exact=True)).score.discs == solve(board)


def test_finished_games_and_passes_get_right_answers(engine: Engine) -> None:
    over = engine.search(Board("XXX" + "-" * 61), Limit(depth=3))
    assert (over.best_move, over.score.discs, over.exact, over.pv) == (None, 64.0, True, ())
    forced = engine.search(Board("XO" + "-" * 62 + "O"), Limit(depth=3))
    assert (forced.best_move, forced.score.discs) == (Move.PASS, -64.0)


def test_depth_0_orders_by_evaluation(engine: Engine) -> None:
    result = engine.search(MIDDLE, Limit(depth=0))
    best = max(MIDDLE.legal_moves, key=lambda move: -engine.evaluate(MIDDLE.play(move)).centidiscs)
    assert result.depth == 0
    assert result.score == -engine.evaluate(MIDDLE.play(best))


def test_tables_round_trip_and_are_read_by_the_options() -> None:
    measured = replace(LITERATURE, exact=MpcModel(6.5, -0.05, 0.0, 0.01), weights="0123abcd")
    table = measured.with_confidence(0.9)
    assert (table.exact, table.weights) == (measured.exact, measured.weights)
    assert MpcParameterTable.from_json(table.to_json()) == table
    assert MpcParameterTable.from_toml(table.to_toml()) == table
    assert SearchOptions(mpc_table=table).mpc_table == table
    old = {name: value for name, value in table.to_dict().items() if name not in ("exact", "weights")}
    assert MpcParameterTable.from_dict(old) == LITERATURE.with_confidence(0.9)
    windows = AspirationParameterTable(deltas=tuple(range(1, 16)), weights="0123abcd")
    assert AspirationParameterTable.from_json(windows.to_json()) == windows
    assert AspirationParameterTable.from_toml(windows.to_toml()) == windows


def test_a_table_decides_what_is_cut() -> None:
    wide = MpcParameterTable.named("literature")
    narrow = replace(wide, parameters=((MpcParameters(1.0, 0.0, 30.0),) * 3,) * 15)
    cutting = SearchOptions(use_transposition_table=True, use_multi_prob_cut=True)
    nodes = {
        name: Engine(replace(cutting, mpc_table=table), table_mb=8, threads=1).search(MIDDLE, Limit(depth=9)).nodes
        for name, table in (("wide", wide), ("narrow", narrow))
    }
    assert nodes["narrow"] < 0.75 * nodes["wide"]


def test_the_table_s_model_of_exact_scores_decides_what_a_selective_solve_cuts() -> None:
    board = next(board for board in random_openings(20, 39) if len(board.legal_moves) > 4)
    table = MpcParameterTable.named("calibrated")
    nodes = {}
    for intercept in (3.0, table.exact.intercept, 20.0):
        options = replace(
            SearchOptions.strongest(), mpc_table=replace(table, exact=replace(table.exact, intercept=intercept))
        )
        nodes[intercept] = Engine(options, table_mb=16, threads=1).solve(board).search.nodes
    assert len(set(nodes.values())) == 3


def test_an_engine_refuses_tables_that_were_measured_with_other_weights() -> None:
    own = weights.bundled().checksum
    for other in (
        {"mpc_table": replace(LITERATURE, weights=weights.HAND_MADE)},
        {"aspiration_table": AspirationParameterTable(weights=weights.HAND_MADE)},
    ):
        options = SearchOptions(**other)
        Engine(options, table_mb=1, weights=weights.HAND_MADE)
        with pytest.raises(InvalidOptionsError, match=rf"hand-made, not with {own}.*replace\(table, weights=None\)"):
            Engine(options, table_mb=1)
    Engine(SearchOptions(mpc_table=replace(LITERATURE, weights=own)), table_mb=1)
    Engine(SearchOptions(mpc_table=LITERATURE), table_mb=1, weights=weights.HAND_MADE)


LITERATURE = MpcParameterTable.named("literature")
PAIRS = LITERATURE.pairs
CELL = MpcParameters(1.0, 0.0, 500.0)

BAD: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: SearchOptions(max_depth=0), InvalidOptionsError, "max_depth must be between 1 and 60"),
    (lambda: SearchOptions(max_depth=-3), InvalidOptionsError, "max_depth"),
    (lambda: SearchOptions(max_depth="deep"), InvalidOptionsError, "max_depth"),  # type: ignore[arg-type]
    (lambda: SearchOptions(algorithm="magic"), InvalidOptionsError, "algorithm must be"),  # type: ignore[arg-type]
    (lambda: SearchOptions(algorithm="negamax", use_multi_prob_cut=True), InvalidOptionsError, "not negamax"),
    (lambda: SearchOptions(algorithm="mtdf", use_aspiration_window=True), InvalidOptionsError, "MTD"),
    (lambda: SearchOptions(aspiration_delta=0), InvalidOptionsError, "aspiration_delta must be positive"),
    (
        lambda: SearchOptions(aspiration_scheme="triangular"),  # type: ignore[arg-type]
        InvalidOptionsError,
        'aspiration_scheme must be auto or one of exponential, doubling, asymmetric, adaptive, not "triangular"',
    ),
    (lambda: SearchOptions(aspiration_suppress_store=True), InvalidOptionsError, "needs use_transposition_table"),
    (lambda: SearchOptions(aspiration_table=AspirationParameterTable((1,) * 14)), InvalidOptionsError, "15 deltas"),
    (lambda: SearchOptions(mpc_table="unheard-of"), InvalidOptionsError, "no table named 'unheard-of'"),
    (lambda: SearchOptions(mpc_table=replace(LITERATURE, z=math.nan)), InvalidOptionsError, "z must be a positive"),
    (lambda: SearchOptions(mpc_table=replace(LITERATURE, pairs=())), InvalidOptionsError, "parameter sets"),
    (
        lambda: SearchOptions(mpc_table=MpcParameterTable((), ((),) * 15)),
        InvalidOptionsError,
        "1 to 32 cut pairs, not 0",
    ),
    (lambda: SearchOptions(mpc_table=replace(LITERATURE, pairs=PAIRS[::-1])), InvalidOptionsError, "must be sorted"),
    (
        lambda: SearchOptions(mpc_table=replace(LITERATURE, parameters=((replace(CELL, sigma=0.0),) * 3,) * 15)),
        InvalidOptionsError,
        "sigma must be a positive number, not 0",
    ),
    (lambda: SearchOptions(mpc_phase_margins=(1.0, -1.0, 1.0)), InvalidOptionsError, "mpc_phase_margins"),
    (lambda: LITERATURE.with_confidence(1.0), InvalidOptionsError, "confidence lies between"),
    (lambda: LITERATURE.get(16, 0), InvalidOptionsError, "stage is a number from 1 to 15"),
    (lambda: MpcParameterTable.from_json("{}"), InvalidOptionsError, "not a table: 'pairs'"),
    (lambda: MpcParameterTable.from_json("["), InvalidOptionsError, "not JSON"),
    (lambda: MpcParameterTable.from_toml("z = "), InvalidOptionsError, "not TOML"),
    (lambda: AspirationParameterTable.from_json("[]"), InvalidOptionsError, "expected a JSON table"),
    (lambda: Engine(table_mb=0), InvalidOptionsError, "table_mb must be"),
    (lambda: Engine(threads=0), InvalidOptionsError, "threads must be a whole number from 1 to 256, not 0"),
    (lambda: Engine(threads=257), InvalidOptionsError, "threads must be"),
    (lambda: Engine(threads=True), InvalidOptionsError, "threads must be"),
    (lambda: Engine(threads=1.5), InvalidOptionsError, "threads must be"),  # type: ignore[arg-type]
    (lambda: Engine(table_mb=1).ponder("f5"), TypeError, "expected a Board"),  # type: ignore[arg-type]
    (lambda: Engine(table_mb=2**43), MemoryError, "cannot be had"),
    (lambda: Engine(table_mb=2**43), reluca.RelucaError, "cannot be had"),
    (lambda: MpcParameterTable((), ((),) * 15), InvalidOptionsError, "1 to 32 cut pairs"),
    (lambda: AspirationParameterTable((-1,) * 15), InvalidOptionsError, "a delta must be positive, not -1"),
    (lambda: Limit(nodes=10**400), InvalidLimitError, "nodes is out of range"),
    (lambda: Limit(time=10**400), InvalidLimitError, "time is out of range"),
    (lambda: Limit(exact=1), InvalidLimitError, "exact must be True or False"),  # type: ignore[arg-type]
    (lambda: Limit(exact=True, depth=3), InvalidLimitError, "a depth does not go with them"),
    (lambda: Engine(table_mb=1).search(Board(), 0), TypeError, "expected a Limit"),  # type: ignore[arg-type]
    (lambda: Engine(table_mb=1).solve(Board(), limit=Limit(depth=1)), InvalidLimitError, "depth"),
    (lambda: reluca.Score(1) < 2, TypeError, "not supported"),
    (lambda: Limit(depth=-1), InvalidLimitError, "depth must not be negative"),
    (lambda: Limit(depth=2.5), InvalidLimitError, "depth must be a whole number"),  # type: ignore[arg-type]
    (lambda: Limit(time=math.nan), InvalidLimitError, "time must not be negative or NaN"),
    (lambda: Limit(time=-0.1), InvalidLimitError, "time must not be negative"),
    (lambda: Limit(time="1"), InvalidLimitError, "time must be a number"),  # type: ignore[arg-type]
    (lambda: Limit(nodes=2**64), InvalidLimitError, "nodes is out of range"),
    (lambda: Limit(clock=3.0), InvalidLimitError, "clock must be a Clock"),  # type: ignore[arg-type]
    (lambda: Clock(main=-1), InvalidLimitError, "clock main must not be negative"),
    (lambda: Engine(table_mb=1).search(Board(), multipv=0), InvalidLimitError, "multipv must be"),
    (lambda: Engine(table_mb=1).search("f5"), TypeError, "Board"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "error", "message"), BAD)
def test_bad_input_raises_what_names_it(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_ends_a_search_within_a_tenth_of_a_second(threads: int) -> None:
    # The best of three, as above.
    assert min(_seconds_to_interrupt(threads) for _ in range(3)) < 0.1


def _seconds_to_interrupt(threads: int) -> float:
    code = (
        "import reluca, signal, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"engine = reluca.Engine(table_mb=8, threads={threads})\n"
        "print('ready', flush=True)\n"
        "try:\n"
        "    engine.search(reluca.Board())\n"
        "except KeyboardInterrupt:\n"
        "    print(time.time(), flush=True)\n"
        "    print(engine.search(reluca.Board(), reluca.Limit(depth=3)).depth)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        seconds = float(process.stdout.readline()) - sent
        assert process.stdout.readline() == "3\n"
    return seconds


def test_bench_prints_a_stable_signature_and_that_off_is_off() -> None:
    command = [sys.executable, "-m", "reluca", "bench", "--json", "--depth", "6", "--time", "0.02"]
    first, second = (json.loads(subprocess.check_output(command, timeout=120)) for _ in range(2))
    assert first["signature"] == second["signature"] > 0
    assert first["off_is_off"] is True
    assert first["first_move_cutoff_rate"] > 0.85
    changelog = (Path(__file__).parent.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"Signature: {first['signature']} nodes" in changelog, "the search changed: restate its signature"

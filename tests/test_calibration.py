"""Calibration: samples, the fit, and the reports."""

from __future__ import annotations

import json
import math
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reluca import (
    AspirationParameterTable,
    Board,
    Engine,
    InvalidArgumentError,
    InvalidOptionsError,
    Limit,
    MpcParameters,
    MpcParameterTable,
    NotationError,
    SearchOptions,
    batch,
    calibration,
    training,
    weights,
)
from reluca.calibration import (
    SAMPLED,
    UNKNOWN,
    Candidate,
    CandidateResult,
    Choice,
    Criterion,
    DepthSamples,
    MpcModel,
    Runs,
    Trials,
)
from reluca.cli import run
from reluca.cli.settings import options_of
from reluca.match import GameRecord, MatchResult, Usage, random_openings
from reluca.reports import mpc as mpc_text


def synthetic(count: int, model: MpcModel, *, every_stage: bool = False) -> DepthSamples:
    """Samples, of three stages or of all, whose values scatter around a truth as a model says."""
    generator = np.random.default_rng(1)
    if every_stage:
        found = [random_board(4 * stage, generator) for stage in SAMPLED for _ in range(count // len(SAMPLED))]
    else:
        found = [
            (board.player, board.opponent) for plies in (8, 20, 32) for board in random_openings(count // 3, plies)
        ]
    boards = np.array(found, dtype=np.uint64)
    empties = 64 - np.array([bin(int(a) | int(b)).count("1") for a, b in boards])
    values = np.full((len(boards), 9), UNKNOWN, dtype=np.int16)
    # Independent steps from depth to depth whose variances add up to those of the model.
    base = np.exp(model.intercept + model.empties * empties)
    values[:, 0] = values[:, 1] = generator.normal(0, 600, len(boards))
    for depth in range(2, 9):
        values[:, depth] = values[:, depth - 2] + generator.normal(0, 1, len(boards)) * base
    return DepthSamples(boards, values, np.full(len(boards), UNKNOWN, np.int16), {"depth": 8})


def random_board(discs: int, generator: np.random.Generator) -> tuple[int, int]:
    """Discs of random colours on random squares."""
    squares = generator.permutation(64)[:discs].tolist()
    player = sum(1 << square for square in squares[::2])
    return player, sum(1 << square for square in squares) - player


MODEL = MpcModel(6.2, 0.0, 0.0, -0.02)


def test_a_planted_deviation_is_found_again() -> None:
    found = calibration.fit_mpc(synthetic(600, MODEL)).model
    for empties in (20.0, 40.0):
        truth = MODEL.sigma(0, 2, empties)
        # Over two plies one step scatters, over six plies three.
        assert found.sigma(2, 4, empties) == pytest.approx(truth, rel=0.2)
        assert found.sigma(2, 8, empties) == pytest.approx(truth * math.sqrt(3), rel=0.2)


def test_honest_samples_are_blessed_and_heavy_tails_are_not() -> None:
    honest = synthetic(960, MODEL, every_stage=True)
    assert calibration.fit_mpc(honest).blessed
    wild = synthetic(600, MODEL)
    # Most positions hardly change, but some jump: beyond two deviations more often than a normal error.
    generator = np.random.default_rng(2)
    jumps = generator.choice([-1500, 10, 1500], len(wild), p=[0.07, 0.86, 0.07])
    for depth in range(2, 9):
        wild.values[:, depth] = wild.values[:, depth % 2] + jumps
    fitted = calibration.fit_mpc(wild)
    assert max(row.overconfidence for row in fitted.coverage if row.z == 2.0) > 0.02
    assert fitted.verdict == "over-confident"
    assert not fitted.blessed


def test_fewer_samples_do_not_make_blessing_easier() -> None:
    for samples, judged in ((synthetic(120, MODEL, every_stage=True), 0), (synthetic(900, MODEL), 18)):
        fitted = calibration.fit_mpc(samples)
        assert fitted.evidence.judged == judged
        assert fitted.verdict == "not proved"
        assert not fitted.to_dict()["blessed"]
    few = calibration.fit_mpc(synthetic(240, MODEL, every_stage=True)).evidence
    assert few.error > 0.005
    assert 100 < few.missing < 2000
    enough = calibration.fit_mpc(synthetic(240 + few.missing // 12 * 12, MODEL, every_stage=True)).evidence
    assert enough.error == pytest.approx(0.005, rel=0.15)
    assert enough.judged == enough.cells


def test_what_is_judged_is_the_table_that_is_written() -> None:
    bent = synthetic(960, MODEL, every_stage=True)
    noise = np.random.default_rng(3).normal(0, 200, len(bent))
    bent.values[:, 6] = 0.7 * bent.values[:, 2] + 250 + noise
    fitted = calibration.fit_mpc(bent)
    table = fitted.table()
    pair = [pair.deep for pair in table.pairs].index(6)
    assert table.get(8, pair).b > 200
    chosen = fitted.residuals[fitted.residuals["d"] == 6]
    cells = [table.get(stage, pair) for stage in chosen["stage"].tolist()]
    written = [
        (int(bent.values[row, 6]) - cell.a * int(bent.values[row, 2]) - cell.b) / cell.sigma
        for row, cell in zip(chosen["sample"].tolist(), cells, strict=True)
    ]
    # Halves differ a little from the whole.
    assert np.abs(chosen["error"] - np.array(written)).max() < 0.4
    observed = np.mean([0.5 * ((error >= -1.1) + (error <= 1.1)) for error in written])
    row = next(row for row in fitted.coverage if (row.where, row.z) == ("pair (2, 6)", 1.1))
    assert row.observed == pytest.approx(observed, abs=0.01)


def test_a_finished_table_is_judged_by_samples_that_it_did_not_see(tmp_path: Path) -> None:
    table = calibration.fit_mpc(synthetic(960, MODEL, every_stage=True)).table()
    fresh = synthetic(1200, MODEL, every_stage=True)
    # What is exact scatters with 500 at any depth and any number of empty squares.
    fresh.exact[:] = fresh.values[:, 2] + np.random.default_rng(4).normal(0, 500, len(fresh))
    table = replace(table, exact=MpcModel(math.log(500), 0.0, 0.0, 0.0))
    only_two = replace(fresh, values=fresh.values[:, :4].copy())
    judged = calibration.judge_mpc(fresh, table)
    from_two = [row for row in judged.coverage if row.where == "exact from depth 2"]
    assert [row.z for row in from_two] == [1.1, 1.645, 2.0]
    assert all(row.observed == pytest.approx(row.predicted, abs=0.02) for row in from_two)
    timid = calibration.judge_mpc(fresh, replace(table, exact=MpcModel(math.log(250), 0.0, 0.0, 0.0)))
    assert all(row.overconfidence > 0.02 for row in timid.coverage if row.where == "exact from depth 2")
    pairs_only = replace(fresh, exact=np.full_like(fresh.exact, UNKNOWN))
    assert calibration.judge_mpc(pairs_only, table).blessed
    for change in ({"sigma": 150.0}, {"b": 2000.0}, {"a": 3.0}):
        wrong = tuple(tuple(replace(cell, **change) for cell in row) for row in table.parameters)
        judged = calibration.judge_mpc(pairs_only, replace(table, parameters=wrong))
        assert judged.verdict == "over-confident", change
    with pytest.raises(InvalidArgumentError, match="no pair of the table is among samples to depth 3"):
        calibration.judge_mpc(only_two, MpcParameterTable.named("literature"))
    with pytest.raises(InvalidArgumentError, match="made with the weights 01234567"):
        calibration.judge_mpc(fresh, replace(table, weights="01234567"))


def test_the_fit_gives_a_table_that_the_search_takes() -> None:
    fitted = calibration.fit_mpc(synthetic(300, MODEL), z=1.5)
    smooth = fitted.table()
    assert smooth.z == 1.5
    assert len(smooth.pairs) == 22
    assert MpcParameterTable.from_dict(fitted.to_dict()["table"]) == smooth
    own = calibration.fit_mpc(synthetic(300, MODEL), pairs=[(4, 10), (2, 6)])
    assert [(pair.shallow, pair.deep) for pair in own.table().pairs] == [(2, 6), (4, 10)]
    assert {row.where for row in own.normality} == {"pair (2, 6)"}


def test_measured_cells_have_their_own_line_and_the_others_are_left_to_the_model() -> None:
    fitted = calibration.fit_mpc(synthetic(300, MODEL), pairs=[(2, 6), (4, 10)])
    cells = {(cell.stage, cell.shallow, cell.deep): cell for cell in fitted.cells}
    cell = cells[6, 2, 6]
    assert cell.count >= 60
    assert not cell.from_model
    assert cell.low < cell.sigma < cell.high
    assert cell.low < MODEL.sigma(2, 6, 40) * math.sqrt(2) < cell.high
    assert abs(cell.a - 1) < cell.a_error
    assert abs(cell.b) < cell.b_error
    table = fitted.table(smooth=False)
    assert table.get(6, 0) == MpcParameters(cell.a, cell.b, cell.residual)
    assert table.get(6, 1) == MpcParameters(1.0, 0.0, fitted.model.sigma(4, 10, 64 - 25.5))
    few = calibration.fit_mpc(synthetic(60, MODEL)).cells
    assert all(cell.from_model and cell.sigma == cell.model_sigma and cell.count < calibration.FEW for cell in few)


def test_exact_values_have_a_model_of_their_own() -> None:
    samples = synthetic(600, MpcModel(3.0, 0.0, 0.0, 0.0))
    noise = np.random.default_rng(4).normal(0, 500, len(samples))
    samples.exact[:] = samples.values[:, 0] + noise
    samples.values[:, 1] = samples.values[:, 0]
    # Games that end early have no values of greater depths.
    samples.values[:100, 3:] = UNKNOWN
    fitted = calibration.fit_mpc(samples)
    assert fitted.endgame_model is not None
    assert fitted.endgame_model.sigma(2, 20, 20) == pytest.approx(500, rel=0.15)
    assert {row.where for row in fitted.coverage} >= {"exact from depth 2", "exact from depth 8"}
    assert fitted.table().exact == fitted.endgame_model
    assert MpcParameterTable.from_dict(fitted.to_dict()["table"]).exact == fitted.endgame_model
    unsolved = calibration.fit_mpc(synthetic(300, MODEL))
    assert unsolved.endgame_model is None
    assert unsolved.table().exact == MpcParameterTable.named("calibrated").exact


def test_errors_are_those_of_a_model_that_did_not_see_them() -> None:
    samples = synthetic(300, MODEL)
    fitted = calibration.fit_mpc(samples)
    chosen = fitted.residuals[fitted.residuals["d"] == 6]
    seen = [
        (int(samples.values[row, 6]) - int(samples.values[row, 2]))
        / fitted.model.sigma(2, 6, 62.5 - 4 * samples.stages[row])
        for row in chosen["sample"]
    ]
    ratio = chosen["error"] / np.array(seen)
    assert np.abs(ratio - 1).min() > 1e-6
    assert np.abs(ratio - 1).max() < 0.2


def test_a_line_is_fitted_where_it_pays_and_only_there() -> None:
    plain = calibration.fit_mpc(synthetic(600, MODEL))
    assert not any(line.pays for line in plain.lines)
    assert all(abs(line.a - 1) < 2 * line.a_error for line in plain.lines)
    bent = synthetic(600, MODEL)
    # Values of depth 6 are less extreme than those of depth 2, and higher.
    noise = np.random.default_rng(3).normal(0, 200, len(bent))
    bent.values[:, 6] = 0.7 * bent.values[:, 2] + 250 + noise
    fitted = calibration.fit_mpc(bent)
    line = next(line for line in fitted.lines if line.deep == 6)
    assert line.pays
    assert line.gain > 0.3
    assert line.a == pytest.approx(0.7, abs=0.05)
    assert line.b == pytest.approx(250, abs=30)
    pair = [pair.deep for pair in fitted.table().pairs].index(6)
    cell = fitted.table().get(8, pair)
    assert (cell.a, cell.b) == (line.a, line.b)
    assert cell.sigma < plain.table().get(8, pair).sigma


def test_normal_errors_pass_for_normal_and_heavy_tails_do_not() -> None:
    honest = calibration.fit_mpc(synthetic(600, MODEL)).normality
    assert all(abs(row.excess_kurtosis) < 1 and abs(row.skewness) < 0.4 for row in honest)
    assert sum(row.normal for row in honest) >= len(honest) - 1
    wild = synthetic(600, MODEL)
    jumps = np.random.default_rng(2).choice([-1500, 10, 1500], len(wild), p=[0.03, 0.94, 0.03])
    wild.values[:, 6] = wild.values[:, 2] + jumps
    row = next(row for row in calibration.fit_mpc(wild).normality if row.where == "pair (2, 6)")
    assert not row.normal
    assert row.excess_kurtosis > 5


def test_one_over_confident_cell_is_enough_to_refuse_the_table() -> None:
    samples = synthetic(960, MODEL, every_stage=True)
    assert calibration.fit_mpc(samples).blessed
    late = samples.stages == 9
    noise = np.random.default_rng(5).normal(0, 1500, len(samples))
    samples.values[late, 7] = (samples.values[:, 5] + noise)[late]
    fitted = calibration.fit_mpc(samples)
    worst = max(fitted.coverage, key=lambda row: row.overconfidence)
    assert (worst.stage, worst.deep) in ((9, 7), (9, None))
    assert any(row.where == "stage 9, pair (3, 7)" and row.overconfidence > 0.02 for row in fitted.coverage)
    assert not fitted.blessed


def test_a_table_that_was_not_blessed_is_refused_by_the_search(tmp_path: Path) -> None:
    fitted = calibration.fit_mpc(synthetic(300, MODEL))
    file = tmp_path / "mpc.json"
    for blessed in (True, False):
        file.write_text(json.dumps({**fitted.to_dict(), "blessed": blessed}), encoding="utf-8")
        if blessed:
            assert SearchOptions(mpc_table=str(file)).mpc_table == fitted.table()
        else:
            with pytest.raises(InvalidOptionsError, match=r"mpc\.json: .* did not bless this table \(not proved\)"):
                SearchOptions(mpc_table=str(file))
    file = tmp_path / "aspiration.JSON"
    for met in (True, False):
        file.write_text(json.dumps({"met": met, "table": AspirationParameterTable().to_dict()}), encoding="utf-8")
        if met:
            assert SearchOptions(aspiration_table=str(file)).aspiration_table == AspirationParameterTable()
        else:
            with pytest.raises(InvalidOptionsError, match="did not bless this table"):
                SearchOptions(aspiration_table=str(file))


@pytest.mark.parametrize("pairs", [[(2, 7)], [(6, 6)], [(-2, 4)], [], [(2, 6), (4, 6)]])
def test_impossible_pairs_are_refused(pairs: list[tuple[int, int]]) -> None:
    with pytest.raises(InvalidArgumentError, match="pair"):
        calibration.fit_mpc(synthetic(60, MODEL), pairs=pairs)


def test_changes_of_values_are_those_of_the_samples() -> None:
    samples = synthetic(300, MpcModel(5.0, 0.0, 0.0, 0.0))
    changes = calibration.value_changes(samples)
    assert {change.multi_prob_cut for change in changes} == {False}
    assert {change.where for change in changes} == {"early", "middle", "late", "stage 3", "stage 6", "stage 9"} - {
        "late"
    }
    two = next(c for c in changes if (c.where, c.depth, c.back) == ("early", 6, 2))
    # One step of a normal error with a deviation of 148 centidiscs.
    assert two.count == 100
    assert two.deviation == pytest.approx(148, rel=0.25)
    assert two.mean == pytest.approx(148 * math.sqrt(2 / math.pi), rel=0.25)
    assert two.median < two.p80 < two.p95 < two.largest
    one = next(c for c in changes if (c.where, c.depth, c.back) == ("early", 6, 1))
    there = np.abs(samples.values[samples.stages == 3, 6].astype(int) - samples.values[samples.stages == 3, 5])
    assert one.largest == there.max()
    assert all(change.multi_prob_cut for change in calibration.value_changes(samples, multi_prob_cut=True))


def test_a_value_that_is_exact_is_no_change_of_a_search() -> None:
    boards = calibration.sample_boards(40, seed=9)
    samples = DepthSamples(boards, np.zeros((len(boards), 9), np.int16), np.zeros(len(boards), np.int16), {})
    late = [change for change in calibration.value_changes(samples) if change.where == "stage 14"]
    empties = samples.empties[samples.stages == 14]
    assert [change.count for change in late] == [
        (empties > depth).sum() for depth in range(3, 9) if (empties > depth).sum() >= 25 for _ in (1, 2)
    ]
    assert late[0].count == 40
    assert late[-1].count < 40


def test_too_few_samples_are_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="too few"):
        calibration.fit_mpc(synthetic(30, MODEL))


def test_samples_are_collected_once_and_survive_an_interruption(tmp_path: Path) -> None:
    file = tmp_path / "samples.csv"
    boards = calibration.sample_boards(2, seed=1)
    assert len(boards) == 24
    first = calibration.collect(file, boards[:10], depth=4, solve_empties=12)
    with file.open("a", encoding="utf-8") as out:
        out.write("0123,4567,8")
    told: list[int] = []
    whole = calibration.collect(file, boards, depth=4, solve_empties=12, on_progress=told.append)
    assert len(whole) == 24
    assert told[-1] == 24
    np.testing.assert_array_equal(whole.values[:10], first.values)
    with pytest.raises(InvalidArgumentError, match="was made with"):
        calibration.collect(file, boards, depth=5, solve_empties=12)
    with pytest.raises(InvalidArgumentError, match="was made with"):
        calibration.collect(file, boards, depth=4, solve_empties=12, weights="hand-made")
    with pytest.raises(InvalidArgumentError, match=r"depth 4, not 5 \(--force uses it as it is\)$"):
        calibration.collect(file, boards, depth=5, solve_empties=12)
    assert not whole.forced
    forced = calibration.collect(file, boards, depth=5, solve_empties=12, force=True)
    assert len(forced) == 24
    assert forced.provenance()["forced"] is True


@pytest.mark.parametrize("content", [b"# {}\nx,y\n", b"RLCW\0\xff\n\x80 binary", b"notes\nwithout an end", b"# notes"])
def test_a_file_that_holds_no_samples_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "a.weights"
    file.write_bytes(content)
    for force in (False, True):
        with pytest.raises(NotationError, match=r"a\.weights: not a file of samples"):
            calibration.collect(file, calibration.sample_boards(1)[:1], depth=3, solve_empties=0, force=force)
    assert file.read_bytes() == content


def test_reading_samples_changes_nothing(tmp_path: Path) -> None:
    file = tmp_path / "samples.csv"
    boards = calibration.sample_boards(1)
    calibration.collect(file, boards[:3], depth=3, solve_empties=0)
    with file.open("ab") as out:
        out.write(b"0123,4567,8")
    before = file.read_bytes()
    assert len(calibration.read_samples(file)) == 3
    calibration.collect(file, boards, depth=4, solve_empties=0, force=True)
    assert file.read_bytes() == before


def test_samples_whose_first_line_was_cut_off_are_begun_afresh(tmp_path: Path) -> None:
    file = tmp_path / "samples.csv"
    boards = calibration.sample_boards(1)[:2]
    calibration.collect(file, boards, depth=3, solve_empties=0)
    whole = file.read_bytes()
    for length in (0, 1, 5, 30, whole.index(b"\n")):
        file.write_bytes(whole[:length])
        calibration.collect(file, boards, depth=3, solve_empties=0)
        assert file.read_bytes() == whole


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("0000000810000000,0000000810000000,-32768,0,0", "overlap"),
        ("10000000810000000,0,-32768,0,0", "beyond the board"),
        ("0000000810000000,0000001008000000,-32768,0,9999", "between -6400 and 6400, not at 9999"),
        ("0000000810000000,0000001008000000,-32768,0", "5 numbers are needed, not 4"),
        ("0000000810000000,0000001008000000,-32768,0,x", "'x'"),
    ],
)
def test_a_row_that_is_no_sample_is_refused_with_its_line(tmp_path: Path, row: str, message: str) -> None:
    file = tmp_path / "samples.csv"
    good = "0000000810000000,0000001008000000,-32768,0,0"
    file.write_text(f'# {{"depth": 1}}\n{good}\n{row}\n', encoding="utf-8")
    with pytest.raises(NotationError, match=rf"samples\.csv, line 3: .*{message}"):
        calibration.read_samples(file)


def test_a_file_of_samples_keeps_where_its_boards_come_from(tmp_path: Path) -> None:
    file = tmp_path / "samples.csv"
    boards = calibration.sample_boards(1)
    for seed in (1, 1, 2):
        found = calibration.collect(file, boards[: 2 * seed], depth=3, solve_empties=0, source={"seed": seed})
    assert found.sources == [{"seed": 1}, {"seed": 2}]
    assert found.provenance()["sources"] == found.sources
    assert len(found) == 4


def test_boards_of_records_are_different_ones(tmp_path: Path) -> None:
    record = tmp_path / "games.rec"
    training.selfplay(record, games=60, depth=1, solve_empties=4)
    # Every position is there twice.
    boards = calibration.sample_boards(10, records=[record, record])
    assert len(np.unique(boards, axis=0)) == len(boards)


def test_the_values_are_those_of_searches(tmp_path: Path) -> None:
    boards = calibration.sample_boards(1, seed=2)
    samples = calibration.collect(tmp_path / "samples.csv", boards, depth=3, solve_empties=14)
    engine = Engine(SearchOptions(use_transposition_table=True), table_mb=4, threads=1)
    for row, board in enumerate(batch.to_boards(boards)):
        assert samples.values[row, 0] == engine.evaluate(board).centidiscs
        if board.empties > 14:
            assert samples.values[row, 3] == engine.search(board, Limit(depth=3)).score.centidiscs
        else:
            assert samples.exact[row] == engine.solve(board).score * 100


def test_the_same_seed_gives_the_same_boards() -> None:
    first, again, other = (calibration.sample_boards(2, seed=seed) for seed in (7, 7, 8))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, other)


def test_samples_with_multi_prob_cut_are_a_file_of_their_own(tmp_path: Path) -> None:
    boards = calibration.sample_boards(2, seed=3)
    plain = calibration.collect(tmp_path / "plain.csv", boards, depth=7, solve_empties=0)
    options = SearchOptions.strongest()
    file = tmp_path / "cut.csv"
    cut = calibration.collect(file, boards, depth=7, solve_empties=0, options=options)
    np.testing.assert_array_equal(cut.values[:, :3], plain.values[:, :3])
    assert (cut.values[:, 7] != plain.values[:, 7]).any(), "nothing was cut: the test proves nothing"
    engine = Engine(replace(options, use_aspiration_window=False, solver_empties=0), table_mb=64, threads=1)
    for row, board in enumerate(batch.to_boards(boards)):
        if board.empties > 7:
            engine.new_game()
            assert cut.values[row, 7] == engine.search(board, Limit(depth=7)).score.centidiscs
    with pytest.raises(InvalidArgumentError, match="was made with"):
        calibration.collect(file, boards, depth=7, solve_empties=0)
    other = replace(options, mpc_max_pairs=2)
    with pytest.raises(InvalidArgumentError, match="was made with"):
        calibration.collect(file, boards, depth=7, solve_empties=0, options=other)


def test_searches_take_the_same_nodes_on_any_number_of_threads() -> None:
    boards = batch.to_boards(calibration.sample_boards(1, seed=4))
    options = replace(SearchOptions.strongest(), aspiration_table=AspirationParameterTable((20,) * 15, 20))
    one, two = (calibration.search_all(boards, options, 5, threads=threads) for threads in (1, 2))
    np.testing.assert_array_equal(one.rows, two.rows)
    engine = Engine(options, table_mb=32, threads=1)
    results = []
    for board in boards:
        engine.new_game()
        results.append(engine.search(board, Limit(depth=5)))
    assert one.nodes.tolist() == [result.nodes for result in results]
    retries = sum(result.counters.aspiration_retries for result in results)
    assert retries > 0
    assert one.rate("retries") == retries / sum(len(result.iterations) - 1 for result in results)
    assert one.agreement(two) == 1.0


def planned_search(boards: Sequence[Board], options: SearchOptions, depth: int, **_: object) -> Runs:
    """Searches that cost what the test says: 300 is best, but for the retries of 200."""
    table = options.aspiration_table
    assert isinstance(table, AspirationParameterTable)
    rows = np.zeros(
        len(boards), dtype=[(name, "i8") for name in ("nodes", "iterations", "retries", "fallbacks", "move")]
    )
    rows["iterations"] = 10
    for row, board in zip(rows, boards, strict=True):
        delta = table.delta(board.discs // 4)
        if not options.use_aspiration_window:
            row["nodes"] = 1000
        elif not options.aspiration_use_stage_table:
            row["nodes"] = 990
        else:
            row["nodes"] = {200: 800, 300: 900, 400: 910}[delta] - (
                20 if options.aspiration_scheme == "adaptive" else 0
            )
            row["retries"] = 3 if delta == 200 else 1
    return Runs(rows)


def test_half_widths_are_picked_by_nodes_among_those_with_few_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[set[Board]] = []

    def search(boards: Sequence[Board], options: SearchOptions, depth: int, **_: object) -> Runs:
        searched.append(set(boards))
        return planned_search(boards, options, depth)

    monkeypatch.setattr("reluca.calibration.windows.search_all", search)
    boards = calibration.sample_boards(4, seed=5)
    samples = DepthSamples(boards, np.zeros((len(boards), 4), np.int16), np.zeros(len(boards), np.int16), {})
    told: list[tuple[int, int]] = []
    fitted = calibration.calibrate_aspiration(
        samples,
        boards_per_stage=2,
        deltas=(200, 300, 400),
        options=replace(SearchOptions.strongest(), aspiration_table=AspirationParameterTable((400,) * 15, 400)),
        on_progress=lambda *step: told.append(step),
    )
    assert fitted.table == AspirationParameterTable((300,) * 15, 300, weights.bundled().checksum)
    assert fitted.provenance["options"].startswith("strongest, aspiration_table=")
    assert "forced" not in fitted.provenance
    assert fitted.scheme == "adaptive"
    assert told[-1] == (30, 30)
    assert len(told) == 30
    assert all(boards == searched[0] for boards in searched[:26])
    assert all(boards.isdisjoint(searched[0]) for boards in searched[26:]), "it is judged on other boards"
    assert [trial.where for trial in fitted.verdicts] == ["early", "middle", "late", "all"]
    everything = fitted.verdicts[-1]
    assert everything.boards == 24
    assert (everything.full.value, everything.legacy.value) == (0.88, 880 / 990)
    assert (everything.retry_rate, everything.missed) == (0.1, [])
    assert fitted.met
    narrow = [trial for trial in fitted.trials if trial.delta == 200]
    assert len(narrow) == 3 * 4 * 2
    assert all(trial.missed == ["retries < 20 %"] for trial in narrow)
    options = fitted.options()
    assert (options.aspiration_table, options.aspiration_scheme) == (fitted.table, "adaptive")
    assert fitted.gain.value == 880 / 910, "the options in use have half-widths of 400"


def test_windows_are_those_of_the_weights_that_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reluca.calibration.windows.search_all", planned_search)
    boards = calibration.sample_boards(4, seed=5)
    values = np.zeros((len(boards), 4), np.int16)
    samples = DepthSamples(boards, values, values[:, 0], {"weights": weights.bundled().checksum})
    fitted = calibration.calibrate_aspiration(
        samples, boards_per_stage=2, deltas=(300,), schemes=("doubling",), weights=weights.HAND_MADE
    )
    assert fitted.provenance["weights"] == fitted.table.weights == weights.HAND_MADE
    assert fitted.provenance["sample_weights"] == weights.bundled().checksum
    assert fitted.provenance["forced"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"boards_per_stage": 3}, "stage 3: 6 samples are needed"),
        ({"deltas": (0, 100)}, "half-widths are positive numbers"),
        ({"deltas": ()}, "half-widths are positive numbers"),
        ({"schemes": ("triangular",)}, "there is no scheme 'triangular'"),
        ({"schemes": ()}, "at least one scheme"),
    ],
)
def test_impossible_windows_are_refused(arguments: dict[str, Any], message: str) -> None:
    boards = calibration.sample_boards(4, seed=5)
    samples = DepthSamples(boards, np.zeros((len(boards), 4), np.int16), np.zeros(len(boards), np.int16), {})
    with pytest.raises(InvalidArgumentError, match=message):
        calibration.calibrate_aspiration(samples, **({"boards_per_stage": 2} | arguments))


def test_a_ratio_knows_how_much_it_scatters() -> None:
    steady = calibration.ratio(np.array([50, 100, 150]), np.array([100, 200, 300]))
    assert (steady.value, steady.error) == (0.5, 0.0)
    wild = calibration.ratio(np.array([10, 190, 100]), np.array([100, 200, 300]))
    assert wild.value == 0.5
    assert wild.error > 0.2
    assert calibration.ratio(np.array([1]), np.array([2])).error == math.inf


def tiny_trials(tmp_path: Path | None = None, **settings: Any) -> Trials:
    boards = batch.to_boards(calibration.sample_boards(1, seed=6))
    settings = {"games": 4, "nodes_depth": 6, "match_depth": 2, "time": 0.004, **settings}
    return Trials(boards, random_openings(2, 10), adjudicate=14, logs=tmp_path, **settings)


def test_candidates_are_measured_and_a_measurement_goes_on_where_it_was(tmp_path: Path) -> None:
    played: list[tuple[str, int, int]] = []
    base = SearchOptions.strongest()
    wide = Candidate("margin=3", replace(base, mpc_table=replace(base.mpc_table, z=3.0)))  # type: ignore[type-var]
    first = calibration.choose([wide], tiny_trials(tmp_path, on_progress=lambda *told: played.append(told)))
    result = first.results[0]
    assert result.nodes.value > 1, "wider margins cut less"
    assert result.games.games == 4
    assert result.depths[0] > 0
    assert played[0] == ("margin=3 at equal time", 0, 4)
    assert played[-1][1:] == (4, 4)
    logs = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert len(logs) == 1
    again = calibration.choose([wide], tiny_trials(tmp_path))
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == logs
    assert again.to_dict() == first.to_dict()
    calibration.choose([wide], tiny_trials(tmp_path, time=0.003))
    assert len(list(tmp_path.iterdir())) == 2, "another time is another match"


def test_settings_change_options_and_the_margin_is_that_of_the_table_named() -> None:
    base = SearchOptions.strongest()
    changed = options_of("", ["mpc_max_pairs=3", "mpc_static_test=off", "aspiration_scheme=asymmetric"], base)
    assert changed == replace(base, mpc_max_pairs=3, mpc_static_test=False, aspiration_scheme="asymmetric")
    literature = MpcParameterTable.named("literature")
    for settings in (["margin=1.5", "mpc_table=literature"], ["mpc_table=literature", "margin=1.5"]):
        assert options_of("", settings, base).mpc_table == replace(literature, z=1.5)
    with pytest.raises(InvalidOptionsError, match="'x': mpc_phase_margins cannot be given"):
        options_of("x", ["mpc_phase_margins=1"], base)


def decided(points: float) -> MatchResult:
    """Forty pairs, of which the first player wins this share."""
    usage = {"black": Usage(moves=1, depths=9, searched=1), "white": Usage(moves=1, depths=9, searched=1)}
    scores = [2 if game < 80 * points else -2 for game in range(80)]
    signed = [score if number % 2 == 0 else -score for number, score in enumerate(scores)]
    records = [GameRecord(number, "", "a", "b", "", score, "played", "", usage) for number, score in enumerate(signed)]
    return MatchResult("a", "b", records)


def test_only_a_candidate_that_is_surely_stronger_is_chosen() -> None:
    half = calibration.Ratio(1.0, 0.1)
    results = [CandidateResult(f"{points}", half, 1.0, decided(points)) for points in (0.3, 0.55, 0.75, 0.9)]
    assert [result.stronger for result in results] == [False, False, True, True]
    best = Choice(results, {}).best
    assert best is not None
    assert best.name == "0.9"
    assert Choice(results[:2], {}).best is None


@pytest.mark.parametrize(
    ("low", "high", "at_least", "verdict"),
    [
        (0.46, 0.6, True, "met"),
        (0.4, 0.6, True, "open"),
        (0.2, 0.4, True, "missed"),
        (0.2, 0.4, False, "met"),
        (0.4, 0.6, False, "open"),
        (0.46, 0.6, False, "missed"),
    ],
)
def test_a_criterion_is_settled_when_its_whole_interval_is(
    low: float, high: float, at_least: bool, verdict: str
) -> None:
    assert Criterion("", (low + high) / 2, low, high, 0.45, at_least, "").verdict == verdict


def test_the_acceptance_plays_on_against_off_and_judges_four_criteria() -> None:
    found = calibration.accept(tiny_trials())
    assert [criterion.name.split(":")[0] for criterion in found.criteria] == [
        "nodes at equal depth",
        "strength at equal depth",
        "strength at equal time",
        "depth at equal time",
    ]
    assert found.nodes.value < 0.9
    assert {found.equal_depth.usage(first=first).depth for first in (True, False)} == {2.0}
    assert found.equal_time.games == 4
    assert found.accepted == all(criterion.verdict == "met" for criterion in found.criteria)
    with pytest.raises(InvalidArgumentError, match="do not use Multi-ProbCut"):
        calibration.accept(tiny_trials(), options=SearchOptions())
    with pytest.raises(InvalidArgumentError, match="at least one pair of games"):
        tiny_trials(games=1)


def test_the_commands_choose_and_accept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, report = tmp_path / "out.json", tmp_path / "report"
    common = ["--games", "2", "--time", "0.003", "--nodes-depth", "5", "--boards", "1", "--adjudicate", "16"]
    common += ["--out", str(out), "--report", str(report)]
    assert run(["calibrate", "choose", *common, "--candidate", "margin=2,mpc_max_pairs=2"]) == 0
    assert "margin=2,mpc_max_pairs=2" in capsys.readouterr().out
    written = json.loads(out.read_text(encoding="utf-8"))
    assert [candidate["name"] for candidate in written["candidates"]] == ["margin=2,mpc_max_pairs=2"]
    assert written["candidates"][0]["match"]["games"] == 2
    assert (report / "choice.html").exists()
    assert (report / "choice-strength.png").exists()
    # Two games settle nothing.
    assert run(["calibrate", "accept", *common, "--depth", "2"]) == 1
    assert "strength at equal depth" in capsys.readouterr().out
    assert json.loads(out.read_text(encoding="utf-8"))["accepted"] is False
    assert (report / "acceptance.html").exists()
    for settings, message in (
        ("marg=2", "there is no option 'marg'"),
        ("margin=wide", "margin is a number, not 'wide'"),
        ("margin=-1", "z must be a positive number"),
        ("mpc_table=missing.json", "missing.json"),
    ):
        assert run(["calibrate", "choose", *common, "--candidate", settings]) == 2
        assert message in capsys.readouterr().err


def test_the_commands_write_tables_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples, out, report = tmp_path / "samples.csv", tmp_path / "out.json", tmp_path / "report"
    common = ["--per-stage", "6", "--depth", "6", "--solve", "10", "--out", str(out), "--report", str(report)]
    # So few samples prove nothing.
    assert run(["calibrate", "mpc", str(samples), *common, "--pairs", "2-4,2-6"]) == 1
    printed, complaint = capsys.readouterr()
    assert re.search(r"more samples are needed|over-confident", complaint)
    assert "the least sure" not in printed, "there is no cell to show"
    assert "slope 1 and intercept 0" in printed
    assert "excess kurtosis" in printed
    assert "predicted" in printed
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written["provenance"]["samples"] == 72
    assert written["provenance"]["sources"] == [{"per_stage": 6, "seed": 1, "records": "self-play"}]
    assert written["provenance"]["weights"] == written["table"]["weights"] == weights.bundled().checksum
    table = MpcParameterTable.from_dict(written["table"])
    assert [(pair.shallow, pair.deep) for pair in table.pairs] == [(2, 4), (2, 6)]
    (tmp_path / "table.toml").write_text(table.to_toml(), encoding="utf-8")
    assert SearchOptions(mpc_table=str(tmp_path / "table.toml")).mpc_table == table
    check = ["calibrate", "check", str(samples), *common[:-2], "--table", str(tmp_path / "table.toml")]
    assert run(check) == 1
    printed, complaint = capsys.readouterr()
    assert "predicted and observed confidence" in printed
    assert re.search(r"table\.toml: (not proved|over-confident)", complaint)
    judged = json.loads(out.read_text(encoding="utf-8"))
    assert judged["blessed"] is False
    assert {row["where"] for row in judged["coverage"]} == {"pair (2, 4)", "pair (2, 6)"}
    windows = ["calibrate", "aspiration", str(samples), *common, "--search-depth", "5", "--boards", "3"]
    assert run([*windows, "--scheme", "adaptive", "--delta", "100", "--delta", "300"]) in (0, 1)
    assert "best scheme: adaptive" in capsys.readouterr().out
    written = json.loads(out.read_text(encoding="utf-8"))
    assert {trial["where"] for trial in written["trials"]} == {"early", "middle", "late"}
    assert {change["multi_prob_cut"] for change in written["changes"]} == {False, True}
    out.write_text(json.dumps({**written, "met": True}), encoding="utf-8")
    assert SearchOptions(aspiration_table=str(out)).aspiration_table == AspirationParameterTable.from_dict(
        written["table"]
    )
    assert len(calibration.read_samples(tmp_path / "samples.mpc.csv")) == 72
    for name in ("mpc", "aspiration"):
        page = (report / f"{name}.html").read_text(encoding="utf-8")
        assert set(re.findall(r'src="(.{10})', page)) == {"data:image"}, "the page needs nothing else"
        pictures = re.findall(r"!\[.*\]\((.*)\)", (report / f"{name}.md").read_text(encoding="utf-8"))
        assert len(pictures) == 4
        assert all((report / picture).exists() for picture in pictures)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_an_interrupted_run_goes_on_with_the_samples_it_has(tmp_path: Path) -> None:
    samples = tmp_path / "samples.csv"
    arguments = [
        "calibrate",
        "mpc",
        str(samples),
        "--per-stage",
        "12",
        "--depth",
        "8",
        "--solve",
        "0",
        "--threads",
        "1",
    ]
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"from reluca.cli import run; sys.exit(run({arguments}))"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 60
        while not (samples.exists() and samples.read_text(encoding="utf-8").count("\n") > 8):
            assert time.monotonic() < deadline, "no samples came"
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(timeout=20) == 130
        finally:
            process.kill()
    before = samples.read_text(encoding="utf-8")
    assert 8 < before.count("\n") < 146, "it was interrupted half-way"
    assert run(arguments) in (0, 1)
    after = samples.read_text(encoding="utf-8")
    assert after.startswith(before)
    assert after.count("\n") == 146, "the boards are the same ones"


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_an_interrupt_ends_searches_on_all_threads() -> None:
    code = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from reluca import SearchOptions, calibration, match\n"
        "boards = match.random_openings(8)\n"
        "print('ready', flush=True)\n"
        "calibration.search_all(boards, SearchOptions(), 20, threads=2, table_mb=1)\n"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdout=pipe, stderr=pipe) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            _, errors = process.communicate(timeout=20)
        finally:
            process.kill()
    assert b"KeyboardInterrupt" in errors


def test_bad_input_ends_the_commands_with_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples, unmade = tmp_path / "samples.csv", tmp_path / "unmade.csv"
    common = ["--per-stage", "5", "--depth", "4", "--solve", "0"]
    assert run(["calibrate", "mpc", str(samples), *common]) in (0, 1)
    capsys.readouterr()
    with pytest.raises(FileNotFoundError):
        SearchOptions(mpc_table=str(tmp_path / "missing.json"))
    with pytest.raises(InvalidOptionsError, match=r"no table named 'guessed'.* or a \.json or \.toml file"):
        SearchOptions(aspiration_table="guessed")
    for arguments, message in (
        (["mpc", str(samples), "--per-stage", "5", "--depth", "5", "--solve", "0"], "was made with"),
        (["mpc", str(samples), *common, "--weights", "hand-made"], "was made with"),
        (["mpc", str(samples), *common, "--pairs", "2+6"], "'2+6' is not a pair"),
        (["mpc", str(unmade), *common, "--out", str(tmp_path / "mpc.toml")], "the name must end in .json"),
        (["mpc", str(unmade), *common, "--out", str(tmp_path / "no" / "mpc.json")], "mpc.json: "),
        (["mpc", str(unmade), *common, "--report", str(samples)], "samples.csv: "),
        (["check", str(unmade), *common, "--table", "guessed"], "no table named 'guessed'"),
        (["accept", "--out", str(tmp_path / "accept.txt")], "the name must end in .json"),
        (["aspiration", str(samples), *common, "--scheme", "triangular"], "there is no scheme 'triangular'"),
        (["aspiration", str(samples), *common, "--boards", "3"], "6 samples are needed"),
    ):
        assert run(["calibrate", *arguments]) == 2
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
        assert not unmade.exists(), "nothing is done before"


def test_a_file_that_cannot_be_written_is_named_as_the_user_named_it(tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"mpc\.json'$"):
        calibration.write_json(calibration.fit_mpc(synthetic(60, MODEL)), tmp_path / "no" / "mpc.json")


def test_the_report_does_not_speak_of_gains_that_are_losses() -> None:
    fitted = calibration.fit_mpc(synthetic(300, MODEL))
    worse = replace(fitted, lines=[replace(line, fitted=1.01 * line.sigma) for line in fitted.lines])
    assert any("no pair gains" in fact for fact in mpc_text.facts(worse))

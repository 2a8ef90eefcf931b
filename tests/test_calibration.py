"""Calibration: samples, the fit, and the reports."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from reluca import (
    AspirationParameterTable,
    InvalidArgumentError,
    InvalidOptionsError,
    MpcParameterTable,
    NotationError,
    SearchOptions,
    calibration,
)
from reluca.calibration import UNKNOWN, DepthSamples, MpcModel
from reluca.cli import run
from reluca.match import random_openings


def synthetic(count: int, model: MpcModel, seed: int = 1, spread: float = 1.0) -> DepthSamples:
    """Samples whose values scatter around a truth as a model says, `spread` times as much."""
    generator = np.random.default_rng(seed)
    boards = np.array(
        [(board.player, board.opponent) for plies in (8, 20, 32) for board in random_openings(count // 3, plies)],
        dtype=np.uint64,
    )
    empties = 64 - np.array([bin(int(a) | int(b)).count("1") for a, b in boards])
    values = np.full((len(boards), 9), UNKNOWN, dtype=np.int16)
    # Independent steps from depth to depth whose variances add up to those of the model.
    base = np.exp(model.intercept + model.empties * empties)
    values[:, 0] = values[:, 1] = generator.normal(0, 600, len(boards))
    for depth in range(2, 9):
        values[:, depth] = values[:, depth - 2] + generator.normal(0, 1, len(boards)) * base * spread
    return DepthSamples(boards, values, np.full(len(boards), UNKNOWN, np.int16), {"depth": 8})


MODEL = MpcModel(6.2, 0.0, 0.0, -0.02)


def test_a_planted_deviation_is_found_again() -> None:
    found = calibration.fit_mpc(synthetic(600, MODEL)).model
    for empties in (20.0, 40.0):
        truth = MODEL.sigma(0, 2, empties)
        # Over two plies one step scatters, over six plies three.
        assert found.sigma(2, 4, empties) == pytest.approx(truth, rel=0.2)
        assert found.sigma(2, 8, empties) == pytest.approx(truth * math.sqrt(3), rel=0.2)


def test_honest_samples_are_blessed_and_heavy_tails_are_not() -> None:
    honest = synthetic(600, MODEL)
    assert calibration.fit_mpc(honest).blessed
    wild = synthetic(600, MODEL)
    # Most positions hardly change, but some jump: beyond two deviations more often than a normal error.
    generator = np.random.default_rng(2)
    jumps = generator.choice([-1500, 10, 1500], len(wild), p=[0.07, 0.86, 0.07])
    for depth in range(2, 9):
        wild.values[:, depth] = wild.values[:, depth % 2] + jumps
    fitted = calibration.fit_mpc(wild)
    assert max(row.overconfidence for row in fitted.coverage if row.z == 2.0) > 0.02
    assert not fitted.blessed


def test_the_fit_gives_a_table_that_the_search_takes() -> None:
    fitted = calibration.fit_mpc(synthetic(300, MODEL), z=1.5)
    smooth, seeds = fitted.table(), fitted.table(smooth=False)
    assert smooth.z == 1.5
    assert len(smooth.pairs) == 22
    assert [(pair.shallow, pair.deep) for pair in seeds.pairs] == [(2, 6), (4, 10), (6, 14)]
    assert MpcParameterTable.from_dict(fitted.to_dict()["table"]) == smooth
    few = calibration.fit_mpc(synthetic(60, MODEL)).cells
    assert all(cell.from_model and cell.sigma == cell.model_sigma for cell in few)


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
    assert len(calibration.collect(file, boards, depth=5, solve_empties=12, force=True)) == 24
    file.write_text("# {}\nx,y\n", encoding="utf-8")
    with pytest.raises(NotationError, match="not a file of samples"):
        calibration.read_samples(file)


def test_the_values_are_those_of_searches(tmp_path: Path) -> None:
    from reluca import Engine, Limit, SearchOptions, batch

    boards = calibration.sample_boards(1, seed=2)
    samples = calibration.collect(tmp_path / "samples.csv", boards, depth=3, solve_empties=14)
    engine = Engine(SearchOptions(use_transposition_table=True), table_mb=4)
    for row, board in enumerate(batch.to_boards(boards)):
        assert samples.values[row, 0] == engine.evaluate(board).centidiscs
        if board.empties > 14:
            assert samples.values[row, 3] == engine.search(board, Limit(depth=3)).score.centidiscs
        else:
            assert samples.exact[row] == engine.solve(board).score * 100


def test_the_commands_write_tables_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    samples, out, report = tmp_path / "samples.csv", tmp_path / "out.json", tmp_path / "report"
    common = ["--per-stage", "6", "--depth", "6", "--solve", "10", "--out", str(out), "--report", str(report)]
    assert run(["calibrate", "mpc", str(samples), *common]) in (0, 1)
    written = json.loads(out.read_text(encoding="utf-8"))
    assert written["provenance"]["samples"] == 72
    table = MpcParameterTable.from_dict(written["table"])
    assert SearchOptions(use_multi_prob_cut=True, mpc_table=str(out)).mpc_table == table
    (tmp_path / "table.toml").write_text(table.to_toml(), encoding="utf-8")
    assert SearchOptions(mpc_table=str(tmp_path / "table.toml")).mpc_table == table
    assert "data:image/png;base64," in (report / "mpc.html").read_text(encoding="utf-8")
    assert "![" in (report / "mpc.md").read_text(encoding="utf-8")
    windows = ["calibrate", "aspiration", str(samples), *common, "--search-depth", "5", "--boards", "3"]
    assert run(windows) == 0
    assert "picked:" in capsys.readouterr().out
    trials = json.loads(out.read_text(encoding="utf-8"))["trials"]
    assert {trial["phase"] for trial in trials} == {"early", "middle", "late"}
    assert (report / "aspiration.html").exists()
    assert SearchOptions(aspiration_table=str(out)).aspiration_table == AspirationParameterTable.from_dict(
        json.loads(out.read_text(encoding="utf-8"))["table"]
    )
    with pytest.raises(FileNotFoundError):
        SearchOptions(mpc_table=str(tmp_path / "missing.json"))
    with pytest.raises(InvalidOptionsError, match="no table named"):
        SearchOptions(aspiration_table="guessed")
    assert run(["calibrate", "mpc", str(samples), "--per-stage", "6", "--depth", "7", "--solve", "10"]) == 2
    assert "was made with" in capsys.readouterr().err

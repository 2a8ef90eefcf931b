"""Self-play, training, and tests of the evaluation, as functions and as commands."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from reluca import (
    Board,
    Engine,
    InvalidArgumentError,
    Limit,
    NotationError,
    WeightsError,
    evaltest,
    obf,
    thor,
    training,
    weights,
)
from reluca.cli import run
from reluca.cli import selfplay as selfplay_command
from reluca.cli.train import accuracy_cells
from reluca.obf import ObfPosition


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("records") / "games.rec"
    training.selfplay(path, games=300, depth=1, solve_empties=8, seed=3)
    return path


def test_selfplay_continues_a_file_and_refuses_other_settings(tmp_path: Path) -> None:
    path = tmp_path / "games.rec"
    seen: list[training.SelfPlayProgress] = []
    first = training.selfplay(path, games=10, depth=1, solve_empties=8, on_progress=seen.append)
    assert first.games == 10
    assert seen
    second = training.selfplay(path, games=25, depth=1, solve_empties=8)
    assert (second.games, second.resumed) == (25, 10)
    assert sum(second.positions) > sum(first.positions)
    with pytest.raises(WeightsError, match="other settings"):
        training.selfplay(path, games=30, depth=2, solve_empties=8)
    assert "25 games" in training.describe_records(path)


def test_two_runs_do_not_write_one_file(tmp_path: Path) -> None:
    path = tmp_path / "games.rec"
    refused = False

    def second(progress: training.SelfPlayProgress) -> None:
        nonlocal refused
        if not refused:
            with pytest.raises(WeightsError, match=r"games.rec: .*is being written by another run"):
                training.selfplay(path, games=2000, depth=1, solve_empties=8)
            refused = True

    assert training.selfplay(path, games=2000, depth=1, solve_empties=8, on_progress=second).games == 2000
    assert refused
    assert training.describe_records(path).startswith("2000 games")


def test_what_is_cut_off_a_record_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.rec"
    command = ["selfplay", str(path), "--games", "20", "--depth", "1", "--solve", "6", "--weights", "hand-made"]
    assert run(command) == 0
    whole = path.read_bytes()
    path.write_bytes(whole[:-5])
    assert "bytes of an unfinished game left out" in training.describe_records(path)
    assert run(command) == 0
    assert "bytes of an unfinished game were cut off its end" in capsys.readouterr().err
    damaged = bytearray(whole)
    damaged[-1] ^= 1
    path.write_bytes(damaged)
    assert run(command) == 2
    assert "games before it that are good: " in capsys.readouterr().err
    assert path.read_bytes() == damaged


def test_a_log_gets_lines_with_positions_by_stage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["selfplay", str(tmp_path / "games.rec"), "--games", "20", "--depth", "1", "--solve", "6"]
    assert run(command) == 0
    output = capsys.readouterr()
    assert "0 of 20 games, 0 games/hour, 0 positions; by stage: 1:0" in output.err
    assert "20 games, " in output.out
    assert run([*command, "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_ctrl_c_says_what_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(path: Path, **settings: object) -> None:
        training.selfplay(path, games=7, depth=1, solve_empties=6)
        raise KeyboardInterrupt

    monkeypatch.setattr(selfplay_command, "selfplay", interrupted)
    assert run(["selfplay", str(tmp_path / "games.rec")]) == 130
    message = capsys.readouterr().err
    assert "keeps 7 games" in message
    assert "the same command goes on" in message


@pytest.mark.parametrize(
    "arguments", [{"games": 0}, {"games": 5, "depth": 0}, {"games": 5, "solve_empties": 40}, {"games": 5, "seed": -1}]
)
def test_selfplay_refuses_impossible_settings(tmp_path: Path, arguments: dict[str, int]) -> None:
    with pytest.raises(InvalidArgumentError, match="must be a whole number"):
        training.selfplay(tmp_path / "games.rec", **arguments)  # type: ignore[arg-type]
    assert not (tmp_path / "games.rec").exists()


def test_training_gives_weights_curves_and_accuracy(records: Path) -> None:
    steps: list[training.Step] = []
    result = training.train([records], iterations=3, name="a test", on_step=steps.append)
    assert steps == result.steps
    assert len(steps) == 2 * 15 * 3
    assert "a test" in result.weights.provenance
    assert "300 games" in result.weights.provenance
    assert result.accuracy[13].correlation > 0.6
    by_iteration = [step.training_rmse for step in steps if not step.small and step.stage == 14]
    assert by_iteration == sorted(by_iteration, reverse=True)


def test_training_needs_records(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="at least one record file"):
        training.train([])
    (tmp_path / "text").write_text("some text")
    with pytest.raises(WeightsError, match=r"text: this is not a Reluca record file"):
        training.train([tmp_path / "text"])
    with pytest.raises(OSError, match="missing"):
        training.train([tmp_path / "missing"])


@pytest.mark.parametrize(("trust", "message"), [(-1.0, "at least 0, not -1.0"), (1.0, "needs weights to start with")])
def test_trust_without_sense_is_refused(records: Path, trust: float, message: str) -> None:
    with pytest.raises(InvalidArgumentError, match=message):
        training.train([records], trust=trust)


def test_the_commands_make_weights_from_nothing(
    tmp_path: Path, records: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games, made, plot = (str(tmp_path / name) for name in ("games.rec", "new.weights", "curves.png"))
    selfplay = ["selfplay", games, "--games", "60", "--depth", "1", "--solve", "6", "--weights", "hand-made"]
    assert run(selfplay) == 0
    assert "60 games" in capsys.readouterr().out
    assert run(["train", made, games, str(records), "--iterations", "2", "--plot", plot]) == 0
    assert weights.load(made).checksum in capsys.readouterr().out
    assert Path(plot).read_bytes().startswith(b"\x89PNG")
    assert run(["selfplay", games, "--games", "61", "--depth", "2", "--weights", "hand-made"]) == 2
    assert "other settings" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "curves.foo"], "curves.foo: pictures are .png or .svg files"),
        (["--plot", "no/such/curves.png"], "there is no such folder"),
        (["--start", "hand-made"], "the hand-made evaluation has no weights"),
        (["--start", "missing.weights"], "reluca: missing.weights: No such file"),
    ],
)
def test_train_refuses_what_it_cannot_do_before_it_trains(
    tmp_path: Path,
    records: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["train", "new.weights", str(records), *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_weights_cannot_start_with_the_hand_made_evaluation(records: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="no weights to start with"):
        training.train([records], start=weights.HAND_MADE)


def test_numbers_that_too_few_positions_cannot_give_are_not_printed() -> None:
    def cells(count: int) -> list[str]:
        return accuracy_cells(
            training.Accuracy.of(np.arange(count, dtype=float), 2 * np.arange(count, dtype=float) + 1)
        )

    assert cells(0) == ["0", "–", "–", "–", "–", "–"]
    assert cells(1) == ["1", "1.00", "1.00", "–", "–", "+1.00"]
    assert "–" not in cells(2)


def obf_file(path: Path) -> Path:
    lines = (Path(__file__).parent / "data" / "proved.obf").read_text(encoding="utf-8")
    path.write_text(lines, encoding="utf-8")
    return path


def test_evaltest_compares_with_exact_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = obf_file(tmp_path / "proved.obf")
    test = evaltest.read([file])
    engine = Engine(table_mb=4)
    exact = evaltest.run(test, engine, depth=20)[-1]
    assert (exact.accuracy.mae, exact.right_moves, exact.disc_loss) == (0.0, len(test), 0.0)
    static = evaltest.run(test, engine)[-1]
    assert static.accuracy.mae > 0
    assert static.right_moves is None
    assert len(test.sample(3)) == 3
    assert run(["evaltest", str(file), "--depth", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["rows"][-1]["positions"] == len(test)


def test_a_move_without_a_score_is_no_best_one_and_loses_nothing_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = next(iter(obf.read(obf_file(tmp_path / "proved.obf"))))
    engine = Engine(table_mb=4)
    best = engine.search(first.board, Limit(depth=20)).best_move
    others = {move: score for move, score in first.scores.items() if move != best}
    row = evaltest.run(evaltest.from_obf([ObfPosition(first.board, others)]), engine, depth=20)[-1]
    assert (row.right_moves, row.disc_loss, row.unscored_moves) == (0, None, 1)
    file = tmp_path / "some.obf"
    file.write_text(f"{ObfPosition(first.board, others)}\n{first}\n", encoding="utf-8")
    both = evaltest.run(evaltest.read([file]), engine, depth=20)[-1]
    assert (both.right_moves, both.disc_loss, both.unscored_moves) == (1, 0.0, 1)
    assert run(["evaltest", str(file), "--depth", "20"]) == 0
    assert "no score for 1 of the moves found" in capsys.readouterr().out


def test_evaltest_names_what_it_cannot_use(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match="cannot be mixed"):
        evaltest.read(["a.wtb", "b.obf"])
    with pytest.raises(InvalidArgumentError, match="no positions"):
        evaltest.run(evaltest.from_obf([ObfPosition(Board())]), Engine(table_mb=1))


def thor_file(path: Path, games: list[tuple[str, int, int]], exact_empties: int) -> Path:
    """A WTHOR file of games: transcript without passes, black discs, theoretical black discs."""
    header = bytes([20, 26, 11, 16]) + len(games).to_bytes(4, "little") + b"\0\0" + (2026).to_bytes(2, "little")
    data = header + bytes([8, 0, exact_empties, 0])
    for moves, black, theoretical in games:
        squares = [moves[i : i + 2] for i in range(0, len(moves), 2)]
        codes = [10 * int(square[1]) + "abcdefgh".index(square[0]) + 1 for square in squares]
        data += bytes(6) + bytes([black, theoretical]) + bytes(codes).ljust(60, b"\0")
    path.write_bytes(data)
    return path


def test_wthor_games_give_their_exact_positions(tmp_path: Path) -> None:
    # With 56 empty squares the fourth move has been played, and black is to move.
    good, illegal, short = ("f5d6c3d3c4", 40, 36), ("f5d6c3a1c4", 40, 36), ("f5d6", 33, 33)
    file = thor_file(tmp_path / "a.wtb", [good, illegal, short], 56)
    boards, results = thor.exact_positions([file])
    board = Board.from_moves("f5d6c3d3")
    assert boards.tolist() == [[board.player, board.opponent]]
    assert results.tolist() == [8.0]
    read = thor.read(file)
    assert (read.year, read.exact_empties, len(read)) == (2026, 56, 3)
    assert read.board(0).transcript() == "f5d6c3d3c4"
    white_to_move, results = thor.exact_positions([thor_file(tmp_path / "b.wtb", [good], 57)])
    assert (len(white_to_move), results.tolist()) == (1, [-8.0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: data[:50], "need 84 bytes"),
        (lambda data: b"x" * 40, "not a WTHOR file"),
        (lambda data: b"", "not a WTHOR file"),
        (lambda data: data[:24] + b"\x63" + data[25:], "no square"),
    ],
)
def test_a_damaged_wthor_file_is_a_clear_error(tmp_path: Path, change: object, message: str) -> None:
    file = thor_file(tmp_path / "a.wtb", [("f5d6c3d3c4", 40, 36)], 56)
    file.write_bytes(change(file.read_bytes()))  # type: ignore[operator]
    with pytest.raises(NotationError, match=f"a.wtb: .*{message}"):
        thor.read(file)


def test_accuracy_agrees_with_numpy() -> None:
    generator = np.random.default_rng(1)
    estimates = generator.normal(0, 10, 500)
    results = 1.2 * estimates + generator.normal(1, 5, 500)
    accuracy = training.Accuracy.of(estimates, results)
    slope, _ = np.polyfit(estimates, results, 1)
    assert accuracy.slope == pytest.approx(slope)
    assert accuracy.correlation == pytest.approx(np.corrcoef(estimates, results)[0, 1])
    assert accuracy.bias == pytest.approx((results - estimates).mean())

"""Weights: the bundled ones, files, and what they make of boards."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import reluca
from reluca import Board, Engine, Limit, SearchOptions, WeightsError, batch, weights
from reluca.cli import run


def random_boards(count: int) -> list[Board]:
    generator = random.Random(5)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board()
        while not board.is_game_over():
            board.push("pass" if board.must_pass else generator.choice(list(board.legal_moves)))
            boards.append(board.copy(stack=False))
    return boards[:count]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.weights"
    weights.save(weights.bundled(), path)
    return path


def test_a_saved_file_gives_the_same_evaluation_and_the_same_search(file: Path) -> None:
    ours, theirs = Engine(table_mb=4, threads=1), Engine(table_mb=4, threads=1, weights=file)
    assert ours.weights is not None
    assert theirs.weights is not None
    assert ours.weights.checksum == theirs.weights.checksum
    for board in random_boards(50):
        assert ours.evaluate(board) == theirs.evaluate(board)
    board = Board.from_moves("f5d6c3d3c4")
    assert ours.search(board, Limit(depth=7)).nodes == theirs.search(board, Limit(depth=7)).nodes


def test_the_evaluation_knows_no_colours_and_no_symmetries() -> None:
    engine = Engine(table_mb=1)
    for board in random_boards(100):
        assert engine.evaluate(board.swap_colors()) == engine.evaluate(board)
        for symmetry in range(8):
            assert engine.evaluate(board.transform(symmetry)) == engine.evaluate(board)


def test_a_batch_is_evaluated_as_its_boards_are() -> None:
    engine = Engine(table_mb=1)
    boards = random_boards(200)
    values = engine.evaluate_batch(batch.from_boards(boards))
    assert values.dtype == np.int16
    assert values.tolist() == [engine.evaluate(board).centidiscs for board in boards]
    assert engine.evaluate_batch(np.empty((0, 2), np.uint64)).tolist() == []
    with pytest.raises(reluca.InvalidBoardError, match="board 0"):
        engine.evaluate_batch([[1, 1]])


def test_the_hand_made_evaluation_is_another_one() -> None:
    board = Board.from_moves("f5d6c3d3c4f4e3f3")
    hand_made = Engine(table_mb=1, weights=weights.HAND_MADE)
    assert hand_made.weights is None
    assert hand_made.evaluate(board) != Engine(table_mb=1).evaluate(board)
    assert "hand-made" in repr(hand_made)


def test_the_trained_evaluation_beats_the_hand_made_one_at_equal_depth() -> None:
    limit = Limit(depth=3)
    trained = reluca.match.EnginePlayer("trained", limit=limit, table_mb=1)
    plain = reluca.match.EnginePlayer("plain", limit=limit, table_mb=1, weights=weights.HAND_MADE)
    result = reluca.match.play(trained, plain, reluca.match.random_openings(10), rules=reluca.match.Rules(adjudicate=8))
    assert result.score > 0.7


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:1000], "truncated"),
        (lambda data: data[:5000] + b"?" + data[5001:], "corrupted"),
        (lambda data: b"PK\x03\x04" + data, "not a Reluca weights file"),
        (lambda data: data[:8] + b"\x02" + data[9:], "format 2, made by a newer Reluca"),
        (lambda data: b"", "not a Reluca weights file"),
    ],
)
def test_a_bad_file_is_a_clear_error_that_names_the_file(file: Path, damage: object, message: str) -> None:
    file.write_bytes(damage(file.read_bytes()))  # type: ignore[operator]
    with pytest.raises(WeightsError, match=f"some.weights.*{message}"):
        Engine(weights=file)


def test_a_missing_file_and_a_wrong_type_are_clear_errors() -> None:
    with pytest.raises(FileNotFoundError):
        Engine(weights="no such file")
    with pytest.raises(TypeError, match="expected weights"):
        Engine(weights=3)  # type: ignore[arg-type]


def test_weights_info_tells_where_weights_come_from(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["weights", "info"]) == 0
    bundled = capsys.readouterr().out
    assert run(["weights", "info", str(file)]) == 0
    assert weights.bundled().checksum in bundled
    assert "(bundled)" in bundled
    assert weights.bundled().provenance in capsys.readouterr().out
    shutil.copy(__file__, file)
    assert run(["weights", "info", str(file)]) == 2
    assert "not a Reluca weights file" in capsys.readouterr().err
    assert run(["weights", "info", "hand-made"]) == 2
    assert "the hand-made evaluation has no weights" in capsys.readouterr().err


def test_two_engines_with_one_weights_object_agree() -> None:
    shared = weights.bundled()
    options = SearchOptions.strongest()
    values = {Engine(options, table_mb=1, weights=shared).evaluate(Board()).centidiscs for _ in range(3)}
    assert len(values) == 1

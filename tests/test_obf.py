"""OBF files."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import reluca
from reference import games
from reluca import Board, Move, obf


@given(games, st.data())
def test_positions_round_trip(board: Board, data: st.DataObject) -> None:
    scores = {move: data.draw(st.integers(-64, 64)) for move in board.legal_moves}
    position = obf.ObfPosition(board, scores)
    read = obf.ObfPosition.parse(str(position))
    assert read == position
    assert list(read.scores) == list(scores)


def test_files_are_read_line_by_line_without_comments(tmp_path: Path) -> None:
    path = tmp_path / "two.obf"
    start = Board().to_string()
    path.write_text(f"% a comment\n\n{start}; F5:+0; d3:-2 % best first\n{start};\n")
    first, second = obf.read(path)
    assert first.scores == {Move.F5: 0, Move.D3: -2}
    assert first.best_moves == [Move.F5]
    assert first.best_score == 0
    assert second.scores == {}
    assert second.best_score is None


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "no position in the file"),
        ("% only a comment\n", "no position in the file"),
        (Board().to_obf() + "\nrubbish\n", "line 2: board: unknown character 'r'"),
        (Board().to_string() + "; a1:+2", "line 1: OBF: illegal move a1"),
        (Board().to_string() + "; f5:+66", 'line 1: OBF: "\\+66" is not a score'),
        ("\x00\xff" * 40_000, "line 1: longer than 10000 characters"),
    ],
)
def test_bad_files_are_refused_with_the_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "bad.obf"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(reluca.RelucaError, match=message):
        list(obf.read(path))


def test_scores_out_of_range_are_not_written() -> None:
    with pytest.raises(reluca.NotationError, match="between -64 and 64"):
        str(obf.ObfPosition(Board(), {Move.F5: 65}))
    with pytest.raises(reluca.NotationError, match="between -64 and 64"):
        str(obf.ObfPosition(Board(), {Move.F5: 200}))

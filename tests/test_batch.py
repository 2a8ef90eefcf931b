"""Batches of boards, against single boards."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reluca
from reference import games
from reluca import PASS, Board, batch

lists = st.lists(games, max_size=8)


@given(lists)
def test_batches_follow_single_boards(boards: list[Board]) -> None:
    rows = batch.from_boards(boards)
    assert rows.shape == (len(boards), 2)
    assert rows.dtype == np.uint64
    assert batch.legal_moves(rows).tolist() == [int(board.legal_moves) for board in boards]
    assert batch.is_game_over(rows).tolist() == [board.is_game_over() for board in boards]
    over = batch.is_game_over(rows)
    assert batch.final_scores(rows)[over].tolist() == [board.score() for board in boards if board.is_game_over()]
    assert [(board.black, board.white) for board in batch.to_boards(rows)] == [
        (board.player, board.opponent) for board in boards
    ]

    playing = [board for board in boards if not board.is_game_over()]
    moves = [board.legal_moves[-1] for board in playing]
    after = batch.play(batch.from_boards(playing), np.array(moves, dtype=np.int64))
    expected = batch.from_boards(board.play(move) for board, move in zip(playing, moves, strict=True))
    assert np.array_equal(after, expected)


@given(lists)
def test_planes_round_trip_and_show_the_discs(boards: list[Board]) -> None:
    rows = batch.from_boards(boards)
    planes = batch.to_planes(rows)
    assert planes.shape == (len(boards), 2, 8, 8)
    assert planes.dtype == np.uint8
    assert np.array_equal(batch.from_planes(planes), rows)
    for board, plane in zip(boards, planes, strict=True):
        own = {(square // 8, square % 8) for square in range(64) if board[square] is board.turn}
        assert own == set(map(tuple, np.argwhere(plane[0]).tolist()))
    assert batch.mask_planes(batch.legal_moves(rows)).shape == (len(boards), 8, 8)


def test_views_that_are_not_contiguous_are_read_right() -> None:
    rows = batch.from_boards([Board(), Board.from_moves("f5"), Board.from_moves("f5d6")])
    swapped = rows[::-2, ::-1]
    assert batch.legal_moves(swapped).tolist() == batch.legal_moves(swapped.copy()).tolist()
    assert np.array_equal(batch.to_planes(swapped), batch.to_planes(swapped.copy()))


def test_bad_batches_are_refused_with_the_place() -> None:
    start = batch.from_boards([Board(), Board()])
    with pytest.raises(reluca.IllegalMoveError, match="board 1: illegal move a1: it flips nothing"):
        batch.play(start, [reluca.Move.F5, reluca.Move.A1])
    with pytest.raises(reluca.IllegalMoveError, match="board 0: -3 is not a move"):
        batch.play(start, [-3, 0])
    with pytest.raises(reluca.IllegalMoveError, match="board 0: illegal pass"):
        batch.play(start, [PASS, PASS])
    with pytest.raises(reluca.InvalidBoardError, match="board 1: both sides have a disc on b1"):
        batch.legal_moves([[1, 2], [2, 2]])
    with pytest.raises(reluca.InvalidBoardError, match="board 0: a bitboard is not negative"):
        batch.to_boards([[-2, 1]])
    with pytest.raises(reluca.InvalidBoardError, match="board 1: both sides have a disc"):
        batch.from_planes(np.stack([np.zeros((2, 8, 8)), np.ones((2, 8, 8))]))
    with pytest.raises(reluca.InvalidArgumentError, match="2 boards, but 1 moves"):
        batch.play(start, [19])
    with pytest.raises(ValueError, match=r"shape \(n, 2\), not \(3,\)"):
        batch.legal_moves([1, 2, 3])
    with pytest.raises(ValueError, match="boards must be integers, not float64"):
        batch.legal_moves([[0.5, 1.0]])
    with pytest.raises(ValueError, match=r"planes must have shape \(n, 2, 8, 8\)"):
        batch.from_planes(np.zeros((2, 8, 8)))
    with pytest.raises(ValueError, match="moves must be one integer per board"):
        batch.play(start, [[1], [2]])


def test_empties_are_those_of_the_boards() -> None:
    boards = [reluca.Board(), reluca.Board.from_moves("f5d6c3"), reluca.Board("X" * 63 + "- O")]
    assert batch.empties(batch.from_boards(boards)).tolist() == [board.empties for board in boards] == [60, 57, 1]

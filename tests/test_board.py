"""`Board` as a Python object, and what it says to bad input."""

from __future__ import annotations

import contextlib
import copy
import pickle
from collections.abc import Callable
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import reluca
from reference import any_boards, games
from reluca import BLACK, WHITE, Board, Color, IllegalMoveError, InvalidBoardError, Move, NotationError


@given(games)
def test_copies_and_pickles_keep_position_and_moves(board: Board) -> None:
    for twin in (board.copy(), copy.copy(board), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert twin == board
        assert twin.move_stack == board.move_stack
        if board.move_stack:
            twin.pop()
            assert len(twin.move_stack) == len(board.move_stack) - 1
    assert board.copy(stack=False).move_stack == []


@given(any_boards)
def test_pickles_keep_boards_that_no_game_reaches(board: Board) -> None:
    assert pickle.loads(pickle.dumps(board)) == board


@given(any_boards)
def test_repr_text_and_obf_round_trip(board: Board) -> None:
    assert eval(repr(board), {"Board": Board}) == board
    assert Board.from_string(board.to_string()) == board
    assert Board.from_obf(board.to_obf()) == board
    assert reluca.parse_board(board.to_string()) == board
    assert reluca.parse_board(board.to_obf()) == board
    assert Board.from_bitboards(board.black, board.white, board.turn) == board


@given(games)
def test_transcripts_round_trip(board: Board) -> None:
    assert Board.from_moves(board.transcript()).move_stack == board.move_stack
    assert Board.from_moves(board.move_stack) == board
    assert Board.from_moves(board.transcript().upper()) == board


@given(games, games)
def test_equality_is_position_and_turn(one: Board, other: Board) -> None:
    same = one.to_string() == other.to_string()
    assert (one == other) == same
    assert one != "board"
    if same:
        assert hash(one) == hash(other)


def test_boards_are_usable_as_keys() -> None:
    seen = {Board.from_moves("f5d6c3"): 1}
    assert seen[Board.from_string(Board.from_moves("f5d6c3").to_string())] == 1
    assert Board.from_moves("f5d6") not in seen


def test_transposed_games_meet_in_one_position() -> None:
    assert Board.from_moves("f5d6c4d3c3") != Board.from_moves("f5d6c3d3c4").swap_colors()
    assert Board.from_moves("f5d6c3d3c4").zobrist == Board.from_moves("f5d6c4d3c3").zobrist


def test_str_shows_the_board() -> None:
    assert str(Board()).splitlines()[4:6] == ["4 - - . O X - - -", "5 - - - X O . - -"]
    assert str(Board()).splitlines()[-1] == "X to move, X 2, O 2"


def test_moves_read_and_print_themselves() -> None:
    assert [str(move) for move in Move] == [c + r for r in "12345678" for c in "abcdefgh"] + ["pass"]
    assert [int(move) for move in Move] == list(range(65))
    assert all(Move.parse(str(move)) is move for move in Move)
    assert f"{Move.F5:>4}" == "  f5"


def test_a_move_set_is_a_sequence_without_duplicates() -> None:
    moves = Board().legal_moves
    assert list(moves) == [Move.D3, Move.C4, Move.F5, Move.E6]
    assert len(moves) == 4
    assert moves[0] is Move.D3
    assert moves[-1] is Move.E6
    assert "f5" in moves
    assert np.int64(37) in moves
    assert Move.A1 not in moves
    assert None not in moves
    assert int(moves) == sum(1 << move for move in moves)
    assert moves == Board().legal_moves
    assert repr(moves) == "<MoveSet {d3, c4, f5, e6}>"
    with pytest.raises(IndexError):
        moves[4]


def test_a_turn_given_to_from_string_overrides_the_text() -> None:
    text = Board().to_string()
    assert Board.from_string(text, WHITE).turn is WHITE
    assert Board.from_string(text, WHITE).black == Board().black
    assert Board.from_string(text[:64]).turn is BLACK


def test_the_picture_shows_discs_moves_and_labels() -> None:
    board = Board.from_moves("f5d6")
    picture = board._repr_svg_()
    root = ElementTree.fromstring(picture)
    circles = [element for element in root.iter() if element.tag.endswith("circle")]
    assert len(circles) == board.discs + 1 + len(board.legal_moves)
    labelled = reluca.svg.render(board, labels={Move.C3: "+2 <best>"}, show_legal=False)
    assert "+2 &lt;best&gt;" in labelled
    ElementTree.fromstring(labelled)


BAD: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: Board().push("f6"), IllegalMoveError, "illegal move f6: it flips nothing"),
    (lambda: Board().push(Move.D4), IllegalMoveError, "illegal move d4: the square is occupied"),
    (lambda: Board().push("pass"), IllegalMoveError, "illegal pass: d3 is playable"),
    (lambda: Board().push("i9"), NotationError, '"i9" is not a move'),
    (lambda: Board().push(65), NotationError, "65 is not a move"),
    (lambda: Board().push(-1), NotationError, "-1 is not a move"),
    (lambda: Board().push(2**80), NotationError, "is not a move"),
    (lambda: Board().push(None), TypeError, "expected a move"),  # type: ignore[arg-type]
    (lambda: Board().flips("a1"), IllegalMoveError, "illegal move a1: it flips nothing"),
    (lambda: Board().pop(), IndexError, "no move was played"),
    (lambda: Board().peek(), IndexError, "no move was played"),
    (lambda: Board()["pass"], NotationError, "pass is not a square"),
    (lambda: Board(""), NotationError, "found 0 characters"),
    (lambda: Board("-" * 63), NotationError, "found 63 characters"),
    (lambda: Board("-" * 66), NotationError, "side to move must be a disc"),
    (lambda: Board("?" * 64), NotationError, r"unknown character '\?' at character 1"),
    (lambda: Board("X" * 1_000_000), NotationError, "found 1000000 characters"),
    (lambda: Board.from_moves("f5d6f5"), IllegalMoveError, "move 3: illegal move f5: the square is occupied"),
    (lambda: Board.from_moves("f5 d6 zz"), NotationError, "expected a move at character 7"),
    (lambda: Board.from_moves(["f5", "d6", "zz"]), NotationError, '"zz" is not a move'),
    (lambda: Board.from_moves(7), TypeError, "not iterable"),  # type: ignore[arg-type]
    (lambda: Board.from_moves("", start=7), TypeError, "expected a Board or its text"),  # type: ignore[arg-type]
    (lambda: Board.from_bitboards(1, 1), InvalidBoardError, "both sides have a disc on a1"),
    (lambda: Board.from_bitboards(-1, 0), InvalidBoardError, "-1 is not a bitboard"),
    (lambda: Board.from_bitboards(2**64, 0), InvalidBoardError, "is not a bitboard"),
    (lambda: Board().transform(-1), reluca.InvalidArgumentError, "a symmetry is a number from 0 to 7"),
    (lambda: Board().transform(8), reluca.InvalidArgumentError, "a symmetry is a number from 0 to 7"),
    (lambda: Board().count(2), TypeError, "expected a color"),  # type: ignore[arg-type]
    (lambda: reluca.parse_board("  "), NotationError, "found nothing"),
    (lambda: reluca.perft(Board(), -1), ValueError, "depth must be between"),
    (lambda: reluca.perft(Board(), 3, threads=0), ValueError, "threads must be between"),
    (lambda: reluca.perft(Board(), 3, passes="no"), ValueError, "passes must be"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "error", "message"), BAD)
def test_bad_input_raises_what_names_it(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_all_own_exceptions_have_one_base() -> None:
    for error in (IllegalMoveError, InvalidBoardError, NotationError):
        assert issubclass(error, reluca.RelucaError)
        assert issubclass(error, ValueError)


@given(st.text())
def test_no_text_crashes_the_readers(text: str) -> None:
    for read in (Board, Board.from_moves, Board.from_obf, reluca.parse_board, Move.parse):
        with contextlib.suppress(reluca.RelucaError):
            read(text)


def test_colors_name_each_other() -> None:
    assert BLACK.other is WHITE
    assert Color(1).other is BLACK

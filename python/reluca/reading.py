"""Reads positions and moves in whatever form a user, a file or a program has them."""

from __future__ import annotations

import re

from reluca._engine import Board
from reluca.errors import IllegalMoveError, NotationError
from reluca.types import PASS, Color, Move

MOST_MOVES = 64
"""No position has more."""


def parse_board(text: str) -> Board:
    """Reads a transcript, a board of 64 squares, or an OBF line.

    >>> parse_board("f5d6c3").turn == parse_board(str(parse_board("f5d6c3").to_string())).turn
    True
    """
    squares = text.split(";")[0]
    if not squares.strip():
        raise NotationError("expected a transcript, a board or an OBF line, found nothing")
    # Only transcripts have both letters and digits: board alphabets use one or the other.
    if re.search("[a-hA-H][1-9]", squares):
        return Board.from_moves(text)
    return Board.from_obf(text) if ";" in text else Board.from_string(text)


def parse_move(text: str) -> Move:
    """Reads a move; a pass is `pass`, `pa` or `ps`, in either case.

    >>> parse_move("F5"), parse_move("PA")
    (<Move.F5: 37>, <Move.PASS: 64>)
    """
    word = text.strip().lower()
    return PASS if word in ("pass", "pa", "ps") else Move.parse(word)


def parse_seconds(text: str) -> float:
    """Reads a time in seconds: a number, not negative, and no longer than people live.

    >>> parse_seconds("1.5")
    1.5
    """
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < 1e9:
        raise NotationError(f"{text!r} is not a time in seconds")
    return seconds


def parse_count(text: str, most: int) -> int:
    """Reads a whole number from 1 to `most`.

    >>> parse_count("12", 60)
    12
    """
    if not (text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most):
        raise NotationError(f"{text[:20]!r} is not a number from 1 to {most}")
    return int(text)


def push_move(board: Board, text: str, color: Color | None = None) -> int:
    """Plays a move, of `color` if that is known, and fills in a pass that was left out before it.

    Returns how many moves that were.

    >>> board = Board("XO" + "-" * 62 + "O")
    >>> push_move(board, "C1", Color.BLACK), board.transcript()
    (2, 'passc1')
    """
    move = parse_move(text)
    omitted = board.must_pass and (move is not PASS if color is None else color is not board.turn)
    if not omitted and color not in (None, board.turn):
        raise IllegalMoveError(f"illegal move {move}: it is {board.turn}'s turn")
    if not omitted or move is PASS:
        board.push(move)
        return 1
    if not board.play(PASS).is_legal(move):
        board.push(move)  # raises, and says why
    board.push(PASS)
    board.push(move)
    return 2


def begins_at_start(board: Board) -> bool:
    """Whether the moves on a board lead to it from the starting position, so that a transcript says all.

    >>> begins_at_start(Board.from_moves("f5d6")), begins_at_start(Board("XO" + "-" * 62))
    (True, False)
    """
    first = board.copy()
    while first.move_stack:
        first.pop()
    return first == Board()

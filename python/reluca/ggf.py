"""GGF, the notation of games on servers and in the NBoard protocol.

A game is `(;GM[Othello]PB[…]PW[…]BO[8 <64 squares> <side>]B[F5//1.2]W[D6];)`: `*` is black, `O` white, and a move may
carry its evaluation and its time behind slashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from reluca._engine import Board
from reluca.errors import NotationError
from reluca.types import BLACK, WHITE, Color

_PROPERTY = re.compile(r"([A-Za-z]+)\[([^\]]*)\]")


@dataclass(frozen=True)
class GgfGame:
    """A game: its final board, whose `move_stack` are the moves, and what else the record says."""

    board: Board
    tags: dict[str, str] = field(default_factory=dict)
    """All properties but the board and the moves: PB, PW, RE, …"""


def parse(text: str) -> GgfGame:
    """Reads one game; passes that were left out are filled in.

    >>> parse("(;GM[Othello]PB[a]PW[b]BO[8 ---------------------------O*------*O--------------------------- *]"
    ...       "B[F5]W[D6//0.5];)").board.transcript()
    'f5d6'
    """
    properties = [(name.upper(), value.strip()) for name, value in _PROPERTY.findall(text)]
    if not properties or not text.lstrip().startswith("(;"):
        raise NotationError("a GGF game begins with (; and has properties like BO[…]")
    tags: dict[str, str] = {}
    board: Board | None = None
    for name, value in properties:
        if name == "BO":
            board = _board(value)
        elif name in ("B", "W"):
            if board is None:
                raise NotationError("a GGF game has its board (BO) before its moves")
            _push(board, BLACK if name == "B" else WHITE, value)
        else:
            tags[name] = value
    if tags.get("GM", "othello").lower() != "othello":
        raise NotationError(f"this is a game of {tags['GM']}, not of Othello")
    if board is None:
        raise NotationError("the GGF game has no board (BO)")
    return GgfGame(board, tags)


def parse_all(text: str) -> Iterator[GgfGame]:
    """Reads every game of a text."""
    for part in re.findall(r"\(;.*?;\)", text, re.DOTALL):
        yield parse(part)


def _board(value: str) -> Board:
    size, _, rest = value.partition(" ")
    squares = "".join(rest.split())
    if size != "8" or len(squares) != 65:
        raise NotationError(f"BO[{value}] is not a board of 8 by 8 squares with its side to move")
    return Board(f"{squares[:64]} {squares[64]}")


def _push(board: Board, color: Color, value: str) -> None:
    move = value.split("/")[0].strip()
    name = "pass" if move.lower() in ("pa", "pass") else move.lower()
    if board.turn is not color and board.must_pass:
        board.push("pass")
        if name == "pass":
            return
    if board.turn is not color:
        raise NotationError(f"move {move}: it is not {'black' if color is BLACK else 'white'}'s turn")
    board.push(name)


def format(board: Board, tags: dict[str, str] | None = None) -> str:  # noqa: A001  (as in `json.dumps`: ggf.format)
    """Writes a game: the board where its moves began, and the moves."""
    start = board.copy()
    moves: list[str] = []
    while start.move_stack:
        move = start.pop()
        moves.append(f"{'B' if start.turn is BLACK else 'W'}[{'PA' if str(move) == 'pass' else str(move).upper()}]")
    squares, side = start.to_string().split()
    position = squares.replace("X", "*") + " " + ("*" if side == "X" else "O")
    written = "".join(f"{name}[{value}]" for name, value in (tags or {}).items())
    return f"(;GM[Othello]{written}TY[8]BO[8 {position}]{''.join(reversed(moves))};)"

"""GGF, the notation of games on servers and in the NBoard protocol.

A game is `(;GM[Othello]PB[…]PW[…]TI[5:00]BO[8 <64 squares> <side>]B[F5//1.2]W[D6];)`: `*` is black, `O` white, and a
move may carry its evaluation and its time behind slashes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from reluca._engine import Board
from reluca.errors import NotationError
from reluca.limits import Clock
from reluca.reading import parse_seconds, push_move
from reluca.types import BLACK, PASS, WHITE, Color

_PROPERTY = re.compile(r"([A-Za-z]+)\[([^\]]*)\]")


@dataclass(frozen=True)
class GgfGame:
    """A game: its final board, whose `move_stack` are the moves, and what else the record says."""

    board: Board
    tags: dict[str, str] = field(default_factory=dict)
    """All properties but the board and the moves: PB, PW, RE, …"""
    times: tuple[float, ...] = ()
    """The seconds of every move of the board, 0 where they are not known."""

    def played(self, text: str, color: Color | None = None) -> GgfGame:
        """The game after a move like `F5`, `F5/1.5/0.2` or `PA`; a pass that was left out is filled in.

        >>> parse("(;GM[Othello]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *];)").played("F5//2.5").times
        (2.5,)
        """
        name, _, rest = text.partition("/")
        board = self.board.copy()
        pushed = push_move(board, name, color)
        return GgfGame(board, self.tags, (*self.times, *[0.0] * (pushed - 1), _seconds(rest.partition("/")[2])))

    def clock(self, color: Color) -> Clock | None:
        """What is left on a side's clock; None if the record has none, or one without any time, or an unreadable one.

        >>> text = "(;GM[Othello]TI[5:00/0:10]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *]B[F5//30];)"
        >>> parse(text).clock(BLACK)
        Clock(main=280.0, increment=10.0, byoyomi=0.0)
        """
        text = self.tags.get("TB" if color is BLACK else "TW", self.tags.get("TI"))
        if text is None:
            return None
        try:
            left, increment = (_duration(part) for part in f"{text}/".split("/")[:2])
        except NotationError:
            return None
        if not left and not increment:
            return None
        board = self.board.copy()
        for seconds in reversed(self.times):
            board.pop()
            if board.turn is color:
                left += increment - seconds
        return Clock(main=max(left, 0.0), increment=increment)


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
    game: GgfGame | None = None
    for name, value in properties:
        if name == "BO":
            game = GgfGame(_board(value), tags)
        elif name in ("B", "W"):
            if game is None:
                raise NotationError("a GGF game has its board (BO) before its moves")
            game = game.played(value, BLACK if name == "B" else WHITE)
        else:
            tags[name] = value
    if tags.get("GM", "othello").lower() != "othello":
        raise NotationError(f"this is a game of {tags['GM']}, not of Othello")
    if game is None:
        raise NotationError("the GGF game has no board (BO)")
    return game


def split(text: str) -> list[str]:
    """The games of a text, each to be read on its own."""
    return re.findall(r"\(;.*?;\)", text, re.DOTALL)


def parse_all(text: str) -> Iterator[GgfGame]:
    """Reads every game of a text; an error names the game by its number."""
    for number, part in enumerate(split(text), 1):
        try:
            yield parse(part)
        except ValueError as error:
            raise type(error)(f"game {number}: {error}") from None


def _board(value: str) -> Board:
    size, _, rest = value.partition(" ")
    squares = "".join(rest.split())
    if size != "8" or len(squares) != 65:
        raise NotationError(f"BO[{value}] is not a board of 8 by 8 squares with its side to move")
    return Board(f"{squares[:64]} {squares[64]}")


def _seconds(text: str) -> float:
    return parse_seconds(text) if text.strip() else 0.0


def _duration(text: str) -> float:
    """Seconds of a text like `90`, `15:00` or `1:30:00`; servers add conditions behind a comma."""
    seconds = 0.0
    for part in text.partition(",")[0].strip().split(":"):
        seconds = 60 * seconds + _seconds(part)
    return seconds


def format_clock(clock: Clock) -> str:
    """A clock as the tag TI has it, in whole seconds.

    >>> format_clock(Clock(main=300, increment=2)), format_clock(Clock(main=59.9))
    ('5:00/0:02', '0:59')
    """
    main, increment = (f"{int(seconds) // 60}:{int(seconds) % 60:02d}" for seconds in (clock.main, clock.increment))
    return f"{main}/{increment}" if clock.increment >= 1 else main


def format(  # noqa: A001  (as in `json.dumps`: ggf.format)
    board: Board, tags: dict[str, str] | None = None, times: Sequence[float] = ()
) -> str:
    """Writes a game: the board where its moves began, and the moves, with their seconds if they are given."""
    start = board.copy()
    moves: list[str] = []
    while start.move_stack:
        move = start.pop()
        seconds = times[len(start.move_stack)] if len(start.move_stack) < len(times) else 0.0
        name = "PA" if move is PASS else str(move).upper()
        moves.append(f"{'B' if start.turn is BLACK else 'W'}[{name}{f'//{seconds:.2f}' if seconds else ''}]")
    squares, side = start.to_string().split()
    position = squares.replace("X", "*") + " " + ("*" if side == "X" else "O")
    written = "".join(f"{name}[{value.replace(']', ')')}]" for name, value in (tags or {}).items())
    return f"(;GM[Othello]{written}TY[8]BO[8 {position}]{''.join(reversed(moves))};)"

"""GTP version 2, as Othello engines speak it.

A command is answered by `= result` or `? error` and an empty line, with the command's number if it had one. Commands
are obeyed in their order; what was asked for before the end of the input is still answered. Pondering goes on from a
`genmove` until the position changes or another search begins.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import BinaryIO, TextIO

from reluca import sgf
from reluca._engine import Board, version
from reluca.effort import Effort
from reluca.engine import Engine, Pondering
from reluca.errors import NotationError, RelucaError
from reluca.limits import Clock
from reluca.protocols.lines import read_lines
from reluca.reading import parse_seconds, push_move
from reluca.types import BLACK, PASS, WHITE, Color, Move

DEFAULT_EFFORT = Effort(level=10)
"""How hard it thinks without options and without a clock."""
_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}


class GtpError(Exception):
    """A command that cannot be obeyed; the message is the answer."""


class GtpClock:
    """One side's clock: a main time, then periods of some seconds for some moves."""

    def __init__(self, main: float, period: float, moves: int) -> None:
        self._period = period
        self._moves = moves
        self._left = main
        self._moves_left = 0
        """Moves in what is left of a period; 0 in the main time."""
        if main == 0 and moves:
            self.set_left(period, moves)

    def set_left(self, seconds: float, moves: int) -> None:
        """Corrects the clock: seconds left, for so many moves of a period, or 0 in the main time."""
        self._left = seconds
        self._moves_left = moves

    def spend(self, seconds: float) -> None:
        """Takes the time of a move off the clock."""
        self._left -= seconds
        if self._moves_left:
            self._moves_left -= 1
            if not self._moves_left:
                self.set_left(self._period, self._moves)
        elif self._left <= 0 and self._moves:
            self.set_left(self._left + self._period, self._moves)

    def clock(self) -> Clock:
        """What the search may use."""
        left = max(self._left, 0.0)
        if self._moves_left:
            return Clock(main=0.0, byoyomi=left / self._moves_left)
        return Clock(main=left, byoyomi=self._period / self._moves if self._moves else 0.0)


class GtpEngine:
    """A game and an engine behind GTP.

    >>> gtp = GtpEngine(Engine(table_mb=1), Effort(depth=2))
    >>> gtp.answer("7 play b f5"), gtp.answer("genmove b")
    ('=7\\n\\n', "? illegal move: it is white's turn\\n\\n")
    """

    def __init__(self, engine: Engine, effort: Effort | None = None, *, ponder: bool = False) -> None:
        self._engine = engine
        self._effort = effort
        self._ponder = ponder
        self._pondering: Pondering | None = None
        self._board = Board()
        self._history: list[int] = []
        """How many moves every command put on the board: a pass may be filled in, one after the end is not played."""
        self._settings: tuple[float, float, int] | None = None
        self._clocks: dict[Color, GtpClock] = {}
        self._quit = False
        self._commands: dict[str, Callable[[list[str]], str]] = {
            "protocol_version": lambda _: "2",
            "name": lambda _: "Reluca",
            "version": lambda _: version(),
            "known_command": self._known_command,
            "list_commands": lambda _: "\n".join(self._commands),
            "quit": self._do_quit,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "showboard": lambda _: f"\n{self._board}",
            "final_score": self._final_score,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "loadsgf": self._loadsgf,
        }

    def serve(self, commands: BinaryIO, answers: TextIO) -> None:
        """Answers commands until `quit` or the end of the input."""
        try:
            for line in read_lines(commands):
                answers.write("? line too long\n\n" if line is None else self.answer(line))
                answers.flush()
                if self._quit:
                    return
        finally:
            if self._pondering is not None:
                self._pondering.stop()

    def answer(self, line: str) -> str:
        """The answer to a line; empty for a line without a command."""
        text = line.split("#")[0].strip()
        rest = text.lstrip("0123456789")
        number = text[: len(text) - len(rest)]
        name, *arguments = rest.split() or [""]
        if not number and not name:
            return ""
        try:
            if name not in self._commands:
                raise GtpError("unknown command")
            result, sign = self._commands[name](arguments), "="
        except (GtpError, RelucaError) as error:
            result, sign = " ".join(str(error).split()), "?"
        if self._pondering is not None and self._pondering.board != self._board:
            self._pondering.stop()
        return f"{sign}{number}{' ' if result else ''}{result}\n\n"

    def _known_command(self, arguments: list[str]) -> str:
        return "true" if _one(arguments) in self._commands else "false"

    def _do_quit(self, arguments: list[str]) -> str:
        self._quit = True
        return ""

    def _boardsize(self, arguments: list[str]) -> str:
        if _number(_one(arguments)) != 8:
            raise GtpError("unacceptable size")
        return self._clear_board([])

    def _clear_board(self, arguments: list[str]) -> str:
        self._set_board(Board())
        self._engine.new_game()
        self._reset_clocks()
        return ""

    def _set_board(self, board: Board) -> None:
        self._board = board
        self._history = [1] * len(board.move_stack)

    def _komi(self, arguments: list[str]) -> str:
        try:
            float(_one(arguments))
        except ValueError:
            raise GtpError("syntax error") from None
        return ""

    def _play(self, arguments: list[str]) -> str:
        if len(arguments) != 2:
            raise GtpError("syntax error")
        color = _color(arguments[0])
        if self._board.is_game_over() and arguments[1].lower() == "pass":
            # Programs that come from Go let both sides pass when a game is over.
            self._history.append(0)
        else:
            self._history.append(push_move(self._board, arguments[1], color))
        return ""

    def _genmove(self, arguments: list[str]) -> str:
        color = self._turn(arguments)
        start = time.perf_counter()
        move = self._choose(color)
        if color in self._clocks:
            self._clocks[color].spend(time.perf_counter() - start)
        self._play([str(color), str(move)])
        if self._ponder:
            self._pondering = self._engine.ponder(self._board)
        return str(move).upper()

    def _reg_genmove(self, arguments: list[str]) -> str:
        return str(self._choose(self._turn(arguments))).upper()

    def _turn(self, arguments: list[str]) -> Color:
        """The colour that is to move; the other one may be asked for if that one can only pass."""
        color = _color(_one(arguments))
        board = self._board
        if color is not board.turn and not board.must_pass and not board.is_game_over():
            raise GtpError(f"illegal move: it is {board.turn}'s turn")
        return color

    def _choose(self, color: Color) -> Move:
        board = self._board
        if board.is_game_over() or (board.must_pass and color is board.turn):
            return PASS
        if color is not board.turn:
            board = board.play(PASS)
        clock = self._clocks[color].clock() if color in self._clocks else None
        effort = self._effort or (DEFAULT_EFFORT if clock is None else Effort())
        move = self._engine.search(board, effort.limit(board, clock)).best_move
        assert move is not None
        return move

    def _undo(self, arguments: list[str]) -> str:
        if not self._history:
            raise GtpError("cannot undo")
        for _ in range(self._history.pop()):
            self._board.pop()
        return ""

    def _final_score(self, arguments: list[str]) -> str:
        outcome = self._board.outcome()
        if outcome is None:
            raise GtpError("cannot score: the game is not over")
        if outcome.winner is None:
            return "0"
        return f"{'B' if outcome.winner is BLACK else 'W'}+{abs(outcome.score)}"

    def _time_settings(self, arguments: list[str]) -> str:
        if len(arguments) != 3:
            raise GtpError("syntax error")
        main, period, moves = (_number(text) for text in arguments)
        # Periods without moves are how GTP says that time does not matter; so, in practice, is no time at all.
        unlimited = moves < 1 and (period > 0 or main == 0)
        self._settings = None if unlimited else (main, period, int(moves))
        self._reset_clocks()
        return ""

    def _reset_clocks(self) -> None:
        self._clocks = {} if self._settings is None else {color: GtpClock(*self._settings) for color in Color}

    def _time_left(self, arguments: list[str]) -> str:
        if len(arguments) != 3:
            raise GtpError("syntax error")
        color, seconds, moves = _color(arguments[0]), _number(arguments[1]), _number(arguments[2])
        self._clocks.setdefault(color, GtpClock(seconds, 0.0, 0)).set_left(seconds, int(moves))
        return ""

    def _loadsgf(self, arguments: list[str]) -> str:
        if len(arguments) not in (1, 2):
            raise GtpError("syntax error")
        try:
            board = sgf.read(arguments[0])
        except (OSError, ValueError) as error:
            raise GtpError(f"cannot load file: {error}") from None
        if len(arguments) == 2:
            # The position before the move of this number.
            for _ in range(len(board.move_stack) - max(int(_number(arguments[1])) - 1, 0)):
                board.pop()
        self._clear_board([])
        self._set_board(board)
        return str(board.turn)


def _one(arguments: list[str]) -> str:
    if len(arguments) != 1:
        raise GtpError("syntax error")
    return arguments[0]


def _number(text: str) -> float:
    try:
        return parse_seconds(text)
    except NotationError:
        raise GtpError("syntax error") from None


def _color(text: str) -> Color:
    if text.lower() not in _COLORS:
        raise GtpError(f"syntax error: {text!r} is not a color")
    return _COLORS[text.lower()]

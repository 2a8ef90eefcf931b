"""A game in progress: moves with their times, clocks, taking back, resigning, and the record that is kept of it."""

from __future__ import annotations

import datetime
import os
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from reluca import ggf
from reluca._engine import Board
from reluca.errors import InvalidArgumentError
from reluca.limits import Clock
from reluca.reading import begins_at_start
from reluca.types import BLACK, PASS, Color, Move


@dataclass(frozen=True)
class Ending:
    """How a game ended."""

    how: Literal["played", "resigned", "time"]
    score: int
    """Black's result in discs; 64 either way if a side gave up or ran out of time."""

    def __str__(self) -> str:
        if self.how == "played":
            winner = "draw" if not self.score else f"{'black' if self.score > 0 else 'white'} wins"
            return f"{winner}, {self.score:+d} for black"
        loser, winner = ("white", "black") if self.score > 0 else ("black", "white")
        return f"{winner} wins: {loser} {'resigned' if self.how == 'resigned' else 'ran out of time'}"


class Session:
    """A game between two sides.

    >>> session = Session()
    >>> session.play(Move.F5, 1.5)
    >>> session.undo([BLACK])
    1
    """

    def __init__(self, start: Board | None = None, clock: Clock | None = None) -> None:
        self.board = Board() if start is None else start.copy()
        self.times = [0.0] * len(self.board.move_stack)
        """The seconds of every move of the board."""
        self._given = len(self.times)
        self._start_clock = clock
        self._ending: Ending | None = None

    def clock(self, color: Color) -> Clock | None:
        """What is left on a side's clock; none if there are no clocks."""
        clock = self._start_clock
        if clock is None:
            return None
        board, spent = self.board.copy(), []
        for seconds in reversed(self.times[self._given :]):
            board.pop()
            if board.turn is color:
                spent.append(seconds)
        for seconds in reversed(spent):
            clock = clock.after(seconds)
        return clock

    def play(self, move: Move, seconds: float = 0.0) -> None:
        """Plays a move of the side to move; a move after its time is over loses the game instead."""
        if not self.board.is_legal(move):
            self.board.copy().push(move)  # raises, and says why
        clock = self.clock(self.board.turn)
        if clock is not None and move is not PASS and seconds > clock.longest:
            self._end("time")
            return
        self.board.push(move)
        self.times.append(seconds)

    def undo(self, sides: Collection[Color]) -> int:
        """Takes moves back until one of `sides` chooses again; returns how many, 0 if there are none to take back."""
        board = self.board.copy()
        count = 0
        while len(board.move_stack) > self._given:
            board.pop()
            count += 1
            if board.turn in sides and not board.must_pass:
                self.board = board
                del self.times[len(board.move_stack) :]
                self._ending = None
                return count
        return 0

    def resign(self) -> None:
        """Gives up the game for the side to move."""
        self._end("resigned")

    def _end(self, how: Literal["resigned", "time"]) -> None:
        self._ending = Ending(how, -64 if self.board.turn is BLACK else 64)

    @property
    def ending(self) -> Ending | None:
        """How the game ended; none if it goes on."""
        if self._ending is None and self.board.is_game_over():
            return Ending("played", self.board.score(BLACK))
        return self._ending

    def to_ggf(self, black: str, white: str) -> str:
        """The game in GGF, with names, times and result."""
        ending = self.ending
        signs = {"played": "", "resigned": ":r", "time": ":t"}
        tags = {
            "PC": "Reluca",
            "DT": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S GMT"),
            "PB": black,
            "PW": white,
            "RE": "?" if ending is None else f"{ending.score:+d}{signs[ending.how]}",
        }
        if self._start_clock is not None:
            tags["TI"] = ggf.format_clock(self._start_clock)
        return ggf.format(self.board, tags, self.times)

    def save(self, path: str | os.PathLike[str], black: str, white: str) -> None:
        """Adds the game to a file: GGF if it is called `.ggf`, otherwise a transcript a line."""
        check_save(path, self.board)
        line = self.to_ggf(black, white) if is_ggf(path) else self.board.transcript()
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")


def is_ggf(path: str | os.PathLike[str]) -> bool:
    """Whether a file of this name has games in GGF."""
    return Path(path).suffix.lower() == ".ggf"


def check_save(path: str | os.PathLike[str], board: Board) -> None:
    """Raises if the game on a board cannot be written to such a file."""
    if Path(path).suffix.lower() not in (".ggf", ".txt"):
        raise InvalidArgumentError(f"{os.fspath(path)}: games are saved as .ggf or .txt")
    if not is_ggf(path) and not begins_at_start(board):
        raise InvalidArgumentError(f"{os.fspath(path)}: a transcript begins at the starting position; save as .ggf")
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"{os.fspath(path)}: there is no such directory")

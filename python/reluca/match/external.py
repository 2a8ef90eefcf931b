"""Other programs as players: GTP and NBoard engines, each a process that is spoken to in lines."""

from __future__ import annotations

import queue
import re
import shlex
import shutil
import subprocess
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import IO

from reluca import ggf
from reluca._engine import Board
from reluca.errors import InvalidArgumentError, NotationError
from reluca.limits import Clock
from reluca.match.players import Choice, Player, PlayerError
from reluca.match.rules import Rules
from reluca.reading import begins_at_start, parse_move
from reluca.types import BLACK, Color, Move

PATIENCE = 60.0
"""Seconds that a program may take beyond what the rules allow before it counts as hung."""
LONG_PATIENCE = 3600.0
"""The same for a move where the rules allow any time."""
_FAREWELL = 2.0
"""Seconds in which a program that closed its output ends, and its last words arrive."""


class Process:
    """A running program and the lines that it prints."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                bufsize=1,
                errors="replace",
            )
        except OSError as error:
            raise PlayerError("crash", f"cannot start {shlex.join(command)}: {error}") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._complaint = ""
        self._readers = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()

    def _read(self) -> None:
        for line in _lines(self._process.stdout):
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None)

    def _read_errors(self) -> None:
        for line in _lines(self._process.stderr):
            self._complaint = line.strip() or self._complaint

    def _end(self) -> PlayerError:
        """What is to be said about a program that ended: its exit code and the last line of its standard error."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_FAREWELL)
        self._readers[1].join(_FAREWELL)
        code = self._process.returncode
        how = "" if code is None else f" with exit code {code}"
        return PlayerError("crash", f"the program ended{how}{self._complaint and f': {self._complaint}'}")

    def send(self, line: str) -> None:
        """Sends a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._end() from error

    def receive(self, deadline: float) -> str:
        """The next line; one that does not come by the deadline (of `time.monotonic`) is a timeout."""
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise PlayerError("timeout", "no answer in time") from None
        if line is None:
            self._lines.put(None)
            raise self._end()
        return line

    def close(self) -> None:
        """Ends the program."""
        self._process.kill()
        self._process.wait()
        # What could not be sent cannot be sent now either.
        with suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        for reader in self._readers:
            reader.join(_FAREWELL)


def _lines(stream: IO[str] | None) -> Iterator[str]:
    """The lines of a stream, which is closed at its end."""
    assert stream is not None
    with stream:
        yield from stream


class ExternalPlayer(Player):
    """A program that speaks a protocol; a program that failed is started anew for the next game."""

    def __init__(self, name: str, command: str | Sequence[str], *, patience: float | None = None) -> None:
        self.name = name
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.patience = patience
        """Seconds beyond what the rules allow after which a program that does not answer counts as hung.

        If none is given: `PATIENCE`, and `LONG_PATIENCE` for moves without a time.
        """
        self._rules = Rules()
        self._process: Process | None = None

    def prepare(self, rules: Rules) -> None:
        self._rules = rules
        if not self.command or shutil.which(self.command[0]) is None:
            raise InvalidArgumentError(f"{self.name}: there is no such program")

    @property
    def process(self) -> Process:
        """The program, started when it is needed."""
        if self._process is None:
            self._process = Process(self.command)
            self._greet()
        return self._process

    def deadline(self) -> float:
        """When an answer to a question asked now must be there."""
        return time.monotonic() + (PATIENCE if self.patience is None else self.patience)

    def move_deadline(self, clock: Clock | None) -> float:
        """When a move asked for now must be there; one that is merely late loses by the rules."""
        allowed = self._rules.move_time if clock is None else clock.longest
        if allowed is None:
            return time.monotonic() + (LONG_PATIENCE if self.patience is None else self.patience)
        return self.deadline() + allowed + self._rules.margin

    @abstractmethod
    def _greet(self) -> None:
        """What is said first."""

    @abstractmethod
    def _choose(self, board: Board, clock: Clock | None) -> Choice:
        """Asks for a move."""

    @abstractmethod
    def _forget(self) -> None:
        """What is said before a game."""

    def new_game(self) -> None:
        self._guarded(self._forget)

    def choose(self, board: Board, clock: Clock | None) -> Choice:
        choice: list[Choice] = []
        self._guarded(lambda: choice.append(self._choose(board, clock)))
        return choice[0]

    def _guarded(self, work: Callable[[], None]) -> None:
        """Does something; a program that fails in it is ended."""
        try:
            work()
        except Exception:
            self.close()
            raise

    def copy(self) -> ExternalPlayer:
        return type(self)(self.name, self.command, patience=self.patience)

    def close(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.close()


def _move(text: str) -> Move:
    try:
        return parse_move(text)
    except NotationError:
        raise PlayerError("illegal", f"answered {text!r} instead of a move") from None


class GtpPlayer(ExternalPlayer):
    """A program that speaks GTP. It plays from the starting position only, so openings must be transcripts."""

    def _greet(self) -> None:
        self._sent: list[Move] | None = None
        self._clock_is_set = False
        self.ask("boardsize 8", needed=False)

    def ask(self, command: str, *, needed: bool = True, deadline: float | None = None) -> str:
        """Sends a command and returns the answer; a refusal is an error if the answer is `needed`."""
        self.process.send(command)
        deadline = self.deadline() if deadline is None else deadline
        while not (line := self.process.receive(deadline)).startswith(("=", "?")):
            pass
        answer = [line]
        while line := self.process.receive(deadline):
            answer.append(line)
        if needed and answer[0].startswith("?"):
            raise PlayerError("crash", f"refused {command!r}: {answer[0]}")
        return re.sub(r"^[=?]\d*\s*", "", "\n".join(answer))

    def _forget(self) -> None:
        self.ask("clear_board")
        self._sent = []
        self._clock_is_set = False

    def check_opening(self, opening: Board) -> None:
        if not begins_at_start(opening):
            raise InvalidArgumentError(f"{self.name}: GTP engines need openings that are transcripts")

    def _choose(self, board: Board, clock: Clock | None) -> Choice:
        self.process  # noqa: B018  (a new one has played nothing)
        if self._sent is None or self._sent != board.move_stack[: len(self._sent)]:
            self._forget()
        assert self._sent is not None
        history = Board.from_moves(self._sent)
        for move in board.move_stack[len(self._sent) :]:
            self.ask(f"play {_color(history.turn)} {move}")
            history.push(move)
        self._tell_time(board.turn, clock)
        answer = self.ask(f"genmove {_color(board.turn)}", deadline=self.move_deadline(clock))
        if answer.strip().lower() == "resign":
            raise PlayerError("resigned", "resigned")
        move = _move(answer)
        self._sent = [*board.move_stack, move]
        return Choice(move)

    def _tell_time(self, color: Color, clock: Clock | None) -> None:
        """Sets the clock once a game, and then says what is left: in whole seconds, at least one, as none is no limit.

        A time per move is told if it is whole seconds; GTP has no words for other ones, nor for increments.
        """
        if clock is None:
            seconds = self._rules.move_time or 0.0
            if seconds >= 1 and seconds == int(seconds) and not self._clock_is_set:
                self.ask(f"time_settings 0 {int(seconds)} 1", needed=False)
                self._clock_is_set = True
            return
        period = max(int(clock.byoyomi), 1) if clock.byoyomi else 0
        main = int(clock.main) if period else max(int(clock.main), 1)
        if not self._clock_is_set:
            self.ask(f"time_settings {main} {period} {min(period, 1)}", needed=False)
            self._clock_is_set = True
        self.ask(f"time_left {_color(color)} {f'{main} 0' if main else f'{period} 1'}", needed=False)


def _color(color: Color) -> str:
    return "black" if color is BLACK else "white"


class NBoardPlayer(ExternalPlayer):
    """A program that speaks the NBoard protocol; `depth` is what it is told to search to."""

    def __init__(
        self, name: str, command: str | Sequence[str], *, patience: float | None = None, depth: int | None = None
    ) -> None:
        super().__init__(name, command, patience=patience)
        self.depth = depth
        self._pings = 0

    def copy(self) -> NBoardPlayer:
        return NBoardPlayer(self.name, self.command, patience=self.patience, depth=self.depth)

    @property
    def description(self) -> str:
        return self.name if self.depth is None else f"{self.name}, depth {self.depth}"

    def _greet(self) -> None:
        self.process.send("nboard 2")
        if self.depth is not None:
            self.process.send(f"set depth {self.depth}")
        self._settle()

    def _settle(self) -> None:
        """Waits until the program has done all that it was told."""
        self._pings += 1
        self.process.send(f"ping {self._pings}")
        deadline = self.deadline()
        while self.process.receive(deadline).split() != ["pong", str(self._pings)]:
            pass

    def _forget(self) -> None:
        self._settle()

    def _choose(self, board: Board, clock: Clock | None) -> Choice:
        # No time at all would be read as no clock.
        tags = {} if clock is None else {"TI": ggf.format_clock(replace(clock, main=max(clock.main, 1.0)))}
        self.process.send(f"set game {ggf.format(board, tags)}")
        self._settle()
        self.process.send("go")
        deadline = self.move_deadline(clock)
        depth: int | None = None
        nodes: int | None = None
        while not (line := self.process.receive(deadline)).startswith("==="):
            match line.split():
                case ["search", _, _, _, text, *_] if found := re.match(r"\d+", text):
                    # A percentage is not a depth: the rest of the game was read.
                    depth = board.empties if text.startswith("100%") else int(found[0])
                case ["nodestats", count, *_] if count.isdecimal():
                    nodes = int(count)
        # Some programs put spaces where the protocol has slashes.
        return Choice(_move(re.split(r"[/\s]", line[3:].strip())[0]), depth, nodes)

"""Other programs as players: GTP and NBoard engines, each a process that is spoken to in lines."""

from __future__ import annotations

import queue
import re
import shlex
import subprocess
import threading
import time
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

from reluca import ggf
from reluca._engine import Board
from reluca.errors import InvalidArgumentError, NotationError
from reluca.limits import Clock
from reluca.match.players import Choice, Player, PlayerError
from reluca.reading import begins_at_start, parse_move
from reluca.types import BLACK, Color, Move


class Process:
    """A running program and the lines that it prints."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
                errors="replace",
            )
        except OSError as error:
            raise PlayerError("crash", f"cannot start {shlex.join(command)}: {error}") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line.rstrip("\r\n"))
        self._lines.put(None)

    def send(self, line: str) -> None:
        """Sends a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise PlayerError("crash", f"the program ended: {error}") from error

    def receive(self, deadline: float) -> str:
        """The next line; one that does not come by the deadline (of `time.monotonic`) is a timeout."""
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise PlayerError("timeout", "no answer in time") from None
        if line is None:
            self._lines.put(None)
            raise PlayerError("crash", "the program ended")
        return line

    def close(self) -> None:
        """Ends the program."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()


class ExternalPlayer(Player):
    """A program that speaks a protocol; a program that failed is started anew for the next game."""

    def __init__(self, name: str, command: str | Sequence[str], *, patience: float = 60.0) -> None:
        self.name = name
        self.command = shlex.split(command) if isinstance(command, str) else list(command)
        self.patience = patience
        """Seconds after which a program that does not answer counts as hung."""
        self._process: Process | None = None

    @property
    def process(self) -> Process:
        """The program, started when it is needed."""
        if self._process is None:
            self._process = Process(self.command)
            self._greet()
        return self._process

    def deadline(self) -> float:
        """When an answer to a question asked now must be there."""
        return time.monotonic() + self.patience

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
        except PlayerError:
            self.close()
            raise

    def copy(self) -> ExternalPlayer:
        return type(self)(self.name, self.command, patience=self.patience)

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None


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

    def ask(self, command: str, *, needed: bool = True) -> str:
        """Sends a command and returns the answer; a refusal is an error if the answer is `needed`."""
        self.process.send(command)
        deadline = self.deadline()
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
        if clock is not None:
            self._tell_clock(board.turn, clock)
        move = _move(self.ask(f"genmove {_color(board.turn)}"))
        self._sent = [*board.move_stack, move]
        return Choice(move)

    def _tell_clock(self, color: Color, clock: Clock) -> None:
        """Sets the clock once a game, and then says what is left: in whole seconds, of which none is invented."""
        period = int(clock.byoyomi)
        if not self._clock_is_set:
            self.ask(f"time_settings {int(clock.main)} {period} {min(period, 1)}", needed=False)
            self._clock_is_set = True
        in_period = clock.main < 1 <= period
        left = f"{period} 1" if in_period else f"{int(clock.main)} 0"
        self.ask(f"time_left {_color(color)} {left}", needed=False)


def _color(color: Color) -> str:
    return "black" if color is BLACK else "white"


class NBoardPlayer(ExternalPlayer):
    """A program that speaks the NBoard protocol; `depth` is what it is told to search to."""

    def __init__(
        self, name: str, command: str | Sequence[str], *, patience: float = 60.0, depth: int | None = None
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
        deadline = self.deadline()
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

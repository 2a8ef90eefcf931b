"""The NBoard engine protocol, version 2.

A thread reads the commands, so that one which arrives while the engine thinks ends the thinking at once: `go` then
answers with the best move so far, `hint` and `analyze` end, and the command is obeyed. A line that is no command is
ignored, as the protocol demands; one that cannot be obeyed is reported in the status line. Pondering begins with the
answer to `go`, for the position after it, and ends when the game goes elsewhere or another search begins.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import BinaryIO, TextIO

from reluca import ggf
from reluca._engine import Board
from reluca.effort import HIGHEST_LEVEL, Effort
from reluca.engine import Analysis, Engine, Pondering
from reluca.errors import InvalidArgumentError, RelucaError
from reluca.ggf import GgfGame
from reluca.limits import Clock
from reluca.protocols.lines import read_lines
from reluca.reading import MOST_MOVES, parse_count, parse_move
from reluca.results import Line, SearchResult
from reluca.types import PASS, Move

NAME = "Reluca"
DEFAULT_EFFORT = Effort(level=12)
_END = "quit"


class NBoardEngine:
    """A game and an engine behind the NBoard protocol."""

    def __init__(self, engine: Engine, effort: Effort = DEFAULT_EFFORT, *, ponder: bool = False) -> None:
        self._engine = engine
        self._effort = effort
        self._ponder = ponder
        self._pondering: Pondering | None = None
        self._game = GgfGame(Board())
        self._lines: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waiting = 0
        """Commands that were read and not yet begun."""
        self._analysis: Analysis | None = None
        self._answers: TextIO | None = None
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "nboard": self._nboard,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": self._learn,
            "analyze": self._analyze,
        }

    def serve(self, commands: BinaryIO, answers: TextIO) -> None:
        """Obeys commands until `quit` or the end of the input."""
        self._answers = answers
        threading.Thread(target=self._read, args=(commands,), daemon=True).start()
        try:
            while (words := self._next())[0] != _END:
                self._obey(words)
        finally:
            if self._pondering is not None:
                self._pondering.stop()

    def _next(self) -> list[str]:
        words = self._lines.get()
        with self._lock:
            self._waiting -= 1
        return words

    def _obey(self, words: list[str]) -> None:
        try:
            self._commands[words[0]](words[1:])
        except RelucaError as error:
            self._say(f"status error: {' '.join(str(error).split())}")

    def _read(self, commands: BinaryIO) -> None:
        for line in read_lines(commands):
            words = _words(line or "")
            if words and words[0] in (*self._commands, _END):
                self._receive(words)
        self._receive([_END])

    def _receive(self, words: list[str]) -> None:
        """Keeps a command for its turn and ends the thinking before it."""
        with self._lock:
            self._waiting += 1
            self._lines.put(words)
            if self._analysis is not None:
                self._analysis.stop()

    def _say(self, line: str) -> None:
        assert self._answers is not None
        self._answers.write(line + "\n")
        self._answers.flush()

    def _nboard(self, arguments: list[str]) -> None:
        self._say(f"set myname {NAME}")

    def _set(self, arguments: list[str]) -> None:
        match arguments:
            case ["depth", depth]:
                self._effort = Effort(level=parse_count(depth, HIGHEST_LEVEL))
                self._say(f"set myname {NAME}{self._effort.level}")
            case ["game", *rest]:
                self._go_on_from(ggf.parse(" ".join(rest)))
            case _:
                # Contempt is for books, which there are none of; other variables may come with later versions.
                pass

    def _move(self, arguments: list[str]) -> None:
        if len(arguments) != 1:
            raise InvalidArgumentError("move: expected one move like F5//1.5")
        self._go_on_from(self._game.played(arguments[0]))

    def _go_on_from(self, game: GgfGame) -> None:
        self._game = game
        if self._pondering is not None and self._pondering.board != game.board:
            self._pondering.stop()

    def _ping(self, arguments: list[str]) -> None:
        self._say(f"pong {' '.join(arguments)}".rstrip())

    def _learn(self, arguments: list[str]) -> None:
        self._say("learned")

    def _hint(self, arguments: list[str]) -> None:
        count = parse_count(arguments[0] if arguments else "1", MOST_MOVES)
        if self._game.board.is_game_over():
            self._say("status the game is over")
            return
        self._say("status analyzing")
        self._think(self._game.board, None, count)
        self._say("status")

    def _go(self, arguments: list[str]) -> None:
        board = self._game.board
        if board.is_game_over() or board.must_pass:
            self._say("=== PA")
            return
        self._say("status thinking")
        start = time.perf_counter()
        result = self._think(board, self._game.clock(board.turn), 1)
        assert result.best_move is not None
        used = time.perf_counter() - start
        self._say(f"=== {_name(result.best_move)}/{result.score.discs:.2f}/{used:.2f}")
        if self._ponder:
            self._pondering = self._engine.ponder(board.play(result.best_move))

    def _think(self, board: Board, clock: Clock | None, count: int) -> SearchResult:
        """Searches, with a line per best move and iteration, until it is done or another command waits."""
        with self._engine.analysis(board, self._effort.limit(board, clock), multipv=count) as analysis:
            self._attend(analysis)
            for iteration in analysis:
                self._report(iteration.lines, str(iteration.depth), iteration.total_nodes, iteration.total_time)
            result = analysis.wait()
        self._attend(None)
        depth = "100%" if result.exact else str(result.depth)
        self._report(result.lines, depth, result.nodes, result.time)
        return result

    def _attend(self, analysis: Analysis | None) -> None:
        """Lets commands that arrive from now on, or wait already, end the thinking."""
        with self._lock:
            self._analysis = analysis
            if analysis is not None and self._waiting:
                analysis.stop()

    def _report(self, lines: Sequence[Line], depth: str, nodes: int, seconds: float) -> None:
        for line in lines:
            if line.pv:
                self._say(f"search {''.join(map(_name, line.pv))} {line.score.discs:.2f} 0 {depth}")
        self._say(f"nodestats {nodes} {seconds:.2f}")

    def _analyze(self, arguments: list[str]) -> None:
        """Values of all positions of the game, the last one first: what was found then helps the earlier ones."""
        board = self._game.board.copy()
        self._say("status analyzing the game")
        while True:
            value = self._value(board)
            if self._waiting:
                break
            self._say(f"analysis {len(board.move_stack)} {value:.2f}")
            if not board.move_stack:
                break
            board.pop()
        self._say("status")

    def _value(self, board: Board) -> float:
        if board.is_game_over():
            return float(board.score())
        with self._engine.analysis(board, self._effort.limit(board)) as analysis:
            self._attend(analysis)
            result = analysis.wait()
        self._attend(None)
        return result.score.discs


def _words(line: str) -> list[str]:
    """The words of a command; a bare move is how version 1 says `move`."""
    words = line.split()
    if len(words) == 1:
        try:
            parse_move(words[0].split("/")[0])
            return ["move", *words]
        except RelucaError:
            pass
    return words


def _name(move: Move) -> str:
    return "PA" if move is PASS else str(move).upper()

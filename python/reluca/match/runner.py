"""Plays a match: pairs of games, several at once, into a log from which it can go on."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from reluca import ggf
from reluca._engine import Board
from reluca.engine import Engine
from reluca.errors import InvalidArgumentError, NotationError
from reluca.limits import Clock
from reluca.match.players import Player, PlayerError
from reluca.match.rules import Rules
from reluca.match.statistics import Estimate, Sprt, elo_estimate, sprt
from reluca.types import BLACK, Color

_Answer = TypeVar("_Answer")


@dataclass
class Usage:
    """What a player used."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0
    nodes: int = 0
    depths: int = 0
    searched: int = 0
    """Moves of which the depth is known."""

    def add(self, other: Usage) -> None:
        """Adds what was used elsewhere."""
        self.moves += other.moves
        self.seconds += other.seconds
        self.longest = max(self.longest, other.longest)
        self.nodes += other.nodes
        self.depths += other.depths
        self.searched += other.searched

    @property
    def depth(self) -> float | None:
        """The mean depth of the searches."""
        return self.depths / self.searched if self.searched else None

    @property
    def nps(self) -> float | None:
        """Nodes per second, if nodes are known."""
        return self.nodes / self.seconds if self.nodes and self.seconds else None


@dataclass(frozen=True)
class GameRecord:
    """A finished game."""

    number: int
    """From 0; games 2n and 2n + 1 are a pair."""
    opening: str
    """The board where it began."""
    black: str
    white: str
    moves: str
    """The moves from the opening on, passes included."""
    score: int
    """Discs of black more than those of white, empties to the winner; ±64 if a player failed or resigned."""
    end: str
    """`played`, `adjudicated`, `resigned`, or how the loser failed: `crash`, `timeout`, `illegal`."""
    detail: str = ""
    usage: dict[str, Usage] = field(default_factory=dict)
    """By `black` and `white`."""

    @property
    def failed(self) -> bool:
        """Whether a player failed."""
        return self.end not in ("played", "adjudicated", "resigned")

    def to_ggf(self) -> str:
        """The game in GGF, for other programs and for `reluca analyze`."""
        ends = {"timeout": ":t", "crash": ":r", "illegal": ":r", "resigned": ":r"}
        tags = {"PC": "Reluca", "PB": self.black, "PW": self.white, "RE": f"{self.score:+d}{ends.get(self.end, '')}"}
        return ggf.format(Board.from_moves(self.moves, self.opening), tags)


@dataclass(frozen=True)
class MatchResult:
    """The outcome of a match, seen by the first player."""

    first: str
    second: str
    records: list[GameRecord]
    """In the order of their numbers."""

    def _points(self, record: GameRecord) -> float:
        sign = 1 if record.number % 2 == 0 else -1
        score = sign * record.score
        return 1.0 if score > 0 else 0.5 if score == 0 else 0.0

    @property
    def games(self) -> int:
        """How many games were played."""
        return len(self.records)

    @property
    def wins(self) -> int:
        """Games that the first player won."""
        return sum(self._points(record) == 1.0 for record in self.records)

    @property
    def draws(self) -> int:
        """Drawn games."""
        return sum(self._points(record) == 0.5 for record in self.records)

    @property
    def losses(self) -> int:
        """Games that the first player lost."""
        return self.games - self.wins - self.draws

    @property
    def score(self) -> float:
        """The first player's share of the points."""
        return sum(map(self._points, self.records)) / max(self.games, 1)

    @property
    def pairs(self) -> list[float]:
        """Points of the first player per complete pair: 0, ½, 1, 1½ or 2."""
        points = {record.number: self._points(record) for record in self.records}
        return [points[n] + points[n + 1] for n in sorted(points) if n % 2 == 0 and n + 1 in points]

    @property
    def pentanomial(self) -> list[int]:
        """How many pairs gave 0, ½, 1, 1½ and 2 points."""
        return [self.pairs.count(points / 2) for points in range(5)]

    @property
    def discs(self) -> tuple[float | None, float | None]:
        """Mean disc difference per game and its 95 % error, from complete pairs of games that were decided by discs.

        The mean is none without such a pair, the error without two of them.
        """
        decided = [record for record in self.records if record.end in ("played", "adjudicated")]
        scores = {r.number: (r.score if r.number % 2 == 0 else -r.score) for r in decided}
        means = [(scores[n] + scores[n + 1]) / 2 for n in scores if n % 2 == 0 and n + 1 in scores]
        if not means:
            return None, None
        mean = sum(means) / len(means)
        if len(means) == 1:
            return mean, None
        variance = sum((value - mean) ** 2 for value in means) / (len(means) - 1)
        return mean, 1.96 * (variance / len(means)) ** 0.5

    @property
    def elo(self) -> Estimate | None:
        """The difference in strength; none without a complete pair."""
        return elo_estimate(self.pairs)

    def sprt(self, elo0: float, elo1: float) -> Sprt:
        """A sequential test of `elo1` against `elo0`."""
        return sprt(self.pairs, elo0, elo1)

    def usage(self, *, first: bool) -> Usage:
        """What one of the players used in all games."""
        total = Usage()
        for record in self.records:
            black = (record.number % 2 == 0) == first
            total.add(record.usage["black" if black else "white"])
        return total

    @property
    def failures(self) -> dict[str, int]:
        """How often which player failed and how: `name: end`."""
        counts: dict[str, int] = {}
        for record in self.records:
            if record.failed:
                loser = record.white if record.score > 0 else record.black
                counts[f"{loser}: {record.end}"] = counts.get(f"{loser}: {record.end}", 0) + 1
        return counts

    def to_dict(self) -> dict[str, Any]:
        """Everything but the games, for JSON."""
        discs, error = self.discs
        return {
            "first": self.first,
            "second": self.second,
            "games": self.games,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "score": self.score,
            "pentanomial": self.pentanomial,
            "discs": discs,
            "discs_error": error,
            "elo": None if self.elo is None else asdict(self.elo),
            "failures": self.failures,
            "usage": {
                name: {**asdict(usage), "depth": usage.depth, "nps": usage.nps}
                for name, usage in (("first", self.usage(first=True)), ("second", self.usage(first=False)))
            },
        }


def play(
    first: Player,
    second: Player,
    openings: Sequence[Board],
    *,
    games: int | None = None,
    rules: Rules | None = None,
    concurrency: int = 1,
    log: str | os.PathLike[str] | None = None,
    sprt: tuple[float, float] | None = None,
    on_game: Callable[[GameRecord, MatchResult], object] | None = None,
) -> MatchResult:
    """Plays every opening twice, with both colours, until there are `games` games, or `sprt` has its verdict.

    With a `log` (JSON lines) the match can be interrupted and continued; a log with more games counts as it is.
    Openings begin anew when they are used up.
    """
    rules = rules or Rules()
    if not openings:
        raise InvalidArgumentError("a match needs at least one opening")
    total = 2 * len(openings) if games is None else games
    if total < 1:
        raise InvalidArgumentError(f"a match has at least one game, not {total}")
    for player in (first, second):
        for opening in openings:
            player.check_opening(opening)
        player.prepare(rules)
    games_so_far = Log.open(log, first, second, rules)
    for record in games_so_far.records:
        # Openings of games beyond those that are asked for are not known.
        if record.number < total and record.opening != openings[record.number // 2 % len(openings)].to_string():
            raise InvalidArgumentError(f"{log}: game {record.number + 1} of the log has another opening")
    match = _Match(first, second, openings, rules, total, games_so_far)
    return match.run(max(concurrency, 1), sprt, on_game)


class Log:
    """A log of games in JSON lines; the first line says which match it is."""

    def __init__(self, path: Path | None, records: list[GameRecord]) -> None:
        self.records = records
        self._path = path

    @staticmethod
    def open(path: str | os.PathLike[str] | None, first: Player, second: Player, rules: Rules) -> Log:
        """Begins a log, or reads one of the same match to go on."""
        if path is None:
            return Log(None, [])
        file = Path(path)
        header = {"match": [first.description, second.description], "rules": asdict(rules)}
        if not file.exists() or not file.stat().st_size:
            file.write_text(json.dumps(header) + "\n", encoding="utf-8")
            return Log(file, [])
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        if not text.endswith("\n"):
            # The last game was cut off while it was written.
            lines = lines[:-1]
            file.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        if not lines:
            raise NotationError(f"{file}: not the log of a match: its first line is cut off")
        found = _parsed(file, 1, lines[0])
        if found != header:
            raise InvalidArgumentError(f"{file} is the log of another match: {json.dumps(found)}")
        return Log(file, [_record(file, number, line) for number, line in enumerate(lines[1:], 2)])

    def append(self, record: GameRecord) -> None:
        """Adds a game."""
        self.records.append(record)
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(record)) + "\n")


def _parsed(file: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise NotationError(f"{file}, line {number}: not the log of a match: {error}") from None


def _record(file: Path, number: int, line: str) -> GameRecord:
    game = _parsed(file, number, line)
    try:
        usage = {side: Usage(**game["usage"][side]) for side in ("black", "white")}
        record = GameRecord(**{**game, "usage": usage})
        Board.from_moves(record.moves, Board(record.opening))
        if not (isinstance(record.number, int) and isinstance(record.score, int)):
            raise TypeError("number and score are whole numbers")
    except (KeyError, TypeError, ValueError) as error:
        raise NotationError(f"{file}, line {number}: not a game of a match: {error!r}") from None
    return record


class _Match:
    def __init__(
        self, first: Player, second: Player, openings: Sequence[Board], rules: Rules, games: int, log: Log
    ) -> None:
        self._players = (first, second)
        self._openings = openings
        self._rules = rules
        self._games = games
        self._log = log
        self._idle: list[tuple[Player, Player]] = []
        self._lock = threading.Lock()
        self._judge = Engine(table_mb=16, threads=1) if rules.adjudicate else None
        self._judging = threading.Lock()
        self._stopping = threading.Event()

    def run(
        self,
        concurrency: int,
        test: tuple[float, float] | None,
        on_game: Callable[[GameRecord, MatchResult], object] | None,
    ) -> MatchResult:
        done = {record.number for record in self._log.records}
        numbers = iter([number for number in range(self._games) if number not in done])
        self._idle = [self._players] + [(a.copy(), b.copy()) for a, b in [self._players] * (concurrency - 1)]
        copies = [player for pair in self._idle[1:] for player in pair]
        for player in copies:
            player.prepare(self._rules)
        pool = ThreadPoolExecutor(concurrency)
        running: set[Future[GameRecord]] = set()
        try:
            while True:
                if not (test and self._result().sprt(*test).verdict):
                    running |= {pool.submit(self._game, n) for n in _take(numbers, concurrency - len(running))}
                if not running:
                    return self._result()
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    self._log.append(future.result())
                    if on_game is not None:
                        on_game(self._log.records[-1], self._result())
        finally:
            # When a match is broken off, games end at their next move, and programs in the middle of it.
            self._stopping.set()
            pool.shutdown(wait=False, cancel_futures=True)
            for player in [*self._players, *copies] if running else []:
                player.close()
            pool.shutdown(wait=True)
            for player in copies:
                player.close()

    def _result(self) -> MatchResult:
        first, second = self._players
        return MatchResult(first.name, second.name, sorted(self._log.records, key=lambda record: record.number))

    def _game(self, number: int) -> GameRecord:
        with self._lock:
            pair = self._idle.pop()
        try:
            return self._play(number, pair)
        finally:
            with self._lock:
                self._idle.append(pair)

    def _play(self, number: int, pair: tuple[Player, Player]) -> GameRecord:
        opening = self._openings[number // 2 % len(self._openings)]
        black, white = pair if number % 2 == 0 else pair[::-1]
        usage = {"black": Usage(), "white": Usage()}
        game = _Game(opening.copy(), self._rules, self._solve, self._stopping)
        end, score, detail = game.play(black, white, usage)
        moves = "".join(map(str, game.board.move_stack[len(opening.move_stack) :]))
        return GameRecord(number, opening.to_string(), black.name, white.name, moves, score, end, detail, usage)

    def _solve(self, board: Board) -> int:
        assert self._judge is not None
        with self._judging:
            return round(self._judge.solve(board).score)


class _BrokenOff(BaseException):
    """A game is not played to its end because the match ends."""


def _ask(question: Callable[[], _Answer]) -> _Answer:
    """Asks a player; whatever goes wrong inside it is its crash."""
    try:
        return question()
    except PlayerError:
        raise
    except Exception as error:
        raise PlayerError("crash", repr(error)) from error


class _Game:
    """One game in progress."""

    def __init__(self, board: Board, rules: Rules, solve: Callable[[Board], int], stopping: threading.Event) -> None:
        self.board = board
        self._stopping = stopping
        self._rules = rules
        self._solve = solve
        self._clocks = dict.fromkeys(Color, rules.clock)

    def play(self, black: Player, white: Player, usage: dict[str, Usage]) -> tuple[str, int, str]:
        """How the game ended, black's score, and what there is to say about a failure."""
        board = self.board
        mover = black
        try:
            for mover in (black, white):
                _ask(mover.new_game)
            while not board.is_game_over():
                if self._stopping.is_set():
                    raise _BrokenOff
                if board.empties <= self._rules.adjudicate:
                    score = self._solve(board)
                    return "adjudicated", score if board.turn is BLACK else -score, ""
                if board.must_pass:
                    board.push("pass")
                    continue
                mover = black if board.turn is BLACK else white
                self._move(mover, usage["black" if board.turn is BLACK else "white"])
        except PlayerError as error:
            return error.reason, -64 if mover is black else 64, str(error)
        return "played", board.score(BLACK), ""

    def _move(self, mover: Player, usage: Usage) -> None:
        turn = self.board.turn
        clock = self._clocks[turn]
        start = time.perf_counter()
        choice = _ask(lambda: mover.choose(self.board, clock))
        seconds = time.perf_counter() - start
        usage.add(Usage(1, seconds, seconds, choice.nodes or 0, choice.depth or 0, int(choice.depth is not None)))
        self._charge(turn, seconds, clock)
        if not self.board.is_legal(choice.move):
            raise PlayerError("illegal", f"played {choice.move} on {self.board.to_string()}")
        self.board.push(choice.move)

    def _charge(self, turn: Color, seconds: float, clock: Clock | None) -> None:
        """Takes the time off the clock; a time overstepped by more than the margin loses."""
        allowed = self._rules.move_time
        if clock is not None:
            allowed = clock.longest
            self._clocks[turn] = clock.after(seconds)
        if allowed is not None and seconds > allowed + self._rules.margin:
            raise PlayerError("timeout", f"took {seconds:.3f} s of {allowed:.3f} s for a move")


def _take(numbers: Iterator[int], count: int) -> list[int]:
    return [number for _, number in zip(range(count), numbers, strict=False)]

"""Who plays in a match: Reluca with some options, or any program behind a protocol."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace

from reluca._engine import Board
from reluca.engine import Engine
from reluca.limits import Clock, Limit
from reluca.match.rules import Rules
from reluca.options import SearchOptions
from reluca.types import Move
from reluca.weights import WeightsSource


class PlayerError(Exception):
    """A player cannot go on: it crashed, hung, gave no sensible answer, or gave up. It loses the game."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        """`crash`, `timeout`, `illegal` or `resigned`."""


@dataclass(frozen=True)
class Choice:
    """A move, and how it was found."""

    move: Move
    depth: int | None = None
    nodes: int | None = None


class Player(ABC):
    """One side of a match. A player is used by one game at a time."""

    name: str

    @abstractmethod
    def new_game(self) -> None:
        """Forgets the last game."""

    @abstractmethod
    def choose(self, board: Board, clock: Clock | None) -> Choice:
        """The move on a board that has one; its `move_stack` is the game so far. `clock` is the mover's, if any."""

    @abstractmethod
    def copy(self) -> Player:
        """Another player of the same kind, for a game at the same time."""

    def prepare(self, rules: Rules) -> None:  # noqa: B027  (most players need not know)
        """Hears the rules before a match; raises `InvalidArgumentError` if the player cannot play."""

    def check_opening(self, opening: Board) -> None:  # noqa: B027  (most players play from anywhere)
        """Raises `InvalidArgumentError` if the player cannot begin there."""

    @property
    def description(self) -> str:
        """What plays, and how: a match can only be continued between players of the same description."""
        return self.name

    def close(self) -> None:  # noqa: B027  (most players hold nothing)
        """Ends what the player has started."""


class EnginePlayer(Player):
    """Reluca itself."""

    def __init__(
        self,
        name: str,
        options: SearchOptions | None = None,
        *,
        limit: Limit,
        weights: WeightsSource = None,
        table_mb: int = 64,
        threads: int = 1,
    ) -> None:
        self.name = name
        self.limit = limit
        self._engine = Engine(options, table_mb=table_mb, weights=weights, threads=threads)

    def new_game(self) -> None:
        self._engine.new_game()

    def choose(self, board: Board, clock: Clock | None) -> Choice:
        result = self._engine.search(board, replace(self.limit, clock=clock or self.limit.clock))
        assert result.best_move is not None
        return Choice(result.best_move, result.depth, result.nodes)

    @property
    def description(self) -> str:
        return f"{self.name}, {self.limit}"

    def copy(self) -> EnginePlayer:
        engine = self._engine
        # Weights that were given as none are hand-made here, not the bundled ones.
        weights = "hand-made" if engine.weights is None else engine.weights
        return EnginePlayer(
            self.name,
            engine.options,
            limit=self.limit,
            weights=weights,
            table_mb=engine.table_mb,
            threads=engine.threads,
        )

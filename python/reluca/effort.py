"""How hard an engine thinks about a move: what people and protocols ask for, turned into the limit of one search."""

from __future__ import annotations

from dataclasses import dataclass

from reluca._engine import Board
from reluca.errors import InvalidLimitError
from reluca.limits import Clock, Limit

HIGHEST_LEVEL = 60


def solve_from(level: int) -> int:
    """The empty squares from which a level reads the game to its end.

    >>> [solve_from(level) for level in (1, 4, 6, 10, 16)]
    [2, 8, 12, 16, 22]
    """
    return min(2 * level, level + 6)


@dataclass(frozen=True, kw_only=True)
class Effort:
    """A level, or limits of single searches; what is absent does not limit.

    >>> effort = Effort(level=4)
    >>> effort.limit(Board())
    Limit(depth=4, time=None, nodes=None, exact=False, wld=False, clock=None)
    >>> effort.limit(Board("XO" * 30 + "----")).exact
    True
    """

    level: int | None = None
    """A search of this depth; from `solve_from(level)` empty squares on, an exact solve."""
    depth: int | None = None
    """The deepest iteration."""
    time: float | None = None
    """Seconds for every move."""
    nodes: int | None = None
    """Positions visited for every move."""
    exact: bool = False
    """Read the game to its end, without cuts on probability."""

    def __post_init__(self) -> None:
        if self.level is not None:
            if isinstance(self.level, bool) or not isinstance(self.level, int):
                raise InvalidLimitError(f"level must be a whole number, not {self.level!r}")
            if not 1 <= self.level <= HIGHEST_LEVEL:
                raise InvalidLimitError(f"level must be 1 to {HIGHEST_LEVEL}, not {self.level}")
            if self.depth is not None or self.exact:
                raise InvalidLimitError("a level sets depth and exactness itself: neither goes with it")
        Limit(depth=self.depth, time=self.time, nodes=self.nodes, exact=self.exact)

    @property
    def is_unlimited(self) -> bool:
        """Whether nothing limits a search, so that it goes on to the end of the game."""
        return self == Effort()

    def limit(self, board: Board, clock: Clock | None = None) -> Limit:
        """The limit of a search of this board, under a clock if there is one."""
        if self.level is None:
            return Limit(depth=self.depth, time=self.time, nodes=self.nodes, exact=self.exact, clock=clock)
        solve = board.empties <= solve_from(self.level)
        return Limit(depth=None if solve else self.level, time=self.time, nodes=self.nodes, exact=solve, clock=clock)

    def __str__(self) -> str:
        """What it is, in words.

        >>> str(Effort(level=8)), str(Effort(time=1.5, nodes=1000))
        ('level 8', '1.5 s, 1000 nodes')
        """
        parts = [
            self.level is not None and f"level {self.level}",
            self.depth is not None and f"depth {self.depth}",
            self.time is not None and f"{self.time:g} s",
            self.nodes is not None and f"{self.nodes} nodes",
            self.exact and "exact",
        ]
        return ", ".join(part for part in parts if part) or "no limit"

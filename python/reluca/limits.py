"""How long a search may go on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral, Real

from reluca.errors import InvalidLimitError


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What is left on the mover's clock, in seconds."""

    main: float
    """Time for the rest of the game."""
    increment: float = 0.0
    """Added after every move."""
    byoyomi: float = 0.0
    """Time per move once the main time is gone."""

    def __post_init__(self) -> None:
        for name in ("main", "increment", "byoyomi"):
            _check(f"clock {name}", getattr(self, name), whole=False)

    @property
    def longest(self) -> float:
        """The seconds that the next move may take."""
        return self.main + self.byoyomi

    def after(self, seconds: float) -> Clock:
        """What is left after a move that took so long; byoyomi is whole again for every move.

        >>> Clock(main=10, increment=2).after(4).main, Clock(main=3, byoyomi=5).after(7).main
        (8, 0.0)
        """
        left = self.main - seconds
        if self.byoyomi:
            left = max(left, 0.0)
        return replace(self, main=max(left + self.increment, 0.0))


@dataclass(frozen=True, kw_only=True)
class Limit:
    """Limits of one search; what is absent does not limit.

    >>> Limit(time=1.5, depth=20)
    Limit(depth=20, time=1.5, nodes=None, exact=False, wld=False, clock=None)
    """

    depth: int | None = None
    """The deepest iteration; 0 only evaluates and orders the moves."""
    time: float | None = None
    """Seconds for this move."""
    nodes: int | None = None
    """Positions visited."""
    exact: bool = False
    """Read the game to its end, without cuts on probability."""
    wld: bool = False
    """Read the game to its end, but find out only who wins."""
    clock: Clock | None = None
    """The clock of the game, from which the time for this move is allotted."""

    def __post_init__(self) -> None:
        if self.depth is not None:
            _check("depth", self.depth, whole=True)
        if self.time is not None:
            _check("time", self.time, whole=False)
        if self.nodes is not None:
            _check("nodes", self.nodes, whole=True)
        for name in ("exact", "wld"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidLimitError(f"{name} must be True or False, not {getattr(self, name)!r}")
        if (self.exact or self.wld) and self.depth is not None:
            raise InvalidLimitError("exact and wld read to the end of the game: a depth does not go with them")
        if self.exact and self.wld:
            raise InvalidLimitError("exact and wld exclude each other: who wins is less than the exact score")
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise InvalidLimitError(f"clock must be a Clock, not {self.clock!r}")


def _check(name: str, value: object, *, whole: bool) -> None:
    # NumPy's numbers are numbers too.
    if isinstance(value, bool) or not isinstance(value, Integral if whole else Real):
        raise InvalidLimitError(f"{name} must be a {'whole ' if whole else ''}number, not {value!r}")
    number: float = int(value) if isinstance(value, Integral) else float(value)
    if not number >= 0:
        raise InvalidLimitError(f"{name} must not be negative or NaN, not {value!r}")
    if number >= (2**32 if name == "depth" else 2**64):
        raise InvalidLimitError(f"{name} is out of range")

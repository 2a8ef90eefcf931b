"""Small values that the whole package speaks in: moves, colors, symmetries, outcomes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum


class Move(IntEnum):
    """A square from A1 = 0 to H8 = 63, or PASS = 64.

    >>> str(Move.F5), int(Move.F5), Move.F5.column, Move.F5.row
    ('f5', 37, 5, 4)
    >>> Move.parse("F5") is Move.F5
    True
    """

    A1, B1, C1, D1, E1, F1, G1, H1 = range(0, 8)
    A2, B2, C2, D2, E2, F2, G2, H2 = range(8, 16)
    A3, B3, C3, D3, E3, F3, G3, H3 = range(16, 24)
    A4, B4, C4, D4, E4, F4, G4, H4 = range(24, 32)
    A5, B5, C5, D5, E5, F5, G5, H5 = range(32, 40)
    A6, B6, C6, D6, E6, F6, G6, H6 = range(40, 48)
    A7, B7, C7, D7, E7, F7, G7, H7 = range(48, 56)
    A8, B8, C8, D8, E8, F8, G8, H8 = range(56, 64)
    PASS = 64

    @staticmethod
    def parse(text: str) -> Move:
        """Reads "f5" or "pass", in either case."""
        from reluca._engine import parse_move

        return parse_move(text)

    @property
    def column(self) -> int:
        """0 for column a to 7 for column h; a pass has none."""
        return self._square() % 8

    @property
    def row(self) -> int:
        """0 for row 1 to 7 for row 8; a pass has none."""
        return self._square() // 8

    def _square(self) -> int:
        if self is Move.PASS:
            raise ValueError("a pass has no square")
        return int(self)

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


PASS = Move.PASS


class Color(IntEnum):
    """A side; black moves first.

    >>> BLACK.other is WHITE, str(BLACK)
    (True, 'black')
    """

    BLACK = 0
    WHITE = 1

    @property
    def other(self) -> Color:
        """The opponent."""
        return Color(1 - self)

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)


BLACK = Color.BLACK
WHITE = Color.WHITE


class Symmetry(IntEnum):
    """A symmetry of the board, named by what it does to the printed board."""

    IDENTITY = 0
    """Leaves the board as it is."""
    MIRROR_COLUMNS = 1
    """Left and right exchanged."""
    MIRROR_ROWS = 2
    """Top and bottom exchanged."""
    ROTATE_180 = 3
    """Half a turn."""
    TRANSPOSE = 4
    """Mirrored in the diagonal a1-h8."""
    ROTATE_90 = 5
    """A quarter turn clockwise."""
    ROTATE_270 = 6
    """A quarter turn counter-clockwise."""
    ANTI_TRANSPOSE = 7
    """Mirrored in the diagonal h1-a8."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended.

    >>> outcome = Outcome(black=40, white=20)
    >>> outcome.winner, outcome.score
    (<Color.BLACK: 0>, 24)
    """

    black: int
    """Black's discs."""
    white: int
    """White's discs."""

    @property
    def winner(self) -> Color | None:
        """Who has more discs; None for a draw."""
        if self.black == self.white:
            return None
        return BLACK if self.black > self.white else WHITE

    @property
    def score(self) -> int:
        """Black's result in discs; the winner gets the empty squares."""
        difference = self.black - self.white
        empties = 64 - self.black - self.white
        return difference + (empties if difference > 0 else -empties if difference < 0 else 0)

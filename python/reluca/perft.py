"""Perft: how many move sequences of a given length there are."""

from __future__ import annotations

from typing import Literal

from reluca import _engine
from reluca.errors import InvalidArgumentError

PassRule = Literal["ply", "free"]
"""What a pass is: a ply like any other, or free."""


def perft(board: _engine.Board, depth: int, *, passes: PassRule = "ply", threads: int | None = None) -> int:
    """Counts the move sequences of `depth` plies; a game that ends earlier counts once.

    >>> import reluca
    >>> reluca.perft(reluca.Board(), 9), reluca.perft(reluca.Board(), 9, passes="free")
    (3005288, 3005320)
    """
    if not 0 <= depth <= 120:
        raise InvalidArgumentError(f"depth must be between 0 and 120, not {depth}")
    if threads is not None and not 1 <= threads <= 1024:
        raise InvalidArgumentError(f"threads must be between 1 and 1024, not {threads}")
    return _engine.perft(board, depth, passes, threads or 0)

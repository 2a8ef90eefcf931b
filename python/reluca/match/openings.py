"""Openings from which both sides begin in turn."""

from __future__ import annotations

import os
import random
from collections.abc import Callable

from reluca import games
from reluca._engine import Board
from reluca.engine import Engine
from reluca.errors import InvalidArgumentError, NotationError
from reluca.limits import Limit


def random_openings(count: int, plies: int = 8, seed: int = 1) -> list[Board]:
    """Positions after random moves, no two of them symmetric, from a seed.

    >>> [board.discs for board in random_openings(3, plies=6)]
    [10, 10, 10]
    """
    return _distinct(count, plies, seed, lambda board: True)


def balanced_openings(
    count: int, plies: int = 8, seed: int = 1, *, margin: float = 3.0, depth: int = 8, engine: Engine | None = None
) -> list[Board]:
    """Random openings that a search of some depth finds even, within a margin in discs."""
    judge = Engine(table_mb=16, threads=1) if engine is None else engine
    return _distinct(
        count, plies, seed, lambda board: abs(judge.search(board, Limit(depth=depth)).score.discs) <= margin
    )


def _distinct(count: int, plies: int, seed: int, is_good: Callable[[Board], bool]) -> list[Board]:
    if not 0 <= plies <= 40:
        raise InvalidArgumentError(f"openings have 0 to 40 plies, not {plies}")
    generator = random.Random(seed)
    seen: set[Board] = set()
    openings: list[Board] = []
    tries = 0
    while len(openings) < count:
        tries += 1
        if tries > 1000 + 200 * count:
            raise InvalidArgumentError(f"there are only {len(openings)} such openings of {plies} plies, not {count}")
        board = Board()
        while board.discs < 4 + plies and not board.is_game_over():
            board.push("pass" if board.must_pass else generator.choice(list(board.legal_moves)))
        if board.is_game_over() or (key := board.canonical()) in seen:
            continue
        seen.add(key)
        if is_good(board):
            openings.append(board)
    return openings


def read_openings(path: str | os.PathLike[str]) -> list[Board]:
    """Reads the openings of a file: transcripts, boards, OBF or GGF (see `reluca.games`)."""
    openings = []
    for entry in games.read(path):
        if entry.board.is_game_over():
            raise NotationError(f"{entry.name}: the game is over already")
        openings.append(entry.board)
    return openings

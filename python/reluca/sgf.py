"""Othello games in SGF (`GM[2]`): the moves of the main line."""

from __future__ import annotations

import os
import re
from pathlib import Path

from reluca._engine import Board
from reluca.errors import NotationError
from reluca.reading import push_move
from reluca.types import BLACK, WHITE

_TOKEN = re.compile(r"([A-Z]+)((?:\s*\[(?:[^\]\\]|\\.)*\])+)|\)", re.DOTALL)
"""A property with its values, or the end of a branch; the first one is the end of the main line."""
_COLORS = {"B": BLACK, "W": WHITE}


def parse(text: str) -> Board:
    """The board after the moves of a game; an empty move is a pass.

    >>> parse("(;GM[2]PB[a];B[f5];W[d6])").transcript()
    'f5d6'
    """
    if not text.lstrip().startswith("(;"):
        raise NotationError("an SGF game begins with (;")
    board = Board()
    for token in _TOKEN.finditer(text):
        name = token[1]
        if name is None:
            break
        value = token[2].strip()[1:-1].strip()
        if name == "GM" and value != "2":
            raise NotationError(f"GM[{value}] is another game than Othello (GM[2])")
        if name in ("AB", "AW", "AE"):
            raise NotationError(f"{name} sets up a position, which is not supported")
        if name in _COLORS:
            push_move(board, value or "pass", _COLORS[name])
    return board


def read(path: str | os.PathLike[str]) -> Board:
    """Reads the first game of a file."""
    return parse(Path(path).read_text(encoding="utf-8", errors="replace"))

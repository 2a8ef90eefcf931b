"""OBF files: one position a line, with the exact scores of its moves.

A line is `<64 squares> <side>; <move>:<score>; …`; `%` begins a comment.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from reluca._engine import Board, format_obf, parse_obf
from reluca.errors import NotationError
from reluca.types import Move

_LONGEST_LINE = 10_000


@dataclass(frozen=True)
class ObfPosition:
    """A position and what is known of its moves."""

    board: Board
    scores: dict[Move, int] = field(default_factory=dict)
    """Exact scores for the side to move, in discs."""

    @property
    def best_score(self) -> int | None:
        """The best of the scores."""
        return max(self.scores.values(), default=None)

    @property
    def best_moves(self) -> list[Move]:
        """The moves with the best score."""
        return [move for move, score in self.scores.items() if score == self.best_score]

    @staticmethod
    def parse(line: str) -> ObfPosition:
        """Reads one line."""
        board, scores = parse_obf(line)
        return ObfPosition(board, dict(scores))

    def __str__(self) -> str:
        return format_obf(self.board, list(self.scores.items()))


def read(path: str | os.PathLike[Any]) -> Iterator[ObfPosition]:
    """Reads a file line by line; an error names the file and the line."""
    found = False
    with open(path, encoding="utf-8", errors="replace") as file:
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            if len(line) > _LONGEST_LINE:
                raise NotationError(f"{path}, line {number}: longer than {_LONGEST_LINE} characters; not an OBF file")
            if not line.split("%")[0].strip():
                continue
            try:
                position = ObfPosition.parse(line)
            except ValueError as error:
                raise type(error)(f"{path}, line {number}: {error}") from None
            found = True
            yield position
    if not found:
        raise NotationError(f"{path}: no position in the file")

"""Reluca: a strong Othello engine you can simply install."""

from reluca import batch, obf, svg
from reluca._engine import Board, MoveSet, version
from reluca.build_info import BuildInfo, build_info
from reluca.errors import IllegalMoveError, InvalidBoardError, NotationError, RelucaError
from reluca.perft import perft
from reluca.reading import parse_board
from reluca.types import BLACK, PASS, WHITE, Color, Move, Outcome, Symmetry

__version__ = version()

__all__ = [
    "BLACK",
    "PASS",
    "WHITE",
    "Board",
    "BuildInfo",
    "Color",
    "IllegalMoveError",
    "InvalidBoardError",
    "Move",
    "MoveSet",
    "NotationError",
    "Outcome",
    "RelucaError",
    "Symmetry",
    "batch",
    "build_info",
    "obf",
    "parse_board",
    "perft",
    "svg",
]

"""Reluca: a strong Othello engine you can simply install."""

from reluca import batch, obf, svg
from reluca._engine import Board, MoveSet, version
from reluca.build_info import BuildInfo, build_info
from reluca.engine import Analysis, Engine
from reluca.errors import (
    EngineBusyError,
    IllegalMoveError,
    InvalidArgumentError,
    InvalidBoardError,
    InvalidLimitError,
    InvalidOptionsError,
    NotationError,
    OutOfMemoryError,
    RelucaError,
)
from reluca.limits import Clock, Limit
from reluca.options import SearchOptions
from reluca.perft import perft
from reluca.reading import parse_board
from reluca.results import Counters, Iteration, Line, Score, SearchResult, SolveResult
from reluca.tables import AspirationParameterTable, MpcCutPair, MpcParameters, MpcParameterTable
from reluca.types import BLACK, PASS, WHITE, Color, Move, Outcome, Symmetry

__version__ = version()

__all__ = [
    "BLACK",
    "PASS",
    "WHITE",
    "Analysis",
    "AspirationParameterTable",
    "Board",
    "BuildInfo",
    "Clock",
    "Color",
    "Counters",
    "Engine",
    "EngineBusyError",
    "IllegalMoveError",
    "InvalidArgumentError",
    "InvalidBoardError",
    "InvalidLimitError",
    "InvalidOptionsError",
    "Iteration",
    "Limit",
    "Line",
    "Move",
    "MoveSet",
    "MpcCutPair",
    "MpcParameterTable",
    "MpcParameters",
    "NotationError",
    "OutOfMemoryError",
    "Outcome",
    "RelucaError",
    "Score",
    "SearchOptions",
    "SearchResult",
    "SolveResult",
    "Symmetry",
    "batch",
    "build_info",
    "obf",
    "parse_board",
    "perft",
    "svg",
]

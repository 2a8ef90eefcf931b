"""Reluca: a strong Othello engine you can simply install."""

from reluca import batch, calibration, evaltest, ggf, match, obf, svg, thor, training, weights
from reluca._engine import Board, MoveSet, Weights, version
from reluca.build_info import BuildInfo, build_info
from reluca.engine import Analysis, Engine
from reluca.errors import (
    EngineBusyError,
    IllegalMoveError,
    InvalidArgumentError,
    InvalidBoardError,
    InvalidLimitError,
    InvalidOptionsError,
    MissingPackageError,
    NotationError,
    OutOfMemoryError,
    RelucaError,
    WeightsError,
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
    "MissingPackageError",
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
    "Weights",
    "WeightsError",
    "batch",
    "build_info",
    "calibration",
    "evaltest",
    "ggf",
    "match",
    "obf",
    "parse_board",
    "perft",
    "svg",
    "thor",
    "training",
    "weights",
]

"""Reluca: a strong Othello engine you can simply install."""

from reluca import (
    batch,
    calibration,
    evaltest,
    games,
    ggf,
    graph,
    match,
    obf,
    protocols,
    review,
    sgf,
    svg,
    thor,
    training,
    weights,
)
from reluca._engine import Board, MoveSet, Weights, version
from reluca.build_info import BuildInfo, build_info
from reluca.effort import Effort
from reluca.engine import Analysis, Engine, Pondering
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
from reluca.review import GameReview, MoveReview, review_game
from reluca.tables import AspirationParameterTable, MpcCutPair, MpcModel, MpcParameters, MpcParameterTable
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
    "Effort",
    "Engine",
    "EngineBusyError",
    "GameReview",
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
    "MoveReview",
    "MoveSet",
    "MpcCutPair",
    "MpcModel",
    "MpcParameterTable",
    "MpcParameters",
    "NotationError",
    "OutOfMemoryError",
    "Outcome",
    "Pondering",
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
    "games",
    "ggf",
    "graph",
    "match",
    "obf",
    "parse_board",
    "perft",
    "protocols",
    "review",
    "review_game",
    "sgf",
    "svg",
    "thor",
    "training",
    "weights",
]

"""How good the evaluation, or a search of fixed depth, is against exact scores."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reluca import batch, obf, thor
from reluca.batch import Boards
from reluca.engine import Engine
from reluca.errors import InvalidArgumentError
from reluca.limits import Limit
from reluca.obf import ObfPosition
from reluca.training import Accuracy
from reluca.types import Move


@dataclass(frozen=True)
class TestSet:
    """Positions with their exact scores, in discs for the side to move."""

    __test__ = False  # for pytest, which collects what is called Test…

    boards: Boards
    scores: NDArray[np.float64]
    move_scores: Sequence[dict[Move, int]] | None = None
    """The exact scores of the moves of every position, if they are known."""

    def __len__(self) -> int:
        return len(self.boards)

    def sample(self, count: int, seed: int = 1) -> TestSet:
        """So many of the positions, drawn at random; all if there are no more."""
        if count >= len(self):
            return self
        chosen = np.sort(np.random.default_rng(seed).choice(len(self), count, replace=False))
        moves = None if self.move_scores is None else [self.move_scores[index] for index in chosen]
        return TestSet(self.boards[chosen], self.scores[chosen], moves)


def read(paths: Iterable[str | os.PathLike[str]]) -> TestSet:
    """Reads OBF files with scores, or WTHOR files (`.wtb`); not both at once."""
    names = [os.fspath(path) for path in paths]
    databases = [name for name in names if name.lower().endswith(".wtb")]
    if databases and len(databases) == len(names):
        return TestSet(*thor.exact_positions(names))
    if databases:
        raise InvalidArgumentError("OBF and WTHOR files cannot be mixed in one test")
    positions = [position for name in names for position in obf.read(name)]
    return from_obf(positions)


def from_obf(positions: Iterable[ObfPosition]) -> TestSet:
    """The test set of OBF positions; those without scores are left out."""
    known = [position for position in positions if position.scores]
    scores = np.array([position.best_score for position in known], dtype=np.float64)
    return TestSet(batch.from_boards(position.board for position in known), scores, [p.scores for p in known])


@dataclass(frozen=True)
class Row:
    """The accuracy on positions with equally many empty squares."""

    empties: int | None
    """None for all positions together."""
    accuracy: Accuracy
    right_moves: int | None
    """How often the move found is a best one; none if no moves were searched or their scores are not known."""
    disc_loss: float | None
    """How many discs the moves found lose on average; moves that the file has no score for do not count."""
    unscored_moves: int | None = None
    """How many moves found the file has no score for; they are no best ones, and may lose anything."""


def run(
    test: TestSet,
    engine: Engine,
    depth: int = 0,
    on_position: Callable[[int], object] | None = None,
) -> list[Row]:
    """Compares the evaluation (depth 0) or searches of a depth with the exact scores, by number of empty squares.

    The last row is that of all positions.
    """
    if len(test) == 0:
        raise InvalidArgumentError("there are no positions with exact scores to test with")
    if depth == 0:
        estimates, losses = engine.evaluate_batch(test.boards) / 100, None
    else:
        estimates, losses = _search(test, engine, depth, on_position)
    empties = batch.empties(test.boards)
    groups: list[tuple[int | None, NDArray[np.bool_]]] = [
        (int(count), empties == count) for count in np.unique(empties)[::-1]
    ]
    groups.append((None, np.ones(len(test), dtype=bool)))
    return [
        _row(count, Accuracy.of(estimates[chosen], test.scores[chosen]), None if losses is None else losses[chosen])
        for count, chosen in groups
    ]


def _row(empties: int | None, accuracy: Accuracy, losses: NDArray[np.float64] | None) -> Row:
    if losses is None:
        return Row(empties, accuracy, None, None)
    known = losses[~np.isnan(losses)]
    loss = float(known.mean()) if len(known) else None
    return Row(empties, accuracy, int((known == 0).sum()), loss, len(losses) - len(known))


def _search(
    test: TestSet, engine: Engine, depth: int, on_position: Callable[[int], object] | None
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """The values of searches, and what their moves lose if that is known: not a number for a move without a score."""
    values = np.empty(len(test))
    losses = np.full(len(test), np.nan)
    known = test.move_scores is not None
    for index, board in enumerate(batch.to_boards(test.boards)):
        engine.new_game()
        result = engine.search(board, Limit(depth=depth))
        values[index] = result.score.discs
        if test.move_scores is not None and result.best_move in test.move_scores[index]:
            scores = test.move_scores[index]
            losses[index] = max(scores.values()) - scores[result.best_move]
        if on_position is not None:
            on_position(index + 1)
    return values, losses if known else None

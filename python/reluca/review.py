"""Reviews of games: what every move was worth, and what should have been played.

A game is judged from its end to its beginning, so that a position is never worth less than what the game itself shows
after it, and a move is only blamed if the better one keeps its value in a search of the same effort.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from reluca._engine import Board
from reluca.effort import Effort
from reluca.engine import Engine
from reluca.errors import InvalidArgumentError, InvalidLimitError
from reluca.results import Score, SearchResult
from reluca.types import BLACK, Color, Move

DEFAULT_EFFORT = Effort(level=12)
MISTAKE = 3.0
"""Discs that a move must lose to be marked `?`."""
BLUNDER = 8.0
"""Discs that a move must lose to be marked `??`."""
_HALF = 4.0
"""Discs whose loss halves the accuracy of a move."""

Mark = Literal["", "?", "??"]


@dataclass(frozen=True)
class MoveReview:
    """A move of a game and what it was worth; scores are for the side that played it."""

    number: int
    """From 1; passes count."""
    color: Color
    """Who played it."""
    move: Move
    """What was played."""
    score: Score
    """The value after the move."""
    best_move: Move
    """What should have been played; the move itself if nothing was better."""
    best_score: Score
    """The value of the best move."""
    pv: tuple[Move, ...]
    """The expected play from the best move on."""
    depth: int | None
    """The depth of the search of the position before; none if there was nothing to choose."""
    exact: bool
    """Whether both scores are proven."""
    choices: int
    """How many moves there were; a pass is one."""

    @property
    def loss(self) -> float:
        """The discs that the move lost; never negative."""
        # A search that was cut short may think more of the move than a proof does.
        return max(self.best_score.discs - self.score.discs, 0.0)

    @property
    def mark(self) -> Mark:
        """`?` for a mistake (3 discs and more), `??` for a blunder (8 and more)."""
        return "??" if self.loss >= BLUNDER else "?" if self.loss >= MISTAKE else ""

    @property
    def accuracy(self) -> float:
        """100 for the best move, half of it for every four discs lost."""
        return float(100 * 0.5 ** (self.loss / _HALF))

    def row(self) -> dict[str, int | float | str | bool | None]:
        """The move as a flat row."""
        return {
            "number": self.number,
            "color": str(self.color),
            "move": str(self.move),
            "score": self.score.discs,
            "best_move": str(self.best_move),
            "best_score": self.best_score.discs,
            "loss": round(self.loss, 2),
            "mark": self.mark,
            "depth": self.depth,
            "exact": self.exact,
            "choices": self.choices,
            "pv": "".join(map(str, self.pv)),
        }

    def __str__(self) -> str:
        text = f"{self.number}. {self.color} {self.move}{self.mark} {self.score}"
        return text if self.move is self.best_move else f"{text}, better {self.best_move} {self.best_score}"


@dataclass(frozen=True)
class GameReview:
    """A reviewed game; a notebook draws its score by move."""

    start: Board
    """The position before the first move."""
    board: Board
    """The position after the last move, with all moves."""
    moves: tuple[MoveReview, ...]
    """The moves, in order."""
    final: Score = field(default=Score(0))
    """The value of the last position for black."""

    @property
    def scores(self) -> list[float]:
        """The value for black in discs: of the first position, and after every move."""
        signs = [1 if move.color is BLACK else -1 for move in self.moves]
        values = [sign * move.score.discs for sign, move in zip(signs, self.moves, strict=True)]
        return [signs[0] * self.moves[0].best_score.discs, *values] if self.moves else [self.final.discs]

    @property
    def errors(self) -> list[MoveReview]:
        """The mistakes and blunders of both sides."""
        return [move for move in self.moves if move.mark]

    def of(self, color: Color) -> list[MoveReview]:
        """The moves with which a side really chose something."""
        return [move for move in self.moves if move.color is color and move.choices > 1]

    def accuracy(self, color: Color) -> float | None:
        """The mean accuracy of a side's choices, 0 to 100; none if it had no choice."""
        chosen = self.of(color)
        return sum(move.accuracy for move in chosen) / len(chosen) if chosen else None

    def loss(self, color: Color) -> float:
        """The discs that a side lost in all."""
        return sum(move.loss for move in self.of(color))

    def rows(self) -> list[dict[str, int | float | str | bool | None]]:
        """One flat row per move, ready for `pandas.DataFrame`."""
        return [move.row() for move in self.moves]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "start": self.start.to_string(),
            "transcript": "".join(str(move.move) for move in self.moves),
            "finished": self.board.is_game_over(),
            "final": self.final.discs,
            "scores": self.scores,
            "sides": {str(color): self._side(color) for color in Color},
            "moves": self.rows(),
        }

    def _side(self, color: Color) -> dict[str, float | int | None]:
        accuracy = self.accuracy(color)
        marks = [move.mark for move in self.of(color)]
        return {
            "accuracy": None if accuracy is None else round(accuracy, 1),
            "loss": round(self.loss(color), 2),
            "mistakes": marks.count("?"),
            "blunders": marks.count("??"),
        }

    def _repr_svg_(self) -> str:
        from reluca.graph import svg

        return svg(self)


def review_game(
    board: Board,
    effort: Effort = DEFAULT_EFFORT,
    *,
    engine: Engine | None = None,
    on_move: Callable[[int, int], object] | None = None,
) -> GameReview:
    """Judges every move on a board's `move_stack`; `on_move` hears how many positions of how many are done.

    >>> game = review_game(Board.from_moves("f5f6e6f4g7"), Effort(depth=4), engine=Engine(table_mb=16))
    >>> [str(move.move) + move.mark for move in game.moves][-1]
    'g7??'
    """
    if not board.move_stack:
        raise InvalidArgumentError("there is no move to review on this board")
    if effort.is_unlimited:
        raise InvalidLimitError("a review needs an effort with a limit: a level, a depth, a time or nodes")
    judge = Engine() if engine is None else engine
    total = len(board.move_stack) + 1
    values: list[_Value] = []
    for value in _backwards(board, effort, judge):
        values.append(value)
        if on_move is not None:
            on_move(len(values), total)
    values.reverse()
    start = values[0].board
    final = values[-1].score if board.turn is BLACK else -values[-1].score
    moves = tuple(
        _move_review(number, move, values[number - 1], values[number])
        for number, move in enumerate(board.move_stack, 1)
    )
    return GameReview(start, board.copy(), moves, final)


@dataclass(frozen=True)
class _Value:
    """What a position is worth for its side to move."""

    board: Board
    score: Score
    pv: tuple[Move, ...]
    exact: bool
    depth: int | None


def _backwards(board: Board, effort: Effort, engine: Engine) -> Iterator[_Value]:
    """The values of the positions of a game, the last one first."""
    position = board.copy()
    last = _search(position, effort, engine)
    yield last
    while position.move_stack:
        move = position.pop()
        last = _before(position.copy(), move, last, effort, engine)
        yield last


def _before(board: Board, move: Move, after: _Value, effort: Effort, engine: Engine) -> _Value:
    """The value of a position, from that of the position after the move that was played in it."""
    played = _Value(board, -after.score, (move, *after.pv), after.exact, None)
    if len(board.legal_moves) == 1:
        return played
    best = _search(board, effort, engine)
    if best.exact:
        # Among moves that are equally good the one that was played is the best.
        return best if best.score != played.score else replace(best, pv=played.pv)
    played = replace(played, exact=False, depth=best.depth)
    choice = board.play(best.pv[0])
    if choice.canonical() == board.play(move).canonical():
        return played
    # Both moves are judged by searches of the same effort: a look one ply deeper often sees another value.
    other = _search(choice, effort, engine)
    if -other.score <= played.score:
        return played
    return _Value(board, -other.score, (best.pv[0], *other.pv), False, best.depth)


def _search(board: Board, effort: Effort, engine: Engine) -> _Value:
    if board.is_game_over():
        return _Value(board.copy(), Score(100 * board.score()), (), True, None)
    result: SearchResult = engine.search(board, effort.limit(board))
    return _Value(board.copy(), result.score, result.pv, result.exact, result.depth)


def _move_review(number: int, move: Move, before: _Value, after: _Value) -> MoveReview:
    return MoveReview(
        number=number,
        color=before.board.turn,
        move=move,
        score=-after.score,
        best_move=before.pv[0],
        best_score=before.score,
        pv=before.pv,
        depth=before.depth,
        exact=before.exact and after.exact,
        choices=len(before.board.legal_moves),
    )

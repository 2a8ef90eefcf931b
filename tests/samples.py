"""Games that tests of several parts share."""

from __future__ import annotations

from reluca import BLACK, Board

WITH_PASSES = (
    "f5f4c3d6d3b2e6f6g4f3g5c6g3h3c5d2c7b7g7b8e3g6f7f8g2h4d1g1c8h5a8e2d7b5h1h6e7e8b4a7f2c1h7a5a6f1h8c4a4g8c2b6b3a2a3b1e1"
    "passd8passh2passa1"
)
"""A whole game that ends with three passes."""


def before_pass(number: int = 1) -> Board:
    """The position of the game in which a pass must be played, for the first, second or third time."""
    board = Board.from_moves(WITH_PASSES)
    passes = [n for n, move in enumerate(board.move_stack) if str(move) == "pass"]
    while len(board.move_stack) > passes[number - 1]:
        board.pop()
    assert board.must_pass
    return board


def negamax(board: Board) -> int:
    """The exact score for the side to move, by trying everything: a witness without pruning or tables."""
    if board.is_game_over():
        return board.score()
    return max(-negamax(board.play(move)) for move in board.legal_moves)


def black(board: Board, score: float) -> float:
    """A score of the side to move, for black."""
    return score if board.turn is BLACK else -score

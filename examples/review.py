"""Reviews a game: who lost how much where, what was better, and the score as a picture."""

import tempfile
from pathlib import Path

from reluca import BLACK, WHITE, Board, Effort, graph, review_game

GAME = (
    "f5d6c3f4e6f3c4g6c6c5f6d3g5b4b5b3g3a6f2f7e7e8d7h4e3g4h3e2h5h6"
    "h7f1a5d8a4c7a7a3a2b6c2d2c1d1c8b8b2a1b1a8b7g2h1h2g1h8e1passg8f8g7"
)

review = review_game(Board.from_moves(GAME), Effort(level=8))
for color in (BLACK, WHITE):
    print(f"{color}: {review.accuracy(color):.1f} % accurate, {review.loss(color):.1f} discs lost")
for move in review.errors:
    print(move)
print("\n".join(graph.text(review)))
with tempfile.TemporaryDirectory() as folder:
    picture = Path(folder) / "game.svg"
    graph.save(review, picture)
    assert picture.stat().st_size > 1000

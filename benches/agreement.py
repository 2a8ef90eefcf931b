"""How often engines find a best move: positions whose moves all have exact scores, searched to a depth.

python benches/agreement.py FILE.obf DEPTH ENGINE…     (engines as in `reluca match`, but for GTP)
python benches/agreement.py EMPTIES:COUNT DEPTH ENGINE…     (positions of self-play, solved here and now)
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from reluca import Engine, Limit, batch, obf, training
from reluca._engine import record_positions
from reluca.cli.match import player_of
from reluca.obf import ObfPosition


def solved(empties: int, count: int) -> list[ObfPosition]:
    """Positions of games of depth 3 with so many empty squares, with the exact scores of all moves."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "games.rec"
        training.selfplay(path, games=3 * count, depth=3, solve_empties=8, random_plies=20, seed=12)
        boards, _ = record_positions(path)
    engine = Engine()
    positions: list[ObfPosition] = []
    for board in batch.to_boards(boards[batch.empties(boards) == empties]):
        if len(positions) < count and len(board.legal_moves) > 1:
            scores = engine.solve(board, all_moves=True).scores
            positions.append(ObfPosition(board, {move: round(score) for move, score in scores.items()}))
    if len(positions) < count:
        raise SystemExit(f"only {len(positions)} positions with {empties} empty squares")
    return positions


source, depth, *names = sys.argv[1:]
if ":" in source:
    positions = solved(*map(int, source.split(":")))
else:
    read = list(obf.read(source))
    positions = [position for position in read if len(position.scores) == len(position.board.legal_moves) > 1]
    if not positions:
        raise SystemExit(f"{source}: no position with the scores of all its moves")
print(f"{len(positions)} positions, depth {depth}")
for name in names:
    player = player_of(name, Limit(depth=int(depth)))
    right, lost = 0, 0
    for position in positions:
        player.check_opening(position.board)
        player.new_game()
        move = player.choose(position.board, None).move
        assert position.best_score is not None
        right += move in position.best_moves
        lost += position.best_score - position.scores[move]
    player.close()
    print(f"{name}: {right} best moves, {lost / len(positions):.2f} discs lost per position")

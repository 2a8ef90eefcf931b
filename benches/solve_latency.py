"""How long exact solves take: positions of self-play with some number of empty squares.

python benches/solve_latency.py [EMPTIES COUNT]…      (14 1000 20 60 by default)
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from reluca import Engine, batch, training
from reluca._engine import record_positions


def solve_times(empties: int, count: int) -> list[int]:
    """Microseconds of the solves of so many positions, each with an empty table."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "games.rec"
        training.selfplay(path, games=3 * count, depth=3, solve_empties=8, seed=9)
        boards, _ = record_positions(path)
    chosen = boards[batch.empties(boards) == empties][:count]
    if len(chosen) < count:
        raise SystemExit(f"only {len(chosen)} positions with {empties} empty squares")
    engine = Engine(table_mb=64)
    times = []
    for board in batch.to_boards(chosen):
        engine.new_game()
        result = engine.solve(board)
        assert result.proven
        times.append(round(result.time * 1e6))
    return times


arguments = [int(argument) for argument in sys.argv[1:]] or [14, 1000, 20, 60]
for empties, count in zip(arguments[::2], arguments[1::2], strict=True):
    times = sorted(solve_times(empties, count))
    print(
        f"{empties} empty squares, {count} positions: median {statistics.median(times) / 1000:.2f} ms, "
        f"95 % within {times[int(0.95 * len(times))] / 1000:.2f} ms, worst {times[-1] / 1000:.2f} ms"
    )

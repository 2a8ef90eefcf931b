"""Perft written in Python over `reluca.Board`, beside the same over PyPI's rust-reversi in one run.

    pip install rust-reversi==1.4.4
    python benches/python_perft.py

Both are driven in the fastest way their interfaces offer and both count the leaves of the last ply at once. The
rounds alternate, so that a noisy machine disturbs both alike; the figure is the ratio of the medians.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import reluca

DEPTH = 9
LEAVES = 3_005_288
ROUNDS = 7


def reluca_perft(board: reluca.Board, depth: int) -> int:
    moves = board.legal_moves
    if depth == 1 or not moves:
        return len(moves) or 1
    total = 0
    for move in moves:
        board.push(move)
        total += reluca_perft(board, depth - 1)
        board.pop()
    return total


def rust_reversi_perft(board: Any, depth: int) -> int:
    moves = board.get_legal_moves()
    if not moves:
        if board.is_game_over():
            return 1
        if depth == 1:
            return 1
        passed = board.clone()
        passed.do_pass()
        return rust_reversi_perft(passed, depth - 1)
    if depth == 1:
        return int(moves.bit_count())
    return sum([rust_reversi_perft(child, depth - 1) for child in board.get_child_boards()])


def main() -> None:
    contestants: dict[str, Callable[[], int]] = {
        "reluca": lambda: reluca_perft(reluca.Board(), DEPTH),
    }
    try:
        import rust_reversi
    except ImportError:
        print("rust-reversi is not installed: no comparison", file=sys.stderr)
    else:
        contestants["rust-reversi"] = lambda: rust_reversi_perft(rust_reversi.Board(), DEPTH)

    seconds: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, count in contestants.items():
            start = time.perf_counter()
            leaves = count()
            seconds[name].append(time.perf_counter() - start)
            assert leaves == LEAVES, f"{name}: {leaves}"
    for name, times in seconds.items():
        median = statistics.median(times)
        ratio = statistics.median(seconds.get("rust-reversi", times)) / median
        print(f"{name:12} {median:.3f} s  {LEAVES / median / 1e6:5.1f} M nodes/s  {ratio:.2f} x rust-reversi")


if __name__ == "__main__":
    main()

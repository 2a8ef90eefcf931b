"""`reluca perft`: counts move sequences, as a proof of the rules and a measure of speed."""

from __future__ import annotations

import sys
import time
from enum import Enum
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from reluca._engine import Board, active_tier
from reluca.cli.common import Json, print_json
from reluca.perft import perft
from reluca.reading import parse_board

_LONG = 12
"""From this depth on a count takes more than two seconds and gets a progress bar."""


class Passes(str, Enum):
    """What a pass is."""

    PLY = "ply"
    FREE = "free"


def command(
    depth: Annotated[int, typer.Argument(min=0, max=30, help="Length of the move sequences.")],
    position: Annotated[
        str | None, typer.Option(help="A transcript, a board or an OBF line; the starting position if absent.")
    ] = None,
    passes: Annotated[Passes, typer.Option(help="Count a pass as a ply, or let it cost no depth.")] = Passes.PLY,
    threads: Annotated[int | None, typer.Option(min=1, max=1024, help="Threads; all cores if absent.")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="Show the count below each first move.")] = False,
    as_json: Json = False,
) -> None:
    """Count the move sequences of a given length.

    Example: reluca perft 11 --passes free
    """
    board = Board() if position is None else parse_board(position)
    start = time.perf_counter()
    jobs = _children(board, depth, passes)
    counts = {}
    total = perft(board, depth, passes=passes.value, threads=threads) if not jobs else 0
    progress = track(
        jobs.items(),
        description="perft",
        console=Console(stderr=True),
        transient=True,
        disable=depth < _LONG or as_json or not sys.stderr.isatty(),
    )
    for move, (child, rest) in progress:
        counts[move] = perft(child, rest, passes=passes.value, threads=threads)
        total += counts[move]
    seconds = time.perf_counter() - start
    if as_json:
        result = {"depth": depth, "passes": passes.value, "nodes": total, "seconds": seconds, "tier": active_tier()}
        print_json({**result, "divide": counts} if divide else result)
        return
    console = Console(highlight=False)
    if divide:
        for move, count in counts.items():
            console.print(f"{move}: {count:,}")
    console.print(f"perft({depth}) = {total:,} in {seconds:.2f} s, {total / seconds / 1e6:.0f} M nodes/s")


def _children(board: Board, depth: int, passes: Passes) -> dict[str, tuple[Board, int]]:
    """The positions after each first move, with the depth that is left; none if there is nothing to divide."""
    if depth < 1:
        return {}
    cost = 0 if board.must_pass and passes is Passes.FREE else 1
    return {str(move): (board.play(move), depth - cost) for move in board.legal_moves}

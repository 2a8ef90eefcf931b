"""`reluca solve`: exact results of endgames."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from reluca import obf
from reluca.cli.common import Json, Threads, WeightsOption
from reluca.engine import Engine
from reluca.limits import Limit
from reluca.obf import ObfPosition
from reluca.reading import parse_board
from reluca.results import SolveResult

WRONG = 1
"""The exit code if a proven score contradicts the file."""


def command(
    positions: Annotated[
        str, typer.Argument(help="A transcript, a board of 64 squares, an OBF line, or the name of an OBF file.")
    ],
    all_moves: Annotated[bool, typer.Option("--all-moves", help="Solve every legal move.")] = False,
    wld: Annotated[bool, typer.Option("--wld", help="Find out only who wins; faster.")] = False,
    time: Annotated[float | None, typer.Option(min=0, help="Seconds per position.")] = None,
    nodes: Annotated[int | None, typer.Option(min=0, help="Nodes per position.")] = None,
    table_mb: Annotated[int, typer.Option("--table-mb", min=1, help="Megabytes of the transposition table.")] = 128,
    threads: Threads = None,
    weights: WeightsOption = None,
    as_json: Json = False,
) -> None:
    """Solve endgames exactly.

    Scores are discs for the side to move, empties to the winner. The exit code is 1 if a proven score contradicts one
    that the file gives.

    Example: reluca solve endgames.obf --json
    """
    problems = list(_read(positions))
    engine = Engine(table_mb=table_mb, threads=threads, weights=weights)
    limit = Limit(time=time, nodes=nodes)
    progress = track(
        problems,
        "solve",
        console=Console(stderr=True),
        transient=True,
        disable=as_json or len(problems) == 1 or not sys.stderr.isatty(),
    )
    solved = []
    for problem in progress:
        result = engine.solve(problem.board, all_moves=all_moves, wld=wld, limit=limit)
        solved.append((problem, result))
    wrong = [number for number, (problem, result) in enumerate(solved, 1) if contradicts(problem, result)]
    if as_json:
        print(json.dumps([_to_dict(problem, result) for problem, result in solved], indent=2))
    else:
        _print(solved, all_moves)
    if wrong:
        print(f"reluca: contradicts the file: position {', '.join(map(str, wrong))}", file=sys.stderr)
        raise typer.Exit(WRONG)


def _read(positions: str) -> Iterator[ObfPosition]:
    if positions.endswith(".obf") or (len(positions) < 256 and Path(positions).is_file()):
        return obf.read(positions)
    if ";" in positions:
        return iter([ObfPosition.parse(positions)])
    return iter([ObfPosition(parse_board(positions))])


def contradicts(problem: ObfPosition, result: SolveResult) -> bool:
    """Whether a proven result differs from what the file says of the position or of a move."""
    expected = problem.best_score
    if expected is None or not result.proven:
        return False
    if result.wld:
        return (expected > 0) - (expected < 0) != (result.score > 0) - (result.score < 0)
    known = {move: score for move, score in result.scores.items() if move in problem.scores}
    return result.score != expected or any(problem.scores[move] != score for move, score in known.items())


def _to_dict(problem: ObfPosition, result: SolveResult) -> dict[str, object]:
    return {
        "board": problem.board.to_string(),
        "empties": problem.board.empties,
        "expected": problem.best_score,
        "contradicts": contradicts(problem, result),
        **result.to_dict(),
    }


def _print(solved: list[tuple[ObfPosition, SolveResult]], all_moves: bool) -> None:
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 500
    table = Table(box=None, pad_edge=False)
    headings = {"#": 3, "empties": 7, "move": 4, "score": 6, "expected": 8, "nodes": 13, "seconds": 8, "M nodes/s": 9}
    for heading, width in headings.items():
        table.add_column(heading, justify="right", no_wrap=True, width=width)
    # The line of play takes what is left of the screen; a file or a pipe gets all of it.
    left = console.width - sum(headings.values()) - 2 * len(headings) if console.is_terminal else 400
    table.add_column("moves" if all_moves else "line", overflow="ellipsis", no_wrap=True, width=max(left, 8))
    for number, (problem, result) in enumerate(solved, 1):
        expected = "" if problem.best_score is None else f"{problem.best_score:+d}"
        moves = " ".join(f"{move}:{score:+g}" for move, score in result.scores.items())
        table.add_row(
            str(number),
            str(problem.board.empties),
            "-" if result.best_move is None else str(result.best_move),
            _score(result),
            f"[red]{expected}[/red]" if contradicts(problem, result) else expected,
            f"{result.nodes:,}",
            f"{result.time:.3f}",
            f"{result.nps / 1e6:.1f}",
            moves if all_moves else " ".join(map(str, result.pv)),
        )
    console.print(table, soft_wrap=not console.is_terminal)
    nodes = sum(result.nodes for _, result in solved)
    seconds = sum(result.time for _, result in solved)
    if len(solved) > 1:
        speed = nodes / seconds / 1e6 if seconds else 0.0
        console.print(f"total: {nodes:,} nodes in {seconds:.3f} s, {speed:.1f} M nodes/s")
    unproven = sum(not result.proven for _, result in solved)
    if unproven:
        console.print(f"not proven within the limit: {unproven} (marked ~)")


def _score(result: SolveResult) -> str:
    if not result.proven:
        return f"~{result.score:+.2f}"
    return result.result if result.wld else f"{result.score:+g}"

"""`reluca selfplay`: games to train from."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from reluca.cli.common import Json, Threads, WeightsOption, print_json, quiet
from reluca.training import SelfPlayProgress, describe_records, selfplay

LOG_SECONDS = 60
"""How often progress is told where there is no terminal to draw a bar on."""
HEIGHTS = " ▁▂▃▄▅▆▇█"


def command(
    out: Annotated[Path, typer.Argument(help="The record file; one of the same settings is continued.")],
    games: Annotated[int, typer.Option(min=1, help="How many games the file is to have.")] = 100_000,
    depth: Annotated[int, typer.Option(min=1, max=60, help="Depth of the search.")] = 4,
    solve: Annotated[int, typer.Option(min=1, max=30, help="Empty squares from which play is perfect.")] = 14,
    random_plies: Annotated[
        int, typer.Option(min=0, max=50, help="The most random moves that a game begins with.")
    ] = 50,
    seed: Annotated[int, typer.Option(min=0, help="Where the random openings come from.")] = 1,
    threads: Threads = None,
    weights: WeightsOption = None,
    as_json: Json = False,
) -> None:
    """Play games with itself, from random openings to a proven result, as data for `reluca train`.

    The run can be stopped at any time and continued with the same command; it loses at most the games in hand.

    Example: reluca selfplay games.rec --games 300000 --depth 4 --solve 14
    """
    columns = (TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), TextColumn("{task.fields[rest]}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), disable=quiet(as_json)) as bar:
        task = bar.add_task("selfplay", total=games, rest="")
        begin = time.monotonic()
        next_line = begin
        told_of_cut = False

        def show(progress: SelfPlayProgress) -> None:
            nonlocal next_line, told_of_cut
            if progress.cut_bytes and not told_of_cut:
                told_of_cut = True
                print(f"{out}: {progress.cut_bytes} bytes of an unfinished game were cut off its end", file=sys.stderr)
            now = time.monotonic()
            speed = f"{(progress.games - progress.resumed) / max(now - begin, 0.1) * 3600:,.0f} games/hour"
            bar.update(task, completed=progress.games, rest=f"{speed}, positions {spread(progress.positions)}")
            if bar.disable and not as_json and now >= next_line:
                next_line = now + LOG_SECONDS
                stages = by_stage(progress.positions)
                print(f"{progress.games:,} of {games:,} games, {speed}, {stages}", file=sys.stderr, flush=True)

        try:
            done = selfplay(
                out,
                games=games,
                depth=depth,
                solve_empties=solve,
                random_plies=random_plies,
                seed=seed,
                threads=threads,
                weights=weights,
                on_progress=show,
            )
        except KeyboardInterrupt:
            bar.stop()
            if out.exists():
                kept = describe_records(out)
                print(f"stopped; {out} keeps {kept}; the same command goes on from there", file=sys.stderr)
            raise
    if as_json:
        fields = {"games": done.games, "resumed": done.resumed, "positions": done.positions}
        print_json({**fields, "cut_bytes": done.cut_bytes})
        return
    print(f"{done.games:,} games, {by_stage(done.positions)}")


def by_stage(positions: list[int]) -> str:
    """How many positions there are, and how many of every stage."""
    stages = " ".join(f"{stage}:{count:,}" for stage, count in enumerate(positions, 1))
    return f"{sum(positions):,} positions; by stage: {stages}"


def spread(positions: list[int]) -> str:
    """How many positions there are, and their spread over the stages as columns.

    >>> spread([0, 1, 40, 80])
    '121  ▁▄█'
    """
    most = max(*positions, 1)
    # A stage with any positions has a column.
    columns = "".join(HEIGHTS[-(-count * (len(HEIGHTS) - 1) // most)] for count in positions)
    return f"{sum(positions):,} {columns}"

"""`reluca selfplay`: games to train from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from reluca.cli.common import Json, Threads, WeightsOption, print_json, quiet
from reluca.training import SelfPlayProgress, selfplay


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
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[speed]}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), disable=quiet(as_json)) as bar:
        task = bar.add_task("selfplay", total=games, speed="")

        def show(progress: SelfPlayProgress) -> None:
            elapsed = bar.tasks[task].elapsed
            speed = f"{(progress.games - progress.resumed) / elapsed * 3600:,.0f} games/hour" if elapsed else ""
            positions = f"{sum(progress.positions):,} positions"
            bar.update(task, completed=progress.games, speed=f"{speed}, {positions}")

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
    if as_json:
        print_json({"games": done.games, "resumed": done.resumed, "positions": done.positions})
        return
    print(f"{done.games:,} games, {sum(done.positions):,} positions; by stage:")
    print(" ".join(f"{stage}:{count:,}" for stage, count in enumerate(done.positions, 1)))

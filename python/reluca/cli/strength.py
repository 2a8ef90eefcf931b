"""`reluca calibrate choose` and `reluca calibrate accept`: what tables are worth in games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from reluca import batch, calibration, match, reports
from reluca.calibration import Acceptance, Candidate, Choice, Trials
from reluca.cli.common import Json, WeightsOption
from reluca.cli.measuring import deliver, print_table, progress, require_places
from reluca.cli.settings import options_of
from reluca.options import SearchOptions
from reluca.reports import strength as text

NOT_ACCEPTED = 1
"""The exit code if a criterion is not met."""

CANDIDATES = ("margin=0.8", "margin=1.5", "mpc_max_pairs=2", "mpc_static_test=off")

Games = Annotated[int, typer.Option(min=2, help="Games per match; every opening is played with both colours.")]
Time = Annotated[float, typer.Option(min=0.001, help="Seconds per move where time is equal.")]
NodesDepth = Annotated[int, typer.Option(min=1, max=20, help="Depth where nodes are compared.")]
Boards = Annotated[int, typer.Option(min=1, help="Boards per stage for that.")]
Plies = Annotated[int, typer.Option(min=0, max=40, help="Random moves of the balanced openings.")]
Seed = Annotated[int, typer.Option(min=0, help="For openings and boards.")]
Adjudicate = Annotated[
    int, typer.Option(min=0, max=24, help="Empty squares at which a game is decided by its exact score.")
]
Concurrency = Annotated[int, typer.Option(min=1, help="Games at the same time.")]
Logs = Annotated[Path | None, typer.Option(help="A directory for the games; a measurement goes on from there.")]
Base = Annotated[
    str, typer.Option("--options", help="Changes to the strongest options that hold for all, as in margin=1.2.")
]
Out = Annotated[Path | None, typer.Option(help="Write the measurements here (JSON).")]
Report = Annotated[Path | None, typer.Option(help="Write a report into this directory (HTML, Markdown, pictures).")]


def choose(
    candidate: Annotated[
        list[str] | None,
        typer.Option("--candidate", help="What to change, as in margin=0.8,mpc_max_pairs=2; several times."),
    ] = None,
    games: Games = 200,
    time: Time = 0.05,
    nodes_depth: NodesDepth = 10,
    boards: Boards = 4,
    plies: Plies = 8,
    seed: Seed = 1,
    adjudicate: Adjudicate = 12,
    concurrency: Concurrency = 1,
    options: Base = "",
    logs: Logs = None,
    weights: WeightsOption = None,
    out: Out = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Choose pairs, margins and other options by games: each candidate plays the options in use at equal time.

    A candidate is any option of the search (`reluca match` takes the same ones), or `margin`, the margin of the table
    of Multi-ProbCut. Without a candidate narrower and wider margins, two pairs a node, and no static test are tried.

    Example: reluca calibrate choose --candidate margin=0.8 --candidate mpc_table=new.json --games 400 --logs games
    """
    require_places(out, report)
    base = _options(options, SearchOptions.strongest())
    candidates = [Candidate(name, _options(name, base)) for name in candidate or CANDIDATES]
    with progress(as_json) as step:
        trials = _trials(
            boards,
            plies,
            seed,
            games,
            weights,
            nodes_depth=nodes_depth,
            time=time,
            adjudicate=adjudicate,
            concurrency=concurrency,
            logs=logs,
            on_progress=step,
        )
        choice = calibration.choose(candidates, trials, base=base)
    deliver(choice, out, report, reports.choice_report, None if as_json else _print_choice)


def accept(
    games: Games = 200,
    time: Time = 0.05,
    depth: Annotated[int, typer.Option(min=1, max=20, help="Depth of the games where depth is equal.")] = 8,
    nodes_depth: NodesDepth = 10,
    boards: Boards = 4,
    plies: Plies = 8,
    seed: Seed = 1,
    adjudicate: Adjudicate = 12,
    concurrency: Concurrency = 1,
    options: Base = "",
    logs: Logs = None,
    weights: WeightsOption = None,
    out: Out = None,
    report: Report = None,
    as_json: Json = False,
) -> None:
    """Check what Multi-ProbCut must keep: half the nodes at equal depth, no weaker there, stronger at equal time.

    A criterion is met or missed if its whole 95 % interval says so, and open if more games are needed. The exit code is
    1 unless all are met.

    Example: reluca calibrate accept --games 400 --logs games --out acceptance.json
    """
    require_places(out, report)
    base = _options(options, SearchOptions.strongest())
    with progress(as_json) as step:
        trials = _trials(
            boards,
            plies,
            seed,
            games,
            weights,
            nodes_depth=nodes_depth,
            time=time,
            match_depth=depth,
            adjudicate=adjudicate,
            concurrency=concurrency,
            logs=logs,
            on_progress=step,
        )
        acceptance = calibration.accept(trials, options=base)
    deliver(acceptance, out, report, reports.acceptance_report, None if as_json else _print_acceptance)
    if not acceptance.accepted:
        raise typer.Exit(NOT_ACCEPTED)


def _print_choice(choice: Choice) -> None:
    print_table("candidates against the options in use", text.CANDIDATES, text.candidate_rows(choice))
    print(text.verdict(choice))


def _print_acceptance(acceptance: Acceptance) -> None:
    print_table("Multi-ProbCut on against off", text.CRITERIA, text.criterion_rows(acceptance))


def _trials(boards: int, plies: int, seed: int, games: int, weights: str | None, **settings: Any) -> Trials:
    """Boards of self-play and balanced openings, and how to use them."""
    return Trials(
        batch.to_boards(calibration.sample_boards(boards, seed=seed, weights=weights)),
        match.balanced_openings((games + 1) // 2, plies, seed),
        games=games,
        weights=weights,
        **settings,
    )


def _options(settings: str, base: SearchOptions) -> SearchOptions:
    return options_of(settings, filter(None, settings.split(",")), base)

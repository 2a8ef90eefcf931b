"""`reluca calibrate`: the tables of the search, measured."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from reluca import calibration, reports
from reluca.calibration import AspirationCalibration, DepthSamples, MpcCalibration
from reluca.cli.common import Json, Threads, WeightsOption, print_json, quiet, wide_console

app = typer.Typer(help="Measure the tables of the search.", no_args_is_help=True)

UNBLESSED = 1
"""The exit code if a table is over-confident."""

Samples = Annotated[Path, typer.Argument(help="The file of samples; it is continued, or used if it is complete.")]
PerStage = Annotated[int, typer.Option("--per-stage", min=5, help="Positions per stage.")]
Depth = Annotated[int, typer.Option(min=4, max=20, help="The deepest search of the samples.")]
Solve = Annotated[int, typer.Option(min=0, max=26, help="Empty squares up to which samples are solved too.")]
Records = Annotated[list[Path] | None, typer.Option("--records", help="Take positions from these record files.")]
Seed = Annotated[int, typer.Option(min=0, help="For the choice of positions.")]
Out = Annotated[Path | None, typer.Option(help="Write table and measurements here (JSON).")]
Report = Annotated[Path | None, typer.Option(help="Write a report into this directory (HTML, Markdown, pictures).")]
Force = Annotated[bool, typer.Option("--force", help="Use samples that were made with other weights or depths.")]


def _samples(
    file: Path,
    per_stage: int,
    depth: int,
    solve: int,
    records: list[Path] | None,
    seed: int,
    weights: str | None,
    threads: int | None,
    force: bool,
    as_json: bool,
) -> DepthSamples:
    boards = calibration.sample_boards(per_stage, seed=seed, records=records or (), weights=weights)
    with Progress(console=Console(stderr=True), disable=quiet(as_json)) as bar:
        task = bar.add_task("samples", total=len(boards))
        return calibration.collect(
            file,
            boards,
            depth=depth,
            solve_empties=solve,
            weights=weights,
            threads=threads,
            force=force,
            on_progress=lambda done: bar.update(task, completed=done),
        )


@app.command()
def mpc(
    samples: Samples,
    per_stage: PerStage = 100,
    depth: Depth = 12,
    solve: Solve = 20,
    z: Annotated[float, typer.Option(min=0.1, max=5, help="The margin of the table, in deviations.")] = 1.1,
    records: Records = None,
    seed: Seed = 1,
    weights: WeightsOption = None,
    threads: Threads = None,
    out: Out = None,
    report: Report = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Measure how well shallow searches predict deep ones, for Multi-ProbCut.

    The exit code is 1 if a margin turns out to be over-confident by more than two points on samples kept apart.

    Example: reluca calibrate mpc samples.csv --out mpc.json --report report
    """
    if report is not None:
        reports.require()
    found = _samples(samples, per_stage, depth, solve, records, seed, weights, threads, force, as_json)
    fitted = calibration.fit_mpc(found, z=z, seed=seed)
    if out is not None:
        calibration.write_json(fitted, out)
    if report is not None:
        reports.mpc_report(fitted, found, report)
    if as_json:
        print_json(fitted.to_dict())
    else:
        _print_mpc(fitted)
    if not fitted.blessed:
        print("over-confident by more than two points: this table is not to be used", file=sys.stderr)
        raise typer.Exit(UNBLESSED)


def _print_mpc(fitted: MpcCalibration) -> None:
    model = fitted.model
    print(f"{fitted.samples:,} samples; ln σ = {model.intercept:.4f} {model.shallow:+.4f} s", end="")
    print(f" {model.deep:+.4f} d {model.empties:+.5f} e")
    if (end := fitted.endgame_model) is not None:
        print(f"exact scores: ln σ = {end.intercept:.4f} {end.shallow:+.4f} s {end.empties:+.5f} e")
    table = Table(box=None, pad_edge=False)
    for heading in ("where", "z", "samples", "predicted", "observed"):
        table.add_column(heading, justify="left" if heading == "where" else "right")
    for row in fitted.coverage:
        table.add_row(row.where, f"{row.z:g}", f"{row.count:,}", f"{row.predicted:.1%}", f"{row.observed:.1%}")
    wide_console().print(table)


@app.command()
def aspiration(
    samples: Samples,
    per_stage: PerStage = 100,
    depth: Depth = 12,
    solve: Solve = 20,
    search_depth: Annotated[int, typer.Option(min=3, max=20, help="Depth at which windows are compared.")] = 12,
    boards: Annotated[int, typer.Option(min=2, help="Boards per phase for that.")] = 40,
    records: Records = None,
    seed: Seed = 1,
    weights: WeightsOption = None,
    threads: Threads = None,
    out: Out = None,
    report: Report = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Measure how much values change between iterations, and which windows cost the fewest nodes.

    Example: reluca calibrate aspiration samples.csv --out aspiration.json --report report
    """
    if report is not None:
        reports.require()
    found = _samples(samples, per_stage, depth, solve, records, seed, weights, threads, force, as_json)
    with Progress(console=Console(stderr=True), disable=quiet(as_json)) as bar:
        task = bar.add_task("windows", total=3 * 4 * 8)
        fitted = calibration.calibrate_aspiration(
            found,
            depth=search_depth,
            boards_per_phase=boards,
            weights=weights,
            on_progress=lambda done: bar.update(task, completed=done),
        )
    if out is not None:
        calibration.write_json(fitted, out)
    if report is not None:
        reports.aspiration_report(fitted, report)
    if as_json:
        print_json(fitted.to_dict())
    else:
        _print_aspiration(fitted)


def _print_aspiration(fitted: AspirationCalibration) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("phase", "windows", "delta", "nodes", "retries", "fallbacks", "same move"):
        table.add_column(heading, justify="left" if heading in ("phase", "windows") else "right")
    for trial in fitted.trials:
        table.add_row(
            trial.phase,
            trial.scheme,
            str(trial.delta),
            f"{trial.nodes / trial.full_nodes:.1%}",
            f"{trial.retry_rate:.1%}",
            f"{trial.fallback_rate:.1%}",
            f"{trial.agreement:.0%}",
        )
    wide_console().print(table)
    print("picked:", " ".join(map(str, fitted.table.deltas)))

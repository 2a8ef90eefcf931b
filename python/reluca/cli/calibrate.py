"""`reluca calibrate`: the tables of the search, measured."""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from reluca import calibration, reports
from reluca.calibration import AspirationCalibration, DepthSamples, MpcCalibration, MpcJudgement
from reluca.cli import strength
from reluca.cli.common import Json, Threads, WeightsOption
from reluca.cli.measuring import deliver, print_table, progress, require_places
from reluca.errors import InvalidArgumentError
from reluca.options import AspirationScheme, SearchOptions
from reluca.reports import aspiration as aspiration_text
from reluca.reports import mpc as mpc_text
from reluca.tables import MpcParameterTable

app = typer.Typer(help="Measure the tables of the search.", no_args_is_help=True)
app.command("choose")(strength.choose)
app.command("accept")(strength.accept)

UNBLESSED = 1
"""The exit code if what was measured does not do: a table is over-confident, not proved, or misses a mark."""

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
    with progress(as_json) as step:
        return calibration.collect(
            file,
            boards,
            depth=depth,
            solve_empties=solve,
            weights=weights,
            threads=threads,
            force=force,
            source=_source(per_stage, seed, records),
            on_progress=lambda done: step("samples", done, len(boards)),
        )


def _source(per_stage: int, seed: int, records: list[Path] | None) -> dict[str, Any]:
    """Where the boards of samples come from."""
    games = [record.name for record in records or ()] or "self-play"
    return {"per_stage": per_stage, "seed": seed, "records": games}


@app.command()
def mpc(
    samples: Samples,
    per_stage: PerStage = 100,
    depth: Depth = 12,
    solve: Solve = 20,
    z: Annotated[float, typer.Option(min=0.1, max=5, help="The margin of the table, in deviations.")] = 1.1,
    pairs: Annotated[
        str | None, typer.Option(help="Pairs of the table, as in 2-6,4-10; one for every depth if not given.")
    ] = None,
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

    The exit code is 1 if a margin turns out to be over-confident by more than two points on samples kept apart, or if
    there are too few samples to tell.

    Example: reluca calibrate mpc samples.csv --out mpc.json --report report
    """
    require_places(out, report)
    wanted = _pairs(pairs)
    found = _samples(samples, per_stage, depth, solve, records, seed, weights, threads, force, as_json)
    fitted = calibration.fit_mpc(found, z=z, seed=seed, pairs=wanted)
    deliver(fitted, out, report, reports.mpc_report, None if as_json else _print_mpc)
    if not fitted.blessed:
        print(f"{mpc_text.verdict(fitted)}: this table is not to be used", file=sys.stderr)
        raise typer.Exit(UNBLESSED)


@app.command()
def check(
    samples: Samples,
    table: Annotated[
        str, typer.Option(help="The table: calibrated (as shipped), literature, or a file.")
    ] = "calibrated",
    per_stage: PerStage = 100,
    depth: Depth = 12,
    solve: Solve = 20,
    records: Records = None,
    seed: Seed = 1,
    weights: WeightsOption = None,
    threads: Threads = None,
    out: Out = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Judge a finished Multi-ProbCut table by samples that it was not fitted to.

    The exit code is 1 if a margin turns out to be over-confident by more than two points, or if there are too few
    samples to tell.

    Example: reluca calibrate check fresh.csv --seed 7
    """
    require_places(out, None)
    judged_table = MpcParameterTable.named(table)
    found = _samples(samples, per_stage, depth, solve, records, seed, weights, threads, force, as_json)
    judged = calibration.judge_mpc(found, judged_table)
    deliver(judged, out, None, None, None if as_json else _print_coverage)
    if not judged.blessed:
        print(f"{table}: {mpc_text.verdict(judged)}", file=sys.stderr)
        raise typer.Exit(UNBLESSED)


def _pairs(text: str | None) -> list[tuple[int, int]] | None:
    if text is None:
        return None
    found = []
    for pair in text.split(","):
        shallow, _, deep = pair.partition("-")
        if not (shallow.strip().isdigit() and deep.strip().isdigit() and int(shallow) < int(deep)):
            raise InvalidArgumentError(f"{pair!r} is not a pair of a shallow and a deep depth like 2-6")
        found.append((int(shallow), int(deep)))
    return found


def _print_mpc(fitted: MpcCalibration) -> None:
    for fact in mpc_text.facts(fitted):
        print(fact)
    for title, heading, rows in (
        (
            "σ by stage and pair, ± half the 95 % interval (samples); * is left to the model",
            *mpc_text.sigma_table(fitted),
        ),
        ("a fitted line against slope 1 and intercept 0, on halves kept apart", *mpc_text.line_table(fitted)),
        ("shape of the errors; a normal one has 0, 1, 0, 0", *mpc_text.normality_table(fitted)),
    ):
        if rows:
            print_table(title, heading, rows)
    _print_coverage(fitted)


def _print_coverage(judged: MpcJudgement) -> None:
    for title, rows in (
        ("predicted and observed confidence", mpc_text.margins(judged)),
        ("the least sure by stage and pair", mpc_text.worst_cells(judged)),
    ):
        if rows:
            print_table(title, mpc_text.COVERAGE, mpc_text.coverage_rows(rows))


@app.command()
def aspiration(
    samples: Samples,
    per_stage: PerStage = 100,
    depth: Depth = 12,
    solve: Solve = 20,
    search_depth: Annotated[int, typer.Option(min=3, max=20, help="Depth at which windows are compared.")] = 12,
    boards: Annotated[
        int, typer.Option(min=1, help="Boards per stage to pick half-widths on; as many more are judged by.")
    ] = 10,
    scheme: Annotated[
        list[str] | None, typer.Option("--scheme", help="Try this scheme only; may be given several times.")
    ] = None,
    delta: Annotated[
        list[int] | None, typer.Option("--delta", min=1, help="Try this half-width only; may be given several times.")
    ] = None,
    mpc: Annotated[bool, typer.Option("--mpc/--no-mpc", help="Compare windows with Multi-ProbCut on or off.")] = True,
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

    Values with Multi-ProbCut are kept in a second file beside the samples (samples.mpc.csv). The exit code is 1 if what
    was picked misses a mark: retries below 20 % and fallbacks below 5 % of the iterations, no more nodes than the full
    and the legacy window, the same move on 90 % of the boards.

    Example: reluca calibrate aspiration samples.csv --out aspiration.json --report report
    """
    require_places(out, report)
    found = _samples(samples, per_stage, depth, solve, records, seed, weights, threads, force, as_json)
    options = SearchOptions.strongest()
    with progress(as_json) as step:
        selective = calibration.collect(
            samples.with_suffix(f".mpc{samples.suffix}"),
            found.boards,
            depth=depth,
            solve_empties=0,
            options=options,
            weights=weights,
            threads=threads,
            force=force,
            source=_source(per_stage, seed, records),
            on_progress=lambda done: step("Multi-ProbCut", done, len(found)),
        )
        fitted = calibration.calibrate_aspiration(
            found,
            selective=selective,
            depth=search_depth,
            boards_per_stage=boards,
            deltas=delta or calibration.DELTAS,
            schemes=cast("list[AspirationScheme]", scheme) or calibration.SCHEMES,
            options=dataclasses.replace(options, use_multi_prob_cut=mpc),
            weights=weights,
            threads=threads,
            on_progress=lambda done, total: step("windows", done, total),
        )
    deliver(fitted, out, report, reports.aspiration_report, None if as_json else _print_aspiration)
    if not fitted.met:
        print("a mark is missed: this table is not to be used", file=sys.stderr)
        raise typer.Exit(UNBLESSED)


def _print_aspiration(fitted: AspirationCalibration) -> None:
    picked = [
        trial for trial in fitted.trials if (trial.scheme, trial.same_parity) == (fitted.scheme, fitted.same_parity)
    ]
    for title, trials in (
        ("half-widths of the best scheme", picked),
        ("every scheme with its best half-widths", fitted.schemes),
        ("the options in use, on boards kept apart", fitted.in_use),
        ("picked, on boards kept apart", fitted.verdicts),
    ):
        print_table(title, aspiration_text.TRIALS, aspiration_text.trial_rows(trials))
    for fact in aspiration_text.facts(fitted):
        print(fact)

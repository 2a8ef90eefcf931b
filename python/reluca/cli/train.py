"""`reluca train`: weights from games."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from reluca import plots
from reluca import weights as weight_files
from reluca.cli.common import Json, Threads, print_json, quiet, wide_console
from reluca.errors import InvalidArgumentError
from reluca.training import Accuracy, Step, Training, train


def command(
    out: Annotated[Path, typer.Argument(help="The weights file to write.")],
    records: Annotated[list[Path], typer.Argument(help="Record files made by `reluca selfplay`.")],
    start: Annotated[Path | None, typer.Option(help="A weights file to begin with and to be held to.")] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Iterations per stage.")] = 30,
    regularisation: Annotated[float, typer.Option(help="How many positions the pull to the start weighs.")] = 10.0,
    halo: Annotated[int, typer.Option(min=0, help="Discs beyond its own that a stage learns from.")] = 2,
    trust: Annotated[float, typer.Option(help="How many times as much as the games the start counts.")] = 0.0,
    name: Annotated[str, typer.Option(help="A name for the weights, kept in the file.")] = "",
    plot: Annotated[Path | None, typer.Option(help="Draw the learning curves into this file (PNG or SVG).")] = None,
    threads: Threads = None,
    as_json: Json = False,
) -> None:
    """Fit the weights of the evaluation to games, and judge them on games that were kept apart.

    Example: reluca train new.weights games.rec --plot curves.png
    """
    if plot is not None:
        plots.require(plot)
    for path in filter(None, (out, plot)):
        if not path.parent.is_dir():
            raise InvalidArgumentError(f"{path}: there is no such folder")
    with Progress(console=Console(stderr=True), disable=quiet(as_json)) as bar:
        task = bar.add_task("reading", total=30 * iterations)

        def show(step: Step) -> None:
            what = "small" if step.small else "main"
            error = f"error {step.training_rmse:.3f}, apart {step.validation_rmse:.3f}"
            finished = (15 * step.small + 15 - step.stage) * iterations + step.iteration
            bar.update(task, completed=finished, description=f"{what} stage {step.stage}: {error}")

        training = train(
            records,
            start=start,
            iterations=iterations,
            regularisation=regularisation,
            halo=halo,
            trust=trust,
            name=name,
            threads=threads,
            on_step=show,
        )
        bar.update(task, completed=30 * iterations)
    weight_files.save(training.weights, out)
    if plot is not None:
        plots.learning_curves(training.steps, plot)
    if as_json:
        print_json(_to_dict(training))
    else:
        _print(training, out)


def _to_dict(training: Training) -> dict[str, Any]:
    return {
        "weights": weight_files.describe(training.weights),
        "training_positions": training.training_positions,
        "validation_positions": training.validation_positions,
        "accuracy": [asdict(accuracy) for accuracy in training.accuracy],
        "small_accuracy": [asdict(accuracy) for accuracy in training.small_accuracy],
        "steps": [asdict(step) for step in training.steps],
    }


def _print(training: Training, out: Path) -> None:
    table = Table(box=None, pad_edge=False, title="on games kept apart, by stage", title_justify="left")
    for heading in ("stage", *ACCURACY_HEADINGS, "small: mae", "correlation"):
        table.add_column(heading, justify="right")
    for stage, (main, small) in enumerate(zip(training.accuracy, training.small_accuracy, strict=True), 1):
        cells = dict(zip(ACCURACY_HEADINGS, accuracy_cells(small), strict=True))
        table.add_row(str(stage), *accuracy_cells(main), cells["mae"], cells["correlation"])
    wide_console().print(table)
    print(training.weights.provenance)
    print(
        f"{training.training_positions:,} positions learned from, {training.validation_positions:,} kept apart; "
        f"{out} has checksum {training.weights.checksum}"
    )


UNKNOWN = "–"
"""In the place of a number that too few positions cannot give."""
ACCURACY_HEADINGS = ("positions", "mae", "rmse", "correlation", "slope", "bias")


def accuracy_cells(accuracy: Accuracy) -> list[str]:
    """An accuracy as cells under `ACCURACY_HEADINGS`; errors need a position, and a line needs two."""
    errors, line = accuracy.positions > 0, accuracy.positions > 1
    return [
        f"{accuracy.positions:,}",
        f"{accuracy.mae:.2f}" if errors else UNKNOWN,
        f"{accuracy.rmse:.2f}" if errors else UNKNOWN,
        f"{accuracy.correlation:.4f}" if line else UNKNOWN,
        f"{accuracy.slope:.3f}" if line else UNKNOWN,
        f"{accuracy.bias:+.2f}" if errors else UNKNOWN,
    ]

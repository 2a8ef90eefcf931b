"""`reluca evaltest`: the evaluation against exact scores."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from reluca import evaltest
from reluca.cli.common import Json, WeightsOption, print_json, quiet, wide_console
from reluca.cli.train import ACCURACY_HEADINGS, UNKNOWN, accuracy_cells
from reluca.engine import Engine
from reluca.evaltest import Row


def command(
    files: Annotated[list[Path], typer.Argument(help="OBF files with scores, or WTHOR files (.wtb).")],
    depth: Annotated[int, typer.Option(min=0, max=60, help="Depth of the search; 0 for the evaluation alone.")] = 0,
    positions: Annotated[int | None, typer.Option(min=1, help="Draw at most so many positions.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="For the draw.")] = 1,
    weights: WeightsOption = None,
    as_json: Json = False,
) -> None:
    """Compare the evaluation, or a search of some depth, with exact scores, by number of empty squares.

    A WTHOR file has one position per game: the one from which the result is known exactly. With --depth and OBF files
    the moves found are judged too; "discs lost" leaves out moves that the file has no score for, and says how many.

    Example: reluca evaltest WTH_*.wtb
    """
    test = evaltest.read(files)
    if positions is not None:
        test = test.sample(positions, seed)
    engine = Engine(weights=weights, threads=1)
    with Progress(console=Console(stderr=True), transient=True, disable=quiet(as_json) or depth == 0) as bar:
        task = bar.add_task("evaltest", total=len(test))
        rows = evaltest.run(test, engine, depth, lambda done: bar.update(task, completed=done))
    if as_json:
        print_json({"depth": depth, "rows": [_to_dict(row) for row in rows]})
    else:
        _print(rows)


def _to_dict(row: Row) -> dict[str, Any]:
    return {
        "empties": row.empties,
        **asdict(row.accuracy),
        "right_moves": row.right_moves,
        "disc_loss": row.disc_loss,
        "unscored_moves": row.unscored_moves,
    }


def _print(rows: list[Row]) -> None:
    table = Table(box=None, pad_edge=False)
    moves = rows[-1].right_moves is not None
    for heading in ("empties", *ACCURACY_HEADINGS, *(("best moves", "discs lost") if moves else ())):
        table.add_column(heading, justify="right")
    for row in rows if len(rows) > 2 else rows[:1]:
        cells = accuracy_cells(row.accuracy)
        if row.right_moves is not None:
            loss = UNKNOWN if row.disc_loss is None else f"{row.disc_loss:.2f}"
            cells += [f"{row.right_moves} ({row.right_moves / row.accuracy.positions:.0%})", loss]
        table.add_row("all" if row.empties is None else str(row.empties), *cells)
    wide_console().print(table)
    if rows[-1].unscored_moves:
        print(f"the file has no score for {rows[-1].unscored_moves} of the moves found; discs lost leaves them out")

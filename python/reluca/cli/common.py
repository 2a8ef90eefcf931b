"""What several verbs share: reading positions, drawing boards, writing JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table
from rich.text import Text

from reluca._engine import Board
from reluca.calibration.files import Calibration, write_json
from reluca.types import Color, Move

Position = Annotated[str, typer.Argument(help="A transcript (f5d6c3), a board of 64 squares, or an OBF line.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads; all cores if not given.")]
WeightsOption = Annotated[
    str | None, typer.Option("--weights", help="A weights file, or hand-made; the bundled weights if not given.")
]
Measured = TypeVar("Measured", bound=Calibration)
Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


def quiet(as_json: bool) -> bool:
    """Whether progress is not to be shown."""
    return as_json or not sys.stderr.isatty()


@contextmanager
def progress(as_json: bool) -> Iterator[Callable[[str, int, int], None]]:
    """A bar that is told what is being done, how much of it is, and of how much."""
    with Progress(console=Console(stderr=True), disable=quiet(as_json)) as bar:
        tasks: dict[str, TaskID] = {}

        def step(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield step


def wide_console() -> Console:
    """Where tables are printed; a file or a pipe gets them without line breaks."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 500
    return console


def print_table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table under its title; the first column is text, the others are numbers."""
    table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="bold")
    for column, name in enumerate(heading):
        table.add_column(name, justify="right" if column else "left")
    for row in rows:
        table.add_row(*row)
    wide_console().print(table)
    print()


def print_json(value: dict[str, Any]) -> None:
    """Prints one JSON document."""
    print(json.dumps(value, indent=2))


def deliver(
    found: Measured,
    out: Path | None,
    report: Path | None,
    write_report: Callable[[Measured, Path], None],
    show: Callable[[Measured], None] | None,
) -> None:
    """Hands over what was measured: into a file, as a report, and on the screen, as JSON if it is not to be shown."""
    if out is not None:
        write_json(found, out)
    if report is not None:
        write_report(found, report)
    if show is None:
        print_json(found.to_dict())
    else:
        show(found)


def print_board(board: Board, console: Console) -> None:
    """Draws a board: in colour on a terminal, in plain characters elsewhere."""
    if console.is_terminal:
        console.print(_coloured(board))
    else:
        console.print(str(board), highlight=False)


def _coloured(board: Board) -> Text:
    text = Text("   a b c d e f g h\n")
    for square in list(Move)[:64]:
        if square.column == 0:
            text.append(f" {square.row + 1} ")
        color = board[square]
        if color is not None:
            text.append("● ", "black on green" if color is Color.BLACK else "bright_white on green")
        elif square in board.legal_moves:
            text.append("· ", "bright_yellow on green")
        else:
            text.append("  ", "on green")
        if square.column == 7:
            text.append("\n")
    text.append(" " + str(board).splitlines()[-1].replace("X", "black").replace("O", "white"))
    return text

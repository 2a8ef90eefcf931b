"""What the verbs that measure share: a bar of progress, tables, and handing over what was found."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from reluca import reports
from reluca.calibration.files import Calibration, require_directory, require_out, write_json
from reluca.cli.common import print_json, quiet, wide_console

Measured = TypeVar("Measured", bound=Calibration)


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


def print_table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Prints a table under its title; the first column is text, the others are numbers."""
    table = Table(box=None, pad_edge=False, title=title, title_justify="left", title_style="bold")
    for column, name in enumerate(heading):
        table.add_column(name, justify="right" if column else "left")
    for row in rows:
        table.add_row(*row)
    wide_console().print(table)
    print()


def require_places(out: Path | None, report: Path | None) -> None:
    """Ends the command before any work if what it finds could not be written."""
    if out is not None:
        require_out(out)
    if report is not None:
        reports.require()
        require_directory(report)


def deliver(
    found: Measured,
    out: Path | None,
    report: Path | None,
    write_report: Callable[[Measured, Path], None] | None,
    show: Callable[[Measured], None] | None,
) -> None:
    """Hands over what was measured: into a file, as a report, and on the screen, as JSON if it is not to be shown."""
    if out is not None:
        write_json(found, out)
    if report is not None and write_report is not None:
        write_report(found, report)
    if show is None:
        print_json(found.to_dict())
    else:
        show(found)

"""What several verbs share: reading positions, drawing boards, writing JSON."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from reluca._engine import Board
from reluca.effort import HIGHEST_LEVEL
from reluca.errors import InvalidArgumentError
from reluca.limits import Clock
from reluca.types import Color, Move

Position = Annotated[str, typer.Argument(help="A transcript (f5d6c3), a board of 64 squares, or an OBF line.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads; all cores if not given.")]
PonderOption = Annotated[bool, typer.Option("--ponder", help="Think on the opponent's time too.")]
WeightsOption = Annotated[
    str | None, typer.Option("--weights", help="A weights file, or hand-made; the bundled weights if not given.")
]
TableMb = Annotated[int, typer.Option("--table-mb", min=1, help="Megabytes of the transposition table.")]
LevelOption = Annotated[
    int | None,
    typer.Option(
        "--level",
        min=1,
        max=HIGHEST_LEVEL,
        help="Search N plies deep, and solve from min(2 N, N + 6) empty squares on.",
    ),
]
DepthOption = Annotated[int | None, typer.Option("--depth", min=1, help="Depth of every search.")]
TimeOption = Annotated[float | None, typer.Option("--time", min=0, help="Seconds for every search.")]
NodesOption = Annotated[int | None, typer.Option("--nodes", min=1, help="Nodes of every search.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for scripts.")]


def quiet(as_json: bool) -> bool:
    """Whether progress is not to be shown."""
    return as_json or not sys.stderr.isatty()


def progress_bar() -> Progress:
    """A bar on standard error, if that is a terminal; standard output is left to what is printed meanwhile."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,
        disable=not sys.stderr.isatty(),
    )


def can_print(text: str, console: Console) -> bool:
    """Whether a console's encoding has these characters."""
    try:
        text.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def wide_console() -> Console:
    """Where tables are printed; a file or a pipe gets them without line breaks."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = 500
    return console


def warn(text: str) -> None:
    """Says on standard error what is odd but stops nothing."""
    print(f"reluca: {text}", file=sys.stderr)


def print_json(value: dict[str, Any]) -> None:
    """Prints one JSON document."""
    print(json.dumps(value, indent=2))


def print_board(board: Board, console: Console) -> None:
    """Draws a board: in colour on a terminal that has it, in plain characters elsewhere."""
    if console.color_system is not None and not console.no_color and can_print("●", console):
        console.print(_coloured(board))
    else:
        console.print(str(board), highlight=False)


def _coloured(board: Board) -> Text:
    last = board.peek() if board.move_stack else None
    text = Text("   a b c d e f g h\n")
    for square in list(Move)[:64]:
        if square.column == 0:
            text.append(f" {square.row + 1} ")
        color = board[square]
        if color is not None:
            disc = "black" if color is Color.BLACK else "bright_white"
            text.append("●", f"{disc} on {'red' if square == last else 'green'}")
            text.append(" ", "on green")
        elif square in board.legal_moves:
            text.append("· ", "bright_yellow on green")
        else:
            text.append("  ", "on green")
        if square.column == 7:
            text.append("\n")
    text.append(" " + str(board).splitlines()[-1].replace("X", "black").replace("O", "white"))
    return text


def parse_clock(text: str | None) -> Clock | None:
    """Reads a clock like `300`, `300+2` (increment) or `300/5` (byoyomi)."""
    if text is None:
        return None
    try:
        if "/" in text:
            main, byoyomi = text.split("/")
            return Clock(main=float(main), byoyomi=float(byoyomi))
        main, _, increment = text.partition("+")
        return Clock(main=float(main), increment=float(increment or 0))
    except ValueError as error:
        raise InvalidArgumentError(f"{text!r} is not a clock like 60, 60+1 or 60/5: {error}") from None

"""The `reluca` command: one module per verb.

Bad input ends with exit code 2 and one line on standard error that says what was wrong.
"""

from __future__ import annotations

import io
import re
import sys
from typing import Annotated, NoReturn

import typer

from reluca._engine import active_tier, version
from reluca.cli import (
    analyze,
    bench,
    calibrate,
    evaltest,
    gtp,
    match,
    nboard,
    perft,
    play,
    selfplay,
    show,
    solve,
    train,
    weights,
)
from reluca.errors import RelucaError

BAD_INPUT = 2
INTERRUPTED = 130

app = typer.Typer(
    name="reluca",
    help="Othello: analyse, solve and play with the Reluca engine.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("show")(show.command)
app.command("analyze")(analyze.command)
app.command("solve")(solve.command)
app.command("play")(play.command)
app.command("match")(match.command)
app.command("gtp")(gtp.command)
app.command("nboard")(nboard.command)
app.command("selfplay")(selfplay.command)
app.command("train")(train.command)
app.command("evaltest")(evaltest.command)
app.command("perft")(perft.command)
app.command("bench")(bench.command)
app.add_typer(calibrate.app, name="calibrate")
app.add_typer(weights.app, name="weights")


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"reluca {version()} ({active_tier()})")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


def main() -> NoReturn:
    """Runs the command line and ends the process."""
    for stream in (sys.stdout, sys.stderr):
        # A character that the encoding lacks is not worth a crash.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Runs the command line and returns its exit code."""
    try:
        return app([_shield_board(argument) for argument in arguments], standalone_mode=False) or 0
    except (RelucaError, ValueError, OSError, MemoryError) as error:
        return _complain(_message(error))
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        # What the parser of the command line raises differs in class from version to version, not in manner.
        if not hasattr(error, "format_message"):
            raise
        message = str(error.format_message())
        # Without a verb the help was printed, and nothing is wrong.
        return _complain(message) if message else 0


def _shield_board(argument: str) -> str:
    """Keeps a board that begins with an empty square from being taken for an option."""
    rest = argument.lstrip("-")
    dashes = len(argument) - len(rest)
    return "." * dashes + rest if dashes > 2 or re.match(r"-{1,2}[-XOxoBbWw*#●○·_.012\s]{30}", argument) else argument


def _message(error: Exception) -> str:
    """What is wrong; of a file without the number of the system's error."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error)


def _complain(message: str) -> int:
    print(f"reluca: {' '.join(message.split())}", file=sys.stderr)
    return BAD_INPUT

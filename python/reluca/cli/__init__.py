"""The `reluca` command: one module per verb.

Bad input ends with exit code 2 and one line on standard error that says what was wrong.
"""

from __future__ import annotations

import importlib
import io
import re
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from reluca._engine import active_tier, version
from reluca.errors import RelucaError

BAD_INPUT = 2
INTERRUPTED = 130

VERBS = (
    "show",
    "analyze",
    "solve",
    "play",
    "match",
    "gtp",
    "nboard",
    "selfplay",
    "train",
    "evaltest",
    "perft",
    "bench",
    "calibrate",
    "weights",
)
"""Each is a module of this package, with a `command` or an `app` of several."""


class _Verbs(TyperGroup):
    """The verbs, each imported when it is asked for: a program that plays should not wait for what plots."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f"reluca.cli.{cmd_name}")
        verb = getattr(module, "app", None)
        if verb is None:
            verb = typer.Typer(rich_markup_mode="rich", add_completion=False)
            verb.command(cmd_name)(module.command)
        command = typer.main.get_command(verb)
        command.name = cmd_name
        return command


app = typer.Typer(
    name="reluca",
    help="Othello: analyse, solve and play with the Reluca engine.",
    cls=_Verbs,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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

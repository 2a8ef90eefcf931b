"""`reluca nboard`: the engine for the NBoard program."""

from __future__ import annotations

import contextlib
import sys

from reluca.cli.common import LevelOption, PonderOption, TableMb, Threads, WeightsOption
from reluca.effort import Effort
from reluca.engine import Engine
from reluca.protocols.lines import standard_input
from reluca.protocols.nboard import DEFAULT_EFFORT, NBoardEngine


def command(
    level: LevelOption = None,
    table_mb: TableMb = 128,
    threads: Threads = None,
    weights: WeightsOption = None,
    ponder: PonderOption = False,
) -> None:
    """Speak the NBoard protocol, version 2, on standard input and output.

    It plays at the level that `set depth` gives (12 before that), within the time that the game leaves it.

    Example: reluca nboard --table-mb 256
    """
    effort = DEFAULT_EFFORT if level is None else Effort(level=level)
    nboard = NBoardEngine(Engine(table_mb=table_mb, weights=weights, threads=threads), effort, ponder=ponder)
    # A program that goes away needs no answer.
    with contextlib.suppress(BrokenPipeError):
        nboard.serve(standard_input(), sys.stdout)

"""`reluca gtp`: the engine for programs that speak GTP."""

from __future__ import annotations

import contextlib
import sys

from reluca.cli.common import DepthOption, LevelOption, PonderOption, TableMb, Threads, TimeOption, WeightsOption
from reluca.effort import Effort
from reluca.engine import Engine
from reluca.protocols.gtp import GtpEngine
from reluca.protocols.lines import standard_input


def command(
    level: LevelOption = None,
    depth: DepthOption = None,
    time: TimeOption = None,
    table_mb: TableMb = 128,
    threads: Threads = None,
    weights: WeightsOption = None,
    ponder: PonderOption = False,
) -> None:
    """Speak GTP version 2 on standard input and output.

    Without options it plays at level 10, or by the clock that time_settings gives; options hold beside a clock.

    Example: reluca gtp --time 1
    """
    effort = Effort(level=level, depth=depth, time=time)
    engine = Engine(table_mb=table_mb, weights=weights, threads=threads)
    gtp = GtpEngine(engine, None if effort.is_unlimited else effort, ponder=ponder)
    # A program that goes away needs no answer.
    with contextlib.suppress(BrokenPipeError):
        gtp.serve(standard_input(), sys.stdout)

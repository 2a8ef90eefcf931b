"""`reluca bench`: what the search does on fixed positions, and what each feature of it is worth."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from reluca._engine import Board, active_tier, bench_games, version
from reluca.cli.common import Json, print_json
from reluca.engine import Engine
from reluca.limits import Limit
from reluca.options import SearchOptions
from reluca.results import SearchResult

PLAIN = SearchOptions(use_transposition_table=True)
MPC = replace(
    PLAIN,
    use_multi_prob_cut=True,
    mpc_table="calibrated",
    mpc_full_window=False,
    mpc_max_pairs=1,
    mpc_static_test=True,
    mpc_nesting=1,
)
ASPIRATION = {
    "legacy window": replace(PLAIN, use_aspiration_window=True),
    "stage table": replace(PLAIN, use_aspiration_window=True, aspiration_use_stage_table=True),
    "calibrated": replace(
        PLAIN,
        use_aspiration_window=True,
        aspiration_use_stage_table=True,
        aspiration_table="calibrated",
        aspiration_same_parity=True,
    ),
}
OFF = replace(
    PLAIN,
    aspiration_delta=7,
    aspiration_use_stage_table=True,
    mpc_full_window=False,
    mpc_nesting=1,
    move_count_max_depth=9,
)
"""The plain search with other parameters for everything that is off."""


@dataclass(frozen=True)
class Runs:
    """The searches of one set of options over all positions, each with an empty table."""

    results: list[SearchResult]

    @property
    def nodes(self) -> int:
        return sum(result.nodes for result in self.results)

    @property
    def seconds(self) -> float:
        return sum(result.time for result in self.results)

    @property
    def nps(self) -> float:
        return self.nodes / self.seconds

    @property
    def depths(self) -> list[int]:
        return [result.depth for result in self.results]

    def rate(self, counter: str) -> float:
        """A count per iteration that has a window."""
        iterations = sum(max(len(result.iterations) - 1, 0) for result in self.results)
        return sum(int(getattr(result.counters, counter)) for result in self.results) / max(iterations, 1)

    @property
    def first_move_cutoff_rate(self) -> float:
        cutoffs = sum(result.counters.cutoffs for result in self.results)
        return sum(result.counters.first_move_cutoffs for result in self.results) / max(cutoffs, 1)


def command(
    depth: Annotated[int, typer.Option(min=1, max=20, help="Depth where nodes are compared.")] = 10,
    time: Annotated[float, typer.Option(min=0.01, help="Seconds per position where depth is compared.")] = 1.0,
    signature_only: Annotated[bool, typer.Option("--signature", help="Print the node-count signature alone.")] = False,
    as_json: Json = False,
) -> None:
    """Search fixed positions of every phase: signature, speed, and what each feature is worth.

    The signature is the number of nodes to depth 8 with the strongest options; it changes exactly when the search does.
    """
    positions = [Board.from_moves(game) for game in bench_games()]
    with _progress(as_json, len(positions) * (2 if signature_only else 12)) as step:

        def run(options: SearchOptions, limit: Limit) -> Runs:
            engine = Engine(options, threads=1)
            results = []
            for board in positions:
                engine.new_game()
                results.append(engine.search(board, limit))
                step()
            return Runs(results)

        report = _signature(run)
        if not signature_only:
            report |= _speed(run, time) | _mpc(run, depth, time) | _aspiration(run, depth) | _off(run)
    if as_json:
        print_json({"version": version(), "tier": active_tier(), "depth": depth, "time": time, **report})
    else:
        _print(report, depth, time)


Run = Callable[[SearchOptions, Limit], Runs]


def _signature(run: Run) -> dict[str, Any]:
    runs = run(SearchOptions.strongest(), Limit(depth=8))
    plain = run(PLAIN, Limit(depth=8))
    return {
        "signature": runs.nodes,
        "nps": runs.nps,
        "first_move_cutoff_rate": plain.first_move_cutoff_rate,
        "first_move_cutoff_rate_strongest": runs.first_move_cutoff_rate,
    }


def _speed(run: Run, time: float) -> dict[str, Any]:
    return {"depth_in_time": run(SearchOptions.strongest(), Limit(time=time)).depths}


def _mpc(run: Run, depth: int, time: float) -> dict[str, Any]:
    off, on = run(PLAIN, Limit(depth=depth)), run(MPC, Limit(depth=depth))
    timed_off, timed_on = run(PLAIN, Limit(time=time)), run(MPC, Limit(time=time))
    return {
        "full_window_nodes": off.nodes,
        "mpc_nodes": on.nodes,
        "mpc_saved": 1 - on.nodes / off.nodes,
        "mpc_cuts": sum(result.counters.mpc_cuts for result in on.results),
        "mpc_depth_gain": statistics.mean(timed_on.depths) - statistics.mean(timed_off.depths),
    }


def _aspiration(run: Run, depth: int) -> dict[str, Any]:
    runs = {name: run(options, Limit(depth=depth)) for name, options in ASPIRATION.items()}
    return {
        "aspiration": {
            name: {
                "nodes": result.nodes,
                "retry_rate": result.rate("aspiration_retries"),
                "fallback_rate": result.rate("aspiration_fallbacks"),
            }
            for name, result in runs.items()
        }
    }


def _off(run: Run) -> dict[str, Any]:
    plain, off = run(PLAIN, Limit(depth=7)), run(OFF, Limit(depth=7))
    same = [a.counters == b.counters for a, b in zip(plain.results, off.results, strict=True)]
    return {"off_is_off": all(same)}


def _print(report: dict[str, Any], depth: int, time: float) -> None:
    console = Console(highlight=False)
    console.print(f"signature {report['signature']:,} nodes, {report['nps'] / 1e6:.2f} M nodes/s, tier {active_tier()}")
    console.print(
        f"first-move cutoffs {report['first_move_cutoff_rate']:.1%} of the plain search to depth 8, "
        f"{report['first_move_cutoff_rate_strongest']:.1%} of the strongest, which has cut what was easy"
    )
    if "mpc_nodes" not in report:
        return
    console.print(f"depth in {time:g} s: {' '.join(map(str, report['depth_in_time']))}")
    console.print(
        f"Multi-ProbCut at depth {depth}: {report['mpc_nodes']:,} nodes against {report['full_window_nodes']:,}, "
        f"{report['mpc_saved']:.0%} saved, {report['mpc_cuts']:,} cuts; "
        f"{report['mpc_depth_gain']:+.1f} plies in {time:g} s"
    )
    for name, window in report["aspiration"].items():
        console.print(
            f"aspiration, {name}, at depth {depth}: {window['nodes'] / report['full_window_nodes']:.1%} of the full "
            f"window's nodes, retries {window['retry_rate']:.0%}, fallbacks {window['fallback_rate']:.1%}"
        )
    console.print(f"features off are node for node the plain search: {'yes' if report['off_is_off'] else 'NO'}")


@contextmanager
def _progress(quiet: bool, steps: int) -> Iterator[Callable[[], None]]:
    with Progress(console=Console(stderr=True), transient=True, disable=quiet or not sys.stderr.isatty()) as progress:
        task = progress.add_task("bench", total=steps)
        yield lambda: progress.advance(task)

"""`reluca analyze`: the best moves of a position while it thinks, or every move of a game."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.live import Live

from reluca import games, graph
from reluca._engine import Board
from reluca.cli.common import (
    DepthOption,
    Json,
    LevelOption,
    NodesOption,
    TableMb,
    Threads,
    TimeOption,
    WeightsOption,
    print_board,
    progress_bar,
    warn,
    wide_console,
)
from reluca.cli.views import iteration_lines, iteration_view, print_review, reviews_table, searches_table
from reluca.effort import Effort
from reluca.engine import Engine
from reluca.errors import InvalidArgumentError, NotationError
from reluca.games import Entry
from reluca.reading import parse_board
from reluca.results import SearchResult
from reluca.review import DEFAULT_EFFORT, GameReview, review_game
from reluca.session import Ending
from reluca.types import BLACK

SECONDS = 5.0
"""What a single position gets if no limit is given."""
_FILES = (".wtb", ".ggf", ".obf", ".txt")
_Named = tuple[str, SearchResult | GameReview]


def command(
    positions: Annotated[
        list[str],
        typer.Argument(
            help="Transcripts, boards, OBF lines, or files: a position a line, OBF, GGF, WTHOR (.wtb); - is the input."
        ),
    ],
    game: Annotated[bool, typer.Option("--game", help="Review every move; GGF and WTHOR files always are.")] = False,
    multipv: Annotated[int, typer.Option(min=1, help="How many best moves.")] = 1,
    level: LevelOption = None,
    depth: DepthOption = None,
    time: TimeOption = None,
    nodes: NodesOption = None,
    exact: Annotated[bool, typer.Option("--exact", help="Read to the end of the game.")] = False,
    graph_file: Annotated[
        Path | None, typer.Option("--graph", help="Draw the score of a reviewed game to this file (.svg or .png).")
    ] = None,
    table_mb: TableMb = 128,
    threads: Threads = None,
    weights: WeightsOption = None,
    as_json: Json = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print CSV: a row per position, or per move of a game.")
    ] = False,
) -> None:
    """Analyse positions or games.

    Without a limit a single position is searched for 5 seconds, and every position of a game or a file at level 12.
    Scores are discs for the side to move; Ctrl-C ends an analysis with what it has.

    Examples: reluca analyze f5d6c3 --multipv 3; reluca analyze --game f5d6c3d3c4f4 --graph game.svg;
    reluca analyze games.wtb --level 8 --csv > games.csv
    """
    if as_json and as_csv:
        raise InvalidArgumentError("--json and --csv exclude each other")
    entries = [entry for text in positions for entry in _read(text, game)]
    kinds = {entry.is_game for entry in entries}
    if as_csv and len(kinds) > 1:
        raise InvalidArgumentError("positions and games do not fit into one CSV: add --game or give them one by one")
    if graph_file is not None:
        if len(entries) > 1 or not entries[0].is_game:
            raise InvalidArgumentError("--graph draws one reviewed game: give one game, with --game")
        graph.check(graph_file)
    watched = len(entries) == 1 and kinds == {False}
    effort = Effort(level=level, depth=depth, time=time, nodes=nodes, exact=exact)
    if effort.is_unlimited:
        effort = Effort(time=SECONDS) if watched else DEFAULT_EFFORT
    engine = Engine(table_mb=table_mb, weights=weights, threads=threads)
    if watched and not as_json and not as_csv:
        _watch(entries[0], engine, effort, multipv)
        return
    results = _run(entries, engine, effort, multipv, graph_file)
    if as_csv:
        _write_csv(results)
        return
    finished: list[_Named] = []
    try:
        finished.extend(results)
    finally:
        # Ctrl-C leaves what is finished.
        if as_json:
            print(json.dumps([{"name": name, **result.to_dict()} for name, result in finished], indent=2))
        else:
            _print(finished)


def _read(text: str, game: bool) -> list[Entry]:
    name = Path(text) if len(text) < 256 else None
    if text == "-":
        entries = games.read_text(sys.stdin.read(), "standard input", warn)
    elif name is not None and (name.suffix.lower() in _FILES or name.is_file()):
        entries = games.read(name, warn)
    else:
        entries = [Entry(text if len(text) <= 40 else f"{text[:39]}…", _position(text))]
    marked = [Entry(entry.name, entry.board, entry.is_game or game) for entry in entries]
    for entry in marked:
        if entry.is_game and not entry.board.move_stack:
            raise InvalidArgumentError(f"{entry.name}: there is no move to review")
    return marked


def _position(text: str) -> Board:
    try:
        return parse_board(text)
    except NotationError as error:
        # Only a name has a dot or a slash in it: or a board, of which the error tells.
        if not re.search(r"[./\\]", text):
            raise
        raise NotationError(f"{text} is neither a position nor a file: {error}") from None


def _watch(entry: Entry, engine: Engine, effort: Effort, multipv: int) -> None:
    """Shows an analysis while it goes on: a table on a terminal, a line per iteration elsewhere."""
    console = wide_console()
    print_board(entry.board, console)
    interrupted = False
    with ExitStack() as stack:
        analysis = stack.enter_context(engine.analysis(entry.board, effort.limit(entry.board), multipv=multipv))
        live = stack.enter_context(Live(console=console)) if console.is_terminal else None
        try:
            for iteration in analysis:
                if live is None:
                    print(*iteration_lines(iteration), sep="\n", flush=True)
                else:
                    live.update(iteration_view(iteration))
        except KeyboardInterrupt:
            interrupted = True
            analysis.stop()
        result = analysis.wait()
        if live is not None:
            live.update(iteration_view(result))
    console.print(_verdict(result, entry.board))
    if interrupted:
        raise KeyboardInterrupt


def _verdict(result: SearchResult, board: Board) -> str:
    if result.best_move is None:
        advice = "; --game reviews its moves" if board.move_stack else ""
        return f"the game is over: {Ending('played', board.score(BLACK))}{advice}"
    how = "exact" if result.exact else f"depth {result.depth}"
    return f"best: {result.best_move} {result.score}, {how}, {result.nodes:,} nodes in {result.time:.2f} s"


def _run(
    entries: list[Entry], engine: Engine, effort: Effort, multipv: int, graph_file: Path | None
) -> Iterator[_Named]:
    """Analyses one entry after the other; progress counts positions."""
    with progress_bar() as bar:
        total = sum(len(entry.board.move_stack) + 1 if entry.is_game else 1 for entry in entries)
        task = bar.add_task("analyze", total=total)
        for entry in entries:
            bar.update(task, description=entry.name)
            engine.new_game()
            if entry.is_game:
                review = review_game(entry.board, effort, engine=engine, on_move=lambda *_: bar.advance(task))
                if graph_file is not None:
                    graph.save(review, graph_file)
                yield entry.name, review
            else:
                yield entry.name, engine.search(entry.board, effort.limit(entry.board), multipv=multipv)
                bar.advance(task)


def _write_csv(results: Iterable[_Named]) -> None:
    """Prints the rows of every entry as soon as it is done."""
    writer: csv.DictWriter[str] | None = None
    for name, result in results:
        rows = result.rows() if isinstance(result, GameReview) else [_position_row(result)]
        for row in rows:
            named: dict[str, Any] = {"name": name, **row}
            if writer is None:
                writer = csv.DictWriter(sys.stdout, list(named), lineterminator="\n")
                writer.writeheader()
            writer.writerow(named)
        sys.stdout.flush()


def _position_row(result: SearchResult) -> dict[str, Any]:
    assert result.board is not None
    return {
        "board": result.board.to_string(),
        "best_move": "" if result.best_move is None else str(result.best_move),
        "score": result.score.discs,
        "exact": result.exact,
        "depth": result.depth,
        "nodes": result.nodes,
        "time": result.time,
        "pv": "".join(map(str, result.pv)),
    }


def _print(results: list[_Named]) -> None:
    console = wide_console()
    reviews = [(name, result) for name, result in results if isinstance(result, GameReview)]
    searches = [(name, result) for name, result in results if isinstance(result, SearchResult)]
    if searches:
        console.print(searches_table(searches))
    if len(reviews) == 1:
        print_review(reviews[0][1], console)
    elif reviews:
        console.print(reviews_table(reviews))

"""How analyses and reviews look on a terminal and in plain text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from reluca import graph
from reluca.cli.common import can_print
from reluca.results import Iteration, SearchResult
from reluca.review import GameReview, MoveReview
from reluca.types import BLACK, Color, Move

_STYLES = {"": "", "?": "yellow", "??": "bold red"}


def _play(moves: Sequence[Move]) -> str:
    return " ".join(map(str, moves))


def _table(*headings: str, last: str = "") -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    if last:
        table.add_column(last, no_wrap=True, overflow="ellipsis")
    return table


def iteration_lines(iteration: Iteration) -> list[str]:
    """An iteration in plain text, a line per move."""
    used = f"{iteration.total_nodes:>13,} nodes {iteration.total_time:8.2f} s"
    return [f"depth {iteration.depth:2} {line.score!s:>7} {used}  {_play(line.pv)}" for line in iteration.lines]


def iteration_view(found: Iteration | SearchResult) -> Group:
    """The best moves so far, to be shown while a search goes on."""
    nodes, seconds = (
        (found.nodes, found.time) if isinstance(found, SearchResult) else (found.total_nodes, found.total_time)
    )
    exact = isinstance(found, SearchResult) and found.exact
    head = f"{'exact' if exact else f'depth {found.depth}'}   {nodes:,} nodes   {seconds:.1f} s"
    table = _table("move", "score", last="expected play")
    for rank, line in enumerate(found.lines):
        style = "bold" if rank == 0 else ""
        table.add_row("-" if line.move is None else str(line.move), str(line.score), _play(line.pv), style=style)
    return Group(Text(head, "cyan"), table)


def searches_table(results: Iterable[tuple[str, SearchResult]]) -> Table:
    """A row per position and per best move."""
    table = _table("position", "empties", "move", "score", "depth", "nodes", "seconds", last="expected play")
    for name, result in results:
        assert result.board is not None
        depth = "exact" if result.exact else str(result.depth)
        for rank, line in enumerate(result.lines):
            first = rank == 0
            table.add_row(
                name if first else "",
                str(result.board.empties) if first else "",
                "-" if line.move is None else str(line.move),
                str(line.score),
                depth,
                f"{result.nodes:,}" if first else "",
                f"{result.time:.3f}" if first else "",
                _play(line.pv),
            )
    return table


def reviews_table(reviews: Iterable[tuple[str, GameReview]]) -> Table:
    """A row per game: black's score, and the accuracy and the errors of both sides."""
    table = _table("score", "black", "errors", "white", "errors", last="game")
    for name, review in reviews:
        sides = [text for color in Color for text in (_accuracy(review, color), _errors(review, color))]
        table.add_row(f"{review.final.discs:+g}", *sides, name)
    return table


def _accuracy(review: GameReview, color: Color) -> str:
    accuracy = review.accuracy(color)
    return "-" if accuracy is None else f"{accuracy:.1f} %"


def _errors(review: GameReview, color: Color) -> str:
    marks = [move.mark for move in review.of(color) if move.mark]
    return " ".join(f"{marks.count(mark)}×{mark}" for mark in ("?", "??") if mark in marks) or "-"


def print_review(review: GameReview, console: Console) -> None:
    """Prints every move, the graph, what went wrong, and how well both sides played."""
    table = _table("#", "side", "move", "black", "loss", last="better")
    for move in review.moves:
        score = move.score.discs if move.color is BLACK else -move.score.discs
        value = f"{score:+.0f}" if move.exact else f"{score:+.2f}"
        better = _play(move.pv[:8]) if move.move is not move.best_move else ""
        table.add_row(
            str(move.number),
            str(move.color),
            f"{move.move}{move.mark}",
            value,
            f"{move.loss:.1f}" if move.loss >= 0.05 else "",
            better if move.loss >= 0.05 else "",
            style=_STYLES[move.mark],
        )
    console.print(table)
    console.print()
    for line in graph.text(review, blocks=can_print(graph.BLOCKS, console)):
        console.print(Text(line))
    console.print()
    for move in review.errors:
        console.print(Text(_blame(move), _STYLES[move.mark]))
    if review.errors:
        console.print()
    console.print(_result(review))
    for color in Color:
        loss = f"{review.loss(color):.1f} discs lost"
        console.print(f"{color}: accuracy {_accuracy(review, color)}, {loss}, {_errors(review, color)}")


def _blame(move: MoveReview) -> str:
    better = f"{move.best_move} ({move.best_score}) was better: {_play(move.pv[:8])}"
    return f"{move.number}. {move.color} {move.move}{move.mark} ({move.score}): {better}"


def _result(review: GameReview) -> str:
    if review.board.is_game_over():
        return f"result: {review.final.discs:+.0f} for black"
    return f"not finished; expected: {review.final} for black"

"""The course of a game as a graph: SVG, text for a terminal, or a picture file.

Black's advantage goes up, white's goes down; what lies between the line and zero has the colour of the side ahead.
"""

from __future__ import annotations

import os
from html import escape
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

from reluca.errors import InvalidArgumentError
from reluca.types import Color

if TYPE_CHECKING:
    from reluca.review import GameReview, MoveReview

BLOCKS = "█▄▀"
"""A whole character, its lower and its upper half."""
WIDTH, HEIGHT = 760, 300
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 16, 34, 34
_STEPS = (2, 4, 8, 16, 32)
COLORS = {
    "paper": "#f4f1e8",
    "plot": "#d5cfbf",
    "grid": "#bdb6a4",
    "text": "#4a463c",
    "line": "#b0632a",
    "black": "#23292e",
    "white": "#ffffff",
    "?": "#e0912f",
    "??": "#d9483b",
}


def reach(review: GameReview) -> tuple[int, int]:
    """The highest value of the axis in discs, and the step of its lines."""
    most = max(8.0, *map(abs, review.scores))
    step = next((step for step in _STEPS if most / step <= 4), _STEPS[-1])
    return ceil(most / step) * step, step


def title(review: GameReview) -> str:
    """A line that says how the game stands and how well it was played."""
    over = review.board.is_game_over()
    value = f"black {review.final.discs:{'+.0f' if over else '+.1f'}}{'' if over else ' expected'}"
    return "   ".join([value, *(_side(review, color) for color in Color)])


def _side(review: GameReview, color: Color) -> str:
    accuracy = review.accuracy(color)
    return f"{color} {'–' if accuracy is None else f'{accuracy:.1f} % accurate'}"


def note(move: MoveReview) -> str:
    """What is said of a move where it is pointed at."""
    return str(move) if move.mark else f"{move.number}. {move.color} {move.move} {move.score}"


def svg(review: GameReview) -> str:
    """Draws the graph; mistakes and blunders are dots that say what should have been played."""
    scores = review.scores
    top, step = reach(review)
    last = max(len(scores) - 1, 1)
    inner = HEIGHT - _TOP - _BOTTOM

    def x(number: float) -> float:
        return round(_LEFT + number / last * (WIDTH - _LEFT - _RIGHT), 1)

    def y(discs: float) -> float:
        return round(_TOP + (0.5 - discs / top / 2) * inner, 1)

    line = "L".join(f"{x(number)} {y(score)}" for number, score in enumerate(scores))
    area = f"M{x(0)} {y(0)}L{line}L{x(len(scores) - 1)} {y(0)}Z"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" rx="6" fill="{COLORS["paper"]}"/>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{WIDTH - _LEFT - _RIGHT}" height="{inner}" fill="{COLORS["plot"]}"/>',
        f'<text x="{_LEFT}" y="{_TOP - 13}" font-size="14" xml:space="preserve" fill="{COLORS["text"]}">'
        f"{escape(title(review))}</text>",
    ]
    for discs in range(-top, top + 1, step):
        parts.append(_label(_LEFT - 8, y(discs) + 4, "end", f"{discs:+d}" if discs else "0"))
    for number in range(0, len(scores), 10 if last > 14 else 2):
        parts.append(_label(x(number), HEIGHT - _BOTTOM + 18, "middle", str(number)))
    low, high = x(0), WIDTH - _RIGHT
    for color, start, end in (("black", _TOP, y(0)), ("white", y(0), HEIGHT - _BOTTOM)):
        clip = f"M{low} {start}H{high}V{end}H{low}Z"
        parts.append(f'<clipPath id="{color}"><path d="{clip}"/></clipPath>')
        parts.append(f'<path d="{area}" fill="{COLORS[color]}" clip-path="url(#{color})"/>')
    grid = "".join(f"M{low} {y(discs)}H{high}" for discs in range(-top, top + 1, step))
    parts.append(f'<path d="{grid}" stroke="{COLORS["grid"]}" stroke-opacity="0.55" fill="none"/>')
    parts.append(f'<path d="M{low} {y(0)}H{high}" stroke="{COLORS["text"]}" fill="none"/>')
    parts.append(f'<path d="M{line}" stroke="{COLORS["line"]}" stroke-width="2" stroke-linejoin="round" fill="none"/>')
    for move in review.moves:
        place = f'cx="{x(move.number)}" cy="{y(scores[move.number])}"'
        style = f'r="4.5" fill="{COLORS[move.mark]}" stroke="#fff"' if move.mark else 'r="6" fill-opacity="0"'
        parts.append(f"<circle {place} {style}><title>{escape(note(move))}</title></circle>")
    return "".join([*parts, "</svg>"])


def _label(x: float, y: float, anchor: str, content: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" fill="{COLORS["text"]}">{content}</text>'


def text(review: GameReview, height: int = 12, *, blocks: bool = True) -> list[str]:
    """The graph in characters, a column per position; below it a mistake has one question mark, a blunder two.

    Bars grow from zero; half a character is the smallest step. Without `blocks` all characters are ASCII.
    """
    full, lower, upper = tuple(BLOCKS if blocks else "#.'")
    scores = review.scores
    top, _ = reach(review)
    rows = max(height // 2, 1)
    half = [round(score / top * rows * 2) for score in scores]
    lines = []
    for row in range(rows, -rows, -1):
        bars = "".join(_cell(value, row, full, lower if row >= 1 else upper) for value in half)
        discs = top if row == rows else -top if row == 1 - rows else 0 if row == 0 else None
        lines.append(f"{'' if discs is None else f'{discs:+d}' if discs else '0':>4} {bars}")
    for marked in (("?", "??"), ("??",)):
        numbers = {move.number for move in review.errors if move.mark in marked}
        lines.append((" " * 5 + "".join("?" if number in numbers else " " for number in range(len(scores)))).rstrip())
    return lines


def _cell(value: int, row: int, full: str, half: str) -> str:
    """A character of a bar that reaches `value` half characters; row 1 is the first above zero, row 0 below it."""
    filled = value - 2 * (row - 1) if row >= 1 else -value + 2 * row
    return full if filled >= 2 else half if filled == 1 else " "


def check(path: str | os.PathLike[str]) -> None:
    """Raises if a graph cannot be written to such a file."""
    suffix = Path(path).suffix.lower()
    if suffix == ".png":
        from reluca.plots import require

        require()
    elif suffix != ".svg":
        raise InvalidArgumentError(f"{os.fspath(path)}: a graph is a .svg or a .png file")
    if not Path(path).parent.is_dir():
        raise FileNotFoundError(f"{os.fspath(path)}: there is no such directory")


def save(review: GameReview, path: str | os.PathLike[str]) -> None:
    """Writes the graph to a file: `.svg` needs nothing else, `.png` needs matplotlib."""
    check(path)
    if Path(path).suffix.lower() == ".svg":
        Path(path).write_text(svg(review), encoding="utf-8")
        return
    from reluca.plots import score_graph

    score_graph(review, path)

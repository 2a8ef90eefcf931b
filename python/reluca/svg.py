"""Boards as SVG pictures."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from reluca._engine import Board
from reluca.types import Color, Move

_SQUARE = 45
_MARGIN = 22
_SIDE = 8 * _SQUARE + 2 * _MARGIN
_FELT = "#2e7d4f"
_LINES = "#1c5233"
_FRAME = "#23292e"
_DISCS = {Color.BLACK: ("#16191c", "#4a4f55"), Color.WHITE: ("#f7f7f2", "#c9c9bf")}


def render(board: Board, *, size: int = 400, labels: Mapping[Move, str] | None = None, show_legal: bool = True) -> str:
    """Draws a board: discs, a ring on the last move, dots on legal moves, or `labels` (such as scores) on squares.

    >>> import reluca
    >>> render(reluca.Board()).count("<circle")
    8
    """
    labels = labels or {}
    last = board.peek() if board.move_stack else None
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 {_SIDE} {_SIDE}" '
        f'font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{escape(board.to_string())}</title>",
        f'<rect width="{_SIDE}" height="{_SIDE}" rx="6" fill="{_FRAME}"/>',
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{8 * _SQUARE}" height="{8 * _SQUARE}" fill="{_FELT}"/>',
        _grid(),
        *(_coordinates(index) for index in range(8)),
    ]
    for square in list(Move)[:64]:
        x = _MARGIN + (square.column + 0.5) * _SQUARE
        y = _MARGIN + (square.row + 0.5) * _SQUARE
        color = board[square]
        if color is not None:
            fill, rim = _DISCS[color]
            parts.append(f'<circle cx="{x}" cy="{y}" r="18" fill="{fill}" stroke="{rim}" stroke-width="1.5"/>')
            if square == last:
                parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#d9483b"/>')
        elif square in labels:
            parts.append(f'<text x="{x}" y="{y + 5}" font-size="14" fill="#fff">{escape(labels[square])}</text>')
        elif show_legal and square in board.legal_moves:
            fill = _DISCS[board.turn][0]
            parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}" fill-opacity="0.55"/>')
    return "".join([*parts, "</svg>"])


def _grid() -> str:
    low, high = _MARGIN, _MARGIN + 8 * _SQUARE
    at = [_MARGIN + index * _SQUARE for index in range(9)]
    lines = "".join(f"M{low} {y}H{high}M{y} {low}V{high}" for y in at)
    # The four marks where the inner lines cross, as on a real board.
    marks = "".join(f"M{x - 3} {y}a3 3 0 1 0 6 0a3 3 0 1 0 -6 0" for x in (at[2], at[6]) for y in (at[2], at[6]))
    return f'<path d="{lines}" stroke="{_LINES}" fill="none"/><path d="{marks}" fill="{_LINES}"/>'


def _coordinates(index: int) -> str:
    middle = _MARGIN + (index + 0.5) * _SQUARE
    return (
        f'<text x="{middle}" y="{_MARGIN - 7}" font-size="12" fill="#cfd5da">{"abcdefgh"[index]}</text>'
        f'<text x="{_MARGIN / 2}" y="{middle + 4}" font-size="12" fill="#cfd5da">{index + 1}</text>'
    )

"""Boards as SVG pictures."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from reluca._engine import Board
from reluca.types import BLACK, Color, Move

_SQUARE = 45
_MARGIN = 22
_CAPTION = 20
_SIDE = 8 * _SQUARE + 2 * _MARGIN
_FELT = "#2e7d4f"
_LINES = "#1c5233"
_FRAME = "#23292e"
_BEST = "#ffd54a"
_DISCS = {Color.BLACK: ("#16191c", "#4a4f55"), Color.WHITE: ("#f7f7f2", "#c9c9bf")}


def render(
    board: Board,
    *,
    size: int = 400,
    labels: Mapping[Move, str] | None = None,
    show_legal: bool = True,
    highlight: Move | None = None,
    caption: str = "",
) -> str:
    """Draws a board: discs, a ring on the last move, dots on legal moves, or `labels` (such as scores) on squares.

    The square of the move to `highlight` is framed; a `caption` stands below the board.

    >>> import reluca
    >>> render(reluca.Board()).count("<circle")
    8
    """
    labels = labels or {}
    last = board.peek() if board.move_stack else None
    height = _SIDE + (_CAPTION if caption else 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size * height / _SIDE:.0f}" '
        f'viewBox="0 0 {_SIDE} {height}" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">',
        f"<title>{escape(board.to_string())}</title>",
        f'<rect width="{_SIDE}" height="{height}" rx="6" fill="{_FRAME}"/>',
        f'<rect x="{_MARGIN}" y="{_MARGIN}" width="{8 * _SQUARE}" height="{8 * _SQUARE}" fill="{_FELT}"/>',
        _grid(),
        *(_coordinates(index) for index in range(8)),
    ]
    for square in list(Move)[:64]:
        x = _MARGIN + (square.column + 0.5) * _SQUARE
        y = _MARGIN + (square.row + 0.5) * _SQUARE
        color = board[square]
        best = square == highlight
        if best:
            side = _SQUARE - 4
            box = f'x="{x - side / 2}" y="{y - side / 2}" width="{side}" height="{side}" rx="4"'
            parts.append(f'<rect {box} fill="{_BEST}" fill-opacity="0.16" stroke="{_BEST}" stroke-width="2"/>')
        if color is not None:
            fill, rim = _DISCS[color]
            parts.append(f'<circle cx="{x}" cy="{y}" r="18" fill="{fill}" stroke="{rim}" stroke-width="1.5"/>')
            if square == last:
                parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#d9483b"/>')
        elif square in labels:
            style = f'font-weight="bold" fill="{_BEST}"' if best else 'fill="#fff"'
            parts.append(f'<text x="{x}" y="{y + 5}" font-size="14" {style}>{escape(labels[square])}</text>')
        elif show_legal and square in board.legal_moves:
            fill = _DISCS[board.turn][0]
            parts.append(f'<circle cx="{x}" cy="{y}" r="4" fill="{fill}" fill-opacity="0.55"/>')
    if caption:
        parts.append(
            f'<text x="{_SIDE / 2}" y="{_SIDE + _CAPTION - 12}" font-size="14" fill="#cfd5da">{escape(caption)}</text>'
        )
    return "".join([*parts, "</svg>"])


def render_scores(board: Board, scores: Mapping[Move, float], how: str, *, exact: bool = False) -> str:
    """Draws a board with the scores of its moves in discs, the best one framed, and `how` they were found below.

    >>> import reluca
    >>> ">+2.5<" in render_scores(reluca.Board(), {Move.F5: 2.5, Move.D3: -1.0}, "depth 8")
    True
    """
    best = max(scores, key=lambda move: scores[move], default=None)
    labels = {move: _score(score, exact) for move, score in scores.items()}
    if best is None:
        return render(board, caption=f"game over, black {board.score(BLACK):+d}")
    return render(board, labels=labels, highlight=best, caption=f"{board.turn}: {best} {labels[best]}, {how}")


def _score(score: float, exact: bool) -> str:
    return f"{score:+.0f}" if exact else f"{score:+.1f}"


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

"""`reluca show`: what a position is."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from reluca import svg
from reluca.cli.common import Json, Position, print_board, print_json
from reluca.reading import parse_board
from reluca.types import BLACK, WHITE


def command(
    position: Position,
    svg_file: Annotated[Path | None, typer.Option("--svg", help="Also write a picture to this file.")] = None,
    as_json: Json = False,
) -> None:
    """Show a position: the board, whose turn it is and the legal moves.

    Example: reluca show f5d6c3d3c4 --svg board.svg
    """
    board = parse_board(position)
    if svg_file is not None:
        svg_file.write_text(svg.render(board), encoding="utf-8")
    if as_json:
        outcome = board.outcome()
        print_json(
            {
                "board": board.to_string(),
                "moves": [str(move) for move in board.move_stack],
                "turn": str(board.turn),
                "black": board.count(BLACK),
                "white": board.count(WHITE),
                "empties": board.empties,
                "stage": board.stage,
                "legal_moves": [str(move) for move in board.legal_moves],
                "game_over": board.is_game_over(),
                "score_black": outcome.score if outcome else None,
            }
        )
        return
    console = Console(highlight=False)
    print_board(board, console)
    if outcome := board.outcome():
        winner = f"{outcome.winner} wins" if outcome.winner is not None else "draw"
        console.print(f"result: {winner}, {outcome.score:+d} for black")
    else:
        console.print(f"legal moves: {' '.join(map(str, board.legal_moves))}")
    console.print(f"empties {board.empties}, stage {board.stage}")
    console.print(board.to_string(), soft_wrap=True)

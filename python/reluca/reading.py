"""Reads a position in whatever form a user has it."""

from __future__ import annotations

import re

from reluca._engine import Board
from reluca.errors import NotationError


def parse_board(text: str) -> Board:
    """Reads a transcript, a board of 64 squares, or an OBF line.

    >>> parse_board("f5d6c3").turn == parse_board(str(parse_board("f5d6c3").to_string())).turn
    True
    """
    squares = text.split(";")[0]
    if not squares.strip():
        raise NotationError("expected a transcript, a board or an OBF line, found nothing")
    # Only transcripts have both letters and digits: board alphabets use one or the other.
    if re.search("[a-hA-H][1-9]", squares):
        return Board.from_moves(text)
    return Board.from_obf(text) if ";" in text else Board.from_string(text)

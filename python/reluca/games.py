"""Positions and games from files of any kind: transcripts, boards, OBF, GGF, WTHOR."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reluca import ggf, obf, thor
from reluca._engine import Board
from reluca.errors import NotationError
from reluca.reading import parse_board


@dataclass(frozen=True)
class Entry:
    """A position, or a game: the moves on its board."""

    name: str
    """Where it comes from: the file and the line or game."""
    board: Board
    is_game: bool = False
    """Whether its source records games, so that the moves are what matters, not the final position."""


def read(path: str | os.PathLike[str]) -> list[Entry]:
    """Reads all of a file; its ending (`.wtb`, `.ggf`, `.obf`) or its beginning says what it is.

    Any other text has a transcript, a board or an OBF line on every line; `%` begins a comment. An error names the file
    and the line or game.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix == ".wtb":
        entries = _thor(file)
    elif suffix == ".obf":
        entries = (Entry(f"{file.name}, position {n}", p.board) for n, p in enumerate(obf.read(file), 1))
    else:
        text = file.read_text(encoding="utf-8", errors="replace")
        entries = _ggf(file, text) if suffix == ".ggf" or text.lstrip().startswith("(;") else _lines(file, text)
    found = list(entries)
    if not found:
        raise NotationError(f"{os.fspath(path)}: no position in the file")
    return found


def _thor(file: Path) -> Iterator[Entry]:
    games = thor.read(file)
    for number in range(len(games)):
        try:
            yield Entry(f"{file.name}, game {number + 1}", games.board(number), is_game=True)
        except ValueError as error:
            raise type(error)(f"{file}, game {number + 1}: {error}") from None


def _ggf(file: Path, text: str) -> Iterator[Entry]:
    try:
        for number, game in enumerate(ggf.parse_all(text), 1):
            players = " - ".join(game.tags[tag] for tag in ("PB", "PW") if tag in game.tags)
            yield Entry(f"{file.name}, game {number}{players and f' ({players})'}", game.board, is_game=True)
    except ValueError as error:
        raise type(error)(f"{file}, {error}") from None


def _lines(file: Path, text: str) -> Iterator[Entry]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("%")[0].strip()
        if not content:
            continue
        try:
            yield Entry(f"{file.name}, line {number}", parse_board(content))
        except ValueError as error:
            raise type(error)(f"{file}, line {number}: {error}") from None

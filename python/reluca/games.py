"""Positions and games from files of any kind: transcripts, boards, OBF, GGF, WTHOR."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
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


def read(path: str | os.PathLike[str], on_odd_game: Callable[[str], object] | None = None) -> list[Entry]:
    """Reads all of a file; its ending (`.wtb`, `.ggf`, `.obf`) or its beginning says what it is.

    Any other text has a transcript, a board or an OBF line on every line; `%` begins a comment. An error names the file
    and the line or game. With `on_odd_game` a GGF game that cannot be read is left out, and told to it.
    """
    file = Path(path)
    suffix = file.suffix.lower()
    if suffix == ".wtb":
        entries = _thor(file)
    elif suffix == ".obf":
        entries = (Entry(f"{file.name}, position {n}", p.board) for n, p in enumerate(obf.read(file), 1))
    else:
        return read_text(file.read_text(encoding="utf-8", errors="replace"), file, on_odd_game)
    return _some(file, entries)


def read_text(
    text: str, path: str | os.PathLike[str], on_odd_game: Callable[[str], object] | None = None
) -> list[Entry]:
    """Reads the text of a file, or one that is named like a file, as `read` does."""
    file = Path(path)
    if file.suffix.lower() != ".ggf" and not text.lstrip().startswith("(;"):
        return _some(file, _lines(file, text))
    odd: list[ValueError] = []
    entries = list(_ggf(file, text, odd))
    if odd and (on_odd_game is None or not entries):
        raise odd[0]
    for error in odd:
        assert on_odd_game is not None
        on_odd_game(str(error))
    return _some(file, entries)


def _some(file: Path, entries: Iterable[Entry]) -> list[Entry]:
    found = list(entries)
    if not found:
        raise NotationError(f"{file}: no position in the file")
    return found


def _thor(file: Path) -> Iterator[Entry]:
    games = thor.read(file)
    for number in range(len(games)):
        try:
            yield Entry(f"{file.name}, game {number + 1}", games.board(number), is_game=True)
        except ValueError as error:
            raise type(error)(f"{file}, game {number + 1}: {error}") from None


def _ggf(file: Path, text: str, odd: list[ValueError]) -> Iterator[Entry]:
    """The games that can be read; what is wrong with the others is added to `odd`."""
    for number, part in enumerate(ggf.split(text), 1):
        try:
            game = ggf.parse(part)
        except ValueError as error:
            odd.append(type(error)(f"{file}, game {number}: {error}"))
            continue
        players = " - ".join(game.tags[tag] for tag in ("PB", "PW") if tag in game.tags)
        yield Entry(f"{file.name}, game {number}{players and f' ({players})'}", game.board, is_game=True)


def _lines(file: Path, text: str) -> Iterator[Entry]:
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("%")[0].strip()
        if not content:
            continue
        try:
            yield Entry(f"{file.name}, line {number}", parse_board(content))
        except ValueError as error:
            raise type(error)(f"{file}, line {number}: {error}") from None

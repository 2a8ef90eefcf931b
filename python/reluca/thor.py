"""WTHOR databases (`.wtb`): games of tournaments, each with the exact result from some position on.

A file has a header of 16 bytes and 68 bytes per game. The header's byte 14 says with how many empty squares the
theoretical result of every game was calculated.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from reluca import batch
from reluca._engine import Board
from reluca.batch import Boards
from reluca.errors import NotationError
from reluca.reading import push_move
from reluca.types import Move

_HEADER = 16
_GAME = np.dtype(
    [
        ("tournament", "<u2"),
        ("black", "<u2"),
        ("white", "<u2"),
        ("black_discs", "u1"),
        ("theoretical_discs", "u1"),
        ("moves", "u1", 60),
    ]
)


@dataclass(frozen=True)
class ThorFile:
    """The games of one file."""

    year: int
    exact_empties: int
    """With how many empty squares the theoretical results were calculated; 0 if there are none."""
    games: NDArray[np.void]
    """A structured array: tournament, black, white, black_discs, theoretical_discs, moves (10 · row + column)."""

    def __len__(self) -> int:
        return len(self.games)

    def moves(self, game: int) -> list[Move]:
        """The moves of a game, without passes."""
        codes = self.games["moves"][game]
        return [Move(int(code // 10 - 1) * 8 + int(code % 10 - 1)) for code in codes if code]

    def board(self, game: int) -> Board:
        """The final board of a game; passes are filled in."""
        board = Board()
        for move in self.moves(game):
            push_move(board, str(move))
        return board


def read(path: str | os.PathLike[str]) -> ThorFile:
    """Reads a file; an error names it."""
    data = Path(path).read_bytes()
    count = int.from_bytes(data[4:8], "little")
    if len(data) < _HEADER or data[12] not in (0, 8) or data[13] not in (0, 1):
        raise NotationError(f"{os.fspath(path)}: not a WTHOR file of games on the board of 64 squares")
    if len(data) != _HEADER + count * _GAME.itemsize:
        expected = _HEADER + count * _GAME.itemsize
        raise NotationError(f"{os.fspath(path)}: {count} games need {expected} bytes, but the file has {len(data)}")
    games = np.frombuffer(data, dtype=_GAME, offset=_HEADER)
    codes = games["moves"]
    rows, columns = codes // 10, codes % 10
    bad = ((codes != 0) & ((rows < 1) | (rows > 8) | (columns < 1) | (columns > 8))).any(axis=1)
    if bad.any():
        raise NotationError(f"{os.fspath(path)}: game {int(np.argmax(bad)) + 1} has a move that is no square")
    return ThorFile(int.from_bytes(data[10:12], "little"), data[14], games)


def exact_positions(paths: Iterable[str | os.PathLike[str]]) -> tuple[Boards, NDArray[np.float64]]:
    """The position of every game from which its theoretical result is exact, and that result for the side to move.

    Games that ended before, or whose moves are not legal, are left out.
    """
    boards, results = [np.empty((0, 2), np.uint64)], [np.empty(0)]
    for path in paths:
        file = read(path)
        if file.exact_empties:
            found, scores = _exact(file)
            boards.append(found)
            results.append(scores)
    return np.concatenate(boards), np.concatenate(results)


def _exact(file: ThorFile) -> tuple[Boards, NDArray[np.float64]]:
    count = len(file)
    start = Board()
    boards = np.tile(np.array([[start.player, start.opponent]], dtype=np.uint64), (count, 1))
    black_to_move = np.ones(count, dtype=bool)
    playing = np.ones(count, dtype=bool)
    codes = file.games["moves"].astype(np.int64)
    squares = (codes // 10 - 1) * 8 + codes % 10 - 1
    plies = 60 - file.exact_empties
    for ply in range(plies + 1):
        passing = playing & (batch.legal_moves(boards) == 0)
        boards[passing] = boards[passing][:, ::-1]
        black_to_move ^= passing
        legal = batch.legal_moves(boards)
        if ply == plies:
            playing &= legal != 0
            break
        square = np.where(codes[:, ply] > 0, squares[:, ply], 0)
        playing &= (codes[:, ply] > 0) & (legal >> square.astype(np.uint64) & np.uint64(1) == 1)
        boards[playing] = batch.play(boards[playing], square[playing])
        black_to_move ^= playing
    black = 2.0 * file.games["theoretical_discs"].astype(np.float64) - 64
    return boards[playing], np.where(black_to_move, black, -black)[playing]

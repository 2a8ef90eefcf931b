"""Rules over many boards at once, for people who train networks.

A batch is a `uint64` array of shape (n, 2): in each row the discs of the side to move and those of the opponent, a1
in the lowest bit. Planes are the same as `uint8` of shape (n, 2, 8, 8), indexed by row and column.

>>> import reluca
>>> boards = from_boards([reluca.Board(), reluca.Board.from_moves("f5")])
>>> legal_moves(boards).tolist() == [int(reluca.Board().legal_moves), int(reluca.Board.from_moves("f5").legal_moves)]
True
>>> play(boards, [reluca.Move.F5, reluca.Move.D6])[0].tolist() == boards[1].tolist()
True
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from reluca import _engine
from reluca._engine import Board
from reluca.errors import InvalidArgumentError, InvalidBoardError

Boards = NDArray[np.uint64]


def from_boards(boards: Iterable[Board]) -> Boards:
    """The batch of some boards."""
    return np.array([(board.player, board.opponent) for board in boards], dtype=np.uint64).reshape(-1, 2)


def to_boards(boards: ArrayLike) -> list[Board]:
    """The boards of a batch, with black to move."""
    return [Board.from_bitboards(int(player), int(opponent)) for player, opponent in checked(boards)]


def to_planes(boards: ArrayLike) -> NDArray[np.uint8]:
    """The planes (n, 2, 8, 8) of a batch: 1 where the side to move (0) or the opponent (1) has a disc."""
    return mask_planes(checked(boards))


def mask_planes(masks: ArrayLike) -> NDArray[np.uint8]:
    """64-bit masks of any shape as planes of the same shape, followed by rows and columns."""
    # Little-endian bytes are rows, and their lowest bit is column a.
    masks = np.ascontiguousarray(masks, dtype="<u8")
    return np.unpackbits(masks[..., None].view(np.uint8), axis=-1, bitorder="little").reshape(*masks.shape, 8, 8)


def from_planes(planes: ArrayLike) -> Boards:
    """The batch of planes of shape (n, 2, 8, 8); what is not zero is a disc."""
    planes = np.asarray(planes)
    if planes.ndim != 4 or planes.shape[1:] != (2, 8, 8):
        raise InvalidArgumentError(f"planes must have shape (n, 2, 8, 8), not {planes.shape}")
    if overlapping := np.flatnonzero((planes != 0).all(axis=1).any(axis=(1, 2))).tolist():
        raise InvalidBoardError(f"board {overlapping[0]}: both sides have a disc on one square")
    packed = np.packbits(planes.reshape(-1, 2, 64) != 0, axis=-1, bitorder="little")
    return packed.view("<u8").astype(np.uint64).reshape(-1, 2)


def legal_moves(boards: ArrayLike) -> NDArray[np.uint64]:
    """The legal squares of every board as 64-bit masks; 0 where the side to move cannot place a disc."""
    return _engine.batch_legal_moves(checked(boards))


def play(boards: ArrayLike, moves: ArrayLike) -> Boards:
    """Every board after its move (0 to 63, or 64 for a pass), seen by the other side."""
    squares = np.asarray(moves)
    if squares.ndim != 1 or (squares.size and not np.issubdtype(squares.dtype, np.integer)):
        raise InvalidArgumentError(f"moves must be one integer per board, not {squares.dtype} of shape {squares.shape}")
    return _engine.batch_play(checked(boards), squares.astype(np.int64))


def empties(boards: ArrayLike) -> NDArray[np.int64]:
    """How many squares of every board have no disc."""
    counts: NDArray[np.int64] = 64 - to_planes(boards).sum(axis=(1, 2, 3), dtype=np.int64)
    return counts


def is_game_over(boards: ArrayLike) -> NDArray[np.bool_]:
    """Where neither side can move."""
    boards = checked(boards)
    over: NDArray[np.bool_] = (legal_moves(boards) | legal_moves(boards[:, ::-1])) == 0
    return over


def final_scores(boards: ArrayLike) -> NDArray[np.int8]:
    """The disc difference for the side to move if the games ended here, empties to the winner."""
    return _engine.batch_final_scores(checked(boards))


def checked(boards: ArrayLike) -> Boards:
    """The batch itself, if it has the right shape and holds bitboards."""
    array = np.asarray(boards)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InvalidArgumentError(f"boards must have shape (n, 2), not {array.shape}")
    if array.size and not np.issubdtype(array.dtype, np.integer):
        raise InvalidArgumentError(f"boards must be integers, not {array.dtype}")
    if np.issubdtype(array.dtype, np.signedinteger) and array.size and array.min() < 0:
        raise InvalidBoardError(f"board {int(np.argwhere(array < 0)[0][0])}: a bitboard is not negative")
    return array.astype(np.uint64, copy=False)

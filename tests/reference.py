"""The rules once more, slowly and without bitboards: a witness that shares nothing with the engine."""

from __future__ import annotations

from hypothesis import strategies as st

import reluca
from reluca import Board, Move

_DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]

Cells = dict[tuple[int, int], str]


class ReferenceGame:
    """A board as a dictionary from (column, row) to "X" or "O"."""

    def __init__(self, cells: Cells | None = None, turn: str = "X") -> None:
        self.cells: Cells = cells if cells is not None else {(3, 3): "O", (4, 4): "O", (4, 3): "X", (3, 4): "X"}
        self.turn = turn

    @staticmethod
    def of(board: Board) -> ReferenceGame:
        text = board.to_string()
        cells = {(i % 8, i // 8): text[i] for i in range(64) if text[i] != "-"}
        return ReferenceGame(cells, text[-1])

    def flips(self, x: int, y: int, turn: str | None = None) -> set[tuple[int, int]]:
        turn = turn or self.turn
        flipped: set[tuple[int, int]] = set()
        if (x, y) in self.cells:
            return flipped
        for dx, dy in _DIRECTIONS:
            line = []
            at = (x + dx, y + dy)
            while self.cells.get(at, turn) != turn:
                line.append(at)
                at = (at[0] + dx, at[1] + dy)
            if at in self.cells:
                flipped.update(line)
        return flipped

    def squares(self, turn: str | None = None) -> set[tuple[int, int]]:
        return {(x, y) for x in range(8) for y in range(8) if self.flips(x, y, turn)}

    def legal_moves(self) -> set[str]:
        squares = self.squares()
        if not squares and self.squares("O" if self.turn == "X" else "X"):
            return {"pass"}
        return {"abcdefgh"[x] + str(y + 1) for x, y in squares}

    def play(self, move: str) -> None:
        if move != "pass":
            x, y = "abcdefgh".index(move[0]), int(move[1]) - 1
            for at in self.flips(x, y) | {(x, y)}:
                self.cells[at] = self.turn
        self.turn = "O" if self.turn == "X" else "X"

    def __str__(self) -> str:
        return "".join(self.cells.get((i % 8, i // 8), "-") for i in range(64)) + " " + self.turn


def play_out(choices: list[int]) -> Board:
    """A game in which each number picks one of the legal moves."""
    board = Board()
    for choice in choices:
        if board.is_game_over():
            break
        board.push(board.legal_moves[choice % len(board.legal_moves)])
    return board


games = st.lists(st.integers(0, 30), max_size=70).map(play_out)
"""Games of any length."""


def _from_cells(cells: str) -> Board:
    return Board(cells)


any_boards = st.tuples(st.text("XO-", min_size=64, max_size=64), st.sampled_from("XO")).map("".join).map(_from_cells)
"""Boards of legal form, mostly unreachable."""

moves = st.sampled_from(list(Move))
symmetries = st.sampled_from(list(reluca.Symmetry))

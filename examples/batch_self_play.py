"""Plays a thousand random games at once with NumPy arrays, as one would to feed a network."""

import numpy as np

import reluca
from reluca import batch


def random_moves(legal: np.ndarray[tuple[int], np.dtype[np.uint64]], rng: np.random.Generator) -> list[int]:
    """One random set bit of every mask; a pass where there is none."""
    planes = batch.mask_planes(legal).reshape(-1, 64)
    weights = rng.random(planes.shape) * planes
    return [int(weight.argmax()) if weight.any() else reluca.PASS for weight in weights]


def main() -> None:
    rng = np.random.default_rng(2026)
    boards = batch.from_boards([reluca.Board()] * 1_000)
    results = []
    while len(boards):
        over = batch.is_game_over(boards)
        results += batch.final_scores(boards[over]).tolist()
        boards = boards[~over]
        boards = batch.play(boards, random_moves(batch.legal_moves(boards), rng))
    print(f"{len(results)} games, mean margin {np.abs(results).mean():.1f} discs")


if __name__ == "__main__":
    main()

"""Plays random games and prints how the results are distributed."""

import random
from collections import Counter

import reluca


def random_game(rng: random.Random) -> reluca.Outcome:
    board = reluca.Board()
    while board.legal_moves:
        board.push(rng.choice(board.legal_moves))
    outcome = board.outcome()
    assert outcome is not None
    return outcome


def main() -> None:
    rng = random.Random(2026)
    games = [random_game(rng) for _ in range(1_000)]
    winners = Counter("draw" if game.winner is None else str(game.winner) for game in games)
    print(dict(sorted(winners.items())))
    print(f"mean score for black: {sum(game.score for game in games) / len(games):+.2f}")


if __name__ == "__main__":
    main()

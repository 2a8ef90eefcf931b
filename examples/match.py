"""A small tournament: three strengths of Reluca, everyone against everyone, with error bars."""

from itertools import combinations

from reluca import Limit, match
from reluca.match import GameRecord, MatchResult


def report(record: GameRecord, so_far: MatchResult) -> None:
    """Called after every game."""
    if so_far.games % 6 == 0:
        print(
            f"  game {record.number + 1}: {record.black} - {record.white} {record.score:+d}, {so_far.score:.0%} so far"
        )


players = [match.EnginePlayer(f"depth {depth}", limit=Limit(depth=depth), table_mb=4) for depth in (1, 3, 5)]
openings = match.random_openings(6, plies=8)
points = {player.name: 0.0 for player in players}
for first, second in combinations(players, 2):
    result = match.play(first, second, openings, rules=match.Rules(adjudicate=10), on_game=report)
    points[first.name] += result.score * result.games
    points[second.name] += (1 - result.score) * result.games
    print(f"{first.name} - {second.name}: +{result.wins} ={result.draws} -{result.losses}, {result.elo}")
for name, score in sorted(points.items(), key=lambda item: -item[1]):
    print(f"{name}: {score:g} points")
assert min(points, key=lambda name: points[name]) == "depth 1"

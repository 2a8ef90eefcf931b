"""Matches between engines: paired openings, honest clocks, results with error bars.

>>> from reluca import Limit, match
>>> weak = match.EnginePlayer("depth 1", limit=Limit(depth=1), table_mb=1)
>>> strong = match.EnginePlayer("depth 5", limit=Limit(depth=5), table_mb=1)
>>> result = match.play(strong, weak, match.random_openings(4, plies=8), games=8)
>>> result.games, result.score > 0.5
(8, True)
"""

from reluca.match.external import GtpPlayer, NBoardPlayer
from reluca.match.openings import balanced_openings, random_openings, read_openings
from reluca.match.players import Choice, EnginePlayer, Player, PlayerError
from reluca.match.rules import Rules
from reluca.match.runner import GameRecord, MatchResult, Usage, play
from reluca.match.statistics import Estimate, Sprt, elo_estimate, sprt

__all__ = [
    "Choice",
    "EnginePlayer",
    "Estimate",
    "GameRecord",
    "GtpPlayer",
    "MatchResult",
    "NBoardPlayer",
    "Player",
    "PlayerError",
    "Rules",
    "Sprt",
    "Usage",
    "balanced_openings",
    "elo_estimate",
    "play",
    "random_openings",
    "read_openings",
    "sprt",
]

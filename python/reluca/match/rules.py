"""What holds for every game of a match."""

from __future__ import annotations

from dataclasses import dataclass

from reluca.limits import Clock


@dataclass(frozen=True)
class Rules:
    """Times, and when a game is decided."""

    clock: Clock | None = None
    """The clock of each side at the start; without one, players keep their own limits."""
    move_time: float | None = None
    """A move that takes longer, by more than `margin`, loses the game."""
    margin: float = 0.5
    """Seconds by which a time may be overstepped: starting a thought and sending a move take time too."""
    adjudicate: int = 0
    """From this many empty squares on, the game is decided by its exact score; 0 plays to the end."""

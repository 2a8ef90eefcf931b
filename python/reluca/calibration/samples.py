"""Samples: positions of every stage with their values at every depth, in a file that can be continued.

Values are in centidiscs, for the side to move.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reluca import _engine, batch
from reluca.batch import Boards
from reluca.errors import InvalidArgumentError, NotationError
from reluca.options import SearchOptions
from reluca.training import Name, selfplay, thread_count
from reluca.weights import HAND_MADE, WeightsSource, resolve

UNKNOWN = -32768
"""In the place of a value that was not searched for."""

SAMPLED = range(3, 15)
"""The stages of which there are samples: before them every game is alike, after them it is over."""

PHASES = {"early": range(1, 6), "middle": range(6, 11), "late": range(11, 16)}
"""Thirds of the game by stage."""

Progress = Callable[[int], object]
"""Is told how much is done."""


def stages_of(empties: NDArray[np.int64]) -> NDArray[np.int64]:
    """The stages of boards with these numbers of empty squares."""
    return np.clip((64 - empties) // 4, 1, 15)


def sample_boards(
    per_stage: int, *, seed: int = 1, records: Iterable[Name] = (), weights: WeightsSource = None
) -> Boards:
    """Positions of self-play, equally many of every stage from 3 to 14, in random order.

    They come from record files, or from games played for the purpose; random openings make quiet and wild ones.
    """
    paths = [Path(record) for record in records]
    if paths:
        boards = np.concatenate([_engine.record_positions(path)[0] for path in paths])
    else:
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "games.rec"
            selfplay(path, games=max(3 * per_stage, 50), depth=2, solve_empties=8, seed=seed, weights=weights)
            # Threads write games as they end: sorted, the same seed gives the same boards, and a file goes on.
            boards = np.unique(_engine.record_positions(path)[0], axis=0)
    stages = stages_of(batch.empties(boards))
    generator = np.random.default_rng(seed)
    chosen = []
    for stage in SAMPLED:
        there = np.flatnonzero(stages == stage)
        if len(there) < per_stage:
            raise InvalidArgumentError(f"stage {stage}: the games have {len(there)} positions, not {per_stage}")
        chosen.append(generator.choice(there, per_stage, replace=False))
    picked: Boards = boards[generator.permutation(np.concatenate(chosen))]
    return picked


@dataclass(frozen=True)
class DepthSamples:
    """Boards and their values at every depth."""

    boards: Boards
    values: NDArray[np.int16]
    """By board and depth from 0 on; `UNKNOWN` where the game ends before."""
    exact: NDArray[np.int16]
    """The solved values; `UNKNOWN` where none was asked for."""
    settings: dict[str, Any]
    """Weights and depths."""

    def __len__(self) -> int:
        return len(self.boards)

    @property
    def empties(self) -> NDArray[np.int64]:
        """The numbers of empty squares."""
        return batch.empties(self.boards)

    @property
    def stages(self) -> NDArray[np.int64]:
        """The stages of the boards."""
        return stages_of(self.empties)

    def provenance(self) -> dict[str, Any]:
        """Where a table made from these samples comes from: settings, engine, number and digest of the positions."""
        rows = self.boards[np.lexsort(self.boards.T)].tobytes()
        return {
            **self.settings,
            "version": _engine.version(),
            "samples": len(self),
            "positions": hashlib.sha256(rows).hexdigest()[:16],
            "date": date.today().isoformat(),
        }

    def searched(self, depth: int) -> NDArray[np.bool_]:
        """Which boards have a value of this depth that is a search's: one that reads to the end is exact instead."""
        found: NDArray[np.bool_] = (self.values[:, depth] != UNKNOWN) & (self.empties > depth)
        return found


def collect(
    path: Name,
    boards: Boards,
    *,
    depth: int = 12,
    solve_empties: int = 20,
    options: SearchOptions | None = None,
    weights: WeightsSource = None,
    threads: int | None = None,
    force: bool = False,
    on_progress: Progress | None = None,
) -> DepthSamples:
    """Searches boards to every depth and appends their values to a file; boards that it has already are not searched.

    The searches cut nothing on probability, unless `options` say so; windows and the solver are left out of these. An
    interrupted run loses at most the boards in hand. A file made with other weights, depths or options is refused,
    unless `force` says to use it as it is.
    """
    chosen = resolve(weights)
    settings: dict[str, Any] = {
        "weights": HAND_MADE if chosen is None else chosen.checksum,
        "depth": depth,
        "solve_empties": solve_empties,
    }
    if options is not None:
        settings["options"] = hashlib.sha256(repr(options).encode()).hexdigest()[:16]
    file = Path(path)
    if not file.exists():
        file.write_text(f"# {json.dumps(settings)}\n", encoding="utf-8")
    samples = read_samples(file)
    if samples.settings != settings:
        if force:
            return samples
        raise InvalidArgumentError(
            f"{file} was made with {json.dumps(samples.settings)}, not with {json.dumps(settings)}"
        )
    known = {(int(player), int(opponent)) for player, opponent in samples.boards}
    missing = [row for row in boards if (int(row[0]), int(row[1])) not in known]
    done = len(boards) - len(missing)
    step = 8 * thread_count(threads)
    for start in range(0, len(missing), step):
        part = np.array(missing[start : start + step], dtype=np.uint64)
        values, exact = _engine.depth_values(
            part,
            chosen,
            options,
            depth=depth,
            solve_empties=solve_empties,
            threads=thread_count(threads),
            on_progress=None,
        )
        rows = (
            f"{player:016x},{opponent:016x},{end},{','.join(map(str, row))}\n"
            for (player, opponent), end, row in zip(part.tolist(), exact.tolist(), values.tolist(), strict=True)
        )
        with file.open("a", encoding="utf-8") as out:
            out.write("".join(rows))
        done += len(part)
        if on_progress is not None:
            on_progress(done)
    return read_samples(file)


def read_samples(path: Name) -> DepthSamples:
    """Reads a file of samples; a last line that was cut off is removed from it."""
    file = Path(path)
    text = file.read_text(encoding="utf-8", errors="replace")
    if text and not text.endswith("\n"):
        text = text[: text.rfind("\n") + 1]
        file.write_text(text, encoding="utf-8")
    head, _, body = text.partition("\n")
    try:
        settings = json.loads(head.removeprefix("# "))
        rows = [line.split(",") for line in body.splitlines()]
        boards = np.array([[int(row[0], 16), int(row[1], 16)] for row in rows], dtype=np.uint64).reshape(-1, 2)
        values = np.array([row[3:] for row in rows], dtype=np.int16).reshape(len(rows), settings["depth"] + 1)
        exact = np.array([row[2] for row in rows], dtype=np.int16)
    except (ValueError, IndexError, KeyError, TypeError) as error:
        raise NotationError(f"{file}: not a file of samples: {error}") from None
    return DepthSamples(boards, values, exact, settings)

"""Samples: positions of every stage with their values at every depth, in a file that can be continued.

Values are in centidiscs, for the side to move.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
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
from reluca.weights import WeightsSource, checksum, resolve

UNKNOWN = -32768
"""In the place of a value that was not searched for."""

MOST = 6400
"""The greatest value, in centidiscs."""

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
            boards = _engine.record_positions(path)[0]
    # Threads write games as they end: sorted, the same seed gives the same boards, and a file goes on.
    boards = np.unique(boards, axis=0)
    stages = stages_of(batch.empties(boards))
    generator = np.random.default_rng(seed)
    chosen = []
    for stage in SAMPLED:
        there = np.flatnonzero(stages == stage)
        if len(there) < per_stage:
            raise InvalidArgumentError(
                f"stage {stage}: the games have {len(there)} different positions, not {per_stage}"
            )
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
    sources: list[dict[str, Any]] = field(default_factory=list)
    """Where the boards come from: an entry for every call of `collect` that said so and added some."""
    forced: bool = False
    """Whether they were made with other settings than those asked for."""

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
        """Where a table made from these samples comes from: settings, sources, engine, number, digest of positions."""
        rows = self.boards[np.lexsort(self.boards.T)].tobytes()
        return {
            **self.settings,
            **({"sources": self.sources} if self.sources else {}),
            **({"forced": True} if self.forced else {}),
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
    source: dict[str, Any] | None = None,
    on_progress: Progress | None = None,
) -> DepthSamples:
    """Searches boards to every depth and appends their values to a file; boards that it has already are not searched.

    The searches cut nothing on probability, unless `options` say so; windows and the solver are left out of these. An
    interrupted run loses at most the boards in hand. A file made with other weights, depths or options is refused,
    unless `force` says to use it as it is. `source` says where the boards come from; the file keeps it.
    """
    chosen = resolve(weights)
    settings: dict[str, Any] = {
        "weights": checksum(chosen),
        "depth": depth,
        "solve_empties": solve_empties,
    }
    if options is not None:
        options.require_weights(settings["weights"])
        settings["options"] = hashlib.sha256(repr(options).encode()).hexdigest()[:16]
    file = Path(path)
    if not file.exists() or _has_no_head(file):
        file.write_text(f"{_HEAD}{json.dumps(settings)}\n", encoding="utf-8", newline="\n")
    samples = read_samples(file)
    if samples.settings != settings:
        if force:
            return replace(samples, forced=True)
        raise InvalidArgumentError(f"{file} was made with {_difference(samples.settings, settings)}")
    known = {(int(player), int(opponent)) for player, opponent in samples.boards}
    missing = [row for row in boards if (int(row[0]), int(row[1])) not in known]
    done = len(boards) - len(missing)
    step = 8 * thread_count(threads)
    if missing:
        _end_line(file)
        if source is not None and source not in samples.sources:
            _append(file, f"{_HEAD}{json.dumps(source)}\n")
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
        _append(file, "".join(rows))
        done += len(part)
        if on_progress is not None:
            on_progress(done)
    return read_samples(file)


_HEAD = "# "
"""Begins the first line, with the settings, and lines that say where the boards below come from; JSON follows."""


def read_samples(path: Name) -> DepthSamples:
    """Reads a file of samples; a last line that was cut off does not count."""
    file = Path(path)
    head, *lines = file.read_bytes().split(b"\n")[:-1] or [b""]
    settings = _json(head)
    depth = settings.get("depth")
    if not isinstance(depth, int) or depth < 0:
        raise NotationError(f"{file}: not a file of samples")
    sources, rows = [], []
    for number, line in enumerate(lines, start=2):
        if line.startswith(_HEAD.encode()):
            sources.append(_json(line))
            continue
        try:
            rows.append(_row(line, depth))
        except ValueError as error:
            raise NotationError(f"{file}, line {number}: not a sample: {error}") from None
    boards = np.array([row[:2] for row in rows], dtype=np.uint64).reshape(-1, 2)
    values = np.array([row[3:] for row in rows], dtype=np.int16).reshape(len(rows), depth + 1)
    return DepthSamples(boards, values, np.array([row[2] for row in rows], dtype=np.int16), settings, sources)


def _row(line: bytes, depth: int) -> list[int]:
    """Player, opponent, exact value and values of a line."""
    player, opponent, *values = line.decode("ascii").split(",")
    row = [int(player, 16), int(opponent, 16), *map(int, values)]
    if len(row) != depth + 4:
        raise ValueError(f"{depth + 4} numbers are needed, not {len(row)}")
    if not all(0 <= discs < 2**64 for discs in row[:2]) or row[0] & row[1]:
        raise ValueError("the discs of the players overlap, or lie beyond the board")
    if wrong := [value for value in row[2:] if value != UNKNOWN and abs(value) > MOST]:
        raise ValueError(f"a value lies between {-MOST} and {MOST}, not at {wrong[0]}")
    return row


def _json(line: bytes) -> dict[str, Any]:
    """What stands behind the mark of a line; nothing if that is not a table in JSON."""
    try:
        found = json.loads(line.decode("utf-8").removeprefix(_HEAD)) if line.startswith(_HEAD.encode()) else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _has_no_head(file: Path) -> bool:
    """Whether a run ended before the first line of a file of samples was complete."""
    start = f'{_HEAD}{{"weights": '.encode()
    with file.open("rb") as stream:
        found = stream.readline(10_000)
    return not found.endswith(b"\n") and found[: len(start)] == start[: len(found)] and len(found) < 10_000


def _append(file: Path, text: str) -> None:
    with file.open("a", encoding="utf-8", newline="\n") as out:
        out.write(text)


def _end_line(file: Path) -> None:
    """Cuts off an unfinished last line of a file of samples."""
    data = file.read_bytes()
    if not data.endswith(b"\n"):
        os.truncate(file, data.rfind(b"\n") + 1)


def _difference(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    """In which settings a file differs from those asked for."""
    names = [name for name in {**found, **wanted} if found.get(name) != wanted.get(name)]
    parts = [
        f"{name.replace('_', ' ')} {found.get(name)}, not {wanted.get(name)}" for name in names if name != "options"
    ]
    if "options" in names:
        # A digest tells nobody anything.
        parts.append("other options of the search")
    return f"{' and with '.join(parts)} (--force uses it as it is)"

"""Weights of the evaluation: the bundled ones, or files made by `reluca train`."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from reluca._engine import Weights
from reluca.errors import WeightsError

HAND_MADE: Final = "hand-made"
"""In the place of weights: the evaluation that needs none. It is weak, and was used to begin training."""

WeightsSource: TypeAlias = Weights | str | os.PathLike[str] | None
"""What an engine takes for its weights: none for the bundled ones, the name of a file, or `HAND_MADE`."""


@cache
def bundled() -> Weights:
    """The weights that come with the package.

    >>> bundled() is bundled()
    True
    """
    return Weights.bundled()


def load(path: str | os.PathLike[str]) -> Weights:
    """Reads a weights file; an error names the file."""
    if os.fspath(path) == HAND_MADE and not Path(path).exists():
        raise WeightsError("the hand-made evaluation has no weights, and there is no file of this name")
    data = Path(path).read_bytes()
    try:
        return Weights.from_bytes(data)
    except WeightsError as error:
        raise WeightsError(f"{os.fspath(path)}: {error}") from None


def save(weights: Weights, path: str | os.PathLike[str]) -> None:
    """Writes a weights file; an old one of this name is replaced only when the new one is complete."""
    target = Path(path)
    partial = target.with_name(target.name + ".part")
    partial.write_bytes(weights.to_bytes())
    partial.replace(target)


def resolve(source: WeightsSource) -> Weights | None:
    """The weights meant by what an engine was given; none for the hand-made evaluation."""
    if source is None:
        return bundled()
    if isinstance(source, Weights):
        return source
    if isinstance(source, str) and source == HAND_MADE:
        return None
    if isinstance(source, str | os.PathLike):
        return load(source)
    raise TypeError(f"expected weights or the name of a file, got {source!r}")


def checksum(weights: Weights | None) -> str:
    """The checksum of weights; `HAND_MADE` if the evaluation needs none.

    >>> checksum(resolve(HAND_MADE))
    'hand-made'
    """
    return HAND_MADE if weights is None else weights.checksum


def describe(weights: Weights) -> dict[str, Any]:
    """What is known of weights, for people and for JSON.

    >>> describe(bundled())["stages"]
    15
    """
    main, small = weights.parameters_per_stage
    return {
        "checksum": weights.checksum,
        "stages": len(weights.trained_parameters),
        "parameters_per_stage": main,
        "small_parameters_per_stage": small,
        "trained_parameters": weights.trained_parameters,
        "provenance": weights.provenance,
    }

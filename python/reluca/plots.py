"""Pictures for reports; they need matplotlib, which `pip install reluca[plots]` brings along."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from reluca import graph
from reluca.errors import InvalidArgumentError, MissingPackageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from reluca.review import GameReview
    from reluca.training import Step

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colours that people who see fewer of them can tell apart too."""


def require(path: str | os.PathLike[str] | None = None) -> None:
    """Raises `MissingPackageError` if there is no matplotlib, `InvalidArgumentError` if it cannot draw such a file."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingPackageError("pictures need matplotlib: pip install 'reluca[plots]'") from error
    kinds = Figure().canvas.get_supported_filetypes()
    if path is not None and Path(path).suffix[1:].lower() not in kinds:
        raise InvalidArgumentError(f"{os.fspath(path)}: pictures are .png or .svg files")


def figure(width: float = 9.0, height: float = 5.0) -> Figure:
    """An empty picture that belongs to no window."""
    require()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def tidy(axis: Axes) -> None:
    """Takes away what says nothing and adds a faint grid."""
    axis.spines[["top", "right"]].set_visible(False)
    axis.grid(alpha=0.25, linewidth=0.7)
    axis.set_axisbelow(True)


def legend_below(picture: Figure, columns: int) -> None:
    """Names the lines of all parts of a picture once, below it."""
    found = {name: line for axis in picture.axes for line, name in zip(*axis.get_legend_handles_labels(), strict=True)}
    if found:
        picture.legend(found.values(), found.keys(), loc="outside lower center", ncols=columns, fontsize="small")


def learning_curves(steps: Iterable[Step], path: str | os.PathLike[str]) -> None:
    """Draws the error by iteration, a line per stage: on what was learned from, and on what was kept apart."""
    main = [step for step in steps if not step.small]
    picture = figure(11, 5)
    axes = picture.subplots(1, 2, sharey=True)
    from matplotlib import colormaps

    for axis, field, title in (
        (axes[0], "training_rmse", "positions learned from"),
        (axes[1], "validation_rmse", "games kept apart"),
    ):
        for stage in sorted({step.stage for step in main}):
            curve = [step for step in main if step.stage == stage]
            axis.plot(
                [step.iteration for step in curve],
                [getattr(step, field) for step in curve],
                color=colormaps["viridis"]((stage - 1) / 14),
                label=f"stage {stage}",
            )
        axis.set_title(title)
        axis.set_xlabel("iteration")
        axis.grid(alpha=0.3)
    axes[0].set_ylabel("root of the mean squared error, discs")
    axes[1].legend(fontsize="x-small", ncols=2)
    picture.savefig(path, dpi=120)


def score_graph(review: GameReview, path: str | os.PathLike[str]) -> None:
    """Draws the course of a game, as `reluca.graph.svg` does."""
    colors = graph.COLORS
    picture = figure(graph.WIDTH / 80, graph.HEIGHT / 80)
    picture.set_facecolor(colors["paper"])
    axis = picture.subplots()
    axis.set_facecolor(colors["plot"])
    scores = review.scores
    numbers = range(len(scores))
    top, step = graph.reach(review)
    for ahead, color in ([score > 0 for score in scores], "black"), ([score < 0 for score in scores], "white"):
        axis.fill_between(numbers, scores, where=ahead, interpolate=True, color=colors[color], linewidth=0)
    axis.plot(numbers, scores, color=colors["line"], linewidth=2)
    for move in review.errors:
        axis.plot(move.number, scores[move.number], "o", color=colors[move.mark], markeredgecolor="white")
    axis.axhline(0, color=colors["text"], linewidth=1)
    axis.set_xlim(0, max(len(scores) - 1, 1))
    axis.set_ylim(-top, top)
    axis.set_yticks(range(-top, top + 1, step))
    axis.grid(axis="y", color=colors["grid"], alpha=0.55)
    axis.set_title(graph.title(review), loc="left", fontsize="medium", color=colors["text"])
    picture.savefig(path, dpi=120)

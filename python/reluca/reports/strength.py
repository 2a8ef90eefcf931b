"""The reports of `reluca calibrate choose` and `reluca calibrate accept`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reluca.calibration import Acceptance, Choice
from reluca.plots import COLORS, figure, tidy
from reluca.reports.page import Part, Picture, Table, provenance, write
from reluca.training import Name

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def choice_report(choice: Choice, directory: Name) -> None:
    """Writes `choice.html`, `choice.md` and a picture."""
    parts = [
        Part(
            "Candidates against the options in use",
            [provenance(choice.settings), verdict(choice)],
            [
                Picture(
                    "strength",
                    "Strength at equal time with 95 % intervals, and nodes at equal depth",
                    _strength_picture(choice),
                )
            ],
            [Table("Candidates", CANDIDATES, candidate_rows(choice))],
        )
    ]
    write(directory, "choice", "Candidates, chosen by games", parts)


def verdict(choice: Choice) -> str:
    """What to do, in one line."""
    if (best := choice.best) is not None:
        return f"use {best.name}: {best.games.elo}"
    return "keep the options in use: no candidate is surely stronger"


CANDIDATES = ["candidate", "nodes at equal depth", "same move", "games", "score", "strength at equal time", "depth"]


def candidate_rows(choice: Choice) -> list[list[str]]:
    """A row per candidate."""
    return [
        [
            result.name,
            str(result.nodes),
            f"{result.agreement:.0%}",
            str(result.games.games),
            f"{result.games.score:.1%}",
            str(result.games.elo or "no complete pair"),
            "{:.1f} against {:.1f}".format(*result.depths),
        ]
        for result in choice.results
    ]


def _strength_picture(choice: Choice) -> Figure:
    picture = figure(11, 1.6 + 0.5 * len(choice.results))
    left, right = picture.subplots(1, 2, sharey=True)
    for row, result in enumerate(choice.results):
        if (elo := result.games.elo) is not None:
            error = [[elo.elo - elo.low], [elo.high - elo.elo]]
            left.errorbar([elo.elo], [row], xerr=error, fmt="o", capsize=3, color=COLORS[0])
        right.barh([row], [result.nodes.value], xerr=[result.nodes.error], color=COLORS[1], alpha=0.7, capsize=3)
    left.axvline(0, color="gray", linewidth=1)
    right.axvline(1, color="gray", linewidth=1)
    left.set_yticks(range(len(choice.results)), [result.name for result in choice.results])
    left.set_ylim(len(choice.results) - 0.5, -0.5)
    left.set_xlabel("Elo at equal time")
    right.set_xlabel("nodes at equal depth / those of the options in use")
    for axis in (left, right):
        tidy(axis)
    return picture


def acceptance_report(acceptance: Acceptance, directory: Name) -> None:
    """Writes `acceptance.html` and `acceptance.md`."""
    parts = [
        Part(
            "Multi-ProbCut on against off",
            [provenance(acceptance.settings), "accepted" if acceptance.accepted else "not accepted"],
            tables=[Table("Criteria", CRITERIA, criterion_rows(acceptance))],
        )
    ]
    write(directory, "acceptance", "Multi-ProbCut, accepted by games", parts)


CRITERIA = ["criterion", "measured", "verdict"]


def criterion_rows(acceptance: Acceptance) -> list[list[str]]:
    """A row per criterion."""
    return [[criterion.name, criterion.text, criterion.verdict] for criterion in acceptance.criteria]

"""The report of `reluca calibrate mpc`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from reluca.calibration import PHASES, SAMPLED, Cell, Coverage, MpcCalibration, MpcJudgement, MpcModel
from reluca.calibration.mpc import GREATEST_ERROR, GREATEST_EXACT_ERROR, LEAST_JUDGED
from reluca.plots import COLORS, figure, tidy
from reluca.reports.page import Part, Picture, Table, provenance, write
from reluca.tables import confidence_of_z
from reluca.training import Name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def mpc_report(fitted: MpcCalibration, directory: Name) -> None:
    """Writes `mpc.html`, `mpc.md` and their pictures."""
    parts = [
        Part("The table", facts(fitted)),
        Part(
            "Deviations",
            pictures=[
                Picture(
                    "sigma",
                    "σ by stage and pair (shallow, deep) with 95 % intervals; lines are the model, "
                    "hollow marks stand for cells with too few samples",
                    _sigma_picture(fitted),
                )
            ],
            tables=[
                Table("σ ± half the 95 % interval (samples); * marks cells left to the model", *sigma_table(fitted)),
            ],
        ),
        Part(
            "Slope and intercept",
            tables=[Table("A fitted line against slope 1 and intercept 0, on halves kept apart", *line_table(fitted))],
        ),
        Part(
            "Coverage",
            pictures=[
                Picture(
                    "coverage",
                    "Predicted against observed confidence on samples that the model did not see, and at the "
                    f"table's margin ({fitted.z:g} deviations) observed minus predicted, in points",
                    _coverage_picture(fitted),
                ),
                Picture(
                    "margins",
                    "Observed minus predicted confidence by stage, by pair and for exact values, with 95 % intervals; "
                    "below the dashed line a margin is too sure by more than two points",
                    _margin_picture(fitted),
                ),
            ],
            tables=[
                Table("By stage, by pair and for exact values", COVERAGE, coverage_rows(margins(fitted))),
                Table("By stage and pair", COVERAGE, coverage_rows(_cells(fitted))),
            ],
        ),
        Part(
            "Residuals",
            pictures=[
                Picture(
                    "residuals",
                    "Deep minus predicted value in deviations of a table that did not see it, and the normal curve",
                    _residual_picture(fitted),
                )
            ],
            tables=[Table("Shape of the errors; a normal one has 0, 1, 0, 0", *normality_table(fitted))],
        ),
    ]
    write(directory, "mpc", "Multi-ProbCut, calibrated", parts)


def formula(model: MpcModel) -> str:
    """The model in one line."""
    deep = f" {model.deep:+.4f}·d" if model.deep else ""
    return f"ln σ = {model.intercept:.4f} {model.shallow:+.4f}·s{deep} {model.empties:+.5f}·e"


def facts(fitted: MpcCalibration) -> list[str]:
    """What there is to say of the whole table."""
    found = [
        f"made from {provenance(fitted.provenance)}",
        f"{formula(fitted.model)} (centidiscs; shallow depth s, deep depth d, empty squares e)",
    ]
    if fitted.endgame_model is not None:
        found.append(f"exact values: {formula(fitted.endgame_model)}")
    left = sum(cell.from_model for cell in fitted.cells)
    found.append(f"{len(fitted.cells)} cells of stage and pair; {left} have too few samples and are left to the model")
    found.append(_line_fact(fitted))
    normal = sum(row.normal for row in fitted.normality)
    tails = max((row.excess_kurtosis for row in fitted.normality), default=0.0)
    found.append(
        f"errors pass for normal in {normal} of {len(fitted.normality)} pairs; the greatest excess kurtosis is "
        f"{tails:.1f}"
    )
    word = "blessed" if fitted.blessed else f"NOT blessed: {verdict(fitted)}"
    worst = max(fitted.coverage, key=lambda row: row.overconfidence, default=None)
    if worst is None:
        return [*found, word]
    found.append(
        f"{word}; the most over-confident margin ({worst.where}, z = {worst.z:g}) promises {worst.predicted:.1%} "
        f"and keeps {worst.observed:.1%} ± {worst.allowed * worst.error:.1%}; two points are allowed beyond that"
    )
    return found


def verdict(judged: MpcJudgement) -> str:
    """What to make of the table, and why."""
    if judged.verdict == "over-confident":
        return "over-confident by more than two points"
    if judged.verdict == "blessed":
        return "blessed"
    evidence = judged.evidence
    return (
        f"not proved: about {evidence.missing:,} more samples are needed (the standard error of the confidence is "
        f"{100 * evidence.error:.1f} points, {100 * GREATEST_ERROR:g} will do; for exact values "
        f"{100 * evidence.exact_error:.1f}, {100 * GREATEST_EXACT_ERROR:g} will do; {evidence.judged} of "
        f"{evidence.cells} cells of stage and pair have enough to be judged, {LEAST_JUDGED:.0%} will do)"
    )


def _line_fact(fitted: MpcCalibration) -> str:
    pays = [f"({line.shallow}, {line.deep})" for line in fitted.lines if line.pays]
    gain = max((line.gain for line in fitted.lines), default=0.0)
    if pays:
        return f"fitted lines lower the deviation by more than 3 %, and stand in the table, for {', '.join(pays)}"
    enough = "slope 1 and intercept 0 are enough"
    if gain <= 0:
        return f"{enough}: no pair gains by a fitted line"
    return f"{enough}: a fitted line lowers no pair's deviation by more than {gain:.1%}"


def sigma_table(fitted: MpcCalibration) -> tuple[list[str], list[list[str]]]:
    """σ of the table's pairs by stage."""
    cells = {(cell.stage, cell.deep): cell for cell in _used(fitted)}
    depths = sorted({deep for _, deep in cells})
    rows = []
    for stage in SAMPLED:
        row = [str(stage)]
        for deep in depths:
            cell = cells.get((stage, deep))
            if cell is None:
                row.append("–")
            elif cell.from_model:
                row.append(f"{cell.sigma:.0f}* ({cell.count})")
            else:
                row.append(f"{cell.sigma:.0f} ± {cell.high - cell.sigma:.0f} ({cell.count})")
        rows.append(row)
    return ["stage", *(_pair(fitted, deep) for deep in depths)], rows


def line_table(fitted: MpcCalibration) -> tuple[list[str], list[list[str]]]:
    """What fitted lines are worth."""
    rows = [
        [
            f"({line.shallow}, {line.deep})",
            f"{line.count:,}",
            f"{line.a:.3f} ± {line.a_error:.3f}",
            f"{line.b:+.0f} ± {line.b_error:.0f}",
            f"{line.sigma:.0f}",
            f"{line.fitted:.0f}",
            f"{line.gain:+.1%}",
        ]
        for line in fitted.lines
    ]
    return ["pair", "samples", "slope", "intercept", "σ", "σ around the line", "gain"], rows


COVERAGE = ["where", "z", "samples", "predicted", "observed", "error", "over-confident"]


def coverage_rows(rows: list[Coverage]) -> list[list[str]]:
    """Predicted against observed confidence; over-confidence is what chance does not explain."""
    return [
        [
            row.where,
            f"{row.z:g}",
            f"{row.count:,}",
            f"{row.predicted:.1%}",
            f"{row.observed:.1%}",
            f"± {row.error:.1%}",
            f"{row.overconfidence:.1%}" if row.overconfidence > 0 else "no",
        ]
        for row in rows
    ]


def worst_cells(judged: MpcJudgement, count: int = 8) -> list[Coverage]:
    """The cells of stage and pair that keep the least of what they promise."""
    return sorted(_cells(judged), key=lambda row: row.observed - row.predicted)[:count]


def margins(judged: MpcJudgement) -> list[Coverage]:
    """The coverage of stages, of pairs and of exact values."""
    return [row for row in judged.coverage if row.stage is None or row.deep is None]


def _cells(judged: MpcJudgement) -> list[Coverage]:
    return [row for row in judged.coverage if row.stage is not None and row.deep is not None]


def normality_table(fitted: MpcCalibration) -> tuple[list[str], list[list[str]]]:
    """The shape of the errors by pair."""
    rows = [
        [
            row.where.removeprefix("pair "),
            f"{row.count:,}",
            f"{row.mean:+.2f}",
            f"{row.deviation:.2f}",
            f"{row.skewness:+.2f}",
            f"{row.excess_kurtosis:+.2f}",
            f"{row.distance:.3f} of {row.critical:.3f}",
            "yes" if row.normal else "no",
        ]
        for row in fitted.normality
    ]
    return ["pair", "samples", "mean", "deviation", "skewness", "excess kurtosis", "KS distance", "normal"], rows


def _pair(fitted: MpcCalibration, deep: int) -> str:
    """The pair that the table has for a deep depth."""
    return str(next(pair for pair in fitted.pairs if pair[1] == deep))


def _used(fitted: MpcCalibration) -> list[Cell]:
    """The cells of the pairs that the table has."""
    return [cell for cell in fitted.cells if (cell.shallow, cell.deep) in fitted.pairs]


def _sigma_picture(fitted: MpcCalibration) -> Figure:
    picture = figure(10, 5.5)
    axis = picture.subplots()
    depths = sorted({cell.deep for cell in _used(fitted)})
    # No more than fit into one picture, the shallowest and the deepest among them.
    shown = sorted({depths[index] for index in np.linspace(0, len(depths) - 1, 5).round().astype(int)})
    for number, deep in enumerate(shown):
        cells = [cell for cell in _used(fitted) if cell.deep == deep]
        color, name = COLORS[number], _pair(fitted, deep)
        aside = (number - (len(shown) - 1) / 2) * 0.1
        axis.plot([c.stage for c in cells], [c.model_sigma for c in cells], color=color, alpha=0.7, label=name)
        for from_model in (False, True):
            part = [cell for cell in cells if cell.from_model == from_model]
            if part:
                axis.errorbar(
                    [cell.stage + aside for cell in part],
                    [cell.sigma for cell in part],
                    yerr=[[c.sigma - c.low for c in part], [c.high - c.sigma for c in part]],
                    fmt="o",
                    markersize=5,
                    markerfacecolor="white" if from_model else color,
                    capsize=2,
                    color=color,
                )
    axis.set_xlabel("stage (a quarter of the discs)")
    axis.set_ylabel("σ, centidiscs")
    axis.set_xticks(list(SAMPLED))
    axis.set_ylim(bottom=0)
    axis.legend(title="shallow, deep", ncols=len(shown), loc="upper left")
    tidy(axis)
    return picture


def _coverage_picture(fitted: MpcCalibration) -> Figure:
    rows = [row for row in _cells(fitted) if row.z == fitted.z]
    picture = figure(12, 5.2) if rows else figure(6, 5.2)
    left, *rest = picture.subplots(1, 2, width_ratios=(1, 1.25)) if rows else [picture.subplots()]
    margins = np.linspace(0.25, 2.4, 60)
    predicted = np.array([confidence_of_z(float(z)) for z in margins])
    for number, (phase, stages) in enumerate(PHASES.items()):
        errors = fitted.residuals["error"][np.isin(fitted.residuals["stage"], list(stages))]
        if len(errors):
            observed = [0.5 * float((errors >= -z).mean() + (errors <= z).mean()) for z in margins]
            left.plot(predicted, observed, color=COLORS[number], label=f"{phase} stages")
    left.plot([0.6, 1], [0.6, 1], color="gray", linewidth=1, label="as predicted")
    left.plot([0.6, 1], [0.58, 0.98], color="tab:red", linestyle="--", linewidth=1, label="two points too sure")
    left.axvline(confidence_of_z(fitted.z), color="gray", linestyle=":", linewidth=1)
    left.set_xlabel(f"predicted (dotted: the table's margin, {fitted.z:g})")
    left.set_ylabel("observed")
    left.legend(fontsize="small")
    tidy(left)
    for right in rest:
        _coverage_map(picture, right, fitted, rows)
    return picture


def _coverage_map(picture: Figure, axis: Axes, fitted: MpcCalibration, rows: list[Coverage]) -> None:
    """Observed minus predicted confidence by stage and pair."""
    judged, depths = sorted({row.stage or 0 for row in rows}), sorted({row.deep or 0 for row in rows})
    points = np.full((len(judged), len(depths)), np.nan)
    for row in rows:
        points[judged.index(row.stage or 0), depths.index(row.deep or 0)] = 100 * (row.observed - row.predicted)
    image = axis.imshow(points, cmap="RdBu", vmin=-8, vmax=8, aspect="auto")
    for (y, x), value in np.ndenumerate(points):
        if not np.isnan(value):
            color = "white" if abs(value) > 5 else "black"
            axis.text(x, y, f"{value:+.0f}", ha="center", va="center", fontsize=8, color=color)
    picture.colorbar(image, ax=axis, label="observed - predicted, points (blue: surer than promised)")
    axis.set_xticks(range(len(depths)), [_pair(fitted, deep) for deep in depths], rotation=45)
    axis.set_yticks(range(len(judged)), [str(stage) for stage in judged])
    axis.set_xlabel("pair")
    axis.set_ylabel("stage")
    axis.set_title(f"z = {fitted.z:g}: {confidence_of_z(fitted.z):.1%} promised", fontsize="medium")


def _margin_picture(fitted: MpcCalibration) -> Figure:
    picture = figure(12, 4.4)
    axis = picture.subplots()
    rows = margins(fitted)
    places = list(dict.fromkeys(row.where for row in rows))
    for number, z in enumerate(sorted({row.z for row in rows})):
        part = [row for row in rows if row.z == z]
        axis.errorbar(
            [places.index(row.where) + (number - 1) * 0.2 for row in part],
            [100 * (row.observed - row.predicted) for row in part],
            yerr=[196 * row.error for row in part],
            fmt="o",
            markersize=4,
            linewidth=1,
            color=COLORS[number],
            label=f"z = {z:g} ({confidence_of_z(z):.1%})",
        )
    axis.axhline(0, color="gray", linewidth=1)
    axis.axhline(-2, color="tab:red", linestyle="--", linewidth=1)
    short = [place.removeprefix("pair ").replace("exact from depth", "exact,") for place in places]
    axis.set_xticks(range(len(places)), short, rotation=60, ha="right", rotation_mode="anchor")
    axis.set_ylabel("observed - predicted, points")
    axis.legend(fontsize="small", ncols=4)
    tidy(axis)
    return picture


def _residual_picture(fitted: MpcCalibration) -> Figure:
    depths = [int(row.where.rstrip(")").split(", ")[1]) for row in fitted.normality]
    picture = figure(12, 6.5)
    axes = list(picture.subplots(2, 3, sharex=True, sharey=True).flat)
    curve = np.linspace(-4, 4, 200)
    shown = (
        sorted({depths[index] for index in np.linspace(0, len(depths) - 1, 6).round().astype(int)}) if depths else []
    )
    for axis, deep in zip(axes, shown, strict=False):
        row = fitted.normality[depths.index(deep)]
        errors = fitted.residuals["error"][fitted.residuals["d"] == deep]
        axis.hist(
            np.clip(errors, -4, 4), bins=np.linspace(-4, 4, 33).tolist(), density=True, color=COLORS[0], alpha=0.75
        )
        axis.plot(curve, np.exp(-(curve**2) / 2) / np.sqrt(2 * np.pi), color="black", linewidth=1)
        axis.set_title(f"{_pair(fitted, deep)}, {row.count:,} samples", fontsize="medium")
        text = f"skewness {row.skewness:+.2f}\nexcess kurtosis {row.excess_kurtosis:+.2f}\nKS {row.distance:.3f}"
        axis.text(0.02, 0.96, text, transform=axis.transAxes, va="top", fontsize="small")
        tidy(axis)
    for axis in axes[len(shown) :]:
        axis.set_visible(False)
    picture.supxlabel("(deep - predicted) / σ", fontsize="medium")
    return picture

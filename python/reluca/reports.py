"""Reports of calibrations: one HTML file that needs nothing else, and Markdown with pictures beside it."""

from __future__ import annotations

import base64
import html
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from reluca import batch
from reluca.calibration import UNKNOWN, AspirationCalibration, DepthSamples, MpcCalibration
from reluca.plots import figure, require
from reluca.training import Name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["aspiration_report", "mpc_report", "require"]


@dataclass(frozen=True)
class _Page:
    """A report in the making."""

    name: str
    title: str
    facts: list[str]
    pictures: list[tuple[str, Figure]]
    heading: list[str]
    rows: list[list[str]]

    def write(self, directory: Name) -> None:
        folder = Path(directory)
        folder.mkdir(parents=True, exist_ok=True)
        parts, lines = [], [f"# {self.title}", "", *(f"- {fact}" for fact in self.facts), ""]
        for number, (caption, picture) in enumerate(self.pictures, 1):
            file = folder / f"{self.name}-{number}.png"
            picture.savefig(file, dpi=110)
            data = base64.b64encode(file.read_bytes()).decode("ascii")
            text = html.escape(caption)
            image = f'<img alt="{text}" src="data:image/png;base64,{data}">'
            parts.append(f"<figure>{image}<figcaption>{text}</figcaption></figure>")
            lines += [f"![{caption}]({file.name})", "", f"*{caption}*", ""]
        lines += [_row(self.heading), _row(["---"] * len(self.heading)), *map(_row, self.rows), ""]
        (folder / f"{self.name}.md").write_text("\n".join(lines), encoding="utf-8")
        (folder / f"{self.name}.html").write_text(self._html(parts), encoding="utf-8")

    def _html(self, figures: list[str]) -> str:
        def cells(tag: str, row: list[str]) -> str:
            return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row) + "</tr>"

        style = (
            "body{font:16px system-ui;max-width:60em;margin:2em auto;padding:0 1em}img{max-width:100%}"
            "table{border-collapse:collapse}td,th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}"
            "figure{margin:1.5em 0}figcaption{color:#555}"
        )
        facts = "".join(f"<li>{html.escape(fact)}</li>" for fact in self.facts)
        table = cells("th", self.heading) + "".join(cells("td", row) for row in self.rows)
        return (
            f"<!doctype html><meta charset=utf-8><title>{html.escape(self.title)}</title><style>{style}</style>"
            f"<h1>{html.escape(self.title)}</h1><ul>{facts}</ul>{''.join(figures)}<table>{table}</table>\n"
        )


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def mpc_report(fitted: MpcCalibration, samples: DepthSamples, directory: Name) -> None:
    """Writes `mpc.html`, `mpc.md` and their pictures."""
    model = fitted.model
    facts = [
        f"{fitted.samples:,} samples, made with {fitted.settings}",
        f"ln σ = {model.intercept:.4f} {model.shallow:+.4f}·s {model.deep:+.4f}·d {model.empties:+.5f}·e (centidiscs)",
        "blessed: no margin is over-confident by more than two points"
        if fitted.blessed
        else "NOT blessed: some margin is over-confident by more than two points",
    ]
    if (end := fitted.endgame_model) is not None:
        facts.append(f"exact scores: ln σ = {end.intercept:.4f} {end.shallow:+.4f}·s {end.empties:+.5f}·e")
    rows = [[r.where, f"{r.z:g}", f"{r.count:,}", f"{r.predicted:.1%}", f"{r.observed:.1%}"] for r in fitted.coverage]
    pictures = [
        ("σ by stage and pair with 95 % intervals; lines are the model", _sigma_picture(fitted)),
        ("Predicted against observed confidence on samples that the model did not see", _coverage_picture(fitted)),
        ("Deep minus shallow value in deviations of the model, and the normal curve", _residuals(fitted, samples)),
    ]
    heading = ["where", "z", "samples", "predicted", "observed"]
    _Page("mpc", "Multi-ProbCut, calibrated", facts, pictures, heading, rows).write(directory)


def _sigma_picture(fitted: MpcCalibration) -> Figure:
    picture = figure()
    axis = picture.subplots()
    deepest = max(cell.deep for cell in fitted.cells)
    pairs = [(shallow, deep) for shallow, deep in ((1, 3), (2, 6), (4, 8), (4, 10), (5, 11)) if deep <= deepest]
    for number, (shallow, deep) in enumerate(pairs):
        cells = [c for c in fitted.cells if (c.shallow, c.deep) == (shallow, deep) and not c.from_model]
        stages = [cell.stage for cell in cells]
        errors = [[c.sigma - c.low for c in cells], [c.high - c.sigma for c in cells]]
        color = f"C{number}"
        axis.errorbar(
            stages, [c.sigma for c in cells], yerr=errors, fmt="o", capsize=3, color=color, label=f"({shallow}, {deep})"
        )
        axis.plot(stages, [c.model_sigma for c in cells], color=color, alpha=0.6)
    axis.set_xlabel("stage")
    axis.set_ylabel("σ, centidiscs")
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.3)
    axis.legend(title="shallow, deep")
    return picture


def _coverage_picture(fitted: MpcCalibration) -> Figure:
    picture = figure(7, 6)
    axis = picture.subplots()
    for kind, mark in (("stages", "o"), ("pair", "x")):
        rows = [row for row in fitted.coverage if row.where.startswith(kind)]
        axis.plot([r.predicted for r in rows], [r.observed for r in rows], mark, label=f"by {kind.rstrip('s')}")
    axis.plot([0.8, 1], [0.8, 1], color="gray", label="as predicted")
    axis.plot([0.8, 1], [0.78, 0.98], color="tab:red", linestyle="--", label="two points over-confident")
    axis.set_xlabel("predicted")
    axis.set_ylabel("observed")
    axis.grid(alpha=0.3)
    axis.legend()
    return picture


def _residuals(fitted: MpcCalibration, samples: DepthSamples) -> Figure:
    picture = figure(11, 4)
    pairs = [(2, 6), (4, 8), (4, 10)]
    axes = picture.subplots(1, 3, sharey=True)
    empties = batch.empties(samples.boards)
    curve = np.linspace(-4, 4, 200)
    for axis, (shallow, deep) in zip(axes, pairs, strict=True):
        axis.set_title(f"({shallow}, {deep})")
        axis.plot(curve, np.exp(-(curve**2) / 2) / np.sqrt(2 * np.pi), color="gray")
        if deep >= samples.values.shape[1]:
            continue
        known = (samples.values[:, deep] != UNKNOWN) & (empties > deep)
        sigmas = np.array([fitted.model.sigma(shallow, deep, float(count)) for count in empties[known]])
        deep_values, shallow_values = (samples.values[known, d].astype(float) for d in (deep, shallow))
        axis.hist(
            np.clip((deep_values - shallow_values) / sigmas, -4, 4), bins=np.linspace(-4, 4, 33).tolist(), density=True
        )
    return picture


def aspiration_report(fitted: AspirationCalibration, directory: Name) -> None:
    """Writes `aspiration.html`, `aspiration.md` and their pictures."""
    deltas = fitted.table.deltas
    facts = [
        f"made with {fitted.settings}",
        f"picked: {deltas[0]} (stages 1-5), {deltas[5]} (6-10), {deltas[10]} (11-15), in centidiscs",
    ]
    rows = [
        [
            t.phase,
            t.scheme,
            str(t.delta),
            f"{t.nodes / t.full_nodes:.1%}",
            f"{t.retry_rate:.1%}",
            f"{t.fallback_rate:.1%}",
            f"{t.agreement:.0%}",
        ]
        for t in fitted.trials
    ]
    pictures = [
        ("Nodes, as a share of the full window's, and retries per iteration, by half-width", _window_picture(fitted)),
        ("How much values change: 80th percentile by depth", _change_picture(fitted)),
    ]
    heading = ["phase", "windows", "delta", "nodes", "retries", "fallbacks", "same move"]
    _Page("aspiration", "Aspiration windows, calibrated", facts, pictures, heading, rows).write(directory)


def _window_picture(fitted: AspirationCalibration) -> Figure:
    picture = figure(11, 8)
    phases = list(dict.fromkeys(trial.phase for trial in fitted.trials))
    axes = picture.subplots(2, len(phases), sharex=True, squeeze=False)
    for column, phase in enumerate(phases):
        for scheme in dict.fromkeys(trial.scheme for trial in fitted.trials):
            trials = [t for t in fitted.trials if (t.phase, t.scheme) == (phase, scheme)]
            widths = [t.delta for t in trials]
            axes[0][column].plot(widths, [t.nodes / t.full_nodes for t in trials], marker="o", label=scheme)
            axes[1][column].plot(widths, [t.retry_rate for t in trials], marker="o", label=scheme)
        axes[0][column].set_title(phase)
        axes[0][column].axhline(1, color="gray", linewidth=0.8)
        axes[1][column].axhline(0.2, color="tab:red", linestyle="--", linewidth=0.8)
        axes[1][column].set_xlabel("half-width, centidiscs")
        for row in (0, 1):
            axes[row][column].grid(alpha=0.3)
    axes[0][0].set_ylabel("nodes / nodes of the full window")
    axes[1][0].set_ylabel("retries per iteration")
    axes[0][0].legend(fontsize="small")
    return picture


def _change_picture(fitted: AspirationCalibration) -> Figure:
    picture = figure()
    axis = picture.subplots()
    for number, (phase, depths) in enumerate(fitted.changes.items()):
        xs = list(depths)
        axis.plot(xs, [depths[d][1] for d in xs], color=f"C{number}", label=f"{phase}, from the iteration before")
        two = [depths[d][4] for d in xs]
        axis.plot(xs, two, color=f"C{number}", linestyle="--", label=f"{phase}, from two before")
    axis.set_xlabel("depth")
    axis.set_ylabel("|change|, centidiscs")
    axis.set_ylim(bottom=0)
    axis.grid(alpha=0.3)
    axis.legend(fontsize="small")
    return picture

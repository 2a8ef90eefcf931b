"""The report of `reluca calibrate aspiration`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reluca.calibration import PHASES, SAMPLED, AspirationCalibration, ValueChange, WindowTrial
from reluca.calibration.windows import MOST_RETRIES
from reluca.plots import COLORS, figure, legend_below, tidy
from reluca.reports.page import Part, Picture, Table, provenance, write
from reluca.tables import STAGES, AspirationParameterTable
from reluca.training import Name

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def aspiration_report(fitted: AspirationCalibration, directory: Name) -> None:
    """Writes `aspiration.html`, `aspiration.md` and their pictures."""
    parts = [
        Part(
            "The table",
            facts(fitted),
            tables=[
                Table("What was picked, on boards that it was not picked on", TRIALS, trial_rows(fitted.verdicts)),
                Table("The options in use, on the same boards", TRIALS, trial_rows(fitted.in_use)),
                Table("Every scheme with its best half-widths, best first", TRIALS, trial_rows(fitted.schemes)),
            ],
        ),
        Part(
            "Half-widths and schemes",
            pictures=[
                Picture(
                    "windows",
                    "Nodes, as a share of the full window's, and retries per iteration, by half-width",
                    _window_picture(fitted),
                ),
                Picture("table", "The half-widths picked, by stage, and the shipped ones", _table_picture(fitted)),
            ],
            tables=[Table("All trials", TRIALS, trial_rows(fitted.trials))],
        ),
        Part(
            "How much values change",
            pictures=[
                Picture(
                    "changes",
                    "80th percentile of the change of the value from one and from two iterations before, by depth",
                    _change_picture(fitted.changes),
                ),
                Picture(
                    "stages",
                    "The same by stage, at the greatest depth; bands reach from the median to the 95th percentile",
                    _stage_picture(fitted.changes),
                ),
            ],
            tables=[Table("Changes in centidiscs, by phase and stage", CHANGES, change_rows(fitted.changes))],
        ),
    ]
    write(directory, "aspiration", "Aspiration windows, calibrated", parts)


def facts(fitted: AspirationCalibration) -> list[str]:
    """What there is to say of the whole table."""
    around = "two iterations ago" if fitted.same_parity else "the last iteration"
    found = [
        f"made from {provenance(fitted.provenance)}",
        f"best scheme: {fitted.scheme}, around the value of {around}",
        f"half-widths by stage, centidiscs: {' '.join(map(str, fitted.table.deltas))}",
        f"nodes on boards that it was not picked on: {fitted.gain} of those of the options in use",
    ]
    for trial in fitted.verdicts:
        found.append(f"{trial.where}: {'every mark met' if not trial.missed else 'MISSED: ' + ', '.join(trial.missed)}")
    return found


TRIALS = ["where", "windows", "delta", "nodes / full", "nodes / legacy", "retries", "fallbacks"]
TRIALS += ["same move", "as legacy", "marks missed"]


def trial_rows(trials: Sequence[WindowTrial]) -> list[list[str]]:
    """What windows cost, a row each."""
    return [
        [
            trial.where,
            trial.kind,
            "by stage" if trial.delta is None else str(trial.delta),
            str(trial.full),
            str(trial.legacy),
            f"{trial.retry_rate:.1%}",
            f"{trial.fallback_rate:.1%}",
            f"{trial.agreement:.0%}",
            f"{trial.legacy_agreement:.0%}",
            ", ".join(trial.missed) or "none",
        ]
        for trial in trials
    ]


CHANGES = ["where", "depth", "from", "Multi-ProbCut", "samples", "mean", "deviation", "50 %", "80 %", "95 %", "largest"]


def change_rows(changes: Sequence[ValueChange]) -> list[list[str]]:
    """How much values change, a row each."""
    return [
        [
            change.where,
            str(change.depth),
            str(change.depth - change.back),
            "on" if change.multi_prob_cut else "off",
            f"{change.count:,}",
            *(f"{v:.0f}" for v in (change.mean, change.deviation, change.median, change.p80, change.p95)),
            f"{change.largest:.0f}",
        ]
        for change in changes
    ]


def _window_picture(fitted: AspirationCalibration) -> Figure:
    picture = figure(12, 8)
    axes = picture.subplots(2, len(PHASES), sharex=True, sharey="row", squeeze=False)
    schemes = list(dict.fromkeys(trial.scheme for trial in fitted.trials))
    deltas = sorted({trial.delta or 0 for trial in fitted.trials})
    for column, phase in enumerate(PHASES):
        for number, scheme in enumerate(schemes):
            for same in (False, True):
                trials = [t for t in fitted.trials if (t.where, t.scheme, t.same_parity) == (phase, scheme, same)]
                style = {"color": COLORS[number], "linestyle": "-" if same else ":", "marker": "o" if same else "."}
                label = trials[0].kind
                widths = [trial.delta or 0 for trial in trials]
                axes[0][column].plot(widths, [t.full.value for t in trials], markersize=4, label=label, **style)
                axes[1][column].plot(widths, [t.retry_rate for t in trials], markersize=4, **style)
        legacy = next(t for t in fitted.trials if t.where == phase)
        axes[0][column].axhline(1, color="gray", linewidth=1)
        axes[0][column].axhline(legacy.full.value / legacy.legacy.value, color="gray", linewidth=1, linestyle="--")
        axes[0][column].set_title(phase)
        axes[1][column].axhline(MOST_RETRIES, color="tab:red", linestyle="--", linewidth=1)
        axes[1][column].set_xlabel("half-width, centidiscs")
        for row in (0, 1):
            axes[row][column].set_xscale("log")
            axes[row][column].set_xticks(deltas, [str(delta) for delta in deltas], minor=False)
            axes[row][column].minorticks_off()
            tidy(axes[row][column])
    axes[1][0].set_ylim(bottom=0)
    axes[0][0].set_ylabel("nodes / nodes of the full window\n(dashed: legacy window)")
    axes[1][0].set_ylabel("retries per iteration\n(dashed: the mark)")
    legend_below(picture, 4)
    return picture


def _table_picture(fitted: AspirationCalibration) -> Figure:
    picture = figure(10, 3.2)
    axis = picture.subplots()
    shipped = AspirationParameterTable.named("calibrated")
    axis.step(list(STAGES), shipped.deltas, where="mid", color="gray", linestyle="--", label="shipped")
    picked = f"picked ({fitted.scheme})"
    axis.step(list(STAGES), fitted.table.deltas, where="mid", color=COLORS[0], marker="o", markersize=4, label=picked)
    axis.axvspan(0.5, SAMPLED[0] - 0.5, color="gray", alpha=0.15)
    axis.axvspan(SAMPLED[-1] + 0.5, 15.5, color="gray", alpha=0.15)
    axis.set_xticks(list(STAGES))
    axis.set_xlabel("stage (gray: no samples, taken from the next stage)")
    axis.set_ylabel("half-width, centidiscs")
    axis.set_ylim(bottom=0)
    axis.legend(fontsize="small")
    tidy(axis)
    return picture


_LINES = {
    (1, False): ("from the iteration before, Multi-ProbCut off", COLORS[1], "--"),
    (1, True): ("from the iteration before, Multi-ProbCut on", COLORS[1], "-"),
    (2, False): ("from two before, Multi-ProbCut off", COLORS[0], "--"),
    (2, True): ("from two before, Multi-ProbCut on", COLORS[0], "-"),
}


def _change_picture(changes: Sequence[ValueChange]) -> Figure:
    picture = figure(12, 4.6)
    axes = picture.subplots(1, len(PHASES), sharey=True)
    for axis, phase in zip(axes, PHASES, strict=True):
        for (back, cut), (label, color, line) in _LINES.items():
            part = [c for c in changes if (c.where, c.back, c.multi_prob_cut) == (phase, back, cut)]
            if part:
                axis.plot(
                    [c.depth for c in part], [c.p80 for c in part], color=color, linestyle=line, marker=".", label=label
                )
        axis.set_title(phase)
        axis.set_xlabel("depth")
        tidy(axis)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("|change|, centidiscs")
    legend_below(picture, 2)
    return picture


def _stage_picture(changes: Sequence[ValueChange]) -> Figure:
    picture = figure(12, 4.6)
    axes = picture.subplots(1, 2, sharey=True)
    by_stage = [change for change in changes if change.where.startswith("stage ")]
    deepest = max((change.depth for change in by_stage), default=0)
    for axis, cut in zip(axes, (False, True), strict=True):
        for back in (1, 2):
            part = [c for c in by_stage if (c.depth, c.back, c.multi_prob_cut) == (deepest, back, cut)]
            label, color, _ = _LINES[back, cut]
            stages = [int(change.where.removeprefix("stage ")) for change in part]
            name = label.split(",")[0]
            axis.plot(stages, [c.p80 for c in part], color=color, marker="o", markersize=4, label=name)
            axis.fill_between(stages, [c.median for c in part], [c.p95 for c in part], color=color, alpha=0.13)
        axis.set_title(f"depth {deepest}, Multi-ProbCut {'on' if cut else 'off'}")
        axis.set_xticks(list(SAMPLED))
        axis.set_xlabel("stage")
        tidy(axis)
    axes[0].set_ylim(bottom=0)
    axes[0].set_ylabel("|change|, centidiscs")
    legend_below(picture, 2)
    return picture

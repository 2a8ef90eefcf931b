"""Calibration: the tables of Multi-ProbCut and of aspiration windows, measured instead of guessed.

Samples are positions with their values at every depth. From them come the deviations of Multi-ProbCut (`fit_mpc`) and
the windows (`calibrate_aspiration`); games say what to make of both (`choose`, `accept`). Values are in centidiscs.
"""

from reluca.calibration.changes import ValueChange, value_changes
from reluca.calibration.files import require_directory, require_out, write_json
from reluca.calibration.mpc import (
    FEW,
    Cell,
    Coverage,
    Evidence,
    LineFit,
    MpcCalibration,
    MpcJudgement,
    Normality,
    Verdict,
    fit_mpc,
    judge_mpc,
    shallow_of,
)
from reluca.calibration.runs import Ratio, Runs, ratio, search_all
from reluca.calibration.samples import (
    PHASES,
    SAMPLED,
    UNKNOWN,
    DepthSamples,
    Progress,
    collect,
    read_samples,
    sample_boards,
)
from reluca.calibration.strength import (
    Acceptance,
    Candidate,
    CandidateResult,
    Choice,
    Criterion,
    Trials,
    accept,
    choose,
)
from reluca.calibration.windows import (
    DELTAS,
    SCHEMES,
    AspirationCalibration,
    WindowTrial,
    calibrate_aspiration,
)
from reluca.tables import MpcModel

__all__ = [
    "DELTAS",
    "FEW",
    "PHASES",
    "SAMPLED",
    "SCHEMES",
    "UNKNOWN",
    "Acceptance",
    "AspirationCalibration",
    "Candidate",
    "CandidateResult",
    "Cell",
    "Choice",
    "Coverage",
    "Criterion",
    "DepthSamples",
    "Evidence",
    "LineFit",
    "MpcCalibration",
    "MpcJudgement",
    "MpcModel",
    "Normality",
    "Progress",
    "Ratio",
    "Runs",
    "Trials",
    "ValueChange",
    "Verdict",
    "WindowTrial",
    "accept",
    "calibrate_aspiration",
    "choose",
    "collect",
    "fit_mpc",
    "judge_mpc",
    "ratio",
    "read_samples",
    "require_directory",
    "require_out",
    "sample_boards",
    "search_all",
    "shallow_of",
    "value_changes",
    "write_json",
]

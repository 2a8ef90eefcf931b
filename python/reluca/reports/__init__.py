"""Reports of calibrations: one HTML file that needs nothing else, and Markdown with pictures beside it."""

from reluca.plots import require
from reluca.reports.aspiration import aspiration_report
from reluca.reports.mpc import mpc_report
from reluca.reports.strength import acceptance_report, choice_report

__all__ = ["acceptance_report", "aspiration_report", "choice_report", "mpc_report", "require"]

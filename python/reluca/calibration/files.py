"""Calibrations as files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Protocol

from reluca.training import Name


class Calibration(Protocol):
    """Whatever can say all that it found."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""


def write_json(calibration: Calibration, path: Name) -> None:
    """Writes a calibration; an old file of this name is replaced only when the new one is complete."""
    target = Path(path)
    partial = target.with_name(target.name + ".part")
    partial.write_text(json.dumps(calibration.to_dict(), indent=1), encoding="utf-8")
    os.replace(partial, target)

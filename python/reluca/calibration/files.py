"""Calibrations as files."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Protocol

from reluca.errors import InvalidArgumentError
from reluca.training import Name


class Calibration(Protocol):
    """Whatever can say all that it found."""

    def to_dict(self) -> dict[str, Any]:
        """Everything, for JSON."""


def require_out(path: Name) -> None:
    """Raises an error that names the file if a calibration cannot be written there."""
    target = Path(path)
    if target.suffix.lower() != ".json":
        raise InvalidArgumentError(f"{target}: calibrations are written as JSON; the name must end in .json")
    if target.is_dir():
        raise IsADirectoryError(f"{target} is a directory")
    _require_room(target.parent, target)


def require_directory(path: Name) -> None:
    """Makes a directory for a report; raises an error that names it if nothing can be written there."""
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    _require_room(folder, folder)


def _require_room(folder: Path, wanted: Path) -> None:
    """Tries to make a file in a directory; the error names what is wanted there."""
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(wanted)) from None


def write_json(calibration: Calibration, path: Name) -> None:
    """Writes a calibration; an old file of this name is replaced only when the new one is complete."""
    target = Path(path)
    partial = target.with_name(target.name + ".part")
    try:
        partial.write_text(json.dumps(calibration.to_dict(), indent=1), encoding="utf-8")
        os.replace(partial, target)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(target)) from None

"""The build backend: maturin, run once per instruction-set tier.

The wheel of an x86-64 machine holds the extension module three times, compiled for baseline x86-64 (`portable`), for
x86-64-v3 (`avx2`) and for x86-64-v4 (`avx512`); `reluca._engine` picks one at import. Everything else is maturin's
own backend.
"""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import maturin
from maturin import (  # noqa: F401  (hooks that need no change)
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)
from tiers import ROOT, TARGET_CPU, tier_environment

ENGINE = ROOT / "python" / "reluca" / "_engine"


@contextmanager
def _environment(variables: dict[str, str]) -> Iterator[None]:
    saved = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(saved)


def _build_extra_tiers(config_settings: dict[str, Any] | None) -> None:
    """Builds every tier but the portable one and puts its module where the package looks for it."""
    for tier in TARGET_CPU.keys() - {"portable"}:
        with tempfile.TemporaryDirectory() as directory, _environment(tier_environment(tier)):
            wheel = Path(directory) / maturin.build_wheel(directory, config_settings)
            with zipfile.ZipFile(wheel) as archive:
                (module,) = (name for name in archive.namelist() if "/_engine/portable/native." in name)
                (ENGINE / tier / Path(module).name).write_bytes(archive.read(module))


def build_wheel(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _build_extra_tiers(config_settings)
    with _environment(tier_environment("portable")):
        name: str = maturin.build_wheel(wheel_directory, config_settings, metadata_directory)
    return name


def build_editable(
    wheel_directory: str, config_settings: dict[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    _build_extra_tiers(config_settings)
    with _environment(tier_environment("portable")):
        name: str = maturin.build_editable(wheel_directory, config_settings, metadata_directory)
    return name

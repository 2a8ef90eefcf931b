"""What is installed and how it runs."""

from __future__ import annotations

from dataclasses import dataclass, field

from reluca import _engine


@dataclass(frozen=True)
class BuildInfo:
    """The facts of an installation."""

    version: str
    """The version of the package."""
    tier: str
    """The active instruction-set tier: `avx512`, `avx2` or `portable`; RELUCA_TIER forces one."""
    tiers: tuple[str, ...]
    """The tiers that this installation has."""
    missing_features: dict[str, tuple[str, ...]] = field(hash=False)
    """What the processor lacks for each tier."""
    target: str
    """The architecture and operating system that it was built for."""


def build_info() -> BuildInfo:
    """Says which build this is and which instruction-set tier is active."""
    return BuildInfo(
        version=_engine.version(),
        tier=_engine.active_tier(),
        tiers=_engine.BUILT_TIERS,
        missing_features={tier: tuple(names) for tier, names in _engine.missing_features().items()},
        target=_engine.target(),
    )

"""The native engine, in the instruction-set tier that suits this machine.

The portable module runs everywhere, so it is imported first and asked about the processor; the module of a faster
tier is not even loaded unless the processor has all that it needs.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from reluca._engine.portable import native as _portable

TIER_VARIABLE = "RELUCA_TIER"
"""The environment variable that forces a tier."""

BUILT_TIERS = tuple(tier for tier in ("portable", "avx2", "avx512") if find_spec(f"reluca._engine.{tier}.native"))
"""The tiers of this installation, slowest first."""


def _choose() -> str:
    missing = _portable.missing_features()
    forced = os.environ.get(TIER_VARIABLE)
    if not forced:
        return [tier for tier in BUILT_TIERS if not missing[tier]][-1]
    if forced not in BUILT_TIERS:
        raise ImportError(f"{TIER_VARIABLE}={forced!r}: this build of reluca has the tiers {', '.join(BUILT_TIERS)}")
    if missing[forced]:
        raise ImportError(f"{TIER_VARIABLE}={forced!r}: this processor lacks {', '.join(missing[forced])}")
    return forced


def _load(tier: str) -> ModuleType:
    module = _portable if tier == "portable" else import_module(f"reluca._engine.{tier}.native")
    if module.active_tier() != tier:
        raise ImportError(f"the {tier} module of reluca was compiled as {module.active_tier()}; please reinstall")
    return module


_native = _load(_choose())
globals().update({name: getattr(_native, name) for name in _native.__all__})

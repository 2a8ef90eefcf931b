"""The instruction-set tiers and how cargo compiles for them."""

from __future__ import annotations

import os
import platform
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

_X86_64 = platform.machine().lower() in {"x86_64", "amd64"}

TARGET_CPU = {"portable": "x86-64", "avx2": "x86-64-v3", "avx512": "x86-64-v4"} if _X86_64 else {"portable": "generic"}
"""The compiler's name of each tier's processor, the slowest first."""


def tier_environment(tier: str) -> dict[str, str]:
    """What to add to the environment so that cargo compiles for a tier, in a target directory of its own."""
    flags = f"{os.environ.get('RUSTFLAGS', '')} -C target-cpu={TARGET_CPU[tier]}".strip()
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / tier
    return {"RUSTFLAGS": flags, "CARGO_TARGET_DIR": str(target)}

"""The package itself: tiers, native symbols, version."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import types
from pathlib import Path
from typing import ClassVar

import pytest

import reluca
from reluca import _engine

PACKAGE = Path(reluca.__file__).parent


def run_in_tier(tier: str, code: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "RELUCA_TIER": tier}
    return subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)


def native_module() -> types.ModuleType:
    return sys.modules[f"reluca._engine.{reluca.build_info().tier}.native"]


def test_every_native_symbol_is_used_by_the_package() -> None:
    sources = [path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")]
    imported = {
        name
        for source in sources
        for names in re.findall(r"from reluca\._engine import ([\w, ]+|\([^)]*\))", source)
        for name in re.findall(r"\w+", names)
    } | {name for source in sources for name in re.findall(r"_engine\.(\w+)", source)}
    only_for_tests = {"native_options"}
    assert set(native_module().__all__) - imported == only_for_tests


def test_every_native_symbol_is_in_the_stub() -> None:
    stub = (PACKAGE / "_engine" / "__init__.pyi").read_text(encoding="utf-8")
    assert [name for name in native_module().__all__ if f" {name}(" not in stub and f" {name}:" not in stub] == []


def test_build_info_names_an_installed_tier() -> None:
    info = reluca.build_info()
    assert info.tier in info.tiers
    assert info.version == reluca.__version__
    assert set(info.tiers) == set(_engine.BUILT_TIERS)
    assert hash(info) == hash(reluca.build_info())


@pytest.mark.parametrize("tier", _engine.BUILT_TIERS)
def test_the_environment_variable_forces_a_tier_and_all_tiers_agree(tier: str) -> None:
    if reluca.build_info().missing_features[tier]:
        refused = run_in_tier(tier, "import reluca")
        assert f"ImportError: RELUCA_TIER={tier!r}: this processor lacks" in refused.stderr
        return
    code = "import reluca; print(reluca.build_info().tier, reluca.perft(reluca.Board(), 10))"
    assert run_in_tier(tier, code).stdout == f"{tier} 24571284\n"


def test_an_unknown_tier_is_a_clear_import_error() -> None:
    result = run_in_tier("mmx", "import reluca")
    assert result.returncode != 0
    assert "ImportError: RELUCA_TIER='mmx': this build of reluca has the tiers portable" in result.stderr


def test_a_processor_without_a_feature_gets_the_next_tier_or_a_clear_import_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class LackingProcessor:
        missing: ClassVar[dict[str, list[str]]] = {"portable": [], "avx2": ["bmi2"], "avx512": ["bmi2", "avx512f"]}

        @classmethod
        def missing_features(cls) -> dict[str, list[str]]:
            return cls.missing

    monkeypatch.setattr(_engine, "_portable", LackingProcessor)
    monkeypatch.setattr(_engine, "BUILT_TIERS", ("portable", "avx2", "avx512"))
    monkeypatch.delenv("RELUCA_TIER", raising=False)
    choose = _engine._choose  # type: ignore[attr-defined]
    assert choose() == "portable"
    with monkeypatch.context() as forced:
        forced.setenv("RELUCA_TIER", "avx512")
        with pytest.raises(ImportError, match="RELUCA_TIER='avx512': this processor lacks bmi2, avx512f"):
            choose()
    LackingProcessor.missing = {"portable": [], "avx2": [], "avx512": ["avx512f"]}
    assert choose() == "avx2"
    LackingProcessor.missing = {"portable": [], "avx2": [], "avx512": []}
    assert choose() == "avx512"
    monkeypatch.setattr(_engine, "BUILT_TIERS", ("portable", "avx2"))
    assert choose() == "avx2"

"""Sets up and passes all tests from a fresh clone, on a machine that has only Rust and Python.

    python3 tools/check.py

Makes a virtual environment of its own in `.venv`, installs the package with its development tools, and runs every
lint and every test; those of the native module in each instruction-set tier that this machine can run. Stops at the
first failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from pathlib import Path

from tiers import tier_environment

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv"
BIN = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin")
PYTHON = str(BIN / "python")


def run(*command: str, **variables: str) -> None:
    """Runs a command in the project and ends the script if it fails."""
    shown = " ".join([f"{name}={value}" for name, value in variables.items()] + list(command))
    print(f"\n$ {shown}", flush=True)
    start = time.perf_counter()
    result = subprocess.run(command, cwd=ROOT, env={**os.environ, **variables}, check=False)
    if result.returncode:
        sys.exit(f"failed: {shown}")
    print(f"  {time.perf_counter() - start:.0f} s", flush=True)


def set_up() -> None:
    """Installs the package and its development tools into the project's own environment."""
    if not ENVIRONMENT.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", ".[dev]")


def lint() -> None:
    """Formatting, lints and types of both languages; the stub against the native module."""
    run("cargo", "fmt", "--all", "--check")
    # The kernels of every tier are linted in one that has them.
    for tier in ("portable", usable_tiers()[-1]):
        run(
            "cargo",
            "clippy",
            "--workspace",
            "--all-targets",
            "--locked",
            "--",
            "-D",
            "warnings",
            **tier_environment(tier),
        )
    run(PYTHON, "-m", "ruff", "check", ".")
    run(PYTHON, "-m", "ruff", "format", "--check", ".")
    run(PYTHON, "-m", "mypy")
    stubtest = (PYTHON, "-m", "mypy.stubtest", "reluca._engine")
    run(*stubtest, "--mypy-config-file", "pyproject.toml", "--allowlist", "tools/stubtest-allowlist.txt")


def usable_tiers() -> list[str]:
    """The tiers that were built and that this processor can run."""
    code = "import reluca; i = reluca.build_info(); print(*(t for t in i.tiers if not i.missing_features[t]))"
    return subprocess.check_output([PYTHON, "-c", code], cwd=ROOT, text=True).split()


# The tests that stand on the kernels of a tier; what the others test is the same code in every tier.
KERNELS = ["--package", "reluca-engine", "--lib", "--test", "rules", "--test", "endgame", "--"]
KERNELS += ["--skip", "table::", "--skip", "tune::", "--skip", "parallel::"]
NATIVE = [
    f"tests/test_{name}.py" for name in ("rules", "board", "batch", "obf", "engine", "solve", "weights", "package")
]


def test() -> None:
    """The tests of the kernels and of the native module in every tier; all others, examples and documentation once."""
    *others, best = usable_tiers()
    for tier in (*others, best):
        run("cargo", "test", "--locked", *(["--workspace"] if tier == best else KERNELS), **tier_environment(tier))
        run(PYTHON, "-m", "pytest", *([] if tier == best else NATIVE), RELUCA_TIER=tier)
    for example in sorted((ROOT / "examples").glob("*.py")):
        run(PYTHON, str(example.relative_to(ROOT)), RELUCA_TIER=best)
    run("cargo", "doc", "--workspace", "--no-deps", "--locked", RUSTDOCFLAGS="-D warnings")


if __name__ == "__main__":
    set_up()
    lint()
    test()
    print("\nall checks passed")

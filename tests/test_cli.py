"""The command line, run as users run it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import reluca


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "reluca", *arguments], capture_output=True, text=True, timeout=120)


def test_version_names_the_tier() -> None:
    assert run("--version").stdout == f"reluca {reluca.__version__} ({reluca.build_info().tier})\n"


@pytest.mark.parametrize("arguments", [[], ["--help"]])
def test_help_lists_the_verbs(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.returncode, result.stderr) == (0, "")
    assert "perft" in result.stdout
    assert "show" in result.stdout


def test_perft_counts_in_both_conventions() -> None:
    assert "perft(9) = 3,005,288 in" in run("perft", "9").stdout
    free = json.loads(run("perft", "9", "--passes", "free", "--divide", "--json").stdout)
    assert free["nodes"] == 3_005_320
    assert free["divide"] == dict.fromkeys(["d3", "c4", "f5", "e6"], 751_330)


def test_perft_of_a_position_that_must_pass_divides_by_the_pass() -> None:
    board = "XO" + "-" * 62 + "O"
    result = json.loads(run("perft", "1", "--passes", "free", "--divide", "--json", "--position", board).stdout)
    assert (result["nodes"], result["divide"]) == (1, {"pass": 1})
    assert json.loads(run("perft", "0", "--json").stdout)["nodes"] == 1


def test_show_prints_board_and_moves(tmp_path: Path) -> None:
    picture = tmp_path / "board.svg"
    result = run("show", "f5d6c3", "--svg", str(picture))
    assert result.returncode == 0
    assert "3 - - X . - . - -" in result.stdout
    assert "legal moves: d3 f3 f4 g5" in result.stdout
    assert picture.read_text().startswith("<svg")
    assert json.loads(run("show", "f5d6c3", "--json").stdout)["legal_moves"] == ["d3", "f3", "f4", "g5"]
    spaced = " ".join("-X" + "-" * 25 + "OX") + "-" * 35 + "O"
    for board in (reluca.Board().to_string()[:64] + " O", "-XO" + "-" * 61 + "O", "-BW" + "-" * 61 + "W", spaced):
        assert "O to move" in run("show", board).stdout, board
    assert "result: black wins, +64 for black" in run("show", "XXX" + "-" * 61).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "f5d6z"], "transcript: expected a move at character 5"),
        (["show", "f5f5"], "transcript: move 2: illegal move f5: the square is occupied"),
        (["show", "-" * 63], "found 63 characters"),
        (["show", "f5", "--svg", "/no/such/folder/x.svg"], "No such file"),
        (["show"], "Missing argument"),
        (["perft", "many"], "Invalid value for"),
        (["perft", "99"], "Invalid value for"),
        (["perft", "3", "--passes", "never"], "Invalid value for"),
        (["fly"], "No such command 'fly'"),
        (["solve", "f5", "--table-mb", "99999999"], "cannot be had"),
        (["perft", "3", "--fly"], "--fly"),
        (["solve", "f5", "--threads", "0"], "Invalid value for"),
        (["solve", "f5", "--threads", "257"], "threads must be a whole number from 1 to 256"),
        (["analyze", "f5", "--threads", "257"], "threads must be"),
        (["play", "--threads", "257"], "threads must be"),
        (["gtp", "--threads", "257"], "threads must be"),
        (["nboard", "--threads", "257"], "threads must be"),
        (["match", "reluca:threads=257", "reluca", "--depth", "1"], "threads must be"),
        (["match", "reluca:threads=two", "reluca", "--depth", "1"], "threads is a number, not 'two'"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr.startswith("reluca: ")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_ends_a_long_count_at_once() -> None:
    code = (
        "import reluca, signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('ready', flush=True); reluca.perft(reluca.Board(), 20)"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=10)
        # The interpreter itself takes some of this to print and leave.
        assert time.perf_counter() - start < 0.5
    assert b"KeyboardInterrupt" in errors


def test_a_verb_loads_only_what_it_needs() -> None:
    code = "import sys; from reluca.cli import run; run(['perft', '1']); print(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "reluca.cli.perft" in result.stdout
    assert "reluca.cli.calibrate" not in result.stdout

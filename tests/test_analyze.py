"""`reluca analyze`, and the files that it reads."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversation import PATIENCE
from reluca import BLACK, Board, NotationError, RelucaError, games, ggf, sgf
from reluca.cli import run
from reluca.limits import Clock
from reluca.reading import parse_board, parse_move
from reluca.types import WHITE
from samples import WITH_PASSES, before_pass, negamax
from test_training import thor_file

QUICK = ["--depth", "2", "--table-mb", "1"]


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["analyze", *arguments]) == 0
    return capsys.readouterr().out


def on_terminal(*arguments: str, output: Path | None = None, settings: dict[str, str] | None = None) -> tuple[str, str]:
    """What a command shows on a terminal, and what it writes to a file that its output goes to."""
    import pty  # there is none on Windows

    main, side = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    environment |= {"TERM": "xterm", "PYTHONIOENCODING": "utf-8", **(settings or {})}
    with contextlib.ExitStack() as stack:
        out = side if output is None else stack.enter_context(output.open("w", encoding="utf-8"))
        command = [sys.executable, "-m", "reluca", *arguments]
        process = stack.enter_context(subprocess.Popen(command, stdout=out, stderr=side, env=environment))
        os.close(side)
        shown = b""
        # Linux ends a terminal without a writer with an error, others with nothing.
        with contextlib.suppress(OSError):
            while part := os.read(main, 4096):
                shown += part
        os.close(main)
        assert process.wait(PATIENCE) == 0
    return shown.decode(), "" if output is None else output.read_text(encoding="utf-8")


def test_a_position_is_analysed_line_by_line_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    out = printed(capsys, "f5d6", "--multipv", "2", "--depth", "3", "--table-mb", "1")
    depths = [line.split()[1] for line in out.splitlines() if line.startswith("depth ")]
    assert depths == ["1", "1", "2", "2", "3", "3"]
    assert out.splitlines()[-1].startswith("best: ")
    assert "depth 3" in out.splitlines()[-1]


def test_limits_are_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    ending = before_pass(2).to_string()
    (exact,) = json.loads(printed(capsys, ending, "--exact", "--json"))
    assert (exact["exact"], exact["score"]) == (True, negamax(Board(ending)))
    (level,) = json.loads(printed(capsys, ending, "--level", "4", "--json"))
    assert level["exact"] is True
    (nodes,) = json.loads(printed(capsys, "f5", "--nodes", "500", "--json"))
    assert nodes["nodes"] <= 500
    (timed,) = json.loads(printed(capsys, "f5", "--time", "0.05", "--json"))
    assert timed["time"] < 0.5
    assert "the game is over: black wins, +64 for black\n" in printed(capsys, "X" * 64)
    assert "black wins, +40 for black; --game reviews its moves\n" in printed(capsys, WITH_PASSES)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX terminal")
@pytest.mark.parametrize("form", ["--csv", "--json"])
def test_a_progress_bar_on_the_terminal_leaves_the_output_to_its_file(tmp_path: Path, form: str) -> None:
    shown, whole = on_terminal("analyze", "--game", WITH_PASSES, form, *QUICK, output=tmp_path / "out")
    assert f"/{len(Board.from_moves(WITH_PASSES).move_stack) + 1}" in shown
    rows = json.loads(whole)[0]["moves"] if form == "--json" else list(csv.DictReader(io.StringIO(whole)))
    assert "".join(row["move"] for row in rows) == WITH_PASSES


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX terminal")
@pytest.mark.parametrize(
    ("settings", "coloured"),
    [({"TERM": "xterm-256color"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
)
def test_discs_can_be_told_apart_also_without_colour(settings: dict[str, str], coloured: bool) -> None:
    shown, _ = on_terminal("analyze", "f5", *QUICK, settings=settings)
    assert ("●" in shown) == coloured
    assert coloured or "4 - - - O X . - -" in shown


@pytest.mark.parametrize("encoding", ["cp1252", "ascii"])
def test_a_review_is_printed_in_any_encoding(encoding: str) -> None:
    command = [sys.executable, "-m", "reluca", "analyze", "--game", WITH_PASSES, *QUICK]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    result = subprocess.run(command, capture_output=True, env=environment, timeout=PATIENCE)
    assert (result.returncode, result.stderr) == (0, b"")
    assert b"###" in result.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize("kind", ["position", "games"])
def test_ctrl_c_leaves_what_was_found(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "games.txt"
    # The first game is reviewed at once, the second one never.
    file.write_text(f"{before_pass(3).to_string()}\nf5\n", encoding="utf-8")
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from reluca.cli import run; sys.exit(run(sys.argv[1:]))"
    )
    wanted = ["f5", "--time", "60"] if kind == "position" else [str(file), "--exact", "--csv"]
    command = [sys.executable, "-c", code, "analyze", *wanted, "--table-mb", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        begun = "depth" if kind == "position" else "games.txt, line 1"
        while begun not in (line := process.stdout.readline()):
            assert line
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert kind == "games" or rest.splitlines()[-1].startswith("best: ")


def test_a_game_is_reviewed_with_its_graph(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "game.svg"
    out = printed(capsys, "--game", WITH_PASSES, *QUICK, "--graph", str(picture))
    assert picture.read_text(encoding="utf-8").startswith("<svg")
    lines = out.splitlines()
    assert "result: +40 for black" in lines
    moves = [line.split()[2].rstrip("?") for line in lines[1 : lines.index("")]]
    assert "".join(moves) == WITH_PASSES
    assert lines[-1].startswith("white: accuracy ")
    assert any("b2??" in line and "was better" in line for line in lines)
    assert "█" in out


def test_reviews_come_as_json_and_csv(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--game", WITH_PASSES, *QUICK]
    picture = tmp_path / "game.png"
    (review,) = json.loads(printed(capsys, *arguments, "--json", "--graph", str(picture)))
    assert picture.exists()
    assert review["transcript"] == WITH_PASSES
    assert (review["finished"], review["final"]) == (True, 40)
    assert set(review["sides"]) == {"black", "white"}
    rows = list(csv.DictReader(io.StringIO(printed(capsys, *arguments, "--csv"))))
    assert "".join(row["move"] for row in rows) == WITH_PASSES
    assert [float(row["loss"]) for row in rows] == [move["loss"] for move in review["moves"]]


def test_files_of_every_kind_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = Board.from_moves(WITH_PASSES)
    text = tmp_path / "games.txt"
    text.write_text(f"f5d6 % a comment\n\n{Board.from_moves('f5').to_string()}\n", encoding="utf-8")
    obf = tmp_path / "positions.obf"
    obf.write_text(f"{before_pass().to_obf()}\n", encoding="utf-8")
    server = tmp_path / "games.ggf"
    server.write_text(ggf.format(board, {"PB": "a", "PW": "b"}) + "\n" + ggf.format(board), encoding="utf-8")
    thor = thor_file(tmp_path / "games.wtb", [(board.transcript(passes=False), 52, 52)], 0)
    assert [(entry.board.discs, entry.is_game) for entry in games.read(text)] == [(6, False), (5, False)]
    assert [entry.board for entry in games.read(obf)] == [before_pass()]
    assert [entry.name for entry in games.read(server)] == ["games.ggf, game 1 (a - b)", "games.ggf, game 2"]
    (entry,) = games.read(thor)
    assert (entry.board.transcript(), entry.is_game) == (WITH_PASSES, True)
    rows = list(csv.DictReader(io.StringIO(printed(capsys, str(text), str(obf), *QUICK, "--csv"))))
    assert [row["name"] for row in rows] == ["games.txt, line 1", "games.txt, line 3", "positions.obf, position 1"]
    assert rows[2]["best_move"] == "pass"
    many = json.loads(printed(capsys, str(server), str(thor), *QUICK, "--json"))
    assert [game["transcript"] for game in many] == [WITH_PASSES] * 3
    table = printed(capsys, str(server), str(text), *QUICK)
    assert table.count("+40") == 2
    assert "expected play" in table
    assert "games.txt, line 3" in table


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", "f5d6\nf5z9", "a.txt, line 2: transcript"),
        ("a.txt", "% nothing", "no position in the file"),
        ("a.ggf", "nothing", "no position in the file"),
        ("a.ggf", "(;GM[Othello]B[F5];)", "a.ggf, game 1: a GGF game has its board"),
        ("a.obf", "nothing", "a.obf, line 1"),
        ("a.wtb", "short", "not a WTHOR file"),
    ],
)
def test_a_bad_file_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: str, message: str
) -> None:
    file = tmp_path / name
    file.write_text(content, encoding="utf-8")
    assert run(["analyze", str(file)]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_a_ggf_game_that_cannot_be_read_is_left_out_with_a_word(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = ggf.format(Board.from_moves("f5d6"))
    file = tmp_path / "a.ggf"
    file.write_text(f"{good}\n{good.replace('D6', 'A1')}\n{good}\n", encoding="utf-8")
    assert run(["analyze", str(file), "--json", *QUICK]) == 0
    captured = capsys.readouterr()
    assert [game["name"] for game in json.loads(captured.out)] == ["a.ggf, game 1", "a.ggf, game 3"]
    assert "a.ggf, game 2: illegal move a1" in captured.err
    with pytest.raises(ValueError, match="game 2"):
        games.read(file)


@pytest.mark.parametrize("text", ["f5\nf5d6\n", ggf.format(Board.from_moves("f5d6")) * 2])
def test_a_dash_reads_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    found = json.loads(printed(capsys, "-", "--json", *QUICK))
    assert [entry["name"].split(",")[0] for entry in found] == ["standard input"] * 2


def test_a_game_of_a_thor_file_that_breaks_the_rules_is_named(tmp_path: Path) -> None:
    file = thor_file(tmp_path / "a.wtb", [("f5d6", 33, 33), ("f5f4", 33, 33)], 0)
    data = bytearray(file.read_bytes())
    data[16 + 68 + 8 + 1] = 11
    file.write_bytes(bytes(data))
    with pytest.raises(ValueError, match=r"a\.wtb, game 2: illegal move a1"):
        games.read(file)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["f5", "--depth", "3", "--level", "4"], "a level sets depth"),
        (["f5", "--depth", "3", "--exact"], "a depth does not go with"),
        (["f5", "--json", "--csv"], "exclude each other"),
        (["f5", "--graph", "a.svg"], "--graph draws one reviewed game"),
        (["--game", "f5", "--graph", "a.gif"], "a graph is a .svg or a .png"),
        (["--game", "f5", "--graph", "/no/such/folder/a.svg"], "there is no such directory"),
        (["--game", "X" * 32 + "O" * 32], "no move to review"),
        (["no.wtb"], "No such file"),
        (["f5", "--multipv", "0"], "Invalid value"),
        (["f5", "--level", "0"], "Invalid value"),
        (["f5", "--weights", "no.weights"], "no.weights"),
        (["zz"], "unknown character 'z'"),
        (["nofile.dat"], "nofile.dat is neither a position nor a file"),
        ([], "Missing argument"),
    ],
)
def test_bad_arguments_are_refused_before_any_work(
    capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(["analyze", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


def test_ggf_keeps_times_and_says_what_is_left_on_the_clocks() -> None:
    board = Board.from_moves("f5d6c3")
    text = ggf.format(board, {"TI": "5:00/0:10", "PB": "a]b"}, [1.5, 20, 0])
    assert "B[F5//1.50]W[D6//20.00]B[C3]" in text
    parsed = ggf.parse(text)
    assert parsed.times == (1.5, 20.0, 0.0)
    assert parsed.tags["PB"] == "a)b"
    assert parsed.clock(BLACK) == Clock(main=318.5, increment=10)
    assert parsed.clock(WHITE) == Clock(main=290, increment=10)
    assert ggf.parse(text.replace("TI", "TB")).clock(WHITE) is None
    for clock, left in (
        ("5:00,N10/0:10", Clock(main=318.5, increment=10)),
        ("5:00/0:10,L/2:00,N1", parsed.clock(BLACK)),
    ):
        assert ggf.parse(text.replace("5:00/0:10", clock)).clock(BLACK) == left
    assert ggf.parse(text.replace("5:00/0:10", "soon")).clock(BLACK) is None
    late = ggf.parse(text.replace("20.00", "9999"))
    assert late.clock(WHITE) == Clock(main=0, increment=10)
    for bad in ("B[F5//x]", "B[F5//-1]", "B[F5//nan]"):
        with pytest.raises(NotationError, match="is not a time"):
            ggf.parse(text.replace("B[F5//1.50]", bad))


def test_a_pass_left_out_of_a_record_is_filled_in() -> None:
    board = Board.from_moves(WITH_PASSES)
    whole = ggf.format(board, {}, [1.0] * len(board.move_stack))
    assert whole.count("PA") == 3
    short = ggf.parse(whole.replace("B[PA//1.00]", "").replace("W[PA//1.00]", ""))
    assert short.board.transcript() == WITH_PASSES
    assert [seconds for move, seconds in zip(board.move_stack, short.times, strict=True) if str(move) == "pass"] == [
        0.0
    ] * 3


_PARTS = [
    "(;",
    ";)",
    "GM[Othello]",
    "BO[8 ",
    "-" * 27 + "O*------*O" + "-" * 27,
    " *]",
    "B[F5]",
    "W[",
    "PA",
    "]",
    "TI[",
    "/1",
]


@given(st.lists(st.one_of(st.sampled_from(_PARTS), st.text(max_size=6)), max_size=14).map("".join))
def test_any_text_is_read_or_refused_with_an_error_of_the_package(text: str) -> None:
    for parse in (ggf.parse, sgf.parse, parse_board, parse_move):
        with contextlib.suppress(RelucaError):
            parse(text)

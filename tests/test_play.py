"""`reluca play`, as a person plays."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import conversation
from conversation import PATIENCE, program
from reluca import BLACK, WHITE, Board, Engine, IllegalMoveError, Pondering, games, ggf
from reluca.cli import run
from reluca.limits import Clock
from reluca.session import Session
from reluca.types import Move
from samples import WITH_PASSES, before_pass

pytestmark = pytest.mark.usefixtures("pondering_or_not")


def play(typed: str, *arguments: str) -> str:
    result = subprocess.run(program("play", *arguments), input=typed, capture_output=True, text=True, timeout=PATIENCE)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


def test_a_person_plays_asks_takes_back_and_resigns(tmp_path: Path) -> None:
    file = tmp_path / "game.ggf"
    typed = "help\nhint\nhint 2\nhint ²\nf5\nundo\nundo\nf5 d6\na1\nz9\nD3\nboard\nresign\n"
    out = play(typed, "--level", "2", "--save", str(file))
    assert "take back your last move" in out
    assert out.count("expected play") == 2
    assert "'²' is not a number from 1 to 64" in out
    assert "2 moves taken back" in out
    assert "there is no move of yours to take back" in out
    assert "type a move like f5, or help" in out
    assert "illegal move a1: it flips nothing" in out
    assert '"z9" is not a move' in out
    assert "white wins: black resigned" in out
    (game,) = ggf.parse_all(file.read_text(encoding="utf-8"))
    assert (game.tags["PB"], game.tags["PW"], game.tags["RE"]) == ("human", "Reluca (level 2)", "-64:r")
    moves = [str(move) for move in game.board.move_stack]
    assert (moves[0], len(moves)) == ("d3", 2)


@pytest.mark.parametrize("name", ["game.ggf", "game.txt"])
@pytest.mark.parametrize("typed", ["f5\n", "f5\nquit\n", "f5\nfly\n\n"])
def test_the_end_of_the_input_ends_the_game_and_saves_it(tmp_path: Path, name: str, typed: str) -> None:
    file = tmp_path / name
    assert "left unfinished" in play(typed, "--level", "1", "--save", str(file))
    assert "left unfinished" in play(typed, "--level", "1", "--save", str(file))
    first, second = games.read(file)
    assert first.board == second.board
    assert (first.board.discs, str(first.board.move_stack[0])) == (6, "f5")


def test_the_engine_plays_itself_to_the_end() -> None:
    out = play("", "--side", "none", "--level", "1")
    result, transcript = out.splitlines()[-2:]
    board = Board.from_moves(transcript)
    assert board.is_game_over()
    assert f"{board.score(BLACK):+d} for black" in result


def test_the_engine_begins_if_the_person_is_white_and_nobody_else_plays_if_it_is_both() -> None:
    assert "black plays" in play("", "--side", "white", "--level", "1").split("white>")[0]
    assert "f5d6\n" in play("f5\nd6\n", "--side", "both", "--time", "0.01")
    assert play("", "--side", "random", "--level", "1").count(">") == 1


def test_it_ponders_while_a_person_thinks_about_a_move_against_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pondered: list[str] = []
    ponder = Engine.ponder

    def listen(engine: Engine, board: Board) -> Pondering:
        pondered.append(board.transcript())
        return ponder(engine, board)

    monkeypatch.setattr(Engine, "ponder", listen)
    for arguments in (["--ponder"], [], ["--ponder", "--side", "both"]):
        monkeypatch.setattr(sys, "stdin", io.StringIO("hint\nf5\n"))
        assert run(["play", "--level", "1", "--table-mb", "1", *arguments]) == 0
    # Before the hint and after it, and after the answer to the move.
    assert pondered[:2] == ["", ""]
    assert [len(transcript) for transcript in pondered[2:]] == [4]


def test_passes_are_said_and_typed(tmp_path: Path) -> None:
    board = before_pass()
    before = board.transcript()
    side = str(board.turn)
    for typed in ("pass\n", "\n"):
        out = play(typed, "--side", side, "--level", "1", "--position", before)
        assert f"{side} has no move: pass" in out
        assert f"{side} passes" in out
    assert f"{side} passes" in play("", "--side", "none", "--level", "1", "--position", before)
    assert "illegal pass" in play("pass\n", "--level", "1")
    refused = play("a1\n", "--side", side, "--level", "1", "--position", before)
    assert "illegal move a1" in refused


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
@pytest.mark.parametrize("when", ["person", "engine"])
def test_ctrl_c_ends_the_game_and_saves_it(tmp_path: Path, when: str) -> None:
    file = tmp_path / "game.txt"
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from reluca.cli import run; sys.exit(run(sys.argv[1:]))"
    )
    limit = ["--level", "1"] if when == "person" else ["--time", "60"]
    options = [*limit, "--table-mb", "1", "--save", str(file), *conversation.OPTIONS]
    command = [sys.executable, "-c", code, "play", *options]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("f5\n")
        process.stdin.flush()
        wanted = "white plays" if when == "person" else "black> black plays"
        while wanted not in process.stdout.readline():
            pass
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
    assert "left unfinished" in out
    (entry,) = games.read(file)
    assert len(entry.board.move_stack) == (2 if when == "person" else 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--level", "3", "--time", "1"], "a level or seconds"),
        (["--clock", "soon"], "is not a clock"),
        (["--save", "game.pdf"], ".ggf or .txt"),
        (["--save", "/no/such/folder/game.txt"], "no such directory"),
        (["--position", "O" * 32 + "X" * 31 + "-", "--save", "game.txt"], "save as .ggf"),
        (["--position", "f5z9"], "transcript"),
        (["--side", "red"], "Invalid value"),
    ],
)
def test_bad_arguments_are_refused(arguments: list[str], message: str) -> None:
    result = subprocess.run(program("play", *arguments), capture_output=True, text=True, timeout=PATIENCE)
    assert result.returncode == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1


def test_clocks_run_and_a_side_without_time_loses() -> None:
    session = Session(clock=Clock(main=10, increment=2))
    session.play(Move.F5, 4.0)
    session.play(Move.D6, 1.0)
    clocks = session.clock(BLACK), session.clock(WHITE)
    assert clocks == (Clock(main=8, increment=2), Clock(main=11, increment=2))
    session.play(Move.C3, 8.5)
    assert str(session.ending) == "white wins: black ran out of time"
    assert session.board.transcript() == "f5d6"
    assert "RE[-64:t]" in session.to_ggf("a", "b")
    assert "TI[0:10/0:02]" in session.to_ggf("a", "b")
    # What is taken back was never spent.
    assert session.undo([BLACK]) == 2
    assert (session.ending, session.clock(BLACK)) == (None, Clock(main=10, increment=2))
    period = Session(clock=Clock(main=1, byoyomi=5))
    for move, seconds in ((Move.F5, 0.5), (Move.D6, 5.5), (Move.C3, 5.0), (Move.D3, 5.0)):
        period.play(move, seconds)
    assert (period.clock(BLACK), period.clock(WHITE)) == (Clock(main=0, byoyomi=5),) * 2
    assert period.ending is None
    # A period begins anew with every move, and what is left of it does not come back.
    period.play(Move.C4, 5.1)
    assert str(period.ending) == "white wins: black ran out of time"


def test_the_prompt_shows_the_time_that_is_left_now(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 1000, 10))
    monkeypatch.setattr("reluca.cli.play.time.perf_counter", lambda: next(now))
    typed = io.StringIO("\n\n\n")
    shown = io.StringIO()
    monkeypatch.setattr(sys, "stdin", typed)
    monkeypatch.setattr(sys, "stdout", shown)
    assert run(["play", "--side", "both", "--clock", "60/30", "--table-mb", "1"]) == 0
    prompts = [part.split(">")[0] for part in shown.getvalue().split("black ")[1:]]
    assert prompts == ["0:50", "0:30", "0:10", "0:20"]


def test_undo_goes_back_over_passes_to_a_choice_and_not_before_the_start() -> None:
    board = before_pass()
    session = Session(board)
    passing = board.turn
    session.play(Move.PASS)
    session.play(session.board.legal_moves[0])
    assert session.undo([passing]) == 0
    assert session.undo([passing.other]) == 1
    assert session.board == board.play("pass")
    with pytest.raises(IllegalMoveError):
        session.play(Move.PASS)
    whole = Session(Board.from_moves(WITH_PASSES))
    assert str(whole.ending) == "black wins, +40 for black"

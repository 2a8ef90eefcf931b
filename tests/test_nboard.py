"""`reluca nboard` over pipes."""

from __future__ import annotations

import io
import time
from collections.abc import Iterator

import pytest

from conversation import Pipe, converse, happens
from reluca import Board, Effort, Engine, Move, ggf
from reluca.protocols import NBoardEngine
from reluca.reading import parse_move
from samples import WITH_PASSES, before_pass, negamax

pytestmark = pytest.mark.usefixtures("pondering_or_not")
START = Board()


def game(board: Board, **tags: str) -> str:
    return f"set game {ggf.format(board, tags)}"


def chosen(lines: list[str]) -> Move:
    """The move of the answer to `go`, which is the last line."""
    word, rest = lines[-1].split(" ", 1)
    assert word == "==="
    return parse_move(rest.split("/")[0])


def hints(lines: list[str]) -> list[tuple[str, float, str]]:
    """Move, value and depth of every hint."""
    found = []
    for line in lines:
        if line.startswith("search "):
            _, pv, value, games, depth = line.split()
            assert games == "0"
            found.append((pv[:2], float(value), depth))
    return found


@pytest.fixture(scope="module")
def running(pondering_or_not: None) -> Iterator[Pipe]:
    """A program that has been running for some tests already."""
    with Pipe("nboard") as pipe:
        yield pipe


@pytest.mark.parametrize("clock", ["0:01,N10", "0:01,N10/0:00,L/2:00", "soon", "1:x/0:10", "-5"])
def test_go_is_answered_whatever_the_clock_says(running: Pipe, clock: str) -> None:
    running.send("set depth 3", game(Board.from_moves("f5"), TI=clock), "go")
    lines = running.until("===")
    assert Board.from_moves("f5").is_legal(chosen(lines))
    assert not any(line.startswith("status error") for line in lines)


def test_it_greets_thinks_and_answers() -> None:
    with Pipe("nboard") as nboard:
        nboard.send("nboard 2", "set depth 3", game(Board.from_moves("f5")), "set contempt 0", "ping 1")
        assert nboard.until("pong 1") == ["set myname Reluca", "set myname Reluca3", "pong 1"]
        nboard.send("go")
        lines = nboard.until("===")
        assert Board.from_moves("f5").is_legal(chosen(lines))
        _, value, seconds = lines[-1].removeprefix("=== ").split("/")
        assert abs(float(value)) <= 64
        assert float(seconds) < 30
        assert [depth for _, _, depth in hints(lines)] == ["1", "2", "3", "3"]
        assert any(line.startswith("nodestats ") for line in lines)
        # The move is not played before the program says so.
        nboard.send("go")
        assert chosen(nboard.until("===")) is chosen(lines)
        nboard.send(f"move {lines[-1].removeprefix('=== ')}", "go")
        assert Board.from_moves("f5").play(chosen(lines)).is_legal(chosen(nboard.until("===")))


def test_hints_are_for_as_many_moves_as_wanted_and_end_with_the_status() -> None:
    with Pipe("nboard") as nboard:
        nboard.send("set depth 2", game(Board.from_moves("f5")), "hint 3")
        lines = nboard.until("status")
        assert lines[-1] == "status analyzing"
        lines = nboard.until("status")
        final = hints(lines)[-3:]
        assert {move.lower() for move, _, _ in final} == {str(move) for move in Board.from_moves("f5").legal_moves}
        assert [value for _, value, _ in final] == sorted((value for _, value, _ in final), reverse=True)


def test_a_solved_position_is_said_to_be_exact() -> None:
    board = before_pass().play("pass")
    with Pipe("nboard") as nboard:
        nboard.send("set depth 8", game(board), "hint 1")
        nboard.until("status analyzing")
        assert hints(nboard.until("status"))[-1][1:] == (float(negamax(board)), "100%")


def test_a_ping_ends_an_endless_hint_and_nothing_follows_the_pong() -> None:
    with Pipe("nboard") as nboard:
        nboard.send("set depth 60", game(START), "hint 2")
        nboard.until("search")
        nboard.send("ping 7")
        nboard.until("pong 7")
        time.sleep(0.3)
        nboard.send("ping 8")
        assert nboard.until("pong 8") == ["pong 8"]


def test_a_ping_ends_an_endless_go_which_answers_first() -> None:
    with Pipe("nboard") as nboard:
        nboard.send("set depth 60", game(START), "go", "ping 1")
        lines = nboard.until("pong 1")
        assert lines[-2].startswith("=== ")
        assert START.is_legal(chosen(lines[:-1]))


def test_a_ping_ends_an_endless_analysis_of_a_game_without_values_of_what_was_not_searched() -> None:
    with Pipe("nboard") as nboard:
        nboard.send("set depth 60", game(Board.from_moves("f5d6c3d3c4f4f6g5")), "analyze")
        nboard.until("status analyzing the game")
        nboard.send("ping 1")
        assert nboard.until("pong 1") == ["status", "pong 1"]


@pytest.mark.parametrize("thinking", ["go", "hint 4", "analyze"])
def test_a_new_position_takes_the_place_of_the_one_thought_about(thinking: str) -> None:
    board = Board.from_moves("f5d6c3")
    with Pipe("nboard") as nboard:
        nboard.send("set depth 60", game(START), thinking)
        nboard.until("status")
        nboard.send(game(board), "set depth 2", "ping 1", "go")
        nboard.until("pong 1")
        assert board.is_legal(chosen(nboard.until("===")))


def test_lines_that_are_no_command_do_not_disturb_the_thinking() -> None:
    with Pipe("nboard") as nboard:
        nboard.send("set depth 16", game(Board.from_moves("f5d6")), "go")
        nboard.until("search")
        nboard.send("", "fly", "x" * 100_000)
        assert hints(nboard.until("==="))[-1][2] == "16"


@pytest.mark.parametrize("ending", ["quit", "end of input"])
def test_it_ends_while_it_thinks(ending: str) -> None:
    with Pipe("nboard") as nboard:
        nboard.send("set depth 60", game(START), "hint 1")
        nboard.until("search")
        if ending == "quit":
            nboard.send("quit")
        else:
            nboard.close_input()
        assert nboard.ends() == 0


@pytest.mark.parametrize("elsewhere", ["reply", "new game"])
def test_it_ponders_from_its_move_until_the_game_goes_elsewhere(elsewhere: str) -> None:
    nboard = NBoardEngine(Engine(table_mb=1), Effort(level=1), ponder=True)
    nboard._answers = io.StringIO()
    nboard._obey(["go"])
    pondering = nboard._pondering
    assert pondering is not None
    board = pondering.board
    # The program says first which move was played.
    for words in (["move", str(board.peek())], game(board).split(), ["ping", "1"], ["move", "a1"]):
        nboard._obey(words)
        assert not happens(lambda: not pondering.running, 0.05), words
    nboard._obey(["move", str(board.legal_moves[0])] if elsewhere == "reply" else game(START).split())
    assert happens(lambda: not pondering.running, 0.2)


@pytest.mark.parametrize("ending", ["quit", ""])
def test_pondering_ends_with_the_input(ending: str) -> None:
    nboard = NBoardEngine(Engine(table_mb=1), Effort(level=1), ponder=True)
    nboard.serve(io.BytesIO(f"go\n{ending}".encode()), io.StringIO())
    pondering = nboard._pondering
    assert pondering is not None
    assert happens(lambda: not pondering.running, 0.2)


def test_passes_go_in_every_direction() -> None:
    board = before_pass()
    after = board.play("pass")
    reply = after.legal_moves[0]
    with Pipe("nboard") as nboard:
        nboard.send("set depth 3", game(board), "go")
        assert nboard.until("===")[-1] == "=== PA"
        nboard.send("hint 2")
        nboard.until("status analyzing")
        assert {move for move, _, _ in hints(nboard.until("status"))} == {"PA"}
        # Told of a pass, in any spelling, it takes it.
        for spelling in ("PA", "pa//0.5", "PASS/1.0/2", "pass"):
            nboard.send(game(board), f"move {spelling}", "go")
            assert after.is_legal(chosen(nboard.until("===")))
        # Version 1 says a move without the word; a pass that was left out is filled in.
        for move in ("PA", str(reply).upper()):
            nboard.send(game(board), move, "ping 1", "analyze")
            nboard.until("pong 1")
            made = int(nboard.until("analysis")[-1].split()[1])
            assert made == len(board.move_stack) + (1 if move == "PA" else 2)
        # A pass in the expected play has its name too.
        nboard.send(game(after), "hint 1", "ping 2")
        lines = nboard.until("pong 2")
        assert all(len(line.split()[1]) % 2 == 0 for line in lines if line.startswith("search "))


def test_the_first_square_is_a_move_like_any_other(running: Pipe) -> None:
    running.send("set depth 2", game(before_pass(3).play("pass")), "go")
    assert chosen(running.until("===")) is Move.A1


def test_a_game_may_come_with_passes_or_without() -> None:
    board = Board.from_moves(WITH_PASSES)
    text = game(board)
    assert text.count("[PA]") == 3
    for sent in (text, text.replace("B[PA]", "").replace("W[PA]", "")):
        with Pipe("nboard") as nboard:
            nboard.send("set depth 1", sent, "analyze")
            nboard.until("status analyzing the game")
            values = [line.split()[1:] for line in nboard.until("status")[:-1]]
        # Passes count, the last position comes first, and a value is for the side to move.
        assert [int(number) for number, _ in values] == list(range(len(board.move_stack), -1, -1))
        assert float(values[0][1]) == board.score()


def test_a_game_that_is_over_gets_an_answer() -> None:
    with Pipe("nboard") as nboard:
        nboard.send(game(Board.from_moves(WITH_PASSES)), "go", "hint 1")
        assert nboard.until("===") == ["=== PA"]
        assert nboard.until("status") == ["status the game is over"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("move A1", "illegal move a1"),
        ("move PA", "illegal pass"),
        ("move Z9", "is not a move"),
        ("move", "expected one move"),
        ("move F5//later", "is not a time"),
        ("F4", "illegal move f4"),
        ("set depth", None),
        ("set depth deep", "is not a number from 1 to 60"),
        ("set depth 0", "is not a number from 1 to 60"),
        ("set depth ²", "is not a number from 1 to 60"),
        ("set depth " + "9" * 6000, "is not a number from 1 to 60"),
        ("set game", "begins with (;"),
        ("set game (;GM[Go]SZ[19];)", "game of Go"),
        ("set game (;GM[Othello]BO[8 ---- *];)", "is not a board"),
        ("set game (;GM[Othello]BO[8 " + "-" * 27 + "O*------*O" + "-" * 27 + " *]B[A1];)", "illegal move a1"),
        ("hint many", "is not a number from 1 to 64"),
        ("hint 0", "is not a number from 1 to 64"),
        ("fly", None),
        ("set colour red", None),
        ("learn", None),
    ],
)
def test_what_cannot_be_obeyed_is_said_in_the_status_and_changes_nothing(
    line: str, message: str | None, running: Pipe
) -> None:
    running.send(game(START), "set depth 1", "ping 1")
    running.until("pong 1")
    running.send(line, "ping 2")
    answer = running.until("pong 2")[:-1]
    if message is None:
        assert answer == (["learned"] if line == "learn" else [])
    else:
        (status,) = answer
        assert status.startswith("status error: ")
        assert message in status
    running.send("analyze")
    assert running.until("analysis")[-1].startswith("analysis 0 ")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"x" * 1_000_000,
        b"\x00\xff\xfe\x80\x1b[31m",
        bytes(range(256)),
        b"set game " + b"(" * 1_000_000,
    ],
)
def test_garbage_is_ignored_and_the_next_command_is_obeyed(data: bytes) -> None:
    assert converse(data + b"\nping 5\r\n", "nboard").endswith("pong 5\n")
    # Without the end of a line, too.
    assert converse(data + b"\nping 6", "nboard").endswith("pong 6\n")


def test_the_time_that_the_game_leaves_is_kept() -> None:
    board = Board.from_moves("f5d6c3d3c4f4f6")
    text = ggf.format(board, {"TI": "5:00"}, [0.5, 100, 0.5, 100, 0.5, 99, 0.5])
    with Pipe("nboard") as nboard:
        nboard.send("set depth 60", f"set game {text}", "ping 1")
        nboard.until("pong 1")
        start = time.monotonic()
        nboard.send("go")
        nboard.until("===")
        # White has one of its 300 seconds left.
        assert time.monotonic() - start < 1.5
        nboard.send("set game " + ggf.format(board, {"TI": "0:10"}), "move B4//9.5", "move F3//9.7", "ping 2")
        nboard.until("pong 2")
        start = time.monotonic()
        nboard.send("go")
        nboard.until("===")
        assert time.monotonic() - start < 1.0

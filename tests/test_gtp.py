"""`reluca gtp` over pipes."""

from __future__ import annotations

import contextlib
import io
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reluca
from conversation import PATIENCE, Pipe, converse, happens, program
from reluca import Board, Effort, Engine, Move
from reluca.protocols.gtp import GtpClock, GtpEngine
from reluca.types import BLACK, Color
from samples import WITH_PASSES, before_pass

pytestmark = pytest.mark.usefixtures("pondering_or_not")
ENGINE = Engine(table_mb=1)


def ask(*commands: str) -> list[str]:
    """The answers to commands, without the empty lines between them."""
    text = converse("".join(f"{command}\n" for command in commands).encode(), "gtp", "--depth", "2")
    assert text.endswith("\n\n")
    return text[:-2].split("\n\n")


def moves_to(board: Board) -> list[str]:
    """Commands that lead to a position."""
    position, commands = Board(), []
    for move in board.move_stack:
        commands.append(f"play {position.turn} {move}")
        position.push(move)
    return commands


def test_every_command_is_answered_with_its_number() -> None:
    answers = ask(
        "1 protocol_version", "22 name", "version", "3 boardsize 8", "4 komi 0", "known_command play", "9 fly"
    )
    assert answers == ["=1 2", "=22 Reluca", f"= {reluca.__version__}", "=3", "=4", "= true", "?9 unknown command"]


def test_all_listed_commands_are_known_and_what_the_protocol_needs_is_listed() -> None:
    (listed,) = ask("list_commands")
    names = listed.removeprefix("= ").split("\n")
    needed = "protocol_version name version known_command list_commands quit boardsize clear_board komi play genmove"
    needed += " reg_genmove undo showboard final_score time_settings time_left"
    assert set(names) >= set(needed.split())
    assert ask(*(f"known_command {name}" for name in names)) == ["= true"] * len(names)


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("boardsize 10", "? unacceptable size"),
        ("boardsize", "? syntax error"),
        ("boardsize x", "? syntax error"),
        ("komi much", "? syntax error"),
        ("play", "? syntax error"),
        ("play b", "? syntax error"),
        ("play red f5", "? syntax error: 'red' is not a color"),
        ("play b a1", "? illegal move a1: it flips nothing"),
        ("play b d4", "? illegal move d4: the square is occupied"),
        ("play w f5", "? illegal move f5: it is black's turn"),
        ("play b z9", '? "z9" is not a move (a1 to h8, or pass)'),
        ("play b pass", "? illegal pass: d3 is playable"),
        ("genmove", "? syntax error"),
        ("genmove w", "? illegal move: it is black's turn"),
        ("undo", "? cannot undo"),
        ("final_score", "? cannot score: the game is not over"),
        ("time_settings 1 2", "? syntax error"),
        ("time_settings -1 0 0", "? syntax error"),
        ("time_settings nan 0 0", "? syntax error"),
        ("time_left b x 0", "? syntax error"),
        ("loadsgf", "? syntax error"),
        ("GENMOVE b", "? unknown command"),
        ("7", "?7 unknown command"),
        ("=", "? unknown command"),
    ],
)
def test_what_cannot_be_obeyed_is_refused_and_changes_nothing(command: str, answer: str) -> None:
    gtp = GtpEngine(Engine(table_mb=1), Effort(depth=1))
    before = gtp.answer("showboard")
    assert gtp.answer(command) == f"{answer}\n\n"
    assert gtp.answer("showboard") == before


VOCABULARY = (
    "play genmove reg_genmove undo showboard final_score time_settings time_left komi boardsize clear_board loadsgf "
    "b w black pass f5 D6 e6 a1 h9 8 0 1 -1 1e400 nan inf é # 12 known_command list_commands"
)
WORDS = st.sampled_from(VOCABULARY.split())


@given(st.lists(st.one_of(st.lists(WORDS, max_size=5).map(" ".join), st.text(max_size=20)), max_size=12))
@settings(deadline=None, max_examples=150)
def test_whatever_is_said_is_answered_in_the_form_of_the_protocol(lines: list[str]) -> None:
    gtp = GtpEngine(ENGINE, Effort(depth=1))
    gtp.answer("clear_board")
    for line in lines:
        answer = gtp.answer(line)
        assert answer == "" or (answer[0] in "=?" and answer.endswith("\n\n") and "\n\n" not in answer[:-2])


def test_moves_are_generated_played_and_taken_back() -> None:
    answers = ask("genmove b", "reg_genmove w", "reg_genmove w", "genmove white", "undo", "undo", "undo", "showboard")
    first, second = (answers[n].removeprefix("= ") for n in (0, 3))
    assert Board.from_moves(first + second).discs == 6
    assert answers[1] == answers[2] == answers[3]
    assert answers[4:7] == ["=", "=", "? cannot undo"]
    assert answers[7] == f"= \n{Board()}"


def test_a_whole_game_with_passes_is_played_and_scored() -> None:
    board = Board.from_moves(WITH_PASSES)
    answers = ask("clear_board", *moves_to(board), "final_score", "showboard")
    assert answers[:-2] == ["="] * (len(board.move_stack) + 1)
    assert answers[-2] == "= B+40"
    assert answers[-1] == f"= \n{board}"


def test_passes_go_in_every_direction() -> None:
    board = before_pass()
    mover, other = board.turn, board.turn.other
    reply = board.play("pass").legal_moves[0]
    shown = f"= \n{board.play('pass')}"
    setup = moves_to(board)

    def answers(*commands: str) -> list[str]:
        return ask(*setup, *commands)[len(setup) :]

    # Asked for a move, it passes; told of a pass, it takes it; both can be taken back.
    assert answers(f"genmove {mover}", "showboard", "undo", "showboard") == ["= PASS", shown, "=", f"= \n{board}"]
    assert answers(f"play {mover} PASS", "showboard") == ["=", shown]
    # A pass that was left out is filled in, and taken back with the move after it.
    assert answers(f"play {other} {reply}", "undo", "showboard") == ["=", "=", f"= \n{board}"]
    generated, played = answers(f"genmove {other}", "showboard")
    after = board.play("pass").play(Move.parse(generated.removeprefix("= ").lower()))
    assert played == f"= \n{after}"
    # Nobody passes for the other side, and a move is no pass.
    (refused,) = answers(f"play {mover} {reply}")
    assert refused.startswith("? illegal move")


def test_the_first_square_is_a_move_like_any_other() -> None:
    board = before_pass(3).play("pass")
    assert list(board.legal_moves) == [Move.A1]
    setup = moves_to(board)
    assert ask(*setup, f"reg_genmove {board.turn}", f"genmove {board.turn}")[len(setup) :] == ["= A1", "= A1"]


def test_after_the_end_both_sides_may_pass() -> None:
    board = Board.from_moves(WITH_PASSES)
    setup = moves_to(board)
    tail = ask(*setup, "genmove b", "genmove w", "play b pass", "undo", "undo", "undo", "showboard", "play b a1")
    assert tail[len(setup) : -2] == ["= PASS", "= PASS", "=", "=", "=", "="]
    assert tail[-2] == f"= \n{board}"
    assert tail[-1].startswith("? illegal move")


@pytest.mark.parametrize(
    "data",
    [
        b"x" * 1_000_000 + b"\nname\n",
        b"play b " + b"f5" * 500_000 + b"\nname\n",
        b"\x00\xff\xfe\x80\x1b[31m\nname\n",
        bytes(range(256)) + b"\nname\n",
        "3 plée ü\n".encode("utf-16") + b"\nname\n",
        b"?\r\n\r\n  \t # nothing\r\nname\r\n",
    ],
)
def test_garbage_is_refused_and_the_next_command_is_obeyed(data: bytes) -> None:
    text = converse(data, "gtp")
    assert text.startswith("?")
    assert text.endswith("= Reluca\n\n")


@pytest.mark.parametrize(
    ("data", "answers"),
    [(b"", 0), (b"\n", 0), (b"# nothing", 0), (b"name", 1), (b"quit\nname\n", 1), (b"genmove b\nquit", 2)],
)
def test_the_end_of_the_input_or_quit_ends_it(data: bytes, answers: int) -> None:
    assert converse(data, "gtp", "--level", "2").count("\n\n") == answers


def test_commands_that_arrive_while_it_thinks_wait_for_their_turn() -> None:
    with Pipe("gtp", "--time", "0.7") as gtp:
        gtp.send("1 genmove b", "2 name", "3 fly", "4 quit")
        start = time.monotonic()
        answers = [line for line in gtp.until("=4") if line]
        assert time.monotonic() - start > 0.3
        assert [answer[:2] for answer in answers] == ["=1", "=2", "?3", "=4"]
        assert gtp.ends() == 0


def test_a_reader_that_goes_away_ends_it_without_complaint() -> None:
    with subprocess.Popen(
        program("gtp"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b"name\n")
        process.stdin.flush()
        assert process.stdout.readline() == b"= Reluca\n"
        process.stdout.close()
        process.stdin.write(b"list_commands\n" * 10)
        process.stdin.flush()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == b""
        with contextlib.suppress(OSError):
            process.stdin.close()


def test_a_whole_game_stays_within_its_clock() -> None:
    gtp = GtpEngine(Engine(table_mb=4))
    assert gtp.answer("time_settings 1 0 0") == "=\n\n"
    used = dict.fromkeys(Color, 0.0)
    board = Board()
    while not board.is_game_over():
        color = board.turn
        start = time.perf_counter()
        move = gtp.answer(f"genmove {color}").split()[1].lower()
        used[color] += time.perf_counter() - start
        board.push(move)
    assert gtp.answer("final_score").startswith("= ")
    # The clock of a side is not used up, but used.
    assert all(0.3 < seconds < 1.5 for seconds in used.values()), used


@pytest.mark.parametrize(
    ("commands", "least", "most"),
    [
        (["time_settings 0 1 1"], 0.5, 1.0),
        (["time_settings 600 0 0", "time_left b 0 0"], 0.0, 0.2),
        (["time_left b 2 4"], 0.2, 0.5),
        (["time_settings 600 30 1", "time_left b 1 2"], 0.2, 0.5),
    ],
)
def test_byoyomi_and_corrections_of_the_clock_are_honoured(commands: list[str], least: float, most: float) -> None:
    gtp = GtpEngine(Engine(table_mb=4))
    for command in commands:
        assert gtp.answer(command) == "=\n\n"
    gtp.answer("play b f5")
    gtp.answer("play w d6")
    start = time.perf_counter()
    assert gtp.answer("genmove b").startswith("= ")
    # Half a second for a machine that is busy with something else.
    assert least < time.perf_counter() - start < most + 0.5


def test_a_clock_goes_from_its_main_time_into_periods() -> None:
    clock = GtpClock(10.0, 6.0, 3)
    assert (clock.clock().main, clock.clock().byoyomi) == (10.0, 2.0)
    clock.spend(8.0)
    assert clock.clock().main == 2.0
    clock.spend(3.0)
    # One second of the first period is gone: five for three moves.
    assert (clock.clock().main, round(clock.clock().byoyomi, 3)) == (0.0, round(5 / 3, 3))
    clock.spend(1.0)
    assert clock.clock().byoyomi == 2.0
    clock.spend(3.0)
    assert clock.clock().byoyomi == 1.0
    clock.spend(0.5)
    assert clock.clock().byoyomi == 2.0
    assert GtpClock(0.0, 5.0, 1).clock().byoyomi == 5.0


def test_it_ponders_from_its_move_until_the_position_changes() -> None:
    gtp = GtpEngine(Engine(table_mb=1), Effort(depth=1), ponder=True)
    gtp.answer("genmove b")
    pondering = gtp._pondering
    assert pondering is not None
    for command in ("showboard", "time_left b 5 0", "play b a1", "fly"):
        gtp.answer(command)
        assert not happens(lambda: not pondering.running, 0.05), command
    (board, reply) = (pondering.board, pondering.board.legal_moves[0])
    assert gtp.answer(f"play w {reply}") == "=\n\n"
    assert happens(lambda: not pondering.running, 0.2)
    assert gtp.answer("showboard") == f"= \n{board.play(reply)}\n\n"


@pytest.mark.parametrize("ending", ["quit", ""])
def test_pondering_ends_with_the_input(ending: str) -> None:
    gtp = GtpEngine(Engine(table_mb=1), Effort(depth=1), ponder=True)
    gtp.serve(io.BytesIO(f"genmove b\n{ending}".encode()), io.StringIO())
    pondering = gtp._pondering
    assert pondering is not None
    assert happens(lambda: not pondering.running, 0.2)


def test_it_ends_at_once_while_it_ponders() -> None:
    for ending in ("quit", "end of input"):
        with Pipe("gtp", "--depth", "1") as gtp:
            gtp.send("genmove b")
            gtp.until("= ")
            start = time.monotonic()
            gtp.send("quit") if ending == "quit" else gtp.close_input()
            assert gtp.ends() == 0
            assert time.monotonic() - start < 2


def test_time_settings_that_mean_no_limit_leave_the_level_alone() -> None:
    gtp = GtpEngine(Engine(table_mb=1), Effort(depth=1))
    for command in ("time_settings 0 1 0", "time_settings 0 0 0"):
        gtp.answer("time_settings 5 0 0")
        gtp.answer(command)
        assert gtp._clocks == {}


def test_games_are_loaded_from_sgf(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    board = Board.from_moves(WITH_PASSES)
    position, nodes = Board(), ""
    for move in board.move_stack:
        name = "" if str(move) == "pass" else str(move)
        nodes += f";{'B' if position.turn is BLACK else 'W'}[{name}]"
        position.push(move)
    file.write_text(f"(;GM[2]PB[a (b\\] c)]{nodes}(;C[end]))", encoding="utf-8")
    answers = ask(f"loadsgf {file}", "showboard", f"loadsgf {file} 3", "showboard", "undo", "showboard")
    assert answers[1] == f"= \n{board}"
    assert (answers[2], answers[3]) == ("= black", f"= \n{Board.from_moves('f5f4')}")
    assert answers[5] == f"= \n{Board.from_moves('f5')}"
    for bad in ("no game", "(;GM[1];B[aa])", "(;GM[2]AB[d4])", "(;GM[2];B[a1])"):
        file.write_text(bad, encoding="utf-8")
        (refused,) = ask(f"loadsgf {file}")
        assert refused.startswith("? cannot load file: ")
    assert ask("loadsgf no.sgf")[0].startswith("? cannot load file: ")

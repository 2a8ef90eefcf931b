"""Matches: statistics, openings, failing players, logs, protocols."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import conversation
from reluca import BLACK, Board, Clock, InvalidArgumentError, Limit, Move, NotationError, ggf, match
from reluca.cli import run
from reluca.cli.match import player_of
from reluca.match import Choice, EnginePlayer, GtpPlayer, NBoardPlayer, Player, PlayerError, Rules
from samples import before_pass


class First(Player):
    """Plays the first legal move."""

    def __init__(self, name: str = "first") -> None:
        self.name = name
        self.games = 0

    def new_game(self) -> None:
        self.games += 1

    def choose(self, board: Board, clock: Clock | None) -> Choice:
        return Choice(board.legal_moves[0])

    def copy(self) -> First:
        return First(self.name)


class Failing(First):
    """Fails in some way on its third move of every game."""

    def __init__(self, how: str) -> None:
        super().__init__(how)
        self.how = how

    def choose(self, board: Board, clock: Clock | None) -> Choice:
        if board.discs >= 12:
            if self.how == "crash":
                raise PlayerError("crash", "the program ended")
            if self.how == "timeout":
                time.sleep(0.6)
            if self.how == "illegal":
                return Choice(Move.PASS)
        return super().choose(board, clock)

    def copy(self) -> Failing:
        return Failing(self.how)


def test_the_stronger_player_wins_and_every_opening_is_played_with_both_colours() -> None:
    strong = EnginePlayer("strong", limit=Limit(depth=4), table_mb=1)
    openings = match.random_openings(5, plies=6)
    result = match.play(strong, First(), openings, rules=Rules(adjudicate=8), concurrency=2)
    assert result.games == 10
    assert result.wins >= 9
    assert result.elo is not None
    assert result.elo.low > 100
    for number, record in enumerate(result.records):
        assert record.number == number
        assert record.opening == openings[number // 2].to_string()
        assert (record.black == "strong") == (number % 2 == 0)
    assert result.usage(first=True).depth is not None


def test_a_game_is_recorded_as_it_was_played() -> None:
    result = match.play(First("a"), First("b"), [Board.from_moves("f5d6")], games=1)
    (record,) = result.records
    board = Board.from_moves(record.moves, Board(record.opening))
    assert board.is_game_over()
    assert board.score(next(iter([Board().turn]))) == record.score
    assert record.end == "played"


@pytest.mark.parametrize("how", ["crash", "timeout", "illegal"])
def test_a_player_that_fails_loses_the_game_and_the_match_goes_on(how: str) -> None:
    rules = Rules(move_time=0.2, margin=0.2)
    result = match.play(Failing(how), First(), match.random_openings(2, plies=4), rules=rules)
    assert (result.games, result.losses) == (4, 4)
    assert {record.end for record in result.records} == {how}
    assert result.failures == {f"{how}: {how}": 4}
    assert all(record.detail for record in result.records)


def test_clocks_are_kept_and_given_to_the_players() -> None:
    clocks: list[Clock | None] = []

    class Watching(First):
        def choose(self, board: Board, clock: Clock | None) -> Choice:
            clocks.append(clock)
            time.sleep(0.002)
            return super().choose(board, clock)

    match.play(Watching(), First(), [Board()], games=1, rules=Rules(clock=Clock(main=10.0, increment=0.001)))
    mains = [clock.main for clock in clocks if clock is not None]
    assert mains[0] == 10.0
    assert mains == sorted(mains, reverse=True)
    overstepped = match.play(Watching(), First(), [Board()], games=1, rules=Rules(clock=Clock(main=0.01), margin=0.0))
    assert overstepped.records[0].end == "timeout"


def test_a_match_is_continued_from_its_log(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    openings = match.random_openings(4, plies=6)
    first = match.play(First("a"), First("b"), openings, games=3, log=log)
    # A line that was cut off while it was written.
    with log.open("a", encoding="utf-8") as file:
        file.write('{"number": 3, "ope')
    player = First("a")
    whole = match.play(player, First("b"), openings, games=8, log=log)
    assert whole.records[:3] == first.records
    assert (whole.games, player.games) == (8, 5)
    assert len(log.read_text(encoding="utf-8").splitlines()) == 9
    with pytest.raises(InvalidArgumentError, match="another match"):
        match.play(First("a"), First("c"), openings, log=log)
    lines = log.read_text(encoding="utf-8").splitlines()
    for bad in ('{"number": 1}', "[1]", lines[2].replace('"number": 1', '"number": "1"')):
        log.write_text("\n".join([*lines[:2], bad, *lines[3:], ""]), encoding="utf-8")
        with pytest.raises(NotationError, match=r"match.jsonl, line 3: not a game of a match"):
            match.play(First("a"), First("b"), openings, log=log)
    log.write_text("no log\n", encoding="utf-8")
    with pytest.raises(NotationError, match="not the log of a match"):
        match.play(First("a"), First("b"), openings, log=log)


def test_a_log_is_not_continued_with_other_limits_or_openings(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    openings = match.random_openings(2, plies=6)

    def start(depth: int, boards: list[Board]) -> match.MatchResult:
        player = EnginePlayer("a", limit=Limit(depth=depth), table_mb=1)
        return match.play(player, First("b"), boards, log=log, rules=Rules(adjudicate=10))

    assert start(1, openings).games == 4
    assert start(1, openings).games == 4
    with pytest.raises(InvalidArgumentError, match="another match"):
        start(2, openings)
    with pytest.raises(InvalidArgumentError, match="game 1 of the log has another opening"):
        start(1, match.random_openings(2, plies=6, seed=2))


def test_a_player_of_ones_own_that_raises_loses_and_the_match_goes_on() -> None:
    class Raising(First):
        def choose(self, board: Board, clock: Clock | None) -> Choice:
            raise ZeroDivisionError("oops")

    result = match.play(Raising("x"), First("y"), [Board()], games=2)
    assert [record.end for record in result.records] == ["crash", "crash"]
    assert result.losses == 2
    assert "oops" in result.records[0].detail


def test_an_interrupted_match_ends_at_once_and_keeps_what_is_finished(tmp_path: Path) -> None:
    class Slow(First):
        """Quick itself, but its copy, which plays the other game at the same time, takes long."""

        delay = 0.0

        def choose(self, board: Board, clock: Clock | None) -> Choice:
            time.sleep(self.delay)
            return super().choose(board, clock)

        def copy(self) -> Slow:
            other = Slow(self.name)
            other.delay = 0.5
            return other

    def interrupt(record: match.GameRecord, so_far: match.MatchResult) -> None:
        raise KeyboardInterrupt

    log = tmp_path / "match.jsonl"
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        match.play(Slow(), First(), match.random_openings(8), log=log, concurrency=2, on_game=interrupt)
    # The slow game would take more than ten seconds.
    assert time.monotonic() - start < 5
    assert len(log.read_text(encoding="utf-8").splitlines()) >= 2


def test_records_become_ggf_games() -> None:
    board = before_pass()
    result = match.play(First("a"), First("b"), [board], games=1)
    (record,) = result.records
    game = ggf.parse(record.to_ggf())
    assert record.moves.startswith("pass")
    assert game.board.score(BLACK) == record.score
    assert (game.tags["PB"], game.tags["RE"]) == ("a", f"{record.score:+d}")


def test_elo_and_its_error_come_from_the_pairs() -> None:
    # Equal games in pairs carry no more information than one: the error must not shrink.
    assert match.elo_estimate([]) is None
    even = match.elo_estimate([1.0] * 50)
    assert even is not None
    assert abs(even.elo) < 1e-9
    assert 0.4 < even.los < 0.6
    split = match.elo_estimate([2.0, 0.0] * 25)
    assert split is not None
    assert split.high - split.low > 5 * (even.high - even.low)
    better = match.elo_estimate([1.5] * 40 + [0.5] * 20)
    assert better is not None
    assert 0 < better.low < better.elo < better.high
    assert match.sprt([1.0] * 400, 0, 20).verdict == "H0"
    assert match.sprt([1.0, 1.5] * 200, 0, 20).verdict == "H1"
    assert match.sprt([1.0, 1.5], 0, 20).verdict is None


def test_sprt_ends_a_match_early() -> None:
    strong = EnginePlayer("strong", limit=Limit(depth=3), table_mb=1)
    result = match.play(strong, First(), match.random_openings(50), sprt=(0, 200), rules=Rules(adjudicate=10))
    assert result.games < 100
    assert result.sprt(0, 200).verdict == "H1"


def test_openings_are_distinct_reproducible_and_balanced(tmp_path: Path) -> None:
    openings = match.random_openings(30, plies=5)
    assert len({board.canonical() for board in openings}) == 30
    assert openings == match.random_openings(30, plies=5)
    assert openings != match.random_openings(30, plies=5, seed=2)
    judge = EnginePlayer("judge", limit=Limit(depth=4), table_mb=1)
    for board in match.balanced_openings(3, plies=8, depth=4, margin=2.0):
        assert abs(judge._engine.search(board, Limit(depth=4)).score.discs) <= 3.0
    with pytest.raises(InvalidArgumentError, match="only 1 such openings"):
        match.random_openings(5, plies=1)
    file = tmp_path / "openings.txt"
    file.write_text("f5d6 % the usual\n\nf5f6e6f4\n", encoding="utf-8")
    assert [board.transcript() for board in match.read_openings(file)] == ["f5d6", "f5f6e6f4"]
    file.write_text("f5d6\nf5z9\n", encoding="utf-8")
    with pytest.raises(NotationError, match="line 2"):
        match.read_openings(file)


GTP_ENGINE = """
import sys
from reluca import Board
board = Board()
for line in sys.stdin:
    words = line.split()
    answer = ""
    if not words: continue
    if words[0] == "clear_board": board = Board()
    elif words[0] == "play": board.push("pass" if words[2].lower() == "pass" else words[2].lower())
    elif words[0] == "genmove":
        assert (words[1] == "black") == (str(board.turn) == "black")
        move = board.legal_moves[0]; board.push(move); answer = str(move).upper()
    elif words[0] == "boardsize": print("? unknown command\\n", flush=True); continue
    print(f"= {answer}\\n", flush=True)
"""
NBOARD_ENGINE = """
import sys
from reluca import ggf
for line in sys.stdin:
    words = line.split(None, 2)
    if words[0] == "ping": print("pong", words[1], flush=True)
    elif words[:2] == ["set", "game"]: board = ggf.parse(words[2]).board
    elif words[0] == "go":
        print("status thinking")
        print(f"=== {str(board.legal_moves[0]).upper()}/1.5/0.1", flush=True)
"""
CRASHING = "import sys; sys.stdin.readline(); sys.exit(3)"
SILENT = "import time; time.sleep(60)"


def program(code: str) -> list[str]:
    return [sys.executable, "-c", code]


@pytest.mark.parametrize("kind", ["gtp", "nboard"])
def test_a_program_behind_a_protocol_plays_what_it_means(kind: str) -> None:
    external: Player = (
        GtpPlayer("x", program(GTP_ENGINE)) if kind == "gtp" else NBoardPlayer("x", program(NBOARD_ENGINE), depth=3)
    )
    try:
        result = match.play(external, First("y"), match.random_openings(2, plies=6), concurrency=2)
        assert result.failures == {}
        # Both play the first legal move, so games of a pair are the same.
        assert result.records[0].moves == result.records[1].moves
    finally:
        external.close()


@pytest.mark.parametrize("kind", ["gtp", "nboard"])
def test_reluca_plays_through_its_own_protocols_also_where_a_side_must_pass(kind: str) -> None:
    command = conversation.program(kind, "--level", "2")
    external = (GtpPlayer if kind == "gtp" else NBoardPlayer)("x", command)
    openings = [before_pass(1), before_pass(2), *match.random_openings(1, plies=6)]
    try:
        result = match.play(external, EnginePlayer("y", limit=Limit(depth=1), table_mb=1), openings)
        assert result.failures == {}
        assert [record.end for record in result.records] == ["played"] * 6
        assert all(record.moves.startswith("pass") for record in result.records[:4])
        if kind == "nboard":
            assert (result.usage(first=True).depth or 0) > 1
            assert result.usage(first=True).nodes > 0
    finally:
        external.close()


@pytest.mark.parametrize("kind", ["gtp", "nboard"])
@pytest.mark.parametrize("clock", [Clock(main=2), Clock(main=0.5, byoyomi=1)])
def test_reluca_keeps_the_clock_behind_its_own_protocols(kind: str, clock: Clock) -> None:
    external = (GtpPlayer if kind == "gtp" else NBoardPlayer)("x", conversation.program(kind))
    opening = match.random_openings(1, plies=32)
    try:
        result = match.play(external, First("y"), opening, games=1, rules=Rules(clock=clock, margin=1.0, adjudicate=22))
        assert result.failures == {}
        assert result.usage(first=True).moves >= 3
    finally:
        external.close()


class Listening(GtpPlayer):
    """Writes down what a GTP engine is told, instead of telling it, and plays a known game."""

    def ask(self, command: str, *, needed: bool = True, deadline: float | None = None) -> str:
        told: list[str] = self.__dict__.setdefault("told", [])
        told.append(command)
        return ["d6", "d3", "f4"][sum(word.startswith("genmove") for word in told) - 1]


def test_a_gtp_engine_is_told_its_clock_once_and_then_what_is_left() -> None:
    player = Listening("x", program(SILENT))
    try:
        player._greet()
        for moves, main in (("f5", 10.9), ("f5d6c3", 3.2), ("f5d6c3d3c4", 0.4)):
            player.choose(Board.from_moves(moves), Clock(main=main, byoyomi=2.5))
        told = [command for command in player.__dict__["told"] if command.startswith("time")]
    finally:
        player.close()
    assert told == ["time_settings 10 2 1", "time_left white 10 0", "time_left white 3 0", "time_left white 2 1"]


@pytest.mark.parametrize(
    ("rules", "settings"),
    [
        (Rules(clock=Clock(main=0.9, increment=0.5)), ["time_settings 1 0 0", "time_left white 1 0"]),
        (Rules(clock=Clock(main=0.2, byoyomi=0.5)), ["time_settings 0 1 1", "time_left white 1 1"]),
        (Rules(move_time=2.0), ["time_settings 0 2 1"]),
        (Rules(move_time=0.5), []),
        (Rules(), []),
    ],
)
def test_a_gtp_engine_with_a_limit_is_never_told_that_it_has_none(rules: Rules, settings: list[str]) -> None:
    player = Listening("x", program(SILENT))
    try:
        player._greet()
        player.prepare(rules)
        player.choose(Board.from_moves("f5"), rules.clock)
        assert [command for command in player.__dict__["told"] if command.startswith("time")] == settings
    finally:
        player.close()


def test_openings_that_a_gtp_engine_cannot_be_told_are_refused_before_the_match() -> None:
    with pytest.raises(InvalidArgumentError, match="need openings that are transcripts"):
        match.play(GtpPlayer("x", "unused"), First("y"), [Board("XO" + "-" * 62)])


@pytest.mark.parametrize(("code", "how"), [(CRASHING, "crash"), (SILENT, "timeout")])
@pytest.mark.parametrize("kind", [GtpPlayer, NBoardPlayer])
def test_a_program_that_crashes_or_hangs_loses(code: str, how: str, kind: type[GtpPlayer]) -> None:
    external = kind("x", program(code), patience=30.0 if how == "crash" else 0.3)
    try:
        result = match.play(external, First("y"), [Board.from_moves("f5d6")], games=2)
        assert [record.end for record in result.records] == [how, how]
        assert result.losses == 2
    finally:
        external.close()


@pytest.mark.parametrize("kind", [GtpPlayer, NBoardPlayer])
def test_a_program_that_is_not_there_is_refused_before_the_match(kind: type[GtpPlayer]) -> None:
    with pytest.raises(InvalidArgumentError, match="x: there is no such program"):
        match.play(kind("x", "/no/such/program"), First(), [Board()], games=1)


DYING = """
import pathlib, sys
from reluca import Board
died = pathlib.Path(sys.argv[1])
board, lives = Board(), 1000 if died.exists() else 2
died.touch()
for line in sys.stdin:
    words = line.split()
    answer = ""
    if words[0] == "clear_board": board = Board()
    elif words[0] == "play": board.push(words[2].lower())
    elif words[0] == "genmove":
        move = board.legal_moves[0]; board.push(move); answer = str(move); lives -= 1
    print(f"= {answer}\\n", flush=True)
    if not lives: print("out of lives", file=sys.stderr, flush=True); sys.exit(3)
"""


def test_a_program_that_dies_between_its_moves_is_started_anew_for_the_next_game(tmp_path: Path) -> None:
    class Patient(First):
        def choose(self, board: Board, clock: Clock | None) -> Choice:
            # The program is gone before it is spoken to again.
            time.sleep(0.3 if board.discs < 10 else 0)
            return super().choose(board, clock)

    external = GtpPlayer("x", [*program(DYING), str(tmp_path / "died")])
    try:
        result = match.play(external, Patient("y"), [Board.from_moves("f5d6")], games=2)
    finally:
        external.close()
    assert [record.end for record in result.records] == ["crash", "played"]
    assert result.records[0].detail == "the program ended with exit code 3: out of lives"


def test_a_program_has_the_time_that_the_rules_allow_before_it_counts_as_hung() -> None:
    slow = GTP_ENGINE.replace("move = board", "import time; time.sleep(1.5); move = board")
    opening = match.random_openings(1, plies=40)

    def end(**rules: Any) -> str:
        external = GtpPlayer("x", program(slow), patience=60.0)
        try:
            external.process  # noqa: B018  (to start takes longer than the patience)
            external.patience = 1.0
            return (
                match.play(external, First("y"), opening, games=1, rules=Rules(adjudicate=18, **rules)).records[0].end
            )
        finally:
            external.close()

    assert end(clock=Clock(main=60)) == "adjudicated"
    assert end(move_time=30.0) == "adjudicated"
    assert end() == "timeout"
    player = GtpPlayer("x", "unused", patience=0.1)
    now = time.monotonic()
    assert player.move_deadline(None) - now == pytest.approx(0.1, abs=0.05)
    assert player.move_deadline(Clock(main=100, byoyomi=3)) - now == pytest.approx(103.6, abs=0.05)
    player.patience = None
    assert player.move_deadline(None) - now > 1000


def test_a_gtp_engine_that_resigns_loses_without_having_failed() -> None:
    resigning = GTP_ENGINE.replace("answer = str(move).upper()", "answer = 'resign'")
    external = GtpPlayer("x", program(resigning))
    try:
        result = match.play(external, First("y"), [Board()], games=2)
    finally:
        external.close()
    assert [(record.end, record.score) for record in result.records] == [("resigned", -64), ("resigned", 64)]
    assert (result.failures, result.discs) == ({}, (None, None))
    assert "RE[-64:r]" in result.records[0].to_ggf()


def test_an_engine_keeps_its_own_limit_under_a_clock() -> None:
    player = EnginePlayer("x", limit=Limit(depth=2), table_mb=1)
    assert player.choose(Board.from_moves("f5"), Clock(main=60)).depth == 2


def test_byoyomi_is_a_time_per_move_once_the_main_time_is_gone() -> None:
    clock = Clock(main=3, byoyomi=2)
    assert (clock.after(1).main, clock.after(1).longest) == (2, 4)
    assert clock.after(4.5) == Clock(main=0, byoyomi=2)
    clocks: list[Clock | None] = []

    class Watching(First):
        def choose(self, board: Board, clock: Clock | None) -> Choice:
            clocks.append(clock)
            time.sleep(0.02)
            return super().choose(board, clock)

    match.play(Watching(), First(), [Board()], games=1, rules=Rules(clock=Clock(main=0.1, byoyomi=5)))
    mains = [clock.main for clock in clocks if clock is not None]
    assert mains[0] == 0.1
    assert mains[1] <= 0.08
    assert mains[-1] == 0


def test_ggf_games_go_there_and_back() -> None:
    game = Board.from_moves("f5d6c3d3c4")
    text = ggf.format(game, {"PB": "a", "PW": "b"})
    parsed = ggf.parse(text)
    assert parsed.board == game
    assert parsed.board.transcript() == game.transcript()
    assert parsed.tags["PB"] == "a"
    assert [g.board for g in ggf.parse_all(text + "\n" + text)] == [game, game]
    for bad in (
        "",
        "(;GM[Othello]B[F5];)",
        "(;GM[Go]BO[8 x];)",
        text.replace("F5", "A1"),
        text.replace("W[D6]", "B[D6]"),
    ):
        with pytest.raises(ValueError, match=r".+"):
            ggf.parse(bad)


def test_ggf_writes_and_reads_passes() -> None:
    board = Board("-" * 56 + "-OX-OX--" + " X")
    start = board.copy(stack=False)
    while not board.is_game_over():
        board.push("pass" if board.must_pass else board.legal_moves[0])
    text = ggf.format(board)
    assert ggf.parse(text).board.transcript() == board.transcript()
    assert ("[PA]" in text) == ("pass" in [str(move) for move in board.move_stack])
    assert start != board


def test_a_player_has_one_thread_or_as_many_as_it_is_told_in_every_copy() -> None:
    limit = Limit(depth=1)
    for player, threads in (
        (EnginePlayer("one", limit=limit, table_mb=1), 1),
        (player_of("reluca:table_mb=1", limit), 1),
        (player_of("reluca:threads=3,table_mb=1", limit), 3),
    ):
        for one in (player, player.copy()):
            assert isinstance(one, EnginePlayer)
            assert one._engine.threads == threads


def test_the_match_command_reports_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limits = ["--games", "4", "--openings", "random:6", "--adjudicate", "10"]
    settings = "reluca:depth=3,use_multi_prob_cut=off,table_mb=2"
    assert run(["match", settings, "reluca:weights=hand-made,table_mb=2", "--depth", "2", *limits, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 4
    assert report["usage"]["first"]["depth"] > report["usage"]["second"]["depth"]
    assert run(["match", "reluca:table_mb=2", "reluca:table_mb=3", "--depth", "1", "--sprt", "0", "10", *limits]) == 0
    assert "SPRT" in capsys.readouterr().out
    assert (
        run(["match", "reluca:depth=1,table_mb=2", "reluca:depth=1,table_mb=3", *limits, "--sprt", "0", "10", "--json"])
        == 0
    )
    sprt = json.loads(capsys.readouterr().out)["sprt"]
    assert (sprt["elo0"], sprt["elo1"], sprt["verdict"]) == (0, 10, None)
    assert run(["match", "reluca:table_mb=2", "reluca:table_mb=3", "--depth", "1", *limits, "--games", "1"]) == 0
    assert "; - ± - discs" in capsys.readouterr().out
    few = tmp_path / "few.txt"
    few.write_text("f5d6\n", encoding="utf-8")
    repeated = ["--depth", "1", "--games", "3", "--openings", str(few), "--adjudicate", "16"]
    assert run(["match", "reluca:table_mb=2", "reluca:table_mb=3", *repeated]) == 0
    assert "too few openings for 3 games (1)" in capsys.readouterr().err
    for wrong, message in (
        (["reluca", "reluca"], "needs a limit"),
        (["reluca", "edax", "--depth", "1"], "is not an engine"),
        (["reluca:colour=red", "reluca", "--depth", "1"], "no option 'colour'"),
        (["reluca:max_depth=x", "reluca", "--depth", "1"], "max_depth is a number"),
        (["reluca", "reluca", "--clock", "abc"], "not a clock"),
        (["reluca", "reluca", "--clock", "5", "--depth", "3"], "takes the place"),
        (["reluca", "reluca", "--depth", "1", "--openings", str(tmp_path / "none")], "No such file"),
        (["reluca", "reluca", "--depth", "1", "--openings", "balanced"], "as in balanced:8"),
        (["reluca", "gtp:/no/such/program", "--depth", "1", "--openings", "random:6"], "there is no such program"),
    ):
        assert run(["match", *wrong]) == 2
        assert message in capsys.readouterr().err


def test_a_log_with_more_games_than_asked_for_is_reported_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["match", "reluca:table_mb=2", "reluca:table_mb=3", "--depth", "1", "--openings", "random:6", "--json"]
    options = ["--adjudicate", "16", "--log", str(tmp_path / "match.jsonl")]
    for games, message in (("6", ""), ("2", "has more games than the 2 asked for: all 6 count")):
        assert run([*command, *options, "--games", games]) == 0
        captured = capsys.readouterr()
        assert json.loads(captured.out)["games"] == 6
        assert message in captured.err


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_ctrl_c_reports_the_games_that_are_finished(tmp_path: Path) -> None:
    log = tmp_path / "match.jsonl"
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from reluca.cli import run; sys.exit(run(sys.argv[1:]))"
    )
    options = ["--depth", "1", "--games", "4000", "--openings", "random:8", "--log", str(log)]
    command = [sys.executable, "-c", code, "match", "reluca:table_mb=1", "reluca:table_mb=2", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert conversation.happens(lambda: log.exists() and log.read_text().count("\n") > 3, conversation.PATIENCE)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=conversation.PATIENCE)
    assert process.returncode == 130
    games = int(out.splitlines()[1].split(" of ")[1].split(":")[0])
    assert games >= 3

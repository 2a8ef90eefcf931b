"""Solving from Python and from the command line."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from reluca import Board, Engine, InvalidLimitError, Limit, SearchOptions, obf

PROVED = Path(__file__).parent / "data" / "proved.obf"
"""Positions from the engine's own games; every move solved by `SearchOptions(solver_empties=0)`, see its head."""


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(table_mb=16)


def negamax(board: Board) -> int:
    if board.is_game_over():
        return board.score()
    return max(-negamax(board.play(move)) for move in board.legal_moves)


def random_position(rng: random.Random, empties: int) -> Board:
    while True:
        board = Board()
        while board.empties > empties and board.legal_moves:
            board.push(rng.choice(board.legal_moves))
        if board.empties == empties and board.legal_moves:
            return board


def test_solves_are_what_negamax_says(engine: Engine) -> None:
    rng = random.Random(5)
    for _ in range(60):
        board = random_position(rng, rng.randint(1, 6))
        solved = engine.solve(board)
        assert solved.proven
        assert solved.score == negamax(board)
        winner = engine.solve(board, wld=True)
        assert winner.proven
        assert winner.result == solved.result
        every = engine.solve(board, all_moves=True)
        assert every.scores == {move: -negamax(board.play(move)) for move in board.legal_moves}
        assert list(every.scores.values()) == sorted(every.scores.values(), reverse=True)


def test_the_proved_positions_have_their_scores(engine: Engine) -> None:
    for position in obf.read(PROVED):
        solved = engine.solve(position.board, all_moves=True)
        assert solved.scores == position.scores, position.board
        board = position.board.copy()
        for move in solved.pv:
            board.push(move)
        assert board.is_game_over()
        assert board.score(position.board.turn) == solved.score


def test_a_limit_gives_the_best_answer_so_far_marked_as_not_proven(engine: Engine) -> None:
    board = random_position(random.Random(1), 34)
    start = time.perf_counter()
    solved = engine.solve(board, limit=Limit(time=0.2))
    assert time.perf_counter() - start < 0.3
    assert not solved.proven
    assert solved.best_move in board.legal_moves
    assert solved.search.stop_reason in {"time", "no_time_for_next"}
    assert not engine.solve(board, limit=Limit(nodes=1000), wld=True).proven


def test_finished_games_are_solved(engine: Engine) -> None:
    for wld in (False, True):
        solved = engine.solve(Board("X" * 40 + "-" * 24), wld=wld)
        assert (solved.proven, solved.score, solved.best_move, solved.scores) == (True, 64.0, None, {})


def test_solving_works_with_every_feature_off() -> None:
    engine = Engine(SearchOptions(), table_mb=1)
    board = random_position(random.Random(8), 12)
    assert engine.solve(board).score == Engine(table_mb=8).solve(board).score


def test_exact_and_wld_exclude_each_other() -> None:
    with pytest.raises(InvalidLimitError, match="exclude each other"):
        Limit(exact=True, wld=True)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "reluca", "solve", *arguments], capture_output=True, text=True, timeout=120
    )


def test_the_command_solves_files_and_compares(tmp_path: Path) -> None:
    result = run(str(PROVED), "--json")
    assert result.returncode == 0, result.stderr
    answers = json.loads(result.stdout)
    positions = list(obf.read(PROVED))
    assert [answer["score"] for answer in answers] == [position.best_score for position in positions]
    assert not any(answer["contradicts"] for answer in answers)

    first = positions[0]
    lie = {move: score + 2 if score < 60 else score - 2 for move, score in first.scores.items()}
    path = tmp_path / "wrong.obf"
    path.write_text(f"{positions[1]}\n{obf.ObfPosition(first.board, lie)}\n")
    wrong = run(str(path))
    assert wrong.returncode == 1
    assert wrong.stderr == "reluca: contradicts the file: position 2\n"
    assert "total:" in wrong.stdout


def test_the_command_solves_boards_and_says_what_is_unproven() -> None:
    board = random_position(random.Random(3), 8)
    score = Engine(table_mb=4).solve(board).score
    text = run(board.to_string()).stdout
    assert f" {score:+g} " in text
    every = json.loads(run(board.transcript(), "--all-moves", "--json").stdout)[0]
    assert set(every["scores"]) == {str(move) for move in board.legal_moves}
    assert "not proven within the limit: 1" in run(Board().to_string(), "--nodes", "100").stdout
    assert run(board.to_string(), "--wld").returncode == 0


def test_the_command_takes_weights() -> None:
    board = random_position(random.Random(3), 16).to_string()
    trained, plain = (
        json.loads(run(board, "--threads", "1", "--json", *extra).stdout)[0]
        for extra in ([], ["--weights", "hand-made"])
    )
    assert plain["score"] == trained["score"]
    assert plain["nodes"] != trained["nodes"]


@pytest.mark.parametrize(
    "arguments",
    [["no-such-file.obf"], ["f5f5"], [""], ["f5", "--time", "-1"], ["f5", "--weights", "no-such-file.weights"]],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.returncode == 2
    assert result.stderr.startswith("reluca: ")
    assert result.stderr.count("\n") == 1


def test_an_empty_file_is_bad_input(tmp_path: Path) -> None:
    path = tmp_path / "empty.obf"
    path.write_text("")
    assert run(str(path)).returncode == 2

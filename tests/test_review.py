"""Reviews of games and their pictures."""

from __future__ import annotations

import dataclasses
import random
import sys
from pathlib import Path

import pytest

from reluca import (
    BLACK,
    PASS,
    WHITE,
    Board,
    Effort,
    Engine,
    GameReview,
    InvalidArgumentError,
    InvalidLimitError,
    Limit,
    MissingPackageError,
    Move,
    MoveReview,
    Score,
    graph,
    review_game,
)
from reluca.effort import solve_from
from samples import WITH_PASSES, before_pass, black, negamax


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(table_mb=4)


@pytest.fixture(scope="module")
def reviewed(engine: Engine) -> GameReview:
    return review_game(Board.from_moves(WITH_PASSES), Effort(level=4), engine=engine)


def test_the_last_moves_are_judged_by_the_exact_result(engine: Engine) -> None:
    board = Board.from_moves(WITH_PASSES)
    review = review_game(board, Effort(level=4), engine=engine)
    position = board.copy()
    while position.empties < 7:
        after = position.copy()
        position.pop()
        move = review.moves[len(position.move_stack)]
        assert move.exact
        assert move.score.discs == -negamax(after)
        assert move.best_score.discs == negamax(position)
        assert -negamax(position.play(move.best_move)) == negamax(position)
        assert review.scores[len(after.move_stack)] == black(after, negamax(after))


def test_what_a_move_leaves_is_what_the_next_one_finds(reviewed: GameReview) -> None:
    for this, following in zip(reviewed.moves, reviewed.moves[1:], strict=False):
        assert this.score == -following.best_score
        assert this.loss >= 0
    assert [str(move.move) for move in reviewed.moves] == [str(move) for move in reviewed.board.move_stack]
    assert reviewed.final.discs == reviewed.board.score(BLACK) == reviewed.scores[-1]
    assert len(reviewed.scores) == len(reviewed.moves) + 1


def test_nobody_is_blamed_where_there_is_no_choice(reviewed: GameReview) -> None:
    forced = [move for move in reviewed.moves if move.choices == 1]
    assert sum(move.move is PASS for move in forced) == 3
    assert all(move.loss == 0 and move.mark == "" and move.depth is None for move in forced)
    chosen = reviewed.of(BLACK) + reviewed.of(WHITE)
    assert len(chosen) + len(forced) == len(reviewed.moves)


def test_a_move_that_is_as_good_by_symmetry_is_not_blamed(engine: Engine) -> None:
    for first in ("f5", "e6", "d3", "c4"):
        (move,) = review_game(Board.from_moves(first), Effort(depth=5), engine=engine).moves
        assert (str(move.best_move), move.loss) == (first, 0)


def test_among_equally_good_moves_the_one_that_was_played_is_the_best(engine: Engine) -> None:
    tied = 0
    generator = random.Random(1)
    while tied < 10:
        board = Board()
        while board.empties > 5 and not board.is_game_over():
            board.push(generator.choice(list(board.legal_moves)))
        if board.is_game_over():
            continue
        scores = {move: -negamax(board.play(move)) for move in board.legal_moves}
        best = [move for move, score in scores.items() if score == max(scores.values())]
        for move in best if len(best) > 1 else []:
            tied += 1
            last = review_game(board.copy(stack=False).play(move), Effort(exact=True), engine=engine).moves[-1]
            assert (last.best_move, last.loss, last.pv[0]) == (move, 0, move)


def test_a_gift_of_a_corner_is_a_blunder_and_the_answer_says_what_was_better(engine: Engine) -> None:
    review = review_game(Board.from_moves("f5f4c3d6d3b2"), Effort(depth=8), engine=engine)
    move = review.moves[-1]
    assert (move.mark, move.color) == ("??", WHITE)
    assert move.best_move is not Move.B2
    assert "better" in str(move)
    assert review.errors[-1] == move


def _move(loss: float, color: int = 0, choices: int = 2) -> MoveReview:
    turn = BLACK if color == 0 else WHITE
    return MoveReview(1, turn, Move.F5, Score(0), Move.D3, Score(round(100 * loss)), (Move.D3,), 5, False, choices)


def test_accuracy_halves_with_every_four_discs_and_counts_choices_only() -> None:
    assert [_move(loss).accuracy for loss in (0, 4, 8)] == [100, 50, 25]
    assert [_move(loss).mark for loss in (2.99, 3, 7.99, 8)] == ["", "?", "?", "??"]
    board = Board.from_moves("f5")
    review = GameReview(Board(), board, (_move(0), _move(4), _move(20, choices=1), _move(8, color=1)))
    assert review.accuracy(BLACK) == 75
    assert review.accuracy(WHITE) == 25
    assert dataclasses.replace(review, moves=()).accuracy(WHITE) is None
    assert review.loss(BLACK) == 4
    side = review.to_dict()["sides"]["white"]
    assert side == {"accuracy": 25.0, "loss": 8.0, "mistakes": 0, "blunders": 1}


def test_progress_counts_every_position(engine: Engine) -> None:
    heard: list[tuple[int, int]] = []
    review_game(
        Board.from_moves("f5d6c3"),
        Effort(depth=2),
        engine=engine,
        on_move=lambda *done: heard.append((done[0], done[1])),
    )
    assert heard == [(1, 4), (2, 4), (3, 4), (4, 4)]
    with pytest.raises(InvalidArgumentError, match="no move to review"):
        review_game(Board(), engine=engine)
    with pytest.raises(InvalidLimitError, match="needs an effort with a limit"):
        review_game(Board.from_moves("f5"), Effort(), engine=engine)


def test_a_review_of_a_set_up_position_that_begins_with_a_pass_keeps_its_start(engine: Engine) -> None:
    start = before_pass().copy(stack=False)
    board = start.play("pass")
    review = review_game(board, Effort(exact=True), engine=engine)
    assert (review.start, review.moves[0].move, review.moves[0].exact) == (start, PASS, True)
    assert review.moves[0].score.discs == negamax(start)


def test_a_level_is_a_depth_and_an_exact_ending() -> None:
    effort = Effort(level=5)
    ending = before_pass()
    assert effort.limit(Board()) == Limit(depth=5)
    assert ending.empties <= solve_from(5) == 10
    assert effort.limit(ending) == Limit(exact=True)
    for wrong in ({"level": 0}, {"level": 61}, {"level": 3, "depth": 4}, {"level": 3, "exact": True}, {"time": -1.0}):
        with pytest.raises(InvalidLimitError):
            Effort(**wrong)


def test_the_graph_marks_every_error_and_says_what_was_better(reviewed: GameReview) -> None:
    picture = reviewed._repr_svg_()
    errors = reviewed.errors
    assert len(errors) > 5
    assert picture.count('r="4.5"') == len(errors)
    assert picture.count(" better ") == len(errors)
    assert picture.count("<circle") == len(reviewed.moves)


def test_the_graph_in_text_grows_to_the_side_ahead(reviewed: GameReview) -> None:
    *bars, marks, blunders = graph.text(reviewed, height=8)
    assert len(bars) == 8
    column = len(reviewed.scores) - 1 + 5
    assert reviewed.scores[-1] == 40
    # 40 of 64 discs are 2½ of the 4 lines above zero.
    assert [line[column] for line in bars] == [" ", "▄", "█", "█", " ", " ", " ", " "]
    assert {number for number, sign in enumerate(marks[5:]) if sign == "?"} == {e.number for e in reviewed.errors}
    assert {number for number, sign in enumerate(blunders[5:]) if sign == "?"} == {
        e.number for e in reviewed.errors if e.mark == "??"
    }
    swapped = dataclasses.replace(
        reviewed, moves=tuple(dataclasses.replace(move, color=move.color.other) for move in reviewed.moves)
    )
    assert [line[column] for line in graph.text(swapped, height=8)[:8]] == [" ", " ", " ", " ", "█", "█", "▀", " "]


def test_graphs_are_written_by_their_ending(
    reviewed: GameReview, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph.save(reviewed, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text(encoding="utf-8").startswith("<svg")
    graph.save(reviewed, tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InvalidArgumentError, match=r"\.svg or a \.png"):
        graph.save(reviewed, tmp_path / "a.jpg")
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'reluca\[plots\]'"):
        graph.save(reviewed, tmp_path / "b.png")


def test_results_draw_their_board_with_the_scores_on_the_squares(engine: Engine) -> None:
    board = Board.from_moves("f5d6c3d3c4")
    result = engine.search(board, Limit(depth=4), multipv=3)
    picture = result._repr_svg_()
    assert picture is not None
    for line in result.lines:
        assert picture.count(f">{line.score.discs:+.1f}<") >= 1
    assert picture.count('font-weight="bold"') == 1
    assert f"white: {result.best_move}" in picture
    assert "depth 4" in picture
    assert result.iterations[1]._repr_svg_() != picture
    assert dataclasses.replace(result, board=None)._repr_svg_() is None
    # The picture is of the position that was searched, whatever happens to the board afterwards.
    board.push("f4")
    assert result._repr_svg_() == picture
    assert result.board == Board.from_moves("f5d6c3d3c4")


def test_solves_draw_whole_discs_and_passes_draw_no_square(engine: Engine) -> None:
    board = before_pass()
    solved = engine.solve(board, all_moves=True)._repr_svg_()
    assert solved is not None
    assert f"{board.turn}: pass {negamax(board):+d}, exact" in solved
    wld = engine.solve(board.play("pass"), wld=True)
    assert f": {wld.result}" in (wld._repr_svg_() or "")
    over = engine.search(Board("XXX" + "-" * 61))._repr_svg_()
    assert "game over, black +64" in (over or "")

"""The rules, against the reference and the laws of the game."""

from __future__ import annotations

from hypothesis import given, settings

import reluca
from reference import ReferenceGame, any_boards, games, moves, symmetries
from reluca import BLACK, WHITE, Board, Move, Symmetry


@given(games)
@settings(max_examples=150, deadline=None)
def test_every_game_is_the_references_game(game: Board) -> None:
    board, reference = Board(), ReferenceGame()
    for move in game.move_stack:
        assert set(map(str, board.legal_moves)) == reference.legal_moves()
        board.push(move)
        reference.play(str(move))
        assert board.to_string() == str(reference)


@given(any_boards)
@settings(deadline=None)
def test_any_board_has_the_references_moves_and_flips(board: Board) -> None:
    reference = ReferenceGame.of(board)
    assert set(map(str, board.legal_moves)) == reference.legal_moves()
    assert board.is_game_over() == (not reference.legal_moves())
    for move in board.legal_moves:
        if move is not reluca.PASS:
            flips = {(square.column, square.row) for square in board.flips(move)}
            assert flips == reference.flips(move.column, move.row)


@given(any_boards, moves)
def test_a_move_can_be_played_exactly_if_it_is_legal(board: Board, move: Move) -> None:
    legal = move in board.legal_moves
    assert board.is_legal(move) == legal
    before = board.to_string()
    try:
        board.push(move)
    except reluca.IllegalMoveError:
        assert not legal
        assert board.to_string() == before
        assert board.move_stack == []
    else:
        assert legal
        assert board.pop() is move
        assert board.to_string() == before


@given(games, symmetries)
def test_symmetric_boards_have_symmetric_moves(board: Board, symmetry: Symmetry) -> None:
    seen = board.transform(symmetry)
    assert seen.canonical() == board.canonical()
    assert len(seen.legal_moves) == len(board.legal_moves)
    assert seen.turn == board.turn
    mirrored = {seen.play(move).canonical() for move in seen.legal_moves}
    assert mirrored == {board.play(move).canonical() for move in board.legal_moves}


@given(games)
def test_exchanging_colors_exchanges_everything(board: Board) -> None:
    swapped = board.swap_colors()
    assert (swapped.black, swapped.white, swapped.turn) == (board.white, board.black, board.turn.other)
    assert swapped.legal_moves == board.legal_moves
    assert swapped.zobrist == board.zobrist
    assert swapped.score(BLACK) == board.score(WHITE) == -board.score(BLACK)


@given(games)
def test_pop_restores_what_push_changed(board: Board) -> None:
    replayed = Board()
    positions = []
    for move in board.move_stack:
        positions.append((replayed.to_string(), hash(replayed)))
        replayed.push(move)
        assert replayed.peek() is move
    assert replayed == board
    for text, key in reversed(positions):
        replayed.pop()
        assert (replayed.to_string(), hash(replayed)) == (text, key)
    assert replayed == Board()


@given(games)
def test_counts_add_up(board: Board) -> None:
    assert board.discs == board.count(BLACK) + board.count(WHITE) == 64 - board.empties
    assert board.stage == min(max(board.discs // 4, 1), 15)
    assert board.black.bit_count() == sum(board[square] is BLACK for square in range(64))
    outcome = board.outcome()
    assert (outcome is not None) == board.is_game_over()
    if outcome:
        assert outcome.score == board.score(BLACK)


def test_perft_matches_the_published_counts_in_both_conventions() -> None:
    assert [reluca.perft(Board(), depth) for depth in range(9)] == [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216]
    assert reluca.perft(Board(), 10) == 24_571_284
    assert reluca.perft(Board(), 10, passes="free") == 24_571_420
    assert reluca.perft(Board(), 10, threads=1) == 24_571_284


def test_a_pass_is_the_only_move_where_it_is_legal() -> None:
    board = Board("XO-----" + "-" * 57 + " O")
    assert list(board.legal_moves) == [reluca.PASS]
    assert board.must_pass
    assert not board.is_game_over()
    board.push("pass")
    assert list(board.legal_moves) == [Move.C1]
    board.push(Move.C1)
    assert board.is_game_over()
    assert not board.legal_moves
    assert board.outcome() == reluca.Outcome(black=3, white=0)
    assert board.score(WHITE) == -64

//! The rules, against a reference that shares no code with them and against the laws of the game.

mod common;

use common::{ArrayBoard, any_board, games, to_bitboard, visit_random_games};
use proptest::prelude::*;
use reluca_engine::flip::LastFlips;
use reluca_engine::{
    Bitboard, Board, Color, Discs, Game, Hash, IllegalMove, Move, Position, Square, Symmetry, flip, moves,
};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn every_game_is_the_array_boards_game(game in games()) {
        let mut reference = ArrayBoard::of(game.start());
        let mut replayed = Game::new(game.start());
        for mv in game.moves() {
            let board = replayed.position().board;
            prop_assert_eq!(board.legal_moves(), to_bitboard(&reference.legal_moves()));
            replayed.push(mv).unwrap();
            match mv {
                Move::Place(square) => reference.play(square.column() as i32, square.row() as i32),
                Move::Pass => {
                    prop_assert!(reference.legal_moves().is_empty());
                    reference.turn = if reference.turn == 'X' { 'O' } else { 'X' };
                }
            }
            prop_assert_eq!(&ArrayBoard::of(replayed.position()), &reference);
        }
    }

    #[test]
    fn moves_and_flips_are_the_array_boards_on_any_board(board in any_board()) {
        let reference = ArrayBoard::of(Position { board, turn: Color::Black });
        prop_assert_eq!(board.legal_moves(), to_bitboard(&reference.legal_moves()));
        for square in board.empty() {
            let flips = reference.flips(square.column() as i32, square.row() as i32);
            prop_assert_eq!(board.flips(square), to_bitboard(&flips), "{}", square);
        }
    }

    #[test]
    fn symmetric_boards_have_symmetric_moves_and_flips(board in any_board()) {
        for symmetry in Symmetry::ALL {
            let seen = symmetry.board(board);
            prop_assert_eq!(seen.legal_moves(), symmetry.bitboard(board.legal_moves()));
            prop_assert_eq!(symmetry.inverse().board(seen), board);
            prop_assert_eq!(seen.canonical().0, board.canonical().0);
            for square in board.legal_moves() {
                prop_assert_eq!(seen.flips(symmetry.square(square)), symmetry.bitboard(board.flips(square)));
            }
        }
        let (canonical, symmetry) = board.canonical();
        prop_assert_eq!(symmetry.board(board), canonical);
    }

    #[test]
    fn exchanging_colours_exchanges_the_game(game in games()) {
        let swapped = Game::replay(game.start().swap_colors(), game.moves()).unwrap().position();
        prop_assert_eq!(swapped.board, game.position().board);
        prop_assert_eq!(swapped.turn, !game.position().turn);
        prop_assert_eq!(swapped.discs_of(Color::White), game.position().discs_of(Color::Black));
        prop_assert_eq!(game.position().board.after_pass().final_score(), -game.position().board.final_score());
    }

    #[test]
    fn the_hash_updated_move_by_move_is_the_fresh_hash(game in games()) {
        let mut position = game.start();
        let mut hash = Hash::of(position.board);
        for mv in game.moves() {
            hash = match mv {
                Move::Place(square) => hash.after_move(square, position.board.flips(square)),
                Move::Pass => hash.after_pass(),
            };
            position = position.play(mv).unwrap();
            prop_assert_eq!(hash, Hash::of(position.board));
        }
    }

    #[test]
    fn pop_restores_what_push_changed(game in games()) {
        let mut game = game;
        let start = game.start();
        while let Some(last) = game.last_move() {
            let after = game.position();
            prop_assert_eq!(game.pop(), Some(last));
            prop_assert_eq!(game.position().play(last), Ok(after));
            prop_assert_eq!(game.start(), start);
        }
        prop_assert_eq!(game.position(), Position::START);
        prop_assert_eq!(game.pop(), None);
    }

    #[test]
    fn exactly_the_legal_moves_can_be_played(board in any_board()) {
        for square in Square::all() {
            let legal = board.legal_moves().contains(square);
            prop_assert_eq!(board.play(square.into()).is_ok(), legal, "{}", square);
        }
        prop_assert_eq!(board.play(Move::Pass).is_ok(), board.must_pass());
    }
}

#[test]
fn kernels_agree_on_millions_of_reachable_positions() {
    let mut last_moves = 0;
    visit_random_games(0x0123_4567_89ab_cdef, 2_000_000, |board| {
        let (player, opponent) = (board.player().0, board.opponent().0);
        let legal = moves::portable::legal(player, opponent);
        assert_eq!(moves::legal(player, opponent), legal, "{board:?}");
        let mut flipping = Bitboard::EMPTY;
        for square in board.empty() {
            let flips = flip::portable::flips(square, player, opponent);
            assert_eq!(flip::flips(square, player, opponent), flips, "{board:?} {square}");
            if flips != 0 {
                flipping |= square.bitboard();
            }
            if board.empties() == 1 {
                last_moves += 1;
                let other = flip::portable::flips(square, opponent, player).count_ones();
                let expected = LastFlips { own: flips.count_ones(), other };
                assert_eq!(flip::last_flips(square, player), expected, "{board:?} {square}");
                assert_eq!(flip::portable::last_flips(square, player), expected, "{board:?} {square}");
            }
        }
        assert_eq!(flipping.0, legal, "{board:?}");
    });
    assert!(last_moves > 10_000, "only {last_moves} last moves were seen");
}

#[test]
fn last_flips_count_what_flips_returns_on_random_full_boards() {
    let mut random = common::Random(42);
    for _ in 0..200_000 {
        let square = Square::new((random.next() >> 58) as u8).unwrap();
        let player = random.next() & random.next() & !square.bitboard().0;
        let opponent = !player & !square.bitboard().0;
        let turned = |player, opponent| flip::portable::flips(square, player, opponent).count_ones();
        let expected = LastFlips { own: turned(player, opponent), other: turned(opponent, player) };
        assert_eq!(flip::last_flips(square, player), expected, "{square} {player:#x}");
        assert_eq!(flip::portable::last_flips(square, player), expected, "{square} {player:#x}");
    }
}

#[test]
fn illegal_moves_say_why() {
    let square = |text: &str| text.parse::<Square>().unwrap();
    let start = Board::START;
    assert_eq!(start.play(square("d4").into()), Err(IllegalMove::Occupied(square("d4"))));
    assert_eq!(start.play(square("a1").into()), Err(IllegalMove::FlipsNothing(square("a1"))));
    assert_eq!(start.play(Move::Pass), Err(IllegalMove::PassWithMoves(square("d3"))));
    let bare = Board::new(Bitboard::EMPTY, Bitboard::EMPTY).unwrap();
    assert_eq!(bare.play(Move::Pass), Err(IllegalMove::GameOver(Move::Pass)));
    assert_eq!(bare.final_score(), Discs::default());
    let overlap = Board::new(Bitboard(0b110), Bitboard(0b011)).unwrap_err();
    assert_eq!(overlap.to_string(), "both sides have a disc on b1");
}

#[test]
fn symmetries_do_to_corners_what_their_names_say() {
    let goes = |symmetry: Symmetry, from: &str| symmetry.square(from.parse().unwrap()).to_string();
    let b1: Vec<String> = Symmetry::ALL.map(|symmetry| goes(symmetry, "b1")).into();
    assert_eq!(b1, ["b1", "g1", "b8", "g8", "a2", "h2", "a7", "h7"]);
}

//! Notation: what is written is read back, and what is wrong is named.

mod common;

use common::{any_board, games};
use proptest::prelude::*;
use reluca_engine::{Color, Discs, Game, Move, Obf, Position, Square, format_transcript, parse_transcript};

proptest! {
    #[test]
    fn transcripts_round_trip_with_passes_written_or_implied(game in games()) {
        let moves: Vec<Move> = game.moves().collect();
        let written = format_transcript(moves.iter().copied(), true);
        prop_assert_eq!(&parse_transcript(&written).unwrap(), &moves);
        let read = Game::from_transcript(Position::START, &written.to_uppercase()).unwrap();
        prop_assert_eq!(read.position(), game.position());
        let implied = format_transcript(moves.iter().copied(), false);
        let read = Game::from_transcript(Position::START, &implied).unwrap();
        // A pass at the very end has nothing after it to imply it.
        let trailing = moves.last() == Some(&Move::Pass);
        prop_assert_eq!(read.moves().collect::<Vec<_>>(), &moves[..moves.len() - trailing as usize]);
    }

    #[test]
    fn boards_and_obf_lines_round_trip(board in any_board(), white in any::<bool>(), score in -64i8..=64) {
        let position = Position { board, turn: if white { Color::White } else { Color::Black } };
        prop_assert_eq!(position.to_string().parse(), Ok(position));
        let scores = board.legal_moves().into_iter().map(|square| (square.into(), Discs::new(score).unwrap())).collect();
        let obf = Obf { position, scores };
        prop_assert_eq!(obf.to_string().parse(), Ok(obf));
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC*") {
        let _ = text.parse::<Square>();
        let _ = text.parse::<Move>();
        let _ = text.parse::<Position>();
        let _ = text.parse::<Obf>();
        let _ = parse_transcript(&text);
    }

    #[test]
    fn no_board_like_text_makes_a_reader_panic(text in "[-XO*012a-h1-8:;%+ pás@.]{0,140}") {
        let _ = text.parse::<Position>();
        let _ = text.parse::<Obf>();
        let _ = Game::from_transcript(Position::START, &text);
    }
}

#[test]
fn transcripts_are_read_as_programs_write_them() {
    let expected = parse_transcript("f5d6c3").unwrap();
    for text in ["F5D6C3", "f5 d6 c3", "f5,d6,c3\n", "f5-d6-c3", "1. f5 d6 2. c3", "1.f5;2.d6;3.c3", " f5\td6  c3 "] {
        assert_eq!(parse_transcript(text).as_ref(), Ok(&expected), "{text:?}");
    }
    assert_eq!(parse_transcript(""), Ok(vec![]));
    for pass in ["pass", "PASS", "pa", "Ps", "--", "@@"] {
        assert_eq!(parse_transcript(&format!("f5{pass}d6")).unwrap()[1], Move::Pass, "{pass}");
        assert_eq!(pass.parse(), Ok(Move::Pass));
    }
}

#[test]
fn boards_are_read_in_the_usual_alphabets() {
    let start = Position::START;
    let text = start.to_string();
    assert_eq!(text, "---------------------------OX------XO--------------------------- X");
    let forms = [
        text.replace(' ', ""),
        text[..64].to_owned(),
        text.to_lowercase(),
        text.replace('X', "*").replace('-', "."),
        text.replace('X', "B").replace('O', "W").replace('-', "_"),
        text.replace('X', "●").replace('O', "○").replace('-', "·"),
        text.replace('X', "1").replace('O', "2").replace('-', "0"),
        text[..64].replace('X', "1").replace('O', "2").replace('-', "0") + "X",
        (0..8).map(|row| &text[8 * row..8 * row + 8]).collect::<Vec<_>>().join("\n"),
    ];
    for form in forms {
        assert_eq!(form.parse(), Ok(start), "{form:?}");
    }
    let white = text.replace(" X", " O").parse::<Position>().unwrap();
    assert_eq!(white.turn, Color::White);
    assert_eq!(white.discs_of(Color::Black), start.discs_of(Color::Black));
}

#[test]
fn readers_say_what_is_wrong_and_where() {
    let error = |text: &str| text.parse::<Position>().unwrap_err().to_string();
    let start = Position::START.to_string();
    assert_eq!(error(""), "board: expected 64 squares and an optional side to move, found 0 characters");
    assert_eq!(error(&start[..63]), "board: expected 64 squares and an optional side to move, found 63 characters");
    assert_eq!(
        error(&format!("{start}X")),
        "board: expected 64 squares and an optional side to move, found 66 characters"
    );
    assert_eq!(error(&start.replacen("--", "-?", 1)), "board: unknown character '?' at character 2");
    assert_eq!(
        error(&start.replacen("--", "-0", 1)),
        "board: 'O' at character 28 does not fit the characters before it (letters and digits are mixed)"
    );
    assert_eq!(error(&start.replace(" X", " -")), "board: the side to move must be a disc character, found '-'");

    let error = |text: &str| Game::from_transcript(Position::START, text).unwrap_err().to_string();
    assert_eq!(error("f5d6i9"), "transcript: expected a move at character 5, found \"i9\"");
    assert_eq!(error("f5d"), "transcript: expected a move at character 3, found \"d\"");
    assert_eq!(error("f5 é"), "transcript: expected a move at character 4, found \"é\"");
    assert_eq!(error("f5 f5"), "transcript: move 2: illegal move f5: the square is occupied");
    assert_eq!(error("f5 a1"), "transcript: move 2: illegal move a1: it flips nothing");
    assert_eq!(error("pass"), "transcript: move 1: illegal pass: d3 is playable");

    let error = |text: &str| text.parse::<Obf>().unwrap_err().to_string();
    assert_eq!(error(&start[..64]), "OBF: the side to move is missing after the 64 squares");
    assert_eq!(error(&format!("{start}; d3")), "OBF: expected move:score, found \"d3\"");
    assert_eq!(error(&format!("{start}; d3:+65")), "OBF: \"+65\" is not a score (-64 to 64)");
    assert_eq!(error(&format!("{start}; a1:+2")), "OBF: illegal move a1: it flips nothing");
    assert_eq!(error(&format!("{start}; d3:+2; D3:+2")), "OBF: d3 has two scores");
    assert_eq!(error(&format!("{start}; z9:+2")), "\"z9\" is not a move (a1 to h8, or pass)");
    assert_eq!("a9".parse::<Square>().unwrap_err().to_string(), "\"a9\" is not a square (a1 to h8)");
}

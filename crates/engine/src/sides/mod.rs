//! Both sides of a board in the form in which the kernels of the build's tier want them, for the solver's inner loops.
//!
//! With AVX2 every lane of a vector holds the same side: what a move leads to goes from one kernel to the next without
//! leaving the vectors.

#[cfg(target_feature = "avx2")]
mod avx2;
#[cfg(target_feature = "avx2")]
pub use avx2::{Sides, Turned};

#[cfg(any(test, not(target_feature = "avx2")))]
mod portable;
#[cfg(not(target_feature = "avx2"))]
pub use portable::{Sides, Turned};

#[cfg(test)]
mod tests {
    use super::{Sides, portable};
    use crate::{Board, flip, moves};

    #[test]
    fn sides_do_what_the_single_kernels_do() {
        let mut state = 0x1234_5678_9abc_def1_u64;
        let mut seen = [0; 3];
        let mut board = Board::START;
        while seen.iter().any(|&count| count < 500) {
            let (player, opponent, empty) = (board.player().0, board.opponent().0, board.empty().0);
            let (sides, plain) = (Sides::new(player, opponent), portable::Sides::new(player, opponent));
            assert_eq!((sides.player(), sides.opponent()), (player, opponent));
            assert_eq!((sides.passed().player(), sides.passed().opponent()), (opponent, player));
            assert_eq!((plain.passed().player(), plain.passed().opponent()), (opponent, player));
            assert_eq!(sides.moves(empty), moves::portable::legal(player, opponent), "{board:?}");
            assert_eq!(plain.moves(empty), sides.moves(empty), "{board:?}");
            for square in board.empty() {
                let (turned, flips) = (sides.turned(square), flip::portable::flips(square, player, opponent));
                assert_eq!(turned.is_none(), flips == 0, "{board:?} {square}");
                assert_eq!(plain.turned(square).is_none(), flips == 0, "{board:?} {square}");
                seen[(flips == 0) as usize] += 1;
                let (next, same) = (sides.after(square, turned), plain.after(square, plain.turned(square)));
                let expected = (opponent ^ flips, player ^ flips ^ square.bitboard().0);
                assert_eq!((next.player(), next.opponent()), expected, "{board:?} {square}");
                assert_eq!((same.player(), same.opponent()), expected, "{board:?} {square}");
                if board.empties() == 1 {
                    let expected = flip::portable::last_flips(square, player);
                    assert_eq!((sides.last_flips(square), plain.last_flips(square)), (expected, expected));
                    seen[2] += 1;
                }
            }
            // On with a random move.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let moves = board.legal_moves();
            board = match moves.into_iter().nth((state >> 33) as usize % moves.len().max(1) as usize) {
                Some(square) => board.after_move(square, board.flips(square)),
                None if board.is_game_over() => Board::START,
                None => board.after_pass(),
            };
        }
    }
}

//! The eight symmetries of the board.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::square::Square;

/// A symmetry of the square board, named by what it does to the printed board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Symmetry {
    /// Leaves the board as it is.
    Identity,
    /// Left and right exchanged (a1 → h1).
    MirrorColumns,
    /// Top and bottom exchanged (a1 → a8).
    MirrorRows,
    /// Half a turn (a1 → h8).
    Rotate180,
    /// Mirrored in the diagonal a1–h8 (b1 → a2).
    Transpose,
    /// A quarter turn clockwise (a1 → h1, h1 → h8).
    Rotate90,
    /// A quarter turn counter-clockwise (a1 → a8, a8 → h8).
    Rotate270,
    /// Mirrored in the diagonal h1–a8 (a1 → h8, h1 stays).
    AntiTranspose,
}

impl Symmetry {
    /// All eight, in the order of their numbers: bit 0 mirrors columns, bit 1 rows, after bit 2 transposed.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::MirrorColumns,
        Symmetry::MirrorRows,
        Symmetry::Rotate180,
        Symmetry::Transpose,
        Symmetry::Rotate90,
        Symmetry::Rotate270,
        Symmetry::AntiTranspose,
    ];

    /// The symmetry that undoes this one.
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::Rotate90 => Symmetry::Rotate270,
            Symmetry::Rotate270 => Symmetry::Rotate90,
            own_inverse => own_inverse,
        }
    }

    /// Where the squares of a set go.
    pub const fn bitboard(self, squares: Bitboard) -> Bitboard {
        let number = self as u8;
        let mut bits = squares.0;
        if number & 4 != 0 {
            bits = transpose(bits);
        }
        if number & 1 != 0 {
            bits = mirror_columns(bits);
        }
        if number & 2 != 0 {
            bits = bits.swap_bytes();
        }
        Bitboard(bits)
    }

    /// Where a square goes.
    pub const fn square(self, square: Square) -> Square {
        Square::wrapping(self.bitboard(square.bitboard()).0.trailing_zeros())
    }

    /// The board seen through the symmetry.
    pub const fn board(self, board: Board) -> Board {
        Board::new_unchecked(self.bitboard(board.player()), self.bitboard(board.opponent()))
    }
}

const fn mirror_columns(bits: u64) -> u64 {
    bits.reverse_bits().swap_bytes()
}

const fn transpose(mut bits: u64) -> u64 {
    let mut swap = (bits ^ (bits >> 7)) & 0x00aa_00aa_00aa_00aa;
    bits ^= swap ^ (swap << 7);
    swap = (bits ^ (bits >> 14)) & 0x0000_cccc_0000_cccc;
    bits ^= swap ^ (swap << 14);
    swap = (bits ^ (bits >> 28)) & 0x0000_0000_f0f0_f0f0;
    bits ^ swap ^ (swap << 28)
}

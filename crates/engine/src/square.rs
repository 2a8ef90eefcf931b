//! Squares and moves.
//!
//! Squares are numbered row by row as a board is printed: a1 = 0, b1 = 1, …, h8 = 63.

use crate::bitboard::Bitboard;

/// One of the 64 squares.
///
/// Invariant: the index is below 64; every table lookup by square relies on it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// Number of squares.
    pub const COUNT: usize = 64;

    /// The square with this index, if there is one.
    #[inline]
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square with the index modulo 64.
    #[inline]
    pub(crate) const fn wrapping(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// The square at a column (a = 0) and a row (first = 0), if both are below 8.
    #[inline]
    pub const fn at(column: u8, row: u8) -> Option<Square> {
        if column < 8 && row < 8 { Some(Square(row * 8 + column)) } else { None }
    }

    /// 0 for a1 to 63 for h8.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask is free and lets the compiler drop bounds checks.
        (self.0 & 63) as usize
    }

    /// 0 for column a to 7 for column h.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// 0 for row 1 to 7 for row 8.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 >> 3
    }

    /// The set that holds only this square.
    #[inline]
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self.index())
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64).map(Square)
    }
}

/// A move: a square or a pass.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// A disc is placed on the square.
    Place(Square),
    /// The side to move has no legal square and hands over the turn.
    Pass,
}

impl Move {
    /// The index of [`Move::Pass`]; squares have their own index.
    pub const PASS_INDEX: u8 = 64;

    /// The move with this index: 0 to 63 for squares, 64 for a pass.
    #[inline]
    pub const fn from_index(index: u8) -> Option<Move> {
        match Square::new(index) {
            Some(square) => Some(Move::Place(square)),
            None if index == Move::PASS_INDEX => Some(Move::Pass),
            None => None,
        }
    }

    /// 0 to 63 for squares, 64 for a pass.
    #[inline]
    pub const fn index(self) -> u8 {
        match self {
            Move::Place(square) => square.0,
            Move::Pass => Move::PASS_INDEX,
        }
    }

    /// Where a disc is placed, if one is.
    #[inline]
    pub const fn square(self) -> Option<Square> {
        match self {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        }
    }
}

impl From<Square> for Move {
    fn from(square: Square) -> Move {
        Move::Place(square)
    }
}

//! Columns and open lines in plain words.

use super::{COLUMN_A, COLUMN_H};

/// Columns a and h, lowest row first: the player's eight squares below the opponent's.
#[inline]
pub fn outer_columns(player: u64, opponent: u64) -> [u16; 2] {
    let column = |bits: u64, column: u32| (bits >> column & COLUMN_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    [0, 7].map(|at| (column(player, at) | column(opponent, at) << 8) as u16)
}

/// The squares of lines with an empty square, by axis.
#[inline]
pub fn open_lines(filled: u64) -> [u64; 4] {
    let full = [full_rows(filled), full_columns(filled), full_diagonals::<9>(filled), full_diagonals::<7>(filled)];
    full.map(|lines| !lines)
}

fn full_rows(filled: u64) -> u64 {
    let mut rows = filled & filled >> 4;
    rows &= rows >> 2;
    rows &= rows >> 1;
    (rows & COLUMN_A).wrapping_mul(255)
}

fn full_columns(filled: u64) -> u64 {
    let mut columns = filled & filled.rotate_left(32);
    columns &= columns.rotate_left(16);
    columns & columns.rotate_left(8)
}

/// The squares whose diagonal has no empty square; the index step is 9 or 7.
fn full_diagonals<const STEP: u32>(filled: u64) -> u64 {
    // Emptiness spreads along the diagonal both ways, without wrapping around the edge.
    let (up, down) = if STEP == 9 { (!COLUMN_A, !COLUMN_H) } else { (!COLUMN_H, !COLUMN_A) };
    let mut open = !filled;
    let (mut above, mut below) = (up, down);
    for doubling in 0..3 {
        let step = STEP << doubling;
        open |= (open << step & above) | (open >> step & below);
        above &= above << step;
        below &= below >> step;
    }
    !open
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_lines_are_those_without_an_empty_square() {
        for empty in 0..64u32 {
            let filled = !(1u64 << empty);
            let (row, column) = (empty / 8, empty % 8);
            for square in 0..64u32 {
                let (r, c) = (square / 8, square % 8);
                let is = |full: u64| full >> square & 1 != 0;
                assert_eq!(is(full_rows(filled)), r != row);
                assert_eq!(is(full_columns(filled)), c != column);
                assert_eq!(is(full_diagonals::<9>(filled)), r as i32 - c as i32 != row as i32 - column as i32);
                assert_eq!(is(full_diagonals::<7>(filled)), r + c != row + column);
            }
        }
    }
}

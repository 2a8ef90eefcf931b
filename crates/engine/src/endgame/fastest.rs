//! The middle of the ladder: moves in the order of fewest replies, with the local table.

use super::last::solve_last;
use super::local::LocalTable;
use super::{NONE, Parity, final_score, stability};
use crate::bitboard::Bitboard;
use crate::eval::neighbours;
use crate::flip::flips;
use crate::moves::legal;
use crate::square::Square;
use crate::tree::{Stopped, Watch};
use arrayvec::ArrayVec;

/// At most this many empty squares are left to parity alone.
pub const LAST: u32 = 6;

/// What one thread solves with.
pub struct Fastest<'a> {
    pub nodes: u64,
    pub watch: Watch<'a>,
    pub local: LocalTable,
}

/// A move and what it leads to.
#[derive(Clone, Copy)]
struct Child {
    player: u64,
    opponent: u64,
    square: Square,
    /// The less, the earlier.
    cost: i32,
}

impl Fastest<'_> {
    /// Whether the score is above `alpha`; for positions below the evaluation-ordered part.
    pub fn solve(&mut self, player: u64, opponent: u64, alpha: i32) -> Result<i32, Stopped> {
        let empty = !(player | opponent);
        let empties = empty.count_ones();
        if empties <= LAST {
            return Ok(solve_last(player, opponent, alpha, empty, Parity::of(empty), &mut self.nodes));
        }
        self.watch.check(self.nodes)?;
        self.nodes += 1;
        if let Some(bound) = stability::upper_bound(player, opponent, alpha, empties) {
            return Ok(bound);
        }
        let mut known_best = 64;
        if let Some(entry) = self.local.probe(player, opponent) {
            if entry.lower as i32 > alpha {
                return Ok(entry.lower as i32);
            }
            if entry.upper as i32 <= alpha {
                return Ok(entry.upper as i32);
            }
            known_best = entry.best;
        }
        let moves = legal(player, opponent);
        if moves == 0 {
            return if legal(opponent, player) == 0 {
                Ok(final_score(player, opponent))
            } else {
                Ok(-self.solve(opponent, player, -alpha - 1)?)
            };
        }

        let mut children = ArrayVec::<Child, 64>::new();
        let odd = Parity::of(empty).region();
        for square in Bitboard(moves) {
            let turned = flips(square, player, opponent);
            if turned == opponent {
                return Ok(64);
            }
            let bit = square.bitboard().0;
            let (next, rest) = (opponent ^ turned, player ^ turned ^ bit);
            if empties > LAST + 1 {
                self.local.prefetch(next, rest);
            }
            let cost = if square.index() == known_best as usize { i32::MIN } else { cost(bit, next, rest, odd) };
            children.push(Child { player: next, opponent: rest, square, cost });
        }

        let mut best = NONE;
        let mut best_square = 64;
        while let Some(child) = take_cheapest(&mut children) {
            let value = -self.solve(child.player, child.opponent, -alpha - 1)?;
            if value > best {
                best = value;
                best_square = child.square.index() as u8;
                if value > alpha {
                    break;
                }
            }
        }
        self.local.store(player, opponent, best, alpha, best_square);
        Ok(best)
    }
}

/// What speaks against a move: replies above all, corners among them twice; parity breaks ties.
#[inline]
fn cost(bit: u64, next: u64, rest: u64, odd: u64) -> i32 {
    let replies = legal(next, rest);
    let weighted = replies.count_ones() + (replies & Bitboard::CORNERS.0).count_ones();
    let open = (neighbours(Bitboard(!(next | rest))).0 & rest).count_ones() as i32;
    let corner = (bit & Bitboard::CORNERS.0 != 0) as i32;
    weighted as i32 * MOB + open * POT - (bit & odd != 0) as i32 * PAR - corner * COR
}
const MOB: i32 = 16;
const POT: i32 = 1;
const PAR: i32 = 8;
const COR: i32 = 0;

#[inline]
fn take_cheapest(children: &mut ArrayVec<Child, 64>) -> Option<Child> {
    let best = (0..children.len()).min_by_key(|&index| children[index].cost)?;
    Some(children.swap_remove(best))
}

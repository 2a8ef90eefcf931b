//! The middle of the ladder: moves in the order of fewest replies, with the local table.

use super::local::LocalTable;
use super::{NONE, Parity, final_score, last, stability};
use crate::bitboard::Bitboard;
use crate::eval::neighbours;
use crate::flip::flips;
use crate::moves::legal;
use crate::square::Square;
use crate::tree::{Stopped, Watch};
use arrayvec::ArrayVec;

/// At most this many empty squares are left to parity alone.
const LAST: u32 = 5;

/// What one thread solves with.
pub struct Fastest<'a> {
    pub watch: Watch<'a>,
    /// Nodes of the whole solve.
    pub nodes: u64,
    local: LocalTable<14>,
}

/// A move and what it leads to.
#[derive(Clone, Copy)]
struct Child {
    player: u64,
    opponent: u64,
    /// Where the next player may place a disc.
    replies: u64,
    square: Square,
}

/// More moves than so few empty squares allow; a power of two.
const MOST_MOVES: usize = 16;
/// The cost of a child whose turn is over.
const SEARCHED: i32 = i32::MAX;

impl<'a> Fastest<'a> {
    pub fn new(watch: Watch<'a>, nodes: u64) -> Fastest<'a> {
        Fastest { watch, nodes, local: LocalTable::new() }
    }

    /// Whether the score is above `alpha`; for positions below the evaluation-ordered part.
    pub fn solve(&mut self, player: u64, opponent: u64, alpha: i32) -> Result<i32, Stopped> {
        self.node(player, opponent, legal(player, opponent), alpha, Parity::of(!(player | opponent)))
    }

    fn node(&mut self, player: u64, opponent: u64, moves: u64, alpha: i32, parity: Parity) -> Result<i32, Stopped> {
        let empties = (!(player | opponent)).count_ones();
        if empties <= LAST {
            return Ok(last::solve(player, opponent, moves, alpha, parity, &mut self.nodes));
        }
        self.watch.check(self.nodes)?;
        self.nodes += 1;
        if moves == 0 {
            let replies = legal(opponent, player);
            return if replies == 0 {
                Ok(final_score(player, opponent))
            } else {
                Ok(-self.node(opponent, player, replies, -alpha - 1, parity)?)
            };
        }
        if let Some(bound) = stability::upper_bound(player, opponent, alpha, empties) {
            return Ok(bound);
        }
        let mut known = 0;
        if let Some(entry) = self.local.probe(player, opponent) {
            if entry.lower as i32 > alpha {
                return Ok(entry.lower as i32);
            }
            if entry.upper as i32 <= alpha {
                return Ok(entry.upper as i32);
            }
            known = entry.best_move() & moves;
        }

        let mut best = (NONE, Square::wrapping(0));
        // The known move comes before the others are even looked at.
        for square in Bitboard(known) {
            let child = self.child(player, opponent, square, empties);
            let value = -self.node(
                child.player,
                child.opponent,
                legal(child.player, child.opponent),
                -alpha - 1,
                parity.after(square),
            )?;
            best = (value, square);
        }
        if best.0 <= alpha {
            let mut children = ArrayVec::<Child, MOST_MOVES>::new();
            let mut costs = ArrayVec::<i32, MOST_MOVES>::new();
            let odd = parity.region();
            let mut cheapest = SEARCHED;
            for square in Bitboard(moves & !known) {
                let mut child = self.child(player, opponent, square, empties);
                if child.player == 0 {
                    return Ok(64);
                }
                child.replies = legal(child.player, child.opponent);
                // A cost carries the number of its child.
                let cost = child.cost(odd) * MOST_MOVES as i32 + children.len() as i32;
                cheapest = cheapest.min(cost);
                costs.push(cost);
                children.push(child);
            }
            while cheapest != SEARCHED {
                let index = cheapest as usize % MOST_MOVES;
                let child = &children[index];
                let value =
                    -self.node(child.player, child.opponent, child.replies, -alpha - 1, parity.after(child.square))?;
                if value > best.0 {
                    best = (value, child.square);
                    if value > alpha {
                        break;
                    }
                }
                costs[index] = SEARCHED;
                cheapest = costs.iter().copied().min().unwrap_or(SEARCHED);
            }
        }
        self.local.store(player, opponent, best.0, alpha, best.1);
        Ok(best.0)
    }

    #[inline]
    fn child(&self, player: u64, opponent: u64, square: Square, empties: u32) -> Child {
        let turned = flips(square, player, opponent);
        let (next, rest) = (opponent ^ turned, player ^ turned ^ square.bitboard().0);
        if empties > LAST + 1 {
            self.local.prefetch(next, rest);
        }
        Child { player: next, opponent: rest, replies: 0, square }
    }
}

/// What a reply, and in addition one into a corner, counts for against each open disc of the mover, and what parity and
/// a corner make up for. Found by node counts of solves from self-play positions (`benches/RESULTS.md`).
const REPLY: i32 = 64;
const CORNER_REPLY: i32 = 56;
const OPEN_DISC: i32 = 5;
const ODD: i32 = 8;
const CORNER: i32 = 32;

impl Child {
    /// What speaks against the move: replies above all, corners among them twice; parity and a corner break ties.
    #[inline]
    fn cost(&self, odd: u64) -> i32 {
        let open = neighbours(Bitboard(!(self.player | self.opponent))).0 & self.opponent;
        let parity = if self.square.bitboard().0 & odd != 0 { ODD } else { 0 };
        let corner = if self.square.bitboard().0 & Bitboard::CORNERS.0 != 0 { CORNER } else { 0 };
        REPLY * self.replies.count_ones() as i32
            + CORNER_REPLY * (self.replies & Bitboard::CORNERS.0).count_ones() as i32
            + OPEN_DISC * open.count_ones() as i32
            - parity
            - corner
    }
}

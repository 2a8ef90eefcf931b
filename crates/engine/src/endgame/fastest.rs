//! The middle of the ladder: moves in the order of fewest replies, with the local table.

use super::local::LocalTable;
use super::{NONE, Parity, final_score, last, stability};
use crate::bitboard::Bitboard;
use crate::eval::neighbours;
use crate::moves::legal;
use crate::sides::Sides;
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
const SEARCHED: u16 = u16::MAX;

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
        if let Some(entry) = self.local.probe(player, opponent) {
            if entry.lower as i32 > alpha {
                return Ok(entry.lower as i32);
            }
            if entry.upper as i32 <= alpha {
                return Ok(entry.upper as i32);
            }
        }

        let (sides, empty) = (Sides::new(player, opponent), !(player | opponent));
        let mut children = ArrayVec::<Child, MOST_MOVES>::new();
        let mut costs = [SEARCHED; MOST_MOVES];
        let mut cheapest = SEARCHED;
        for square in Bitboard(moves) {
            let child = Child::new(sides, square, empty);
            if child.player == 0 {
                return Ok(64);
            }
            // A cost carries the number of its child.
            let number = children.len();
            let cost = child.cost(parity) * MOST_MOVES as u16 + number as u16;
            cheapest = cheapest.min(cost);
            costs[number % MOST_MOVES] = cost;
            children.push(child);
        }
        let mut best = NONE;
        while cheapest != SEARCHED {
            let number = cheapest as usize % MOST_MOVES;
            costs[number] = SEARCHED;
            let child = &children[number];
            let value =
                -self.node(child.player, child.opponent, child.replies, -alpha - 1, parity.after(child.square))?;
            best = best.max(value);
            if best > alpha {
                break;
            }
            cheapest = costs.into_iter().min().unwrap_or(SEARCHED);
        }
        self.local.store(player, opponent, best, alpha);
        Ok(best)
    }
}

/// What a reply, and in addition one into a corner, counts for against each open disc of the mover, and what the
/// lack of parity or of a corner adds. Found by node counts of solves from self-play positions (`benches/RESULTS.md`).
const REPLY: u16 = 64;
const CORNER_REPLY: u16 = 56;
const OPEN_DISC: u16 = 5;
const ODD: u16 = 8;
const CORNER: u16 = 32;

impl Child {
    /// What a move leads to, on a board with these empty squares.
    #[inline]
    fn new(sides: Sides, square: Square, empty: u64) -> Child {
        let next = sides.after(square, sides.turned(square));
        let replies = next.moves(empty & !square.bitboard().0);
        Child { player: next.player(), opponent: next.opponent(), replies, square }
    }

    /// What speaks against the move: replies above all, corners among them twice; parity and a corner break ties.
    #[inline]
    fn cost(&self, parity: Parity) -> u16 {
        let bit = self.square.bitboard().0;
        let open = neighbours(Bitboard(!(self.player | self.opponent))).0 & self.opponent;
        let odd = if bit & parity.region() != 0 { 0 } else { ODD };
        let corner = if bit & Bitboard::CORNERS.0 != 0 { 0 } else { CORNER };
        REPLY * self.replies.count_ones() as u16
            + CORNER_REPLY * (self.replies & Bitboard::CORNERS.0).count_ones() as u16
            + OPEN_DISC * open.count_ones() as u16
            + odd
            + corner
    }
}

//! The middle of the ladder: moves in the order of fewest replies, with the local table.

use super::local::LocalTable;
use super::{NEIGHBOURHOODS, NONE, Parity, QUADRANTS, final_score, last, stability};
use crate::bitboard::Bitboard;
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
        let (moves, empty) = (legal(player, opponent), !(player | opponent));
        let parity = Parity::of(empty);
        if empty.count_ones() <= LAST {
            return Ok(last::solve(player, opponent, moves, alpha, parity, &mut self.nodes));
        }
        self.node(player, opponent, moves, alpha, parity)
    }

    /// Whether the score is above `alpha`, with more empty squares than are left to parity alone.
    fn node(&mut self, player: u64, opponent: u64, moves: u64, alpha: i32, parity: Parity) -> Result<i32, Stopped> {
        let empty = !(player | opponent);
        let empties = empty.count_ones();
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
        if let Some(bound) = stability::upper_bound(player, opponent, alpha, stability::SPARE) {
            return Ok(bound);
        }
        if let Some(bound) = self.local.probe(player, opponent, alpha) {
            return Ok(bound);
        }

        let sides = Sides::new(player, opponent);
        let (openness, square_costs) = (Openness::of(empty), &SQUARE_COSTS[parity.0 & 15]);
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
            let cost = (child.cost(&openness, square_costs) * MOST_MOVES as u32 + number as u32) as u16;
            cheapest = cheapest.min(cost);
            costs[number % MOST_MOVES] = cost;
            children.push(child);
        }
        let mut best = NONE;
        while cheapest != SEARCHED {
            let number = cheapest as usize % MOST_MOVES;
            costs[number] = SEARCHED;
            let Child { player, opponent, replies, square } = children[number];
            let parity = parity.after(square);
            let value = if empties == LAST + 1 {
                last::solve_5(player, opponent, replies, -alpha - 1, parity, &mut self.nodes)
            } else {
                self.node(player, opponent, replies, -alpha - 1, parity)?
            };
            best = best.max(-value);
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
const REPLY: u32 = 64;
const CORNER_REPLY: u32 = 56;
const OPEN_DISC: u32 = 5;
const ODD: u8 = 8;
const CORNER: u8 = 32;

/// What speaks against each square by itself, by the odd quadrants.
static SQUARE_COSTS: [[u8; 64]; 16] = {
    let mut costs = [[0; 64]; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut square = 0;
        while square < 64 {
            let odd = QUADRANTS[parity] >> square & 1 != 0;
            let corner = Bitboard::CORNERS.0 >> square & 1 != 0;
            costs[parity][square] = if odd { 0 } else { ODD } + if corner { 0 } else { CORNER };
            square += 1;
        }
        parity += 1;
    }
    costs
};

/// The squares near empty ones, before a move and after it.
struct Openness {
    /// Squares that are empty or next to an empty one.
    open: u64,
    /// Those of them that one empty square alone makes so.
    once: u64,
}

impl Openness {
    fn of(empty: u64) -> Openness {
        const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
        const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let any = |[a, b, c]: [u64; 3]| a | b | c;
        let two = |[a, b, c]: [u64; 3]| a & b | (a | b) & c;
        let columns = [empty, empty << 1 & NOT_A, empty >> 1 & NOT_H];
        let rows = |set: u64| [set, set << 8, set >> 8];
        let row = any(columns);
        let open = any(rows(row));
        Openness { open, once: open & !(two(rows(row)) | any(rows(two(columns)))) }
    }

    /// The squares next to empty ones when one of these has been taken.
    #[inline]
    fn after(&self, square: Square) -> u64 {
        self.open & !(self.once & NEIGHBOURHOODS[square.index()])
    }
}

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
    fn cost(&self, openness: &Openness, squares: &[u8; 64]) -> u32 {
        REPLY * self.replies.count_ones()
            + CORNER_REPLY * (self.replies & Bitboard::CORNERS.0).count_ones()
            + OPEN_DISC * (openness.after(self.square) & self.opponent).count_ones()
            + squares[self.square.index()] as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::neighbours;
    use crate::zobrist::split_mix;

    #[test]
    fn open_squares_after_a_move_are_those_near_the_empty_squares_left() {
        let mut state = 1;
        for _ in 0..2_000 {
            let (some, others);
            (some, state) = split_mix(state);
            (others, state) = split_mix(state);
            for empty in [some & others, some & others & others.rotate_left(21)] {
                let openness = Openness::of(empty);
                for square in Bitboard(empty) {
                    let left = empty & !square.bitboard().0;
                    assert_eq!(openness.after(square), neighbours(Bitboard(left)).0, "{empty:#x} {square}");
                }
            }
        }
    }
}

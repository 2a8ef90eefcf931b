//! The upper part of the ladder: the shared table, enhanced transposition cutoffs, moves ordered by evaluation.

use super::fastest::Fastest;
use super::local::LocalTable;
use super::{NONE, Parity, stability};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::ordering::{mobility_score, square_score};
use crate::score::Score;
use crate::square::{Move, Square};
use crate::table::{Entry, Selectivity, Table, TableCounts};
use crate::tree::{Node, Stopped, Watch};
use arrayvec::ArrayVec;

/// Below this many empty squares moves are ordered by mobility alone.
const EVALUATED: u32 = 12;
/// From this many empty squares on, all children are looked up before one is searched.
const ENHANCED_CUTOFFS: u32 = 13;

/// Solves positions exactly; one thread's state.
pub struct Solver<'a, E: Evaluator> {
    evaluator: &'a E,
    table: &'a Table,
    fastest: Fastest<'a>,
    /// What was looked up and stored.
    pub(crate) table_counts: TableCounts,
}

struct Child<S> {
    node: Node<S>,
    square: Square,
    score: i32,
}

impl<'a, E: Evaluator> Solver<'a, E> {
    /// A solver that shares a table with other searches.
    pub(crate) fn new(evaluator: &'a E, table: &'a Table, watch: Watch<'a>, nodes: u64) -> Solver<'a, E> {
        Solver {
            evaluator,
            table,
            fastest: Fastest { nodes, watch, local: LocalTable::new() },
            table_counts: TableCounts::default(),
        }
    }

    /// Nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.fastest.nodes
    }

    /// Gives the watch back.
    pub(crate) fn into_watch(self) -> Watch<'a> {
        self.fastest.watch
    }

    /// Whether the score of a board, in discs, is above `alpha`: if the value returned is, it is a lower bound, else
    /// an upper one.
    pub fn exceeds(&mut self, board: Board, alpha: i32) -> Result<i32, Stopped> {
        self.node(&Node::root(self.evaluator, board), alpha)
    }

    fn node(&mut self, node: &Node<E::State>, alpha: i32) -> Result<i32, Stopped> {
        let board = node.board;
        let empties = board.empties();
        let (player, opponent) = (board.player().0, board.opponent().0);
        if empties < EVALUATED {
            return self.fastest.solve(player, opponent, alpha);
        }
        self.fastest.watch.check(self.fastest.nodes)?;
        self.fastest.nodes += 1;
        if let Some(bound) = stability::upper_bound(player, opponent, alpha, empties) {
            return Ok(bound);
        }
        let mut known = [None; 2];
        if let Some(entry) = self.probe(node)
            && entry.covers(empties, Selectivity::FULL)
        {
            if let Some(value) = decides(&entry, alpha) {
                self.table_counts.cutoffs += 1;
                return Ok(value);
            }
            // Only the solver's own moves: a heuristic search of less depth orders no better than mobility.
            known = entry.moves;
        }

        let mut best = (NONE, None);
        for square in known.into_iter().flatten() {
            let child = node.child(self.evaluator, square, board.flips(square));
            if self.improves(&child, square, alpha, &mut best)? {
                self.store(node, empties, alpha, best);
                return Ok(best.0);
            }
        }
        let mut children = match self.children(node, empties, alpha, known) {
            Ok(children) => children,
            Err(cut) => {
                self.store(node, empties, alpha, (cut.0, Some(cut.1)));
                return Ok(cut.0);
            }
        };
        if children.is_empty() && best.1.is_none() {
            let passed = node.passed(self.evaluator);
            return if passed.board.legal_moves().is_empty() {
                Ok(board.final_score().get() as i32)
            } else {
                Ok(-self.node(&passed, -alpha - 1)?)
            };
        }
        children.sort_by_key(|child| -child.score);
        for child in &children {
            if self.improves(&child.node, child.square, alpha, &mut best)? {
                break;
            }
        }
        self.store(node, empties, alpha, best);
        Ok(best.0)
    }

    /// Searches a child and keeps the best; whether it is above `alpha`.
    fn improves(
        &mut self,
        child: &Node<E::State>,
        square: Square,
        alpha: i32,
        best: &mut (i32, Option<Square>),
    ) -> Result<bool, Stopped> {
        let value = -self.node(child, -alpha - 1)?;
        if value > best.0 {
            *best = (value, Some(square));
        }
        Ok(value > alpha)
    }

    /// The children but those of known moves, with what speaks for each; or a move that the table says is enough.
    #[allow(clippy::type_complexity, reason = "a cut is a value and its move")]
    fn children(
        &mut self,
        node: &Node<E::State>,
        empties: u32,
        alpha: i32,
        known: [Option<Square>; 2],
    ) -> Result<ArrayVec<Child<E::State>, 64>, (i32, Square)> {
        let board = node.board;
        let mut children = ArrayVec::new();
        let known: Bitboard = known.into_iter().flatten().collect();
        let empty = board.empty();
        let odd = Parity::of(empty.0).region();
        for square in board.legal_moves() & !known {
            let flips = board.flips(square);
            if flips == board.opponent() {
                return Err((64, square));
            }
            let child = node.child(self.evaluator, square, flips);
            if empties >= ENHANCED_CUTOFFS
                && let Some(entry) = self.probe(&child)
                && entry.covers(empties - 1, Selectivity::FULL)
                && let Some(value) = decides(&entry, -alpha - 1)
                && -value > alpha
            {
                self.table_counts.cutoffs += 1;
                return Err((-value, square));
            }
            let parity = if square.bitboard().0 & odd != 0 { PARITY } else { 0 };
            let score = mobility_score(child.board) * MOBILITY_SHARE + square_score(square, empty) + parity
                - self.evaluator.evaluate(&child.state, child.board).centidiscs();
            children.push(Child { node: child, square, score });
        }
        Ok(children)
    }

    fn probe(&mut self, node: &Node<E::State>) -> Option<Entry> {
        let entry = self.table.probe(node.hash.key(), node.board);
        self.table_counts.note_probe(entry.is_some());
        entry
    }

    fn store(&mut self, node: &Node<E::State>, empties: u32, alpha: i32, (value, best): (i32, Option<Square>)) {
        let centidiscs = (value * 100) as i16;
        let entry = Entry {
            lower: if value > alpha { centidiscs } else { Score::MIN.centidiscs() as i16 },
            upper: if value > alpha { Score::MAX.centidiscs() as i16 } else { centidiscs },
            depth: empties as u8,
            selectivity: Selectivity::FULL,
            moves: [best, None],
        };
        let stored = self.table.store(node.hash.key(), node.board, entry);
        self.table_counts.note_store(stored);
    }

    /// The best play from a board whose exact score is known, to the end of the game.
    pub(crate) fn best_play(&mut self, mut board: Board, mut score: i32) -> Result<Vec<Move>, Stopped> {
        let mut play = Vec::new();
        while !board.is_game_over() {
            let mut mv = Move::Pass;
            for square in board.legal_moves() {
                // The first move that reaches the score.
                let child = board.after_move(square, board.flips(square));
                if -self.exceeds(child, -score)? >= score {
                    mv = Move::Place(square);
                    break;
                }
            }
            board = board.play(mv).expect("a move reaches the score, or the side to move must pass");
            play.push(mv);
            score = -score;
        }
        Ok(play)
    }
}

/// The worth, in centidiscs, of a move into a region with an odd number of empty squares.
const PARITY: i32 = 300;
/// How many times mobility counts, beside what the evaluation makes of it.
const MOBILITY_SHARE: i32 = 12;

/// The value of an exact entry if it answers whether the score is above `alpha`.
fn decides(entry: &Entry, alpha: i32) -> Option<i32> {
    let (lower, upper) = (entry.lower as i32 / 100, entry.upper as i32 / 100);
    if lower > alpha {
        Some(lower)
    } else if upper <= alpha {
        Some(upper)
    } else {
        None
    }
}

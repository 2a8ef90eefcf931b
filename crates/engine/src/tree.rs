//! What every search of a tree needs: nodes that follow the moves, and a watch that says when to stop.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::score::Score;
use crate::square::Square;
use crate::zobrist::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// A position in the tree, with all that follows it move by move.
pub struct Node<S> {
    pub board: Board,
    pub hash: Hash,
    pub state: S,
    /// Whether the last move was a pass.
    pub after_pass: bool,
}

impl<S> Node<S> {
    pub fn root<E: Evaluator<State = S>>(evaluator: &E, board: Board) -> Node<S> {
        Node { board, hash: Hash::of(board), state: evaluator.state(board), after_pass: false }
    }

    #[inline]
    pub fn child<E: Evaluator<State = S>>(&self, evaluator: &E, square: Square, flips: Bitboard) -> Node<S> {
        Node {
            board: self.board.after_move(square, flips),
            hash: self.hash.after_move(square, flips),
            state: evaluator.after_move(&self.state, square, flips),
            after_pass: false,
        }
    }

    pub fn passed<E: Evaluator<State = S>>(&self, evaluator: &E) -> Node<S> {
        Node {
            board: self.board.after_pass(),
            hash: self.hash.after_pass(),
            state: evaluator.after_pass(&self.state),
            after_pass: true,
        }
    }
}

/// The value of a leaf: the result if the board is full, else the evaluation.
#[inline]
pub fn leaf_value<E: Evaluator>(evaluator: &E, state: &E::State, board: Board) -> Score {
    if board.empty().is_empty() { board.final_score().into() } else { evaluator.evaluate(state, board) }
}

/// The search must end now; nothing of the node at hand is valid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Why a search was cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cutoff {
    /// Somebody said stop.
    Stop,
    /// The nodes are used up.
    Nodes,
    /// The time is up.
    Time,
}

/// Says when to stop.
#[derive(Clone)]
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    node_limit: u64,
    next_look: u64,
    /// What cut the search off, if something did.
    pub cutoff: Option<Cutoff>,
}

impl<'a> Watch<'a> {
    pub fn new(stop: &'a AtomicBool, deadline: Option<Instant>, node_limit: u64) -> Watch<'a> {
        Watch { stop, deadline, node_limit, next_look: 0, cutoff: None }
    }

    /// Now and then, by the count of nodes, looks whether to stop.
    #[inline]
    pub fn check(&mut self, nodes: u64) -> Result<(), Stopped> {
        if nodes >= self.next_look { self.look(nodes) } else { Ok(()) }
    }

    #[cold]
    fn look(&mut self, nodes: u64) -> Result<(), Stopped> {
        /// Less than a millisecond of search.
        const NODES_BETWEEN_LOOKS: u64 = 1024;
        let cutoff = if self.stop.load(Ordering::Relaxed) {
            Some(Cutoff::Stop)
        } else if nodes >= self.node_limit {
            Some(Cutoff::Nodes)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Cutoff::Time)
        } else {
            None
        };
        self.next_look = (nodes + NODES_BETWEEN_LOOKS).min(self.node_limit);
        self.cutoff = self.cutoff.or(cutoff);
        if self.cutoff.is_some() { Err(Stopped) } else { Ok(()) }
    }
}

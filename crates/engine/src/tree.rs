//! What every search of a tree needs: nodes that follow the moves, and a watch that says when to stop.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::score::Score;
use crate::square::Square;
use crate::zobrist::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
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

/// Says of a part of a tree that it need not be searched any more, because it or a part that it lies in is decided.
#[derive(Default)]
pub struct Cancel {
    raised: AtomicBool,
    outer: Option<Arc<Cancel>>,
}

impl Cancel {
    pub fn new(outer: Option<Arc<Cancel>>) -> Cancel {
        Cancel { raised: AtomicBool::new(false), outer }
    }

    pub fn raise(&self) {
        self.raised.store(true, Ordering::Relaxed);
    }

    fn upwards(&self) -> impl Iterator<Item = &Cancel> {
        std::iter::successors(Some(self), |cancel| cancel.outer.as_deref())
    }

    pub fn is_raised(&self) -> bool {
        self.upwards().any(|cancel| cancel.raised.load(Ordering::Relaxed))
    }

    /// Whether this is a part of another part.
    pub fn is_below(&self, other: &Cancel) -> bool {
        self.upwards().skip(1).any(|cancel| std::ptr::eq(cancel, other))
    }
}

/// Says when to stop.
#[derive(Clone)]
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    node_limit: u64,
    next_look: u64,
    /// What all threads of the search have counted, if there are several, and what of it this one has told.
    together: Option<&'a AtomicU64>,
    told: u64,
    /// The part of the tree at hand, if it may be cancelled.
    pub cancel: Option<Arc<Cancel>>,
    /// What cut the search off, if something did.
    pub cutoff: Option<Cutoff>,
}

impl<'a> Watch<'a> {
    pub fn new(stop: &'a AtomicBool, deadline: Option<Instant>, node_limit: u64) -> Watch<'a> {
        Watch { stop, deadline, node_limit, next_look: 0, together: None, told: 0, cancel: None, cutoff: None }
    }

    /// A watch over the nodes of several threads, which look at `tree`; each has a clone of it.
    pub fn together(self, nodes: &'a AtomicU64, tree: &Arc<Cancel>) -> Watch<'a> {
        Watch { together: Some(nodes), cancel: Some(tree.clone()), ..self }
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
        if self.cancel.as_ref().is_some_and(|cancel| cancel.is_raised()) {
            return Err(Stopped);
        }
        let others = self.others(nodes);
        let cutoff = if self.stop.load(Ordering::Relaxed) {
            Some(Cutoff::Stop)
        } else if others + nodes >= self.node_limit {
            Some(Cutoff::Nodes)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Cutoff::Time)
        } else {
            None
        };
        self.next_look = (nodes + NODES_BETWEEN_LOOKS).min(self.node_limit.saturating_sub(others));
        self.cutoff = self.cutoff.or(cutoff);
        if self.cutoff.is_some() { Err(Stopped) } else { Ok(()) }
    }

    /// The nodes of the other threads; tells them this one's.
    fn others(&mut self, nodes: u64) -> u64 {
        let Some(together) = self.together else { return 0 };
        let new = nodes - self.told;
        self.told = nodes;
        together.fetch_add(new, Ordering::Relaxed) + new - nodes
    }

    /// Why the search must stop, found out at once; for a thread that was told so by another.
    pub fn reason(&mut self, nodes: u64) -> Option<Cutoff> {
        self.next_look = 0;
        let _ = self.check(nodes);
        self.cutoff
    }
}

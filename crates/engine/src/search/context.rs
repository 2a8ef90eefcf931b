//! The state of one searching thread: what it reads, what it counts, when it must stop.

use super::counters::Counters;
use super::options::SearchOptions;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::ordering::{MAX_PLY, Memory};
use crate::parallel::Pool;
use crate::score::Score;
use crate::square::{Move, Square};
use crate::table::{Entry, Selectivity, Stored, Table};
use crate::tree::{Node, Stopped, Watch, leaf_value};
use crate::zobrist::Hash;

/// A bound outside all scores: a window of ±`INFINITY` holds every value strictly inside.
pub const INFINITY: i32 = Score::MAX.centidiscs() + 1;

/// One searching thread.
pub struct Context<'a, E: Evaluator> {
    pub evaluator: &'a E,
    /// The table, if the search may use it.
    pub table: Option<&'a Table>,
    /// The table for the solver, which always uses one.
    pub solver_table: &'a Table,
    pub options: &'a SearchOptions,
    /// Threads that may help.
    pub pool: Option<&'a Pool>,
    pub counters: Counters,
    pub memory: Memory,
    pub lines: Lines,
    /// Whether Multi-ProbCut may be applied at the node at hand.
    pub mpc: bool,
    /// Whether move-count pruning may be applied.
    pub move_count_pruning: bool,
    /// How much the values stored now can be trusted, and what a table entry must offer.
    pub selectivity: Selectivity,
    /// Whether the margin of Multi-ProbCut is narrowed.
    pub hurry: bool,
    /// Whether values go into the table.
    pub storing: bool,
    /// How many shallow searches of Multi-ProbCut the node at hand is in.
    pub mpc_nesting: u32,
    pub watch: Watch<'a>,
}

impl<'a, E: Evaluator> Context<'a, E> {
    pub fn new(
        evaluator: &'a E,
        table: &'a Table,
        options: &'a SearchOptions,
        pool: Option<&'a Pool>,
        watch: Watch<'a>,
    ) -> Self {
        Context {
            evaluator,
            table: options.use_transposition_table.then_some(table),
            solver_table: table,
            options,
            pool,
            counters: Counters::default(),
            memory: Memory::default(),
            lines: Lines::default(),
            mpc: false,
            move_count_pruning: false,
            selectivity: Selectivity::FULL,
            hurry: false,
            storing: true,
            mpc_nesting: 0,
            watch,
        }
    }

    /// Counts a node and now and then looks whether to stop.
    #[inline]
    pub fn visit(&mut self) -> Result<(), Stopped> {
        self.watch.check(self.counters.nodes)?;
        self.counters.nodes += 1;
        Ok(())
    }

    #[inline]
    pub fn evaluate(&mut self, state: &E::State, board: Board) -> i32 {
        self.counters.evaluations += 1;
        leaf_value(self.evaluator, state, board).centidiscs()
    }

    #[inline]
    pub fn probe(&mut self, node: &Node<E::State>) -> Option<Entry> {
        let table = self.table?;
        self.counters.table_probes += 1;
        let entry = table.probe(node.hash.key(), node.board)?;
        self.counters.table_hits += 1;
        Some(entry)
    }

    /// Stores a value found in the window (`alpha`, `beta`), fail-soft.
    #[inline]
    pub fn store(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        value: i32,
        (alpha, beta): (i32, i32),
        best: Option<Square>,
    ) {
        let Some(table) = self.table.filter(|_| self.storing) else { return };
        let entry = Entry {
            lower: if value > alpha { value } else { Score::MIN.centidiscs() } as i16,
            upper: if value < beta { value } else { Score::MAX.centidiscs() } as i16,
            depth: depth as u8,
            selectivity: self.selectivity,
            moves: [best, None],
        };
        let stored = table.store(node.hash.key(), node.board, entry);
        self.counters.table_stores += 1;
        self.counters.table_replacements += (stored == Stored::Replaced) as u64;
    }

    /// The expected play from a board: the line of the search, continued from the table where that breaks off.
    pub fn expected_play(&self, root: Board, first: Move, below: &[Move], depth: u32) -> Vec<Move> {
        let mut play = vec![first];
        let mut board = root.play(first).expect("the first move is legal");
        let mut left = depth - (first != Move::Pass) as u32;
        let mut below = below.iter().copied();
        while left > 0 {
            let known = below.next().or_else(|| self.known_move(board, left));
            let Some((mv, next)) = known.and_then(|mv| Some((mv, board.play(mv).ok()?))) else { break };
            board = next;
            play.push(mv);
            left -= (mv != Move::Pass) as u32;
        }
        play
    }

    /// The best move as far as it is known without a search; one ply is decided by the evaluation, as in the search.
    fn known_move(&self, board: Board, depth: u32) -> Option<Move> {
        if board.must_pass() {
            return Some(Move::Pass);
        }
        if depth > 1 {
            return self.table?.probe(Hash::of(board).key(), board)?.best_move();
        }
        let node = Node::root(self.evaluator, board);
        let worth = |square: Square| {
            let child = node.child(self.evaluator, square, board.flips(square));
            leaf_value(self.evaluator, &child.state, child.board)
        };
        board.legal_moves().into_iter().min_by_key(|&square| worth(square)).map(Move::Place)
    }
}

/// The expected play by ply, as a triangle of lines.
pub struct Lines(Box<[(u8, [Option<Move>; MAX_PLY])]>);

impl Default for Lines {
    fn default() -> Lines {
        Lines(vec![(0, [None; MAX_PLY]); MAX_PLY + 1].into_boxed_slice())
    }
}

impl Lines {
    #[inline]
    pub fn clear(&mut self, ply: usize) {
        self.0[ply].0 = 0;
    }

    /// The line at a ply becomes a move followed by the line below it.
    pub fn extend(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.0.split_at_mut(ply + 1);
        let (line, below) = (&mut upper[ply], &lower[0]);
        let length = (below.0 as usize).min(MAX_PLY - 1);
        line.1[0] = Some(mv);
        line.1[1..=length].copy_from_slice(&below.1[..length]);
        line.0 = length as u8 + 1;
    }

    pub fn get(&self, ply: usize) -> Vec<Move> {
        let (length, moves) = &self.0[ply];
        moves[..*length as usize].iter().flatten().copied().collect()
    }
}

//! The upper part of the ladder: the shared table, enhanced transposition cutoffs, moves ordered by evaluation or, with
//! many empty squares, by a short look ahead.

use super::fastest::Fastest;
use super::{NONE, stability};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::mpc::MpcModel;
use crate::ordering::{mobility_score, replies, square_scores};
use crate::parallel::{Pool, Split, Task};
use crate::score::Score;
use crate::square::{Move, Square};
use crate::table::{Entry, Selectivity, Table, TableCounts};
use crate::tree::{Node, Stopped, Watch};
use crate::zobrist::Hash;
use arrayvec::ArrayVec;

/// Below this many empty squares moves are ordered by mobility alone.
const EVALUATED: u32 = 12;
/// Below this many empty squares the small evaluation orders moves: it costs less and orders nearly as well.
const FULLY_EVALUATED: u32 = 15;
/// What speaks against a move, in centidiscs, beside what the evaluation makes of it: each reply (more beside the small
/// evaluation, which does not know mobility), what a reply into a corner counts in addition, and each open disc of the
/// mover. Found by node counts of solves from self-play positions (`benches/RESULTS.md`).
const REPLY: i32 = 405;
const REPLY_BESIDE_SMALL: i32 = 630;
const CORNER_REPLY: i32 = 240;
const OPEN_DISC: i32 = 96;
/// From this many empty squares on, all children are looked up before one is searched.
const ENHANCED_CUTOFFS: u32 = 13;

/// From this many empty squares on, a selective solve cuts on probability.
const PROBABLE: u32 = 13;
/// How deep it looks ahead to predict the score.
const LOOK_AHEAD: u32 = 3;
/// Centidiscs beyond any bound that no value reaches.
const NO_CUT: f64 = 20_000.0;

/// From this many empty squares on, the moves of a node are shared among threads.
const SHARED: u32 = 15;

/// Solves positions exactly; one thread's state.
pub struct Solver<'a, E: Evaluator> {
    evaluator: &'a E,
    part: Part<'a>,
}

/// What does not depend on the evaluation.
struct Part<'a> {
    /// How far exact scores lie from a look ahead.
    exact: &'a MpcModel,
    /// How far beyond a bound a look ahead must lie for a cut on probability, in centidiscs by empty squares.
    errors: Option<[i32; 61]>,
    /// How much the values stored now can be trusted, and what a table entry must offer.
    selectivity: Selectivity,
    /// The same as a margin, for other threads.
    margin: Option<f64>,
    table: &'a Table,
    /// Threads that may help.
    pool: Option<&'a Pool>,
    /// Whether the value just found rests on a cut on probability.
    guessed: bool,
    fastest: Fastest<'a>,
    table_counts: TableCounts,
}

struct Child<S> {
    node: Node<S>,
    square: Square,
}

impl<'a, E: Evaluator> Solver<'a, E> {
    /// A solver that shares a table with other searches.
    pub(crate) fn new(
        evaluator: &'a E,
        exact: &'a MpcModel,
        table: &'a Table,
        pool: Option<&'a Pool>,
        watch: Watch<'a>,
        nodes: u64,
    ) -> Solver<'a, E> {
        let part = Part {
            exact,
            errors: None,
            selectivity: Selectivity::FULL,
            margin: None,
            table,
            pool,
            guessed: false,
            fastest: Fastest::new(watch, nodes),
            table_counts: TableCounts::default(),
        };
        Solver { evaluator, part }
    }

    /// From now on, cuts where the evaluation lies this many deviations beyond the bound; none for exact values.
    pub(crate) fn set_margin(&mut self, margin: Option<f64>) {
        let exact = self.part.exact;
        let error = |margin: f64, empties: usize| {
            let error = margin * exact.sigma(LOOK_AHEAD, empties as u32, empties as f64);
            error.min(NO_CUT) as i32
        };
        self.part.errors = margin.map(|margin| std::array::from_fn(|empties| error(margin, empties)));
        self.part.margin = margin;
        self.part.selectivity = margin.map_or(Selectivity::FULL, Selectivity::of_margin);
    }

    /// Nodes visited so far.
    pub fn nodes(&self) -> u64 {
        self.part.fastest.nodes
    }

    /// What was looked up and stored.
    pub(crate) fn table_counts(&self) -> TableCounts {
        self.part.table_counts
    }

    /// Gives the watch back.
    pub(crate) fn into_watch(self) -> Watch<'a> {
        self.part.fastest.watch
    }

    /// Whether the score of a board, in discs, is above `alpha`: if the value returned is, it is a lower bound, else
    /// an upper one.
    pub fn exceeds(&mut self, board: Board, alpha: i32) -> Result<i32, Stopped> {
        self.part.node::<_, true>(self.evaluator, &Node::root(self.evaluator, board), alpha)
    }

    /// The best of some moves of a board, given as squares and what they lead to: its value is above `alpha`, or no
    /// move's is, and it is the best upper bound.
    pub(crate) fn best_of(
        &mut self,
        moves: Vec<(Square, Board)>,
        alpha: i32,
    ) -> Result<(i32, Option<Square>), Stopped> {
        let mut best = (NONE, None);
        self.part.shared_moves(self.evaluator, moves, alpha, &mut best)?;
        Ok(best)
    }

    /// Does a share of what another thread has split.
    pub(crate) fn work_on(&mut self, split: &Split, margin: Option<f64>) {
        if self.part.margin != margin {
            self.set_margin(margin);
        }
        self.part.work_on(self.evaluator, split);
    }

    /// The best play from a board whose exact score is known, to the end of the game.
    pub(crate) fn best_play(&mut self, mut board: Board, mut score: i32) -> Result<Vec<Move>, Stopped> {
        let mut play = Vec::new();
        while !board.is_game_over() {
            let mv = if board.must_pass() { Move::Pass } else { Move::Place(self.move_worth(board, score)?) };
            board = board.play(mv).expect("the move is legal");
            play.push(mv);
            score = -score;
        }
        Ok(play)
    }

    /// The first move that reaches the score of a board, in the order in which it is likely and cheap to prove.
    fn move_worth(&mut self, board: Board, score: i32) -> Result<Square, Stopped> {
        let entry = |board: Board| self.part.table.probe(Hash::of(board).key(), board);
        let known = entry(board).map_or([None; 2], |entry| entry.moves);
        let empties = board.empties();
        let mut moves: ArrayVec<(bool, bool, i32, Square), 64> = ArrayVec::new();
        for square in board.legal_moves() {
            let child = board.after_move(square, board.flips(square));
            let proven = entry(child).is_some_and(|entry| {
                entry.covers(empties - 1, Selectivity::FULL) && entry.upper as i32 <= -100 * score
            });
            moves.push((!proven, !known.contains(&Some(square)), -mobility_score(child), square));
        }
        moves.sort_unstable();
        for &(.., square) in &moves {
            if -self.exceeds(board.after_move(square, board.flips(square)), -score)? >= score {
                return Ok(square);
            }
        }
        unreachable!("a move reaches the score of the board")
    }
}

impl Part<'_> {
    /// Solves a node with an evaluation that orders moves: the main one (`FULL`), or lower down the small one.
    fn node<E: Evaluator, const FULL: bool>(
        &mut self,
        evaluator: &E,
        node: &Node<E::State>,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        let board = node.board;
        let empties = board.empties();
        let (player, opponent) = (board.player().0, board.opponent().0);
        self.guessed = false;
        if empties < EVALUATED {
            return self.fastest.solve(player, opponent, alpha);
        }
        if FULL && empties < FULLY_EVALUATED {
            let small = evaluator.small();
            return self.node::<_, false>(small, &Node::root(small, board), alpha);
        }
        self.fastest.watch.check(self.fastest.nodes)?;
        self.fastest.nodes += 1;
        if let Some(bound) = stability::upper_bound(player, opponent, alpha, stability::SPARE) {
            return Ok(bound);
        }
        let mut known = [None; 2];
        if let Some(entry) = self.probe(node) {
            if entry.covers(empties, self.selectivity)
                && let Some(value) = decides(&entry, alpha)
            {
                self.table_counts.cutoffs += 1;
                self.guessed = entry.selectivity != Selectivity::FULL;
                return Ok(value);
            }
            known = entry.moves;
        }
        if let Some(errors) = &self.errors
            && empties >= PROBABLE
            && !node.after_pass
            && let error = errors[(empties as usize).min(60)]
            && let Some(value) = self.probable_value(evaluator, node, alpha, error)
        {
            self.guessed = true;
            return Ok(value);
        }

        let mut best = (NONE, None);
        for square in known.into_iter().flatten() {
            let child = Child { node: node.child(evaluator, square, board.flips(square)), square };
            if self.improves::<_, FULL>(evaluator, &child, alpha, &mut best)? {
                self.store(node, empties, alpha, best);
                return Ok(best.0);
            }
        }
        let mut children = ArrayVec::new();
        self.expand(evaluator, node, known, &mut children);
        if children.is_empty() && best.1.is_none() {
            let passed = node.passed(evaluator);
            return if passed.board.legal_moves().is_empty() {
                Ok(board.final_score().get() as i32)
            } else {
                Ok(-self.node::<_, FULL>(evaluator, &passed, -alpha - 1)?)
            };
        }
        if let Some(cut) = self.enhanced_cutoff(&children, empties, alpha) {
            self.store(node, empties, alpha, cut);
            return Ok(cut.0);
        }
        let mut order = self.order::<_, FULL>(evaluator, board, &children, alpha)?;
        while let Some(index) = order.next() {
            let searched = best.1.is_some();
            if FULL && searched && empties >= SHARED && order.len() > 0 && self.pool.is_some_and(Pool::is_idle) {
                let rest = std::iter::once(index).chain(order.by_ref());
                let moves = rest.map(|index| (children[index].square, children[index].node.board)).collect();
                self.share(evaluator, moves, alpha, &mut best)?;
            } else if self.improves::<_, FULL>(evaluator, &children[index], alpha, &mut best)? {
                break;
            }
        }
        self.store(node, empties, alpha, best);
        Ok(best.0)
    }

    /// Searches moves in turn, the rest together with other threads as soon as one is idle.
    fn shared_moves<E: Evaluator>(
        &mut self,
        evaluator: &E,
        mut moves: Vec<(Square, Board)>,
        alpha: i32,
        best: &mut (i32, Option<Square>),
    ) -> Result<(), Stopped> {
        moves.reverse();
        while let Some((square, board)) = moves.pop() {
            let child = Child { node: Node::root(evaluator, board), square };
            if self.improves::<_, true>(evaluator, &child, alpha, best)? {
                break;
            }
            if moves.len() > 1 && board.empties() + 1 >= SHARED && self.pool.is_some_and(Pool::is_idle) {
                moves.reverse();
                return self.share(evaluator, moves, alpha, best);
            }
        }
        Ok(())
    }

    /// Searches moves together with other threads.
    fn share<E: Evaluator>(
        &mut self,
        evaluator: &E,
        moves: Vec<(Square, Board)>,
        alpha: i32,
        best: &mut (i32, Option<Square>),
    ) -> Result<(), Stopped> {
        let pool = self.pool.expect("there are other threads");
        let task = Task::Solve { margin: self.margin };
        let outer = self.fastest.watch.cancel.clone();
        *best = pool.share(task, moves, alpha, *best, outer.as_ref(), |split| self.work_on(evaluator, split))?;
        self.guessed = self.margin.is_some();
        Ok(())
    }

    fn work_on<E: Evaluator>(&mut self, evaluator: &E, split: &Split) {
        let outer = self.fastest.watch.cancel.replace(split.cancel().clone());
        split.work(|_, board| Ok(-self.node::<_, true>(evaluator, &Node::root(evaluator, board), -split.alpha - 1)?));
        self.fastest.watch.cancel = outer;
    }

    /// A value beyond the bound, if a look ahead promises one with enough confidence.
    fn probable_value<E: Evaluator>(
        &mut self,
        evaluator: &E,
        node: &Node<E::State>,
        alpha: i32,
        error: i32,
    ) -> Option<i32> {
        let (high, low) = ((alpha + 1) * 100 + error, alpha * 100 - error);
        let estimate = evaluator.evaluate(&node.state, node.board).centidiscs();
        // Scores are even.
        if estimate > alpha * 100 && self.look_ahead(evaluator, node, LOOK_AHEAD, high - 1, high) >= high {
            return Some((alpha + 2) & !1);
        }
        if estimate <= alpha * 100 && self.look_ahead(evaluator, node, LOOK_AHEAD, low, low + 1) <= low {
            return Some(alpha & !1);
        }
        None
    }

    /// The value of a node from a shallow search without a table, fail-hard.
    fn look_ahead<E: Evaluator>(
        &mut self,
        evaluator: &E,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if depth == 0 {
            return evaluator.evaluate(&node.state, node.board).centidiscs();
        }
        let moves = node.board.legal_moves();
        if moves.is_empty() {
            let passed = node.passed(evaluator);
            return if passed.board.legal_moves().is_empty() {
                node.board.final_score().get() as i32 * 100
            } else {
                -self.look_ahead(evaluator, &passed, depth, -beta, -alpha)
            };
        }
        let mut best = alpha;
        for square in moves {
            self.fastest.nodes += 1;
            let child = node.child(evaluator, square, node.board.flips(square));
            best = best.max(-self.look_ahead(evaluator, &child, depth - 1, -beta, -best));
            if best >= beta {
                break;
            }
        }
        best
    }

    /// Adds the children but those of known moves. The list is the caller's: it is too large to be handed back.
    fn expand<E: Evaluator>(
        &self,
        evaluator: &E,
        node: &Node<E::State>,
        known: [Option<Square>; 2],
        children: &mut ArrayVec<Child<E::State>, 64>,
    ) {
        let known: Bitboard = known.into_iter().flatten().collect();
        for square in node.board.legal_moves() & !known {
            let child = node.child(evaluator, square, node.board.flips(square));
            // Lower children are not in the table, or looked up only if their turn comes.
            if node.board.empties() >= ENHANCED_CUTOFFS {
                self.table.prefetch(child.hash.key());
            }
            children.push(Child { node: child, square });
        }
    }

    /// The numbers of the children, the most promising first.
    fn order<E: Evaluator, const FULL: bool>(
        &mut self,
        evaluator: &E,
        board: Board,
        children: &[Child<E::State>],
        alpha: i32,
    ) -> Result<Order, Stopped> {
        /// How deep moves are looked at: a ply from 15 empty squares on, and one more for every three, but not more
        /// than four in all (self-play and FFO #20–#48; see `benches/RESULTS.md`).
        const DEPTH_FROM: u32 = 12;
        const EMPTIES_PER_PLY: u32 = 3;
        const MOST_PLIES: u32 = 4;
        /// Moves that look this many centidiscs worse than the bound, than the best at first sight, or than the best
        /// so far at a closer look are not told apart by looking ahead.
        const HOPELESS: i32 = 1600;
        const FAR: i32 = 1400;
        const WORSE: i32 = 600;
        /// Above every cost.
        const LAST: i32 = 1 << 20;
        let mut order = Order(ArrayVec::new());
        if let [_] = children {
            order.0.push((0, 0));
            return Ok(order);
        }
        let (empties, squares) = (board.empties(), square_scores(board.empty()));
        let reply = if FULL { REPLY } else { REPLY_BESIDE_SMALL };
        let mut against = ArrayVec::<i32, 64>::new();
        for (index, Child { node, square }) in children.iter().enumerate() {
            let (replies, corners, open) = replies(node.board);
            let cost = reply * replies + CORNER_REPLY * corners + OPEN_DISC * open - squares[square.index()] as i32;
            against.push(cost);
            order.0.push((cost + evaluator.evaluate(&node.state, node.board).centidiscs(), index as u8));
        }
        if !FULL {
            return Ok(order);
        }
        let depth = ((empties - DEPTH_FROM) / EMPTIES_PER_PLY).min(MOST_PLIES);
        order.0.sort_unstable();
        let hopeless = HOPELESS - 100 * alpha;
        let far = order.0.first().map_or(0, |&(first, _)| first + FAR);
        let mut best = far;
        for (cost, index) in &mut order.0 {
            self.fastest.watch.check(self.fastest.nodes)?;
            let (node, against) = (&children[*index as usize].node, against[*index as usize]);
            let worst =
                hopeless.min(best + WORSE - against).clamp(Score::MIN.centidiscs() + 1, Score::MAX.centidiscs());
            if *cost < far
                && let value = self.look_ahead(evaluator, node, depth, Score::MIN.centidiscs(), worst)
                && value < worst
            {
                *cost = against + value;
                best = best.min(*cost);
            } else {
                *cost += LAST;
            }
        }
        Ok(order)
    }

    /// Searches a child and keeps the best; whether it is above `alpha`.
    fn improves<E: Evaluator, const FULL: bool>(
        &mut self,
        evaluator: &E,
        child: &Child<E::State>,
        alpha: i32,
        best: &mut (i32, Option<Square>),
    ) -> Result<bool, Stopped> {
        let guessed = self.guessed;
        let value = -self.node::<_, FULL>(evaluator, &child.node, -alpha - 1)?;
        if value > best.0 {
            *best = (value, Some(child.square));
        }
        // A move above `alpha` is enough; below it all of them count.
        self.guessed |= guessed && value <= alpha;
        Ok(value > alpha)
    }

    /// A value above `alpha` and its move, if a wipe-out or what the table knows of a child promises one.
    fn enhanced_cutoff<S>(&mut self, children: &[Child<S>], empties: u32, alpha: i32) -> Option<(i32, Option<Square>)> {
        if let Some(child) = children.iter().find(|child| child.node.board.player().is_empty()) {
            self.guessed = false;
            return Some((64, Some(child.square)));
        }
        if empties < ENHANCED_CUTOFFS {
            return None;
        }
        for child in children {
            if let Some(entry) = self.probe(&child.node)
                && entry.covers(empties - 1, self.selectivity)
                && let Some(value) = decides(&entry, -alpha - 1)
                && -value > alpha
            {
                self.table_counts.cutoffs += 1;
                self.guessed = entry.selectivity != Selectivity::FULL;
                return Some((-value, Some(child.square)));
            }
        }
        None
    }

    fn probe<S>(&mut self, node: &Node<S>) -> Option<Entry> {
        let entry = self.table.probe(node.hash.key(), node.board);
        self.table_counts.note_probe(entry.is_some());
        entry
    }

    fn store<S>(&mut self, node: &Node<S>, empties: u32, alpha: i32, (value, best): (i32, Option<Square>)) {
        let centidiscs = (value * 100) as i16;
        let entry = Entry {
            lower: if value > alpha { centidiscs } else { Score::MIN.centidiscs() as i16 },
            upper: if value > alpha { Score::MAX.centidiscs() as i16 } else { centidiscs },
            depth: empties as u8,
            selectivity: if self.guessed { self.selectivity } else { Selectivity::FULL },
            moves: [best, None],
        };
        let stored = self.table.store(node.hash.key(), node.board, entry);
        self.table_counts.note_store(stored);
    }
}

/// The numbers of children with what speaks against them. The least comes first; it is looked for only when its turn
/// comes, because mostly the first is the last.
struct Order(ArrayVec<(i32, u8), 64>);

impl Iterator for Order {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let place = (0..self.0.len()).min_by_key(|&place| self.0[place])?;
        Some(self.0.swap_remove(place).1 as usize)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }
}

impl ExactSizeIterator for Order {}

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::PatternEvaluator;
    use crate::zobrist::split_mix;
    use std::sync::atomic::{AtomicBool, AtomicU64};

    #[test]
    fn a_solve_far_from_the_end_keeps_looking_at_its_limits() {
        let positions = crate::bench_positions().into_iter();
        let board = positions.map(|position| position.board).find(|board| board.empties() >= 44).expect("an opening");
        let (evaluator, table, stop) = (PatternEvaluator::bundled(), Table::new(1).unwrap(), AtomicBool::new(false));
        let watch = Watch::new(&stop, None, 50_000);
        let mut solver = Solver::new(&evaluator, &MpcModel::EXACT, &table, None, watch, 0);
        assert_eq!(solver.exceeds(board, 0), Err(Stopped));
        assert!(solver.nodes() < 70_000, "{} nodes", solver.nodes());
    }

    #[test]
    fn a_selective_solve_cuts_as_much_as_the_model_of_exact_scores_allows() {
        let positions = crate::bench_positions().into_iter().map(|position| position.board);
        let board =
            positions.filter(|board| board.empties() <= 18).max_by_key(|board| board.empties()).expect("a late board");
        let evaluator = PatternEvaluator::bundled();
        let nodes = |intercept: f64, margin: Option<f64>| {
            let (table, stop) = (Table::new(1).unwrap(), AtomicBool::new(false));
            let model = MpcModel { intercept, ..MpcModel::EXACT };
            let mut solver = Solver::new(&evaluator, &model, &table, None, Watch::new(&stop, None, u64::MAX), 0);
            solver.set_margin(margin);
            solver.exceeds(board, 0).unwrap();
            solver.nodes()
        };
        let usual = nodes(MpcModel::EXACT.intercept, Some(1.1));
        assert!(nodes(0.0, Some(1.1)) < usual);
        assert!(usual < nodes(600.0, Some(1.1)));
        // Nothing is cut, and the looks ahead come on top.
        assert!(nodes(600.0, Some(1.1)) > nodes(0.0, None));
    }

    /// A board of a random game with so many empty squares.
    fn played_at_random(game: u64, empties: u32) -> Option<Board> {
        let (mut board, mut state) = (Board::START, game);
        while board.empties() > empties {
            let moves: Vec<_> = board.legal_moves().into_iter().collect();
            let random;
            (random, state) = split_mix(state);
            board = match moves.len() {
                0 => board.play(Move::Pass).ok()?,
                count => board.play(moves[(random >> 33) as usize % count].into()).expect("the move is legal"),
            };
        }
        (!board.is_game_over()).then_some(board)
    }

    /// The boards at most so many plies after a board, each with its entry, if it has one.
    fn entries_below(table: &Table, board: Board, plies: u32) -> Vec<(Board, Entry)> {
        let mut entries: Vec<_> =
            table.probe(Hash::of(board).key(), board).map(|entry| (board, entry)).into_iter().collect();
        if plies > 0 {
            let children = board.legal_moves().into_iter().map(|square| board.play(square.into()).unwrap());
            entries.extend(children.flat_map(|child| entries_below(table, child, plies - 1)));
        }
        entries
    }

    /// Bold selective solves with so many threads; all that they stored as proven is then proved.
    fn check_what_is_stored_as_proven(threads: usize) {
        let boards: Vec<Board> = (0..120).filter_map(|game| played_at_random(game, 15 + game as u32 % 3)).collect();
        let (evaluator, stop, nodes, pool) =
            (PatternEvaluator::bundled(), AtomicBool::new(false), AtomicU64::new(0), Pool::default());
        let (table, watch) =
            (Table::new(8).unwrap(), || Watch::new(&stop, None, u64::MAX).together(&nodes, pool.tree()));
        let solver = || Solver::new(&evaluator, &MpcModel::EXACT, &table, (threads > 1).then_some(&pool), watch(), 0);
        std::thread::scope(|scope| {
            let _closing = pool.closing();
            for _ in 1..threads {
                scope.spawn(|| {
                    let mut helper = solver();
                    pool.help(|split| match split.task {
                        Task::Solve { margin } => helper.work_on(split, margin),
                        Task::Search(_) => unreachable!("only solves are shared here"),
                    });
                });
            }
            let mut selective = solver();
            // Cuts so bold that many of them are wrong, then less bold ones that may rest on what the others have proven.
            for margin in [0.8, 1.0, 1.25, 1.5] {
                selective.set_margin(Some(margin));
                for &board in &boards {
                    for alpha in (-24..24).step_by(2) {
                        // First some moves, for what the table knows of them to be used.
                        for square in board.legal_moves().into_iter().step_by(2) {
                            selective.exceeds(board.play(square.into()).unwrap(), -alpha - 1).unwrap();
                        }
                        selective.exceeds(board, alpha).unwrap();
                    }
                }
            }
        });
        let exact_table = Table::new(8).unwrap();
        let mut exact =
            Solver::new(&evaluator, &MpcModel::EXACT, &exact_table, None, Watch::new(&stop, None, u64::MAX), 0);
        let (mut proven, mut guessed, mut wrong) = (0, 0, 0);
        for (board, entry) in
            boards.into_iter().flat_map(|board| entries_below(&table, board, board.empties() - EVALUATED))
        {
            let (lower, upper) = (entry.lower as i32 / 100, entry.upper as i32 / 100);
            let holds = (lower == -64 || exact.exceeds(board, lower - 1).unwrap() >= lower)
                && (upper == 64 || exact.exceeds(board, upper).unwrap() <= upper);
            if entry.covers(board.empties(), Selectivity::FULL) {
                assert!(holds, "{board:?} {entry:?}");
                proven += 1;
            } else {
                guessed += 1;
                wrong += !holds as u32;
            }
        }
        assert!(proven > 10_000 && guessed > 500 && wrong > 50, "{proven} {guessed} {wrong}");
    }

    #[test]
    fn what_a_selective_solve_stores_as_proven_is_true() {
        check_what_is_stored_as_proven(1);
    }

    #[test]
    fn what_selective_solves_of_several_threads_store_as_proven_is_true() {
        check_what_is_stored_as_proven(4);
    }
}

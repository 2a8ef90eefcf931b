//! The recursive search of a node, for every algorithm.

use super::context::{Context, INFINITY};
use super::options::Algorithm;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::eval::Evaluator;
use crate::ordering::{MoveList, ScoredMove, mobility_score, square_scores, take_best};
use crate::parallel::{Pool, SearchTask, Split, Task};
use crate::score::Score;
use crate::square::{Move, Square};
use crate::table::Selectivity;
use crate::tree::{Node, Stopped};

/// From this depth on the table is used; below, a look-up costs more than the node.
const TABLE_DEPTH: u32 = 3;
/// From this depth on, moves are ordered by the evaluation of the position after them.
const EVALUATION_ORDERING_DEPTH: u32 = 3;
/// From this depth on, moves are ordered by a search of one ply more: deeper ones cost more than they save.
const SEARCH_ORDERING_DEPTH: u32 = 9;

/// From this depth on, the moves of a node are shared among threads.
const SHARED_DEPTH: u32 = 4;

/// The order of moves to leaves: corners first, squares beside them last.
const FRONTIER_ORDER: [Bitboard; 3] = {
    let beside = Bitboard::X_SQUARES.0 | Bitboard::C_SQUARES.0;
    [Bitboard::CORNERS, Bitboard(!(Bitboard::CORNERS.0 | beside)), Bitboard(beside)]
};

/// What an algorithm does at a node.
pub trait Strategy {
    /// Whether bounds cut.
    const CUTS: bool;
    /// Whether moves after the first are tested with a null window.
    const SCOUTS: bool;
}

/// Looks at every line.
pub struct Negamax;
/// Cuts at beta.
pub struct AlphaBeta;
/// Cuts at beta and scouts.
pub struct Pvs;

impl Strategy for Negamax {
    const CUTS: bool = false;
    const SCOUTS: bool = false;
}
impl Strategy for AlphaBeta {
    const CUTS: bool = true;
    const SCOUTS: bool = false;
}
impl Strategy for Pvs {
    const CUTS: bool = true;
    const SCOUTS: bool = true;
}

/// Hands out the moves of a node, best first.
struct Picker {
    table_moves: [Option<Square>; 2],
    /// How many table moves were handed out.
    handed: usize,
    rest: Option<MoveList>,
}

impl<E: Evaluator> Context<'_, E> {
    /// The value of a node, fail-soft: at most `alpha` means an upper bound, at least `beta` a lower one.
    pub fn search<S: Strategy>(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Result<i32, Stopped> {
        self.visit()?;
        self.lines.clear(ply);
        if depth == 0 {
            return Ok(self.evaluate(&node.state, node.board));
        }
        if depth == 1 {
            return self.frontier::<S>(node, alpha, beta, ply);
        }
        let is_pv = beta - alpha > 1;
        // Nodes of the principal variation are few; searched through, they leave the line of play unbroken.
        let may_cut = !(S::SCOUTS && is_pv);
        let mut table_moves = [None; 2];
        if depth >= TABLE_DEPTH
            && let Some(entry) = self.probe(node)
        {
            table_moves = entry.moves;
            if may_cut && entry.covers(depth, self.selectivity) {
                let (lower, upper) = (entry.lower as i32, entry.upper as i32);
                if lower == upper || S::CUTS && lower >= beta {
                    self.counters.table_cutoffs += 1;
                    return Ok(lower);
                }
                if S::CUTS && upper <= alpha {
                    self.counters.table_cutoffs += 1;
                    return Ok(upper);
                }
            }
        }
        if self.mpc
            && may_cut
            && !node.after_pass
            && let Some(value) = self.multi_prob_cut::<S>(node, depth, alpha, beta, ply)?
        {
            self.store(node, depth, value, (alpha, beta), None);
            return Ok(value);
        }

        let mut picker = Picker { table_moves, handed: 0, rest: None };
        let mut bound = alpha;
        let mut best = -INFINITY;
        let mut best_move = None;
        let mut searched = 0;
        while let Some(mv) = self.next_move::<S>(&mut picker, node, depth, alpha, ply)? {
            let child = node.child(self.evaluator, mv.square, mv.flips);
            if self.move_count_pruning
                && !is_pv
                && self.is_late(mv.square, &child, searched, depth, ply)
                && !table_moves.contains(&Some(mv.square))
            {
                self.counters.pruned_moves += 1;
                continue;
            }
            if searched > 0 && S::CUTS && !is_pv && depth >= SHARED_DEPTH && self.may_share() {
                let mut moves = vec![(mv.square, child.board)];
                while let Some(mv) = self.next_move::<S>(&mut picker, node, depth, alpha, ply)? {
                    moves.push((mv.square, node.board.after_move(mv.square, mv.flips)));
                }
                (best, best_move) = self.share::<S>(moves, depth, alpha, (best, best_move), ply)?;
                break;
            }
            searched += 1;
            let value = self.search_child::<S>(&child, depth - 1, bound, beta, ply, searched == 1)?;
            if value > best {
                best = value;
                best_move = Some(mv.square);
                if value > bound {
                    if is_pv {
                        self.lines.extend(ply, Move::Place(mv.square));
                    }
                    if S::CUTS {
                        bound = value;
                        if value >= beta {
                            self.counters.cutoffs += 1;
                            self.counters.first_move_cutoffs += (searched == 1) as u64;
                            self.memory.note_cutoff(mv.square, depth, ply);
                            break;
                        }
                    }
                }
            }
        }
        if best_move.is_none() {
            return self.search_pass::<S>(node, depth, alpha, beta, ply);
        }
        if depth >= TABLE_DEPTH {
            self.store(node, depth, best, if S::CUTS { (alpha, beta) } else { (-INFINITY, INFINITY) }, best_move);
        }
        Ok(best)
    }

    /// Whether another thread waits for work that may be shared.
    #[inline]
    fn may_share(&self) -> bool {
        self.pool.is_some_and(Pool::is_idle) && !self.move_count_pruning
    }

    /// Searches moves of a node together with other threads.
    fn share<S: Strategy>(
        &mut self,
        moves: Vec<(Square, Board)>,
        depth: u32,
        alpha: i32,
        best: (i32, Option<Square>),
        ply: usize,
    ) -> Result<(i32, Option<Square>), Stopped> {
        let task = Task::Search(SearchTask {
            depth,
            ply,
            mpc: self.mpc,
            mpc_nesting: self.mpc_nesting,
            hurry: self.hurry,
            selectivity: self.selectivity,
            storing: self.storing,
        });
        let pool = self.pool.expect("there are other threads");
        let outer = self.watch.cancel.clone();
        let best = pool.share(task, moves, alpha, best, outer.as_ref(), |split| {
            if let Task::Search(task) = split.task {
                self.work::<S>(split, task);
            }
        })?;
        self.counters.cutoffs += (best.0 > alpha) as u64;
        Ok(best)
    }

    /// Does a share of what another thread has split.
    pub fn work_on(&mut self, split: &Split, task: SearchTask) {
        if self.options.algorithm == Algorithm::Pvs {
            self.work::<Pvs>(split, task);
        } else {
            self.work::<AlphaBeta>(split, task);
        }
    }

    fn work<S: Strategy>(&mut self, split: &Split, task: SearchTask) {
        let outer = self.watch.cancel.replace(split.cancel().clone());
        let settings = (self.mpc, self.mpc_nesting, self.hurry, self.selectivity, self.storing);
        (self.mpc, self.mpc_nesting, self.hurry) = (task.mpc, task.mpc_nesting, task.hurry);
        (self.selectivity, self.storing) = (task.selectivity, task.storing);
        split.work(|_, board| {
            let child = Node::root(self.evaluator, board);
            Ok(-self.search::<S>(&child, task.depth - 1, -split.alpha - 1, -split.alpha, task.ply + 1)?)
        });
        (self.mpc, self.mpc_nesting, self.hurry, self.selectivity, self.storing) = settings;
        self.watch.cancel = outer;
    }

    /// The value of a node whose children are leaves: evaluating them costs less than ordering them well.
    fn frontier<S: Strategy>(
        &mut self,
        node: &Node<E::State>,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Result<i32, Stopped> {
        let legal = node.board.legal_moves();
        if legal.is_empty() {
            return self.search_pass::<S>(node, 1, alpha, beta, ply);
        }
        let mut bound = alpha;
        let mut best = -INFINITY;
        let mut searched = 0;
        for part in FRONTIER_ORDER {
            for square in legal & part {
                self.visit()?;
                searched += 1;
                let flips = node.board.flips(square);
                let board = node.board.after_move(square, flips);
                let state = self.evaluator.after_move(&node.state, square, flips);
                let value = -self.evaluate(&state, board);
                if value > best {
                    best = value;
                    if value > bound {
                        if beta - alpha > 1 {
                            self.lines.clear(ply + 1);
                            self.lines.extend(ply, Move::Place(square));
                        }
                        if S::CUTS {
                            bound = value;
                            if value >= beta {
                                self.counters.cutoffs += 1;
                                self.counters.first_move_cutoffs += (searched == 1) as u64;
                                return Ok(best);
                            }
                        }
                    }
                }
            }
        }
        Ok(best)
    }

    /// A child's value for the parent: with the open window, or with a null window first.
    #[inline]
    pub fn search_child<S: Strategy>(
        &mut self,
        child: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: usize,
        first: bool,
    ) -> Result<i32, Stopped> {
        if !S::CUTS {
            return Ok(-self.search::<S>(child, depth, -INFINITY, INFINITY, ply + 1)?);
        }
        if S::SCOUTS && !first && beta - alpha > 1 {
            let value = -self.search::<S>(child, depth, -alpha - 1, -alpha, ply + 1)?;
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        Ok(-self.search::<S>(child, depth, -beta, -alpha, ply + 1)?)
    }

    /// The value of a node without legal moves: the result if the game is over, else what the opponent makes of it.
    fn search_pass<S: Strategy>(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Result<i32, Stopped> {
        let passed = node.passed(self.evaluator);
        if passed.board.legal_moves().is_empty() {
            return Ok(Score::from(node.board.final_score()).centidiscs());
        }
        let value = -self.search::<S>(&passed, depth, -beta, -alpha, ply + 1)?;
        if beta - alpha > 1 && value > alpha {
            self.lines.extend(ply, Move::Pass);
        }
        Ok(value)
    }

    fn next_move<S: Strategy>(
        &mut self,
        picker: &mut Picker,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        ply: usize,
    ) -> Result<Option<ScoredMove>, Stopped> {
        while picker.handed < 2 {
            picker.handed += 1;
            // The table knows the whole position, so its moves are legal.
            if let Some(square) = picker.table_moves[picker.handed - 1] {
                return Ok(Some(ScoredMove { square, flips: node.board.flips(square), score: 0 }));
            }
        }
        if picker.rest.is_none() {
            picker.rest = Some(self.scored_moves::<S>(node, depth, alpha, ply, picker.table_moves)?);
        }
        Ok(picker.rest.as_mut().and_then(take_best))
    }

    /// The legal moves but those of the table, with what speaks for each.
    fn scored_moves<S: Strategy>(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        ply: usize,
        known: [Option<Square>; 2],
    ) -> Result<MoveList, Stopped> {
        /// Moves that look this much worse than the bound are not told apart.
        const HOPELESS: i32 = 800;
        let worst = (-alpha).saturating_add(HOPELESS).min(INFINITY);
        let mut moves = MoveList::new();
        let known: Bitboard = known.into_iter().flatten().collect();
        let legal = node.board.legal_moves() & !known;
        if legal.len() == 1 {
            moves.extend(legal.into_iter().map(|square| ScoredMove {
                square,
                flips: node.board.flips(square),
                score: 0,
            }));
            return Ok(moves);
        }
        let squares = square_scores(node.board.empty());
        for square in legal {
            let flips = node.board.flips(square);
            let mut score = self.memory.bonus(square, ply) + squares[square.index()] as i32;
            if depth >= EVALUATION_ORDERING_DEPTH {
                let child = node.child(self.evaluator, square, flips);
                score += mobility_score(child.board);
                score -= if S::CUTS && depth >= SEARCH_ORDERING_DEPTH {
                    self.search::<S>(&child, 1, -INFINITY, worst, ply + 1)?
                } else {
                    self.evaluate(&child.state, child.board)
                };
            } else {
                score += mobility_score(node.board.after_move(square, flips));
            }
            moves.push(ScoredMove { square, flips, score });
        }
        Ok(moves)
    }

    /// Whether a move may be left out: late, quiet, near the leaves.
    fn is_late(&self, square: Square, child: &Node<E::State>, searched: u32, depth: u32, ply: usize) -> bool {
        /// The threshold of 3 + depth² grows by up to half for moves with a good history.
        const HISTORY_SHARE: f64 = 0.5;
        if depth > self.options.move_count_max_depth {
            return false;
        }
        let threshold = (3 + depth * depth) as f64 * (1.0 + HISTORY_SHARE * self.memory.history(square, ply));
        searched as f64 >= threshold
            && (square.bitboard() & Bitboard::CORNERS).is_empty()
            && !self.memory.is_killer(square, ply)
            && !child.board.legal_moves().is_empty()
    }

    /// A value beyond the window, if shallow searches promise one with enough confidence.
    fn multi_prob_cut<S: Strategy>(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Result<Option<i32>, Stopped> {
        let table = &self.options.mpc_table;
        if depth < table.pairs()[0].deep {
            return Ok(None);
        }
        self.counters.mpc_tries += 1;
        self.counters.mpc_nested_tries += (self.mpc_nesting > 0) as u64;
        let stage = node.board.stage();
        let z = self.options.mpc_margin(stage, self.hurry);
        let estimate = self.options.mpc_static_test.then(|| self.evaluate(&node.state, node.board));
        let pairs = table.pairs().iter().enumerate().rev().filter(|(_, pair)| depth >= pair.deep);
        for (index, pair) in pairs.take(self.options.mpc_max_pairs as usize) {
            let parameters = table.parameters(stage, index);
            let high = parameters.beta_threshold(z, beta);
            let low = parameters.alpha_threshold(z, alpha);
            let reaches_high = high < INFINITY && estimate.is_none_or(|estimate| estimate >= beta);
            let reaches_low = low > -INFINITY && estimate.is_none_or(|estimate| estimate <= alpha);
            let (above, below) = if self.options.mpc_full_window {
                let value = self.shallow_search::<S>(node, pair.shallow, -INFINITY, INFINITY, ply)?;
                (reaches_high && value >= high, reaches_low && value <= low)
            } else {
                let above = reaches_high && self.shallow_search::<S>(node, pair.shallow, high - 1, high, ply)? >= high;
                let below =
                    !above && reaches_low && self.shallow_search::<S>(node, pair.shallow, low, low + 1, ply)? <= low;
                (above, below)
            };
            if above {
                self.counters.mpc_beta_cuts[index] += 1;
                return Ok(Some(beta));
            }
            if below {
                self.counters.mpc_alpha_cuts[index] += 1;
                return Ok(Some(alpha));
            }
        }
        Ok(None)
    }

    /// A search for a prediction: without Multi-ProbCut below the allowed nesting; it stores what it finds even while
    /// the main search must not.
    fn shallow_search<S: Strategy>(
        &mut self,
        node: &Node<E::State>,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> Result<i32, Stopped> {
        let saved = (self.mpc, self.mpc_nesting, self.storing, self.selectivity);
        self.mpc = self.mpc_nesting < self.options.mpc_nesting;
        self.mpc_nesting += 1;
        self.storing = true;
        if !self.mpc && !self.move_count_pruning {
            self.selectivity = Selectivity::FULL;
        }
        let value = self.search::<S>(node, depth, alpha, beta, ply);
        (self.mpc, self.mpc_nesting, self.storing, self.selectivity) = saved;
        value
    }
}

//! The root of a search: windows, the moves of the position at hand, and several best lines.

use super::context::{Context, INFINITY};
use super::node::{AlphaBeta, Negamax, Pvs, Strategy};
use super::options::Algorithm;
use super::result::{Bound, Line};
use crate::aspiration::Window;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::endgame::Solver;
use crate::eval::Evaluator;
use crate::score::Score;
use crate::square::Move;
use crate::tree::{Node, Stopped};

/// A move of the root with what is known of it.
#[derive(Clone)]
pub struct RootMove {
    pub mv: Move,
    flips: Bitboard,
    pub line: Line,
}

/// The moves of a root, and the best that the iteration at hand has found so far.
pub struct Root<S> {
    pub node: Node<S>,
    pub moves: Vec<RootMove>,
    /// The move of the running iteration that beat the window, if one has.
    pub news: Option<Move>,
    /// The values of each line in the iterations so far.
    values: Vec<Vec<i32>>,
}

impl<S> Root<S> {
    /// The root of a board whose game is not over, its moves ordered by evaluation.
    pub fn new<E: Evaluator<State = S>>(context: &mut Context<'_, E>, board: Board) -> Root<S> {
        let node = Node::root(context.evaluator, board);
        let line = |score: i32, mv| Line { score: Score::from_centidiscs(score), bound: Bound::Exact, pv: vec![mv] };
        let mut moves: Vec<RootMove> = board
            .legal_moves()
            .into_iter()
            .map(|square| {
                let flips = board.flips(square);
                let child = node.child(context.evaluator, square, flips);
                let value = -context.evaluate(&child.state, child.board);
                RootMove { mv: square.into(), flips, line: line(value, square.into()) }
            })
            .collect();
        if moves.is_empty() {
            let passed = node.passed(context.evaluator);
            let value = -context.evaluate(&passed.state, passed.board);
            moves.push(RootMove { mv: Move::Pass, flips: Bitboard::EMPTY, line: line(value, Move::Pass) });
        }
        moves.sort_by_key(|mv| -mv.line.score.centidiscs());
        let values = vec![Vec::new(); moves.len()];
        Root { node, moves, news: None, values }
    }
}

impl<E: Evaluator> Context<'_, E> {
    /// One iteration: afterwards the first `lines` moves are the best ones, in order, with their values.
    pub fn iterate(&mut self, root: &mut Root<E::State>, depth: u32, lines: usize) -> Result<(), Stopped> {
        for first in 0..lines {
            let guess = self.guess(root, first);
            root.news = None;
            let value = match self.options.algorithm {
                Algorithm::Negamax => self.search_root::<Negamax>(root, first, depth, -INFINITY, INFINITY)?,
                Algorithm::AlphaBeta => self.search_window::<AlphaBeta>(root, first, depth, guess)?,
                Algorithm::Pvs => self.search_window::<Pvs>(root, first, depth, guess)?,
                Algorithm::Mtdf => self.search_mtdf(root, first, depth, guess)?,
            };
            let line = &mut root.moves[first].line;
            (line.score, line.bound) = (Score::from_centidiscs(value), Bound::Exact);
            root.values[first].push(value);
        }
        Ok(())
    }

    /// What the value of a line will be near to: that of the last iteration, or of the one before.
    fn guess(&self, root: &Root<E::State>, first: usize) -> i32 {
        match root.values[first][..] {
            [.., before, _] if self.options.aspiration_same_parity => before,
            _ => root.moves[first].line.score.centidiscs(),
        }
    }

    /// Solves the root: afterwards the first `lines` moves are the best ones, with proven scores, or with bounds of
    /// ±2 discs if only the winner is asked for.
    pub fn solve(
        &mut self,
        root: &mut Root<E::State>,
        lines: usize,
        wld: bool,
        margin: Option<f64>,
    ) -> Result<(), Stopped> {
        let (watch, nodes) = (self.watch.clone(), self.counters.nodes);
        let exact = self.options.mpc_table.exact();
        let mut solver = Solver::new(self.evaluator, exact, self.solver_table, self.pool, watch, nodes);
        solver.set_margin(margin);
        let exactly = margin.is_none();
        let solved = (0..lines).try_for_each(|first| solve_line(&mut solver, root, first, wld, exactly));
        self.counters.nodes = solver.nodes();
        self.counters.add_table(solver.table_counts());
        self.watch = solver.into_watch();
        if !exactly {
            for line in root.moves[..lines].iter_mut().map(|mv| &mut mv.line) {
                line.pv = self.expected_play(root.node.board, line.pv[0], &[], root.node.board.empties());
            }
        }
        solved
    }

    /// Searches in a window around the previous value, and wider if that fails.
    fn search_window<S: Strategy>(
        &mut self,
        root: &mut Root<E::State>,
        first: usize,
        depth: u32,
        guess: i32,
    ) -> Result<i32, Stopped> {
        if !self.options.use_aspiration_window || depth < 2 {
            return self.search_root::<S>(root, first, depth, -INFINITY, INFINITY);
        }
        let suppress = self.options.aspiration_suppress_store;
        let scheme = self.options.scheme();
        let step = if self.options.aspiration_same_parity { 2 } else { 1 };
        let delta = self.options.first_delta(root.node.board.stage(), depth);
        let mut window = Window::new(scheme, guess, scheme.first_delta(delta, &root.values[first], step));
        for _ in 0..=self.options.aspiration_max_retry {
            let (low, high) = window.bounds(INFINITY);
            self.storing = !suppress;
            let value = self.search_root::<S>(root, first, depth, low, high);
            self.storing = true;
            let value = value?;
            if low < value && value < high {
                return if suppress { self.search_root::<S>(root, first, depth, low, high) } else { Ok(value) };
            }
            self.counters.aspiration_retries += 1;
            window.widen(value);
        }
        self.counters.aspiration_fallbacks += 1;
        self.search_root::<S>(root, first, depth, -INFINITY, INFINITY)
    }

    /// MTD(f): null windows that close in on the value.
    fn search_mtdf(&mut self, root: &mut Root<E::State>, first: usize, depth: u32, guess: i32) -> Result<i32, Stopped> {
        let (mut lower, mut upper) = (Score::MIN.centidiscs(), Score::MAX.centidiscs());
        let mut value = guess;
        while lower < upper {
            let beta = value.max(lower + 1);
            value = self.search_root::<AlphaBeta>(root, first, depth, beta - 1, beta)?;
            if value < beta { upper = value } else { lower = value }
        }
        Ok(value)
    }

    /// Searches the root's moves from number `first` on; the best one comes to that place.
    fn search_root<S: Strategy>(
        &mut self,
        root: &mut Root<E::State>,
        first: usize,
        depth: u32,
        alpha: i32,
        beta: i32,
    ) -> Result<i32, Stopped> {
        self.visit()?;
        let mut bound = alpha;
        let mut best = -INFINITY;
        for index in first..root.moves.len() {
            let RootMove { mv, flips, .. } = root.moves[index];
            let (child, rest) = match mv {
                Move::Place(square) => (root.node.child(self.evaluator, square, flips), depth - 1),
                Move::Pass => (root.node.passed(self.evaluator), depth),
            };
            let value = self.search_child::<S>(&child, rest, bound, beta, 0, index == first)?;
            if value > best {
                best = value;
                if value > bound {
                    let below = self.lines.get(1);
                    let pv = self.expected_play(root.node.board, mv, &below, depth);
                    let kind = if value >= beta { Bound::Lower } else { Bound::Exact };
                    root.moves[index].line = Line { score: Score::from_centidiscs(value), bound: kind, pv };
                    root.news = Some(mv);
                    root.moves[first..=index].rotate_right(1);
                    if S::CUTS {
                        bound = value;
                        if value >= beta {
                            self.counters.cutoffs += 1;
                            self.counters.first_move_cutoffs += (index == first) as u64;
                            break;
                        }
                    }
                }
            }
        }
        if root.moves.len() > first && best > alpha && best < beta {
            let node = &root.node;
            let best_square = match root.moves[first].mv {
                Move::Place(square) => Some(square),
                Move::Pass => None,
            };
            if first == 0 && best_square.is_some() {
                self.store(node, depth, best, (alpha, beta), best_square);
            }
        }
        Ok(best)
    }
}

/// Closes in on the exact score of the best of the moves from number `first` on, and brings that move to its place.
fn solve_line<E: Evaluator>(
    solver: &mut Solver<'_, E>,
    root: &mut Root<E::State>,
    first: usize,
    wld: bool,
    exactly: bool,
) -> Result<(), Stopped> {
    root.news = None;
    let most = if wld { 2 } else { 64 };
    let (mut lower, mut upper) = (-most, most);
    // Every score is even.
    let mut guess = (root.moves[first].line.score.centidiscs() / 200 * 2).min(most);
    while lower < upper {
        let beta = guess.max(lower + 2);
        let after = |mv: Move| root.node.board.play(mv).expect("the root's moves are legal");
        let moves = root.moves[first..].iter().filter_map(|&RootMove { mv, .. }| Some((mv.square()?, after(mv))));
        let moves: Vec<_> = moves.collect();
        let (value, best) = if moves.is_empty() {
            (-solver.exceeds(after(Move::Pass), -beta)?, None)
        } else {
            solver.best_of(moves, beta - 1)?
        };
        guess = value;
        if guess >= beta {
            let is_best = |candidate: &RootMove| candidate.mv.square() == best;
            let index = first + root.moves[first..].iter().position(is_best).expect("the best is one of the moves");
            let line = &mut root.moves[index].line;
            (line.score, line.bound) = (Score::from_centidiscs(guess * 100), Bound::Lower);
            root.moves[first..=index].rotate_right(1);
            root.news = Some(root.moves[first].mv);
        }
        guess = guess.clamp(-most, most);
        if guess >= beta { lower = guess } else { upper = guess }
    }
    let mv = root.moves[first].mv;
    let child = root.node.board.play(mv).expect("the root's moves are legal");
    let mut pv = vec![mv];
    let bound = match guess {
        2 if wld => Bound::Lower,
        -2 if wld => Bound::Upper,
        _ if !exactly => Bound::Exact,
        _ => {
            pv.extend(solver.best_play(child, -guess)?);
            Bound::Exact
        }
    };
    root.moves[first].line = Line { score: Score::from_centidiscs(guess * 100), bound, pv };
    Ok(())
}

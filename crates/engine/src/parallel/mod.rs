//! Threads that search together: a node whose first move did not cut may be split, and its other moves are then taken
//! by whichever thread is free.
//!
//! The thread that split a node works on it like the others. When no move is left it does not just wait for those
//! still searching, but helps with nodes that were split below its own. A thread that has nothing to do looks out for
//! work for a moment, because short searches split often and waking a thread takes longer than they do; then it sleeps.

use crate::board::Board;
use crate::square::Square;
use crate::table::Selectivity;
use crate::tree::{Cancel, Stopped};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How the moves of a split node are searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Task {
    /// By the solver, with cuts on probability of this margin, or exactly.
    Solve {
        /// In deviations.
        margin: Option<f64>,
    },
    /// By the midgame search.
    Search(SearchTask),
}

/// How the midgame search looks at the moves of a node.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchTask {
    /// The depth of the node.
    pub depth: u32,
    /// How far the node is from the root.
    pub ply: usize,
    /// Whether Multi-ProbCut may be applied.
    pub mpc: bool,
    /// How many of its shallow searches the node is in.
    pub mpc_nesting: u32,
    /// Whether its margin is narrowed.
    pub hurry: bool,
    /// How much the values can be trusted.
    pub selectivity: Selectivity,
    /// Whether values go into the table.
    pub storing: bool,
}

/// A node whose moves are searched by several threads, with a null window above `alpha`.
pub struct Split {
    /// What to do with the moves.
    pub task: Task,
    /// The bound: a move above it ends the work.
    pub alpha: i32,
    /// The moves and what they lead to, the most promising first.
    children: Vec<(Square, Board)>,
    /// The number of the next move that nobody has taken.
    next: AtomicUsize,
    /// The best value so far and its move.
    best: Mutex<(i32, Option<Square>)>,
    /// Raised when the rest need not be searched.
    cancel: Arc<Cancel>,
    /// Whether a move could not be searched to its end although nobody had cancelled it.
    failed: AtomicBool,
    /// Threads at work, the one that split the node not counted.
    helpers: AtomicUsize,
}

impl Split {
    /// Searches moves until none is left or one is above `alpha`; `search` gives a move's value to the mover.
    pub fn work(&self, mut search: impl FnMut(Square, Board) -> Result<i32, Stopped>) {
        while !self.cancel.is_raised() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(square, board)) = self.children.get(number) else { return };
            match search(square, board) {
                Ok(value) => {
                    let mut best = lock(&self.best);
                    if value > best.0 {
                        *best = (value, Some(square));
                    }
                    if value > self.alpha {
                        self.cancel.raise();
                    }
                }
                Err(Stopped) => {
                    if !self.cancel.is_raised() {
                        self.failed.store(true, Ordering::Relaxed);
                    }
                    return;
                }
            }
        }
    }

    /// What a watch must look at while it is worked on.
    pub fn cancel(&self) -> &Arc<Cancel> {
        &self.cancel
    }

    fn has_moves(&self) -> bool {
        self.next.load(Ordering::Relaxed) < self.children.len() && !self.cancel.is_raised()
    }

    fn result(&self) -> Result<(i32, Option<Square>), Stopped> {
        let best = *lock(&self.best);
        if best.0 > self.alpha {
            return Ok(best);
        }
        if self.cancel.is_raised() || self.failed.load(Ordering::Relaxed) { Err(Stopped) } else { Ok(best) }
    }
}

/// The nodes that are open to help, and the threads that wait for one.
#[derive(Default)]
pub struct Pool {
    open: Mutex<Open>,
    changed: Condvar,
    idle: AtomicUsize,
    /// Counts what a waiting thread may wait for: splits, leaving helpers, the end; changed under the lock of `open`.
    changes: AtomicUsize,
    /// The whole tree; raised if a helper panics.
    tree: Arc<Cancel>,
}

#[derive(Default)]
struct Open {
    splits: Vec<Arc<Split>>,
    closed: bool,
    /// Threads that must be woken.
    asleep: usize,
}

/// A lock whose holder panicked guards nothing that could be half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Pool {
    /// The whole tree, which every watch looks at.
    pub fn tree(&self) -> &Arc<Cancel> {
        &self.tree
    }

    /// Whether a thread waits for work.
    #[inline]
    pub fn is_idle(&self) -> bool {
        self.idle.load(Ordering::Relaxed) > 0
    }

    /// Shares the moves of a node; `best` is what its moves so far came to, `outer` the part of the tree that it lies in,
    /// and `work` does a share of a split.
    pub fn share(
        &self,
        task: Task,
        children: Vec<(Square, Board)>,
        alpha: i32,
        best: (i32, Option<Square>),
        outer: Option<&Arc<Cancel>>,
        mut work: impl FnMut(&Split),
    ) -> Result<(i32, Option<Square>), Stopped> {
        let split = Arc::new(Split {
            task,
            alpha,
            children,
            next: AtomicUsize::new(0),
            best: Mutex::new(best),
            cancel: Arc::new(Cancel::new(outer.cloned())),
            failed: AtomicBool::new(false),
            helpers: AtomicUsize::new(0),
        });
        self.change(|open| open.splits.push(split.clone()));
        // Whatever happens in `work`, nobody may be left at a node whose owner has gone.
        let owned = Owned { pool: self, split: &split };
        work(&split);
        while let Some(below) = self.next_below(&split) {
            let joined = Joined { pool: self, split: &below };
            work(&below);
            drop(joined);
        }
        drop(owned);
        split.result()
    }

    /// Works on what is open until the pool is closed; `work` does a share of a split.
    pub fn help(&self, mut work: impl FnMut(&Split)) {
        while let Some(split) = self.next_open() {
            let joined = Joined { pool: self, split: &split };
            work(&split);
            drop(joined);
        }
    }

    /// Sends all helpers home when it goes out of scope.
    pub fn closing(&self) -> Closing<'_> {
        Closing(self)
    }

    /// A split to help with, the oldest first: it is the largest. None once the pool is closed.
    fn next_open(&self) -> Option<Arc<Split>> {
        let mut open = lock(&self.open);
        loop {
            if open.closed {
                return None;
            }
            if let Some(split) = open.splits.iter().find(|split| split.has_moves()) {
                return Some(join(split));
            }
            open = self.sleep(open);
        }
    }

    /// A split below the caller's own to help with; none when all its helpers have left.
    fn next_below(&self, own: &Split) -> Option<Arc<Split>> {
        let mut open = lock(&self.open);
        loop {
            if own.helpers.load(Ordering::Relaxed) == 0 {
                return None;
            }
            let below = |split: &&Arc<Split>| split.has_moves() && split.cancel.is_below(&own.cancel);
            if let Some(split) = open.splits.iter().find(below) {
                return Some(join(split));
            }
            open = self.sleep(open);
        }
    }

    /// Changes what is open and tells all who wait for a change.
    fn change(&self, change: impl FnOnce(&mut Open)) {
        let mut open = lock(&self.open);
        change(&mut open);
        self.changes.fetch_add(1, Ordering::Relaxed);
        if open.asleep > 0 {
            self.changed.notify_all();
        }
    }

    /// Waits for a change of what is open: awake for a moment, then asleep.
    fn sleep<'a>(&'a self, open: MutexGuard<'a, Open>) -> MutexGuard<'a, Open> {
        /// Some hundred microseconds.
        const LOOKS: usize = 4000;
        let seen = self.changes.load(Ordering::Relaxed);
        let unchanged = || self.changes.load(Ordering::Relaxed) == seen;
        self.idle.fetch_add(1, Ordering::Relaxed);
        drop(open);
        let mut looks = 0;
        while unchanged() && looks < LOOKS {
            looks += 1;
            std::hint::spin_loop();
        }
        let mut open = lock(&self.open);
        while unchanged() {
            open = self.wait(open);
        }
        self.idle.fetch_sub(1, Ordering::Relaxed);
        open
    }

    fn wait<'a>(&self, mut open: MutexGuard<'a, Open>) -> MutexGuard<'a, Open> {
        open.asleep += 1;
        let mut open = self.changed.wait(open).unwrap_or_else(PoisonError::into_inner);
        open.asleep -= 1;
        open
    }
}

/// Closes a pool when it goes out of scope.
pub struct Closing<'a>(&'a Pool);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.change(|open| open.closed = true);
    }
}

/// Enters a split; the caller holds the lock of the pool.
fn join(split: &Arc<Split>) -> Arc<Split> {
    split.helpers.fetch_add(1, Ordering::Relaxed);
    split.clone()
}

/// Leaves a split when it goes out of scope, in a panic too.
struct Joined<'a> {
    pool: &'a Pool,
    split: &'a Split,
}

impl Drop for Joined<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.pool.tree.raise();
        }
        self.pool.change(|_| {
            self.split.helpers.fetch_sub(1, Ordering::Relaxed);
        });
    }
}

/// Closes a split when it goes out of scope and, in a panic, waits for its helpers.
struct Owned<'a> {
    pool: &'a Pool,
    split: &'a Arc<Split>,
}

impl Drop for Owned<'_> {
    fn drop(&mut self) {
        let mut open = lock(&self.pool.open);
        if std::thread::panicking() {
            self.split.cancel.raise();
        }
        open.splits.retain(|split| !Arc::ptr_eq(split, self.split));
        while self.split.helpers.load(Ordering::Relaxed) > 0 {
            open = self.pool.wait(open);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(outer: &Arc<Cancel>, search: impl FnMut(Square, Board) -> Result<i32, Stopped>) -> Result<i32, Stopped> {
        let (mut search, square) = (search, Square::new(0).expect("a1"));
        let children = vec![(square, Board::START); 2];
        let shared =
            Pool::default().share(Task::Solve { margin: None }, children, 0, (-64, None), Some(outer), |split| {
                split.work(&mut search);
            });
        shared.map(|(value, _)| value)
    }

    #[test]
    fn a_split_whose_moves_were_not_all_searched_has_no_value_unless_one_is_above_the_bound() {
        let outer = Arc::new(Cancel::default());
        assert_eq!(share(&outer, |_, _| Ok(-4)), Ok(-4));
        assert_eq!(share(&outer, |_, _| Err(Stopped)), Err(Stopped));
        let cancelled = |value| {
            let outer = Arc::new(Cancel::default());
            share(&outer, |_, _| {
                outer.raise();
                Ok(value)
            })
        };
        assert_eq!(cancelled(-4), Err(Stopped));
        assert_eq!(cancelled(6), Ok(6));
    }

    /// Runs a pool with one helper; `work` does a share, in whichever thread.
    fn with_a_helper<T>(work: impl Fn(&Pool, &Split) + Sync, run: impl FnOnce(&Pool) -> T) -> T {
        let pool = Pool::default();
        std::thread::scope(|scope| {
            let _closing = pool.closing();
            scope.spawn(|| pool.help(|split| work(&pool, split)));
            run(&pool)
        })
    }

    fn moves(first: u8, count: u8) -> Vec<(Square, Board)> {
        (first..first + count).map(|number| (Square::new(number).expect("a square"), Board::START)).collect()
    }

    fn wait_until(condition: impl Fn() -> bool) {
        let start = std::time::Instant::now();
        while !condition() {
            assert!(start.elapsed().as_secs() < 20, "it does not happen");
            std::thread::yield_now();
        }
    }

    const TASK: Task = Task::Solve { margin: None };

    #[test]
    fn a_thread_that_fell_asleep_takes_its_share_of_a_split() {
        let searched = Mutex::new(Vec::new());
        let begun = AtomicUsize::new(0);
        let work = |_: &Pool, split: &Split| {
            split.work(|square, _| {
                lock(&searched).push((square.index(), std::thread::current().id()));
                // Nobody goes on before both threads have a move.
                begun.fetch_add(1, Ordering::SeqCst);
                wait_until(|| begun.load(Ordering::SeqCst) >= 2);
                Ok(-2 - square.index() as i32)
            });
        };
        let best = with_a_helper(work, |pool| {
            wait_until(|| lock(&pool.open).asleep == 1);
            pool.share(TASK, moves(0, 4), 0, (-64, None), None, |split| work(pool, split))
        });
        assert_eq!(best, Ok((-2, Square::new(0))));
        let mut searched = searched.into_inner().unwrap();
        searched.sort_unstable_by_key(|&(square, _)| square);
        assert_eq!(searched.iter().map(|&(square, _)| square).collect::<Vec<_>>(), [0, 1, 2, 3], "each move once");
        assert!(searched.iter().any(|&(_, thread)| thread != searched[0].1), "two threads");
    }

    #[test]
    fn an_owner_without_moves_left_helps_below_its_split() {
        // The helper's move is itself split into 10 and 11; neither thread finishes one before both are begun.
        let owner = std::thread::current().id();
        let (begun, below) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        fn work(
            pool: &Pool,
            split: &Split,
            owner: std::thread::ThreadId,
            begun: &AtomicUsize,
            below: &Mutex<Vec<std::thread::ThreadId>>,
        ) {
            split.work(|square, _| {
                let thread = std::thread::current().id();
                if square.index() >= 10 {
                    lock(below).push(thread);
                    wait_until(|| lock(below).len() == 2);
                    return Ok(-4);
                }
                begun.fetch_add(1, Ordering::SeqCst);
                wait_until(|| begun.load(Ordering::SeqCst) == 2);
                if thread == owner {
                    return Ok(-6);
                }
                let inner = pool.share(TASK, moves(10, 2), 0, (-64, None), Some(split.cancel()), |split| {
                    work(pool, split, owner, begun, below);
                });
                Ok(inner?.0)
            });
        }
        let best = with_a_helper(
            |pool, split| work(pool, split, owner, &begun, &below),
            |pool| {
                pool.share(TASK, moves(0, 2), 0, (-64, None), None, |split| work(pool, split, owner, &begun, &below))
            },
        );
        assert_eq!(best.map(|(value, _)| value), Ok(-4));
        assert!(lock(&below).contains(&owner));
    }

    #[test]
    fn a_move_above_the_bound_cancels_what_other_threads_search_and_a_helper_that_fails_leaves_no_value() {
        for (helper_fails, expected) in [(false, Ok(8)), (true, Err(Stopped))] {
            let owner = std::thread::current().id();
            let begun = AtomicUsize::new(0);
            let work = |_: &Pool, split: &Split| {
                split.work(|_, _| {
                    begun.fetch_add(1, Ordering::SeqCst);
                    wait_until(|| begun.load(Ordering::SeqCst) >= 2);
                    if std::thread::current().id() == owner {
                        return Ok(if helper_fails { -8 } else { 8 });
                    }
                    if !helper_fails {
                        wait_until(|| split.cancel().is_raised());
                    }
                    Err(Stopped)
                });
            };
            let best = with_a_helper(work, |pool| {
                pool.share(TASK, moves(0, 2), 0, (-64, None), None, |split| work(pool, split))
            });
            assert_eq!(best.map(|(value, _)| value), expected);
        }
    }
}

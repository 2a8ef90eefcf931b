//! The transposition table: what is known of positions already searched.
//!
//! An entry holds the full position, so no collision can pass off one position's value as another's. Threads share
//! the table without locks: the position is stored mixed with the data, and an entry torn by two writers matches no
//! position.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::memory::ask_for_large_pages;
use crate::square::{Move, Square};
use std::alloc::{Layout, alloc_zeroed};
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use thiserror::Error;

/// How far a value can be trusted: the greater, the fewer the moves that were cut on probability.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Selectivity(u8);

impl Selectivity {
    /// Nothing was cut on probability.
    pub const FULL: Selectivity = Selectivity(15);
    /// Moves may have been left out without any stated confidence.
    pub const UNSTATED: Selectivity = Selectivity(0);

    /// The level of probability cuts with a margin of `z` deviations.
    pub fn of_margin(z: f64) -> Selectivity {
        const LEVELS_PER_DEVIATION: f64 = 4.0;
        Selectivity((z * LEVELS_PER_DEVIATION).clamp(1.0, 14.0) as u8)
    }
}

/// What a search found out about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value is at least this, in centidiscs.
    pub lower: i16,
    /// The value is at most this.
    pub upper: i16,
    /// The depth that was searched.
    pub depth: u8,
    /// How much was cut on the way.
    pub selectivity: Selectivity,
    /// The best move, and the best before it.
    pub moves: [Option<Square>; 2],
}

const NO_MOVE: u64 = 64;

impl Entry {
    /// Whether the entry answers a search of this depth and selectivity.
    #[inline]
    pub fn covers(&self, depth: u32, selectivity: Selectivity) -> bool {
        self.depth as u32 >= depth && self.selectivity >= selectivity
    }

    fn pack(&self, generation: u8) -> u64 {
        let square = |mv: Option<Square>| mv.map_or(NO_MOVE, |square| square.index() as u64);
        (self.lower as u16 as u64)
            | (self.upper as u16 as u64) << 16
            | square(self.moves[0]) << 32
            | square(self.moves[1]) << 39
            | (self.depth as u64 & 63) << 46
            | (self.selectivity.0 as u64) << 52
            | (generation as u64) << 56
    }

    fn unpack(data: u64) -> Entry {
        let square = |shift: u32| Square::new((data >> shift & 127) as u8);
        Entry {
            lower: data as i16,
            upper: (data >> 16) as i16,
            depth: (data >> 46 & 63) as u8,
            selectivity: Selectivity((data >> 52 & 15) as u8),
            moves: [square(32), square(39)],
        }
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 56) as u8
}

/// One place for an entry: the player's discs, the opponent's discs and the data.
///
/// A place that was never written is all zero; packed data is never zero, because at least one of the two moves or
/// the generation is set.
#[derive(Default)]
struct Slot<W = AtomicU64>([W; 3]);

/// A word that threads share; tests put one in its place that tries all orders of events.
trait Word {
    fn load(&self) -> u64;
    fn store(&self, value: u64);
}

impl Word for AtomicU64 {
    #[inline]
    fn load(&self) -> u64 {
        self.load(Ordering::Relaxed)
    }

    #[inline]
    fn store(&self, value: u64) {
        self.store(value, Ordering::Relaxed);
    }
}

/// What a position is mixed with. The two words get unrelated values, so that words of different entries do not fit
/// together.
fn masks(data: u64) -> (u64, u64) {
    (data, data.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl<W: Word> Slot<W> {
    #[inline]
    fn read(&self) -> (Board, u64) {
        let data = self.0[2].load();
        let (player_mask, opponent_mask) = masks(data);
        let player = Bitboard(self.0[0].load() ^ player_mask);
        let opponent = Bitboard(self.0[1].load() ^ opponent_mask);
        // A torn entry may claim a square twice; it is compared, never played on.
        (Board::from_raw(player, opponent), data)
    }

    #[inline]
    fn write(&self, board: Board, data: u64) {
        let (player_mask, opponent_mask) = masks(data);
        self.0[0].store(board.player().0 ^ player_mask);
        self.0[1].store(board.opponent().0 ^ opponent_mask);
        self.0[2].store(data);
    }
}

const BUCKET: usize = 4;

/// Aligned as the system's allocator does by itself: a stricter wish would make it touch and clear all memory at once,
/// instead of handing out pages that are zero already.
#[derive(Default)]
#[repr(align(16))]
struct Bucket([Slot; BUCKET]);

/// The memory asked for cannot be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum TableError {
    /// Not even one bucket.
    #[error("transposition table: the size must be at least 1 MB")]
    TooSmall,
    /// The system refused.
    #[error("transposition table: {0} MB of memory cannot be had")]
    Memory(usize),
}

/// What a store did, for the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stored {
    /// It filled an empty place or brought its own entry up to date.
    Added,
    /// It took the place of another position.
    Replaced,
    /// A better entry of the same position stayed.
    Kept,
}

/// What happened to a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableCounts {
    /// Look-ups.
    pub probes: u64,
    /// Look-ups that found the position.
    pub hits: u64,
    /// Look-ups that ended a node.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written over another position.
    pub replacements: u64,
}

impl TableCounts {
    /// Counts a look-up.
    #[inline]
    pub fn note_probe(&mut self, hit: bool) {
        self.probes += 1;
        self.hits += hit as u64;
    }

    /// Counts a store.
    #[inline]
    pub fn note_store(&mut self, stored: Stored) {
        self.stores += 1;
        self.replacements += (stored == Stored::Replaced) as u64;
    }
}

/// A table of fixed size.
pub struct Table {
    buckets: Box<[Bucket]>,
    generation: AtomicU8,
}

impl Table {
    /// The customary size in megabytes (2²⁰ bytes).
    pub const DEFAULT_MB: usize = 128;

    /// An empty table of at most this many megabytes.
    pub fn new(megabytes: usize) -> Result<Table, TableError> {
        let bytes = megabytes.checked_mul(1 << 20).ok_or(TableError::Memory(megabytes))?;
        let count = bytes / size_of::<Bucket>();
        if count == 0 {
            return Err(TableError::TooSmall);
        }
        let layout = Layout::array::<Bucket>(count).map_err(|_| TableError::Memory(megabytes))?;
        // SAFETY: the layout has a size above zero, as `count` is.
        let memory = unsafe { alloc_zeroed(layout) }.cast::<Bucket>();
        if memory.is_null() {
            return Err(TableError::Memory(megabytes));
        }
        ask_for_large_pages(memory, layout.size());
        let buckets = std::ptr::slice_from_raw_parts_mut(memory, count);
        // SAFETY: the memory was allocated with the layout of this slice, and zero is a valid bucket.
        let buckets = unsafe { Box::from_raw(buckets) };
        Ok(Table { buckets, generation: AtomicU8::new(1) })
    }

    /// How many entries there is room for.
    pub fn capacity(&self) -> usize {
        self.buckets.len() * BUCKET
    }

    /// Begins a new search: entries of earlier ones stay readable but give way first.
    pub fn new_generation(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            for word in &slot.0 {
                word.store(0, Ordering::Relaxed);
            }
        }
    }

    /// The share of places, in thousandths, that hold an entry of the current generation; from a sample.
    pub fn fill_permille(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let current = self.generation.load(Ordering::Relaxed);
        let used = sample.iter().flat_map(|bucket| &bucket.0).filter(|slot| {
            let data = slot.0[2].load(Ordering::Relaxed);
            data != 0 && generation_of(data) == current
        });
        (used.count() * 1000 / (sample.len() * BUCKET)) as u32
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = (key as u128 * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Has the processor fetch the bucket of a board that will be looked up soon.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        let bucket = &self.bucket(key).0;
        // A bucket lies in two lines of the cache, or in three.
        prefetch(&bucket[0]);
        prefetch(&bucket[BUCKET - 1]);
    }

    /// What is known of a board; `key` is its Zobrist key.
    #[inline]
    pub fn probe(&self, key: u64, board: Board) -> Option<Entry> {
        self.bucket(key).0.iter().find_map(|slot| {
            let (stored, data) = slot.read();
            (stored == board && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Remembers an entry, if nothing better is known of the board.
    pub fn store(&self, key: u64, board: Board, mut entry: Entry) -> Stored {
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut victim = &bucket.0[0];
        let mut victim_worth = u32::MAX;
        for slot in &bucket.0 {
            let (stored, data) = slot.read();
            if data == 0 {
                if victim_worth > 0 {
                    (victim, victim_worth) = (slot, 0);
                }
                continue;
            }
            if stored == board {
                let known = Entry::unpack(data);
                let outcome = merge(&mut entry, known);
                slot.write(board, entry.pack(generation));
                return outcome;
            }
            let known = Entry::unpack(data);
            let current = (generation_of(data) == generation) as u32;
            let worth = 1 + (current << 16) + ((known.depth as u32) << 4) + known.selectivity.0 as u32;
            if worth < victim_worth {
                (victim, victim_worth) = (slot, worth);
            }
        }
        victim.write(board, entry.pack(generation));
        if victim_worth == 0 { Stored::Added } else { Stored::Replaced }
    }
}

/// Joins a new entry with what was known of the same position.
fn merge(entry: &mut Entry, known: Entry) -> Stored {
    let same = entry.depth == known.depth && entry.selectivity == known.selectivity;
    if same {
        let (lower, upper) = (entry.lower.max(known.lower), entry.upper.min(known.upper));
        if lower <= upper {
            (entry.lower, entry.upper) = (lower, upper);
        }
    } else if known.covers(entry.depth as u32, entry.selectivity) {
        *entry = known;
        return Stored::Kept;
    }
    match entry.moves[0] {
        None => entry.moves = known.moves,
        Some(_) if entry.moves[0] == known.moves[0] => entry.moves[1] = known.moves[1],
        Some(_) => entry.moves[1] = known.moves[0],
    }
    Stored::Added
}

impl Entry {
    /// The best move as a move, if it is known.
    pub fn best_move(&self) -> Option<Move> {
        self.moves[0].map(Move::Place)
    }
}

/// Has the processor fetch something into its cache.
#[inline]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing and never fails.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hash;

    fn entry(lower: i16, upper: i16, depth: u8, selectivity: Selectivity, best: u8) -> Entry {
        Entry { lower, upper, depth, selectivity, moves: [Square::new(best), None] }
    }

    fn board(n: u64) -> Board {
        Board::new(Bitboard(n.wrapping_mul(0x9e37_79b9) << 1), Bitboard(1)).unwrap()
    }

    #[test]
    fn entries_survive_packing() {
        for (lower, upper, depth, best) in [(-6400, 6400, 60, 63), (0, 0, 0, 0), (-1, 1, 14, 37)] {
            let written = entry(lower, upper, depth, Selectivity::of_margin(1.645), best);
            assert_eq!(Entry::unpack(written.pack(7)), written);
            assert_ne!(written.pack(0), 0);
        }
        assert_ne!(entry(0, 0, 0, Selectivity::UNSTATED, 0).pack(0), 0);
    }

    #[test]
    fn only_the_position_itself_is_found_even_under_the_same_key() {
        let table = Table::new(1).unwrap();
        table.store(5, board(1), entry(1, 2, 3, Selectivity::FULL, 4));
        assert_eq!(table.probe(5, board(1)), Some(entry(1, 2, 3, Selectivity::FULL, 4)));
        assert_eq!(table.probe(5, board(2)), None);
        assert_eq!(table.probe(5, board(1).after_pass()), None);
        assert_eq!(table.probe(0, Board::from_raw(Bitboard(0), Bitboard(0))), None);
    }

    #[test]
    fn a_shallow_or_selective_store_does_not_hide_a_better_entry() {
        let table = Table::new(1).unwrap();
        let good = entry(10, 20, 8, Selectivity::FULL, 1);
        table.store(9, board(1), good);
        assert_eq!(table.store(9, board(1), entry(-5, 5, 6, Selectivity::FULL, 2)), Stored::Kept);
        assert_eq!(table.store(9, board(1), entry(-5, 5, 8, Selectivity::of_margin(1.0), 2)), Stored::Kept);
        assert_eq!(table.probe(9, board(1)), Some(good));
        assert_eq!(table.store(9, board(1), entry(-5, 5, 9, Selectivity::of_margin(1.0), 2)), Stored::Added);
        assert_eq!(table.probe(9, board(1)).unwrap().moves, [Square::new(2), Square::new(1)]);
    }

    #[test]
    fn bounds_of_the_same_depth_close_in_from_both_sides() {
        let table = Table::new(1).unwrap();
        table.store(9, board(1), entry(10, 6400, 8, Selectivity::FULL, 1));
        table.store(9, board(1), entry(-6400, 30, 8, Selectivity::FULL, 1));
        let joined = table.probe(9, board(1)).unwrap();
        assert_eq!((joined.lower, joined.upper), (10, 30));
    }

    #[test]
    fn old_and_shallow_entries_give_way_first() {
        let table = Table::new(1).unwrap();
        table.store(9, board(1), entry(0, 0, 30, Selectivity::FULL, 1));
        table.new_generation();
        for n in 2..=4 {
            table.store(9, board(n), entry(0, 0, n as u8, Selectivity::FULL, 1));
        }
        assert_eq!(table.store(9, board(5), entry(0, 0, 1, Selectivity::FULL, 1)), Stored::Replaced);
        assert_eq!(table.probe(9, board(1)), None, "the old entry goes first");
        table.store(9, board(6), entry(0, 0, 9, Selectivity::FULL, 1));
        assert_eq!(table.probe(9, board(5)), None, "then the shallowest");
        assert!((2..=4).all(|n| table.probe(9, board(n)).is_some()));
    }

    #[test]
    fn the_size_is_kept_and_impossible_sizes_are_errors() {
        assert_eq!(size_of::<Bucket>(), 96);
        assert_eq!(Table::new(128).unwrap().capacity(), 128 * 1024 * 1024 / 96 * 4);
        assert_eq!(Table::new(0).err(), Some(TableError::TooSmall));
        assert_eq!(Table::new(usize::MAX / 2).err(), Some(TableError::Memory(usize::MAX / 2)));
        let huge = std::hint::black_box(Table::new(1 << 40));
        assert_eq!(huge.err(), Some(TableError::Memory(1 << 40)));
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let table = Table::new(1).unwrap();
        let key = Hash::of(Board::START).key();
        table.store(key, Board::START, entry(0, 0, 1, Selectivity::FULL, 1));
        table.clear();
        assert_eq!(table.probe(key, Board::START), None);
    }

    impl Word for loom::sync::atomic::AtomicU64 {
        fn load(&self) -> u64 {
            self.load(Ordering::Relaxed)
        }

        fn store(&self, value: u64) {
            self.store(value, Ordering::Relaxed);
        }
    }

    // It takes a minute and is the same in every tier.
    #[cfg(not(target_feature = "avx2"))]
    #[test]
    fn in_no_order_of_events_does_a_reader_accept_an_entry_torn_by_two_writers() {
        let written = |n: i16, board: Board| (board, entry(n, n, n as u8, Selectivity::FULL, 1).pack(1));
        let other_player = [written(5, board(1)), written(6, board(2))];
        let other_opponent = [written(5, board(1).after_pass()), written(6, board(2).after_pass())];
        for entries in [other_player, other_opponent] {
            loom::model(move || {
                let slot = loom::sync::Arc::new(Slot::<loom::sync::atomic::AtomicU64>::default());
                for (board, data) in entries {
                    let slot = slot.clone();
                    loom::thread::spawn(move || slot.write(board, data));
                }
                let (found, data) = slot.read();
                let is_written = entries.iter().any(|&(board, _)| board == found);
                assert!(!is_written || entries.contains(&(found, data)), "{found:?} {data}");
            });
        }
    }

    #[test]
    fn writers_in_parallel_never_produce_an_entry_that_none_of_them_wrote() {
        let table = Table::new(1).unwrap();
        // Few keys, so that all threads fight for the same places; the bounds name the position and the depth.
        let lower = |n: u64, depth: u64| (n * 60 + depth) as i16;
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..200_000u64 {
                        let n = (round * 7 + thread * 13) % 97;
                        let depth = (round * 31 + thread * 11) % 60;
                        let value = lower(n, depth);
                        table.store(n % 3, board(n), entry(value, value, depth as u8, Selectivity::FULL, 1));
                        let other = (round * 5 + thread) % 97;
                        if let Some(found) = table.probe(other % 3, board(other)) {
                            assert_eq!(found.lower, lower(other, found.depth as u64));
                            assert_eq!(found.upper, found.lower);
                        }
                    }
                });
            }
        });
    }
}

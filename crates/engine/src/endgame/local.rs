//! A small table of one thread for positions with few empty squares; it fits into the cache.

use super::NONE;

/// What is known of a position.
#[derive(Clone, Copy, Default)]
pub struct LocalEntry {
    player: u64,
    opponent: u64,
    pub lower: i8,
    pub upper: i8,
    /// The best move; 64 if there is none.
    pub best: u8,
}

/// A direct-mapped table: the newest entry takes the place.
pub struct LocalTable(Box<[LocalEntry]>);

impl LocalTable {
    const BITS: u32 = 16;

    pub fn new() -> LocalTable {
        LocalTable(vec![LocalEntry::default(); 1 << LocalTable::BITS].into_boxed_slice())
    }

    #[inline]
    fn index(player: u64, opponent: u64) -> usize {
        let mixed =
            (player.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ opponent.rotate_left(29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> (64 - LocalTable::BITS)) as usize
    }

    /// What is known of a position that has discs.
    #[inline]
    pub fn probe(&self, player: u64, opponent: u64) -> Option<LocalEntry> {
        let entry = self.0[LocalTable::index(player, opponent)];
        (entry.player == player && entry.opponent == opponent && player | opponent != 0).then_some(entry)
    }

    /// Remembers a value found with a null window at `alpha`.
    #[inline]
    pub fn store(&mut self, player: u64, opponent: u64, value: i32, alpha: i32, best: u8) {
        let entry = &mut self.0[LocalTable::index(player, opponent)];
        let known = entry.player == player && entry.opponent == opponent;
        let (lower, upper) = if known { (entry.lower, entry.upper) } else { (-64, 64) };
        debug_assert!(value > NONE);
        *entry = if value > alpha {
            LocalEntry { player, opponent, lower: value as i8, upper, best }
        } else {
            LocalEntry { player, opponent, lower, upper: value as i8, best }
        };
    }
}

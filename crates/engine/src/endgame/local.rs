//! A small table of one thread for positions with few empty squares; it fits into the cache.

/// What is known of a position.
#[derive(Clone, Copy)]
pub struct LocalEntry {
    pub lower: i8,
    pub upper: i8,
}

/// A direct-mapped table of 2^`BITS` places: the newest entry takes the place.
///
/// Bare words, because a vector of zeros costs nothing until it is touched, and most solves are short.
pub struct LocalTable<const BITS: u32>(Vec<[u64; 3]>);

impl<const BITS: u32> LocalTable<BITS> {
    pub fn new() -> Self {
        LocalTable(vec![[0; 3]; 1 << BITS])
    }

    #[inline]
    fn index(player: u64, opponent: u64) -> usize {
        let mixed =
            (player.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ opponent.rotate_left(29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> (64 - BITS)) as usize
    }

    /// What is known of a position; one that was never written has no discs and is asked for by nobody.
    #[inline]
    pub fn probe(&self, player: u64, opponent: u64) -> Option<LocalEntry> {
        debug_assert!(player | opponent != 0);
        let [known_player, known_opponent, data] = self.0[Self::index(player, opponent)];
        let [lower, upper, ..] = data.to_le_bytes();
        let entry = LocalEntry { lower: lower as i8, upper: upper as i8 };
        (known_player == player && known_opponent == opponent).then_some(entry)
    }

    /// Remembers a value found with a null window at `alpha`.
    #[inline]
    pub fn store(&mut self, player: u64, opponent: u64, value: i32, alpha: i32) {
        let known = self.probe(player, opponent);
        let (lower, upper) = known.map_or((-64, 64), |known| (known.lower, known.upper));
        let (lower, upper) = if value > alpha { (value as i8, upper) } else { (lower, value as i8) };
        let data = u64::from_le_bytes([lower as u8, upper as u8, 0, 0, 0, 0, 0, 0]);
        self.0[Self::index(player, opponent)] = [player, opponent, data];
    }
}

//! A small table of one thread for positions with few empty squares; it fits into the cache.

/// What is known of a position.
#[derive(Clone, Copy)]
pub struct LocalEntry {
    pub lower: i32,
    pub upper: i32,
}

/// A direct-mapped table of 2^`BITS` places: the newest entry takes the place.
///
/// A place is two words, so that no entry reaches into a second line of the cache: the opponent's discs, and the
/// player's in a form whose highest bits are the number of the place. These are not kept; the bounds take their room.
pub struct LocalTable<const BITS: u32>(Vec<[u64; 2]>);

/// What a bound takes: half a score, counted from the lowest.
const BOUND_BITS: u32 = 7;

impl<const BITS: u32> LocalTable<BITS> {
    pub fn new() -> Self {
        const { assert!(BITS == 2 * BOUND_BITS, "the bounds take the room of a place's number") };
        // A vector of zeros costs nothing until it is touched, and most solves are short.
        LocalTable(vec![[0; 2]; 1 << BITS])
    }

    /// The place of a position, and what else tells it from those with the same opposing discs: every step can be undone.
    #[inline]
    fn place(player: u64, opponent: u64) -> (usize, u64) {
        let mixed =
            (player.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ opponent.rotate_left(29)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        ((mixed >> (64 - BITS)) as usize, mixed << BITS)
    }

    /// What is known of a position in which both sides have discs, as those in places that were never written have not.
    #[inline]
    pub fn probe(&self, player: u64, opponent: u64) -> Option<LocalEntry> {
        debug_assert!(player != 0 && opponent != 0);
        let (place, rest) = Self::place(player, opponent);
        let [known_opponent, data] = self.0[place];
        let bound = |bits: u64| 2 * (bits & ((1 << BOUND_BITS) - 1)) as i32 - 64;
        let entry = LocalEntry { lower: bound(data), upper: bound(data >> BOUND_BITS) };
        (known_opponent == opponent && (data ^ rest) >> BITS == 0).then_some(entry)
    }

    /// Remembers a value found with a null window at `alpha`.
    #[inline]
    pub fn store(&mut self, player: u64, opponent: u64, value: i32, alpha: i32) {
        let LocalEntry { lower, upper } = self.probe(player, opponent).unwrap_or(LocalEntry { lower: -64, upper: 64 });
        let (lower, upper) = if value > alpha { (value, upper) } else { (lower, value) };
        let bits = |bound: i32| ((bound + 64) / 2) as u64;
        let (place, rest) = Self::place(player, opponent);
        self.0[place] = [opponent, rest | bits(lower) | bits(upper) << BOUND_BITS];
    }
}

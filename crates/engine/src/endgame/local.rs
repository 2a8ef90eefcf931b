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

/// Odd numbers with bits here and there: products of an odd number can be undone.
const FIRST_MIX: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_MIX: u64 = 0xd6e8_feb8_6659_fd93;

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
        let mixed = (player.wrapping_mul(FIRST_MIX) ^ opponent.rotate_left(29)).wrapping_mul(SECOND_MIX);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist::split_mix;

    type Table = LocalTable<14>;

    /// The player's discs that make `mixed` of a position.
    fn unmixed(mixed: u64, opponent: u64) -> u64 {
        // Newton's method: every step doubles the bits that are right, at first three.
        let inverse = |odd: u64| (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))));
        (mixed.wrapping_mul(inverse(SECOND_MIX)) ^ opponent.rotate_left(29)).wrapping_mul(inverse(FIRST_MIX))
    }

    #[test]
    fn no_position_passes_for_another_in_the_same_place() {
        let mut state = 1;
        for _ in 0..1000 {
            let (mixed, opponent);
            (mixed, state) = split_mix(state);
            (opponent, state) = split_mix(state);
            let player = unmixed(mixed, opponent);
            let mut table = Table::new();
            table.store(player, opponent, 4, 3);
            assert!(table.probe(player, opponent).is_some());
            let place = Table::place(player, opponent).0;
            for bit in 0..50 {
                let other = unmixed(mixed ^ 1 << bit, opponent);
                assert_eq!(Table::place(other, opponent).0, place);
                assert!(table.probe(other, opponent).is_none(), "other discs of the player: bit {bit}");
            }
            for bit in 0..64 {
                let other = opponent ^ 1 << bit;
                assert_eq!(Table::place(unmixed(mixed, other), other).0, place);
                assert!(table.probe(unmixed(mixed, other), other).is_none(), "other discs of the opponent: bit {bit}");
            }
        }
    }

    #[test]
    fn bounds_of_both_kinds_are_kept() {
        let (player, opponent) = (0x0000_0008_1000_0000, 0x0000_0010_0800_0000);
        for (low, high) in (-64..=64).step_by(2).flat_map(|low| (low..=64).step_by(2).map(move |high| (low, high))) {
            let mut table = Table::new();
            table.store(player, opponent, low, low - 1);
            table.store(player, opponent, high, high);
            let entry = table.probe(player, opponent).expect("it was stored");
            assert_eq!((entry.lower, entry.upper), (low, high));
        }
    }
}

//! A small table of one thread for positions with few empty squares; it fits into the cache.

/// A direct-mapped table of 2^`BITS` places: the newest entry takes the place.
///
/// A place is two words, so that no entry reaches into a second line of the cache: the opponent's discs, and the
/// player's in a form whose highest bits are the number of the place. These are not kept; a bound takes their room.
pub struct LocalTable<const BITS: u32>(Vec<[u64; 2]>);

/// Odd numbers with bits here and there: products of an odd number can be undone.
const FIRST_MIX: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND_MIX: u64 = 0xd6e8_feb8_6659_fd93;

/// What a bound takes: half a score, counted from the lowest, and whether it is a lower one.
const BOUND_BITS: u32 = 8;

impl<const BITS: u32> LocalTable<BITS> {
    pub fn new() -> Self {
        const { assert!(BITS >= BOUND_BITS, "a bound takes the room of a place's number") };
        // A vector of zeros costs nothing until it is touched, and most solves are short.
        LocalTable(vec![[0; 2]; 1 << BITS])
    }

    /// The place of a position, and what else tells it from those with the same opposing discs: every step can be undone.
    #[inline]
    fn place(player: u64, opponent: u64) -> (usize, u64) {
        let mixed = (player.wrapping_mul(FIRST_MIX) ^ opponent.rotate_left(29)).wrapping_mul(SECOND_MIX);
        ((mixed >> (64 - BITS)) as usize, mixed << BITS)
    }

    /// The bound of a position's score that tells whether it is above `alpha`, if one is known. Both sides must have discs,
    /// as they have not in places that were never written.
    #[inline]
    pub fn probe(&self, player: u64, opponent: u64, alpha: i32) -> Option<i32> {
        debug_assert!(player != 0 && opponent != 0);
        let (place, rest) = Self::place(player, opponent);
        let [known_opponent, data] = self.0[place];
        if known_opponent != opponent || (data ^ rest) >> BITS != 0 {
            return None;
        }
        let bound = (data & 0xfe) as i32 - 64;
        let is_lower = data & 1 != 0;
        (is_lower == (bound > alpha)).then_some(bound)
    }

    /// Remembers a value found with a null window at `alpha`.
    #[inline]
    pub fn store(&mut self, player: u64, opponent: u64, value: i32, alpha: i32) {
        let (place, rest) = Self::place(player, opponent);
        self.0[place] = [opponent, rest | (value + 64) as u64 | (value > alpha) as u64];
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
            assert!(table.probe(player, opponent, 3).is_some());
            let place = Table::place(player, opponent).0;
            for bit in 0..50 {
                let other = unmixed(mixed ^ 1 << bit, opponent);
                assert_eq!(Table::place(other, opponent).0, place);
                assert!(table.probe(other, opponent, 3).is_none(), "other discs of the player: bit {bit}");
            }
            for bit in 0..64 {
                let other = opponent ^ 1 << bit;
                assert_eq!(Table::place(unmixed(mixed, other), other).0, place);
                assert!(
                    table.probe(unmixed(mixed, other), other, 3).is_none(),
                    "other discs of the opponent: bit {bit}"
                );
            }
        }
    }

    #[test]
    fn a_bound_answers_what_it_decides_and_nothing_else() {
        let (player, opponent) = (0x0000_0008_1000_0000, 0x0000_0010_0800_0000);
        for score in (-64..=64).step_by(2) {
            let mut table = Table::new();
            for asked in -65..=64 {
                table.store(player, opponent, score, score - 1);
                assert_eq!(table.probe(player, opponent, asked), (score > asked).then_some(score), "at least {score}");
                table.store(player, opponent, score, score);
                assert_eq!(table.probe(player, opponent, asked), (score <= asked).then_some(score), "at most {score}");
            }
        }
    }
}

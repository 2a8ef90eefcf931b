//! Both sides as vectors of four equal lanes, one for each axis.

use crate::flip::LastFlips;
use crate::flip::avx2::{first_lane, flips_lanes, last_flips_lanes};
use crate::moves::avx2::reached_lanes;
use crate::square::Square;
use std::arch::x86_64::*;

/// The discs of the side to move and of the other.
#[derive(Clone, Copy)]
pub struct Sides {
    own: __m256i,
    other: __m256i,
}

/// What a move turns, by axis.
#[derive(Clone, Copy)]
pub struct Turned(__m256i);

// SAFETY of all blocks below: this module is compiled only when AVX2 is enabled for the whole build.

impl Turned {
    /// Whether nothing turns: the move is illegal.
    #[inline]
    pub fn is_none(self) -> bool {
        // SAFETY: see above.
        unsafe { _mm256_testz_si256(self.0, self.0) != 0 }
    }
}

impl Sides {
    #[inline]
    pub fn new(player: u64, opponent: u64) -> Sides {
        Sides { own: equal_lanes(player), other: equal_lanes(opponent) }
    }

    #[inline]
    pub fn player(self) -> u64 {
        // SAFETY: see above.
        unsafe { first_lane(self.own) }
    }

    #[inline]
    pub fn opponent(self) -> u64 {
        // SAFETY: see above.
        unsafe { first_lane(self.other) }
    }

    /// The sides after a pass.
    #[inline]
    pub fn passed(self) -> Sides {
        Sides { own: self.other, other: self.own }
    }

    /// What the player turns on a square.
    #[inline]
    pub fn turned(self, square: Square) -> Turned {
        // SAFETY: see above.
        Turned(unsafe { flips_lanes(square, self.own, self.other) })
    }

    /// The sides after the player took a square.
    #[inline]
    pub fn after(self, square: Square, turned: Turned) -> Sides {
        // SAFETY: see above.
        unsafe { self.after_lanes(square, turned) }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn after_lanes(self, square: Square, Turned(turned): Turned) -> Sides {
        let halves = _mm256_or_si256(turned, _mm256_permute4x64_epi64::<0b01_00_11_10>(turned));
        let turned = _mm256_or_si256(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves));
        let placed = _mm256_set1_epi64x(BITS[square.index()]);
        Sides {
            own: _mm256_xor_si256(self.other, turned),
            other: _mm256_or_si256(_mm256_or_si256(self.own, turned), placed),
        }
    }

    /// Which of the empty squares the player may take.
    #[inline]
    pub fn moves(self, empty: u64) -> u64 {
        // SAFETY: see above.
        empty & unsafe { reached_lanes(self.own, self.other) }
    }

    /// How many discs turn when either side takes the only empty square.
    #[inline]
    pub fn last_flips(self, square: Square) -> LastFlips {
        // SAFETY: see above.
        unsafe { last_flips_lanes(square, self.own) }
    }
}

/// Every square as a set; a vector is filled from memory faster than from a register.
static BITS: [i64; 64] = {
    let mut bits = [0; 64];
    let mut square = 0;
    while square < 64 {
        bits[square] = 1 << square;
        square += 1;
    }
    bits
};

#[inline]
fn equal_lanes(bits: u64) -> __m256i {
    // SAFETY: see above.
    unsafe { _mm256_set1_epi64x(bits as i64) }
}

//! Pattern sets: which squares are looked at together, and how what is seen there becomes an index.
//!
//! A pattern's index is its cells read as a balanced ternary number: +1 for a disc of the mover, -1 for one of the
//! opponent, 0 for an empty square. Exchanging the sides negates every index, so indices that follow the moves need
//! no colour. Each copy of a pattern on the board is one lane of the indices.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::notation::parse_transcript;
use crate::square::{Move, Square};
use crate::symmetry::Symmetry;
use std::sync::LazyLock;

/// The main evaluation's patterns, each by the squares of its first copy; the board's symmetries give 64 copies.
const MAIN: [&str; 16] = [
    // Lines.
    "a2b2c2d2e2f2g2h2",
    "a3b3c3d3e3f3g3h3",
    "a4b4c4d4e4f4g4h4",
    // Diagonals, the shorter ones with the corners or X-squares beside them.
    "a1b2c3d4e5f6g7h8",
    "a1b1c2d3e4f5g6h7h8",
    "b2c1d2e3f4g5h6g7",
    "d1e2f3g4h5g2h1",
    // Edges and what leans on them.
    "a1b1c1d1e1f1g1h1b2g2",
    "a1c1d1e1f1h1c2d2e2f2",
    "b2c2d2e2f2g2c3d3e3f3",
    // Corners.
    "a1b1c1d1e1a2b2c2d2e2",
    "a1b1c1d1a2b2c2a3b3a4",
    "a1b1c1a2b2c2a3b3c3d4",
    "a1b1a2b2c2b3c3d3c4d4",
    "a1b1c1d1e1a2a3a4a5b2",
    "a1b1a2b2c3f6g7h7g8h8",
];

/// The patterns of the small evaluation, which orders moves in the solver: 16 copies.
const SMALL: [&str; 4] = ["a1b1c1d1e1f1g1h1b2g2", "a1b1c1d1a2b2c2a3b3a4", "a2b2c2d2e2f2g2h2", "a3b3c3d3e3f3g3h3"];

/// The main set.
pub static MAIN_SET: LazyLock<PatternSet<64>> = LazyLock::new(|| PatternSet::new(&MAIN, true));
/// The small set.
pub static SMALL_SET: LazyLock<PatternSet<16>> = LazyLock::new(|| PatternSet::new(&SMALL, false));

/// The indices of all lanes on one board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct Indices<const LANES: usize>([i16; LANES]);

/// A pattern set with everything that is computed from it.
pub struct PatternSet<const LANES: usize> {
    /// What a disc of the mover adds to each lane, by square; no square, number 64, adds nothing.
    placed: [Indices<LANES>; 65],
    /// Where each lane's index 0 lies among the weights of a stage.
    origins: [i32; LANES],
    /// Where the weights by disc count begin; those by mobility follow them, if the set has them.
    disc_counts: usize,
    has_mobility: bool,
    /// The parameter behind every weight of a stage: patterns that mirror each other share one.
    parameters: Vec<u32>,
    parameter_count: usize,
    id: u32,
}

/// More legal moves than this count as this many.
const MOST_MOVES: u32 = 23;

impl<const LANES: usize> PatternSet<LANES> {
    fn new(patterns: &[&str], has_mobility: bool) -> PatternSet<LANES> {
        let mut placed = [Indices([0; LANES]); 65];
        let mut origins = [0; LANES];
        let mut parameters = Vec::new();
        let mut parameter_count = 0;
        let mut lane = 0;
        for pattern in patterns {
            let cells = cells(pattern);
            let size = 3usize.pow(cells.len() as u32);
            let first = parameters.len();
            for copy in copies(&cells) {
                origins[lane] = (first + size / 2) as i32;
                for (place, square) in copy.into_iter().enumerate() {
                    placed[square.index()].0[lane] = 3i16.pow(place as u32);
                }
                lane += 1;
            }
            let mirrors: Vec<Vec<usize>> = mirrors(&cells).iter().map(|mirror| mirrored(mirror)).collect();
            for index in 0..size {
                let twin = mirrors.iter().map(|images| images[index]).min().unwrap_or(index);
                if twin < index {
                    parameters.push(parameters[first + twin]);
                } else {
                    parameters.push(parameter_count);
                    parameter_count += 1;
                }
            }
        }
        assert_eq!(lane, LANES, "every lane has its pattern");
        let disc_counts = parameters.len();
        let mobilities = if has_mobility { (MOST_MOVES + 1).pow(2) } else { 0 };
        parameters.extend(parameter_count..parameter_count + 65 + mobilities);
        parameter_count += 65 + mobilities;
        let text = patterns.join(" ");
        let id = crc32fast::hash(format!("{text} discs{}", if has_mobility { " mobility" } else { "" }).as_bytes());
        PatternSet {
            placed,
            origins,
            disc_counts,
            has_mobility,
            parameters,
            parameter_count: parameter_count as usize,
            id,
        }
    }

    /// What tells this set from others.
    pub fn id(&self) -> u32 {
        self.id
    }

    /// The parameter behind every weight of a stage.
    pub fn parameters(&self) -> &[u32] {
        &self.parameters
    }

    /// How many parameters a stage has.
    pub fn parameter_count(&self) -> usize {
        self.parameter_count
    }

    /// The indices of a board, computed from nothing.
    pub fn indices(&self, board: Board) -> Indices<LANES> {
        let sum = |discs: Bitboard| {
            let mut indices = Indices([0; LANES]);
            discs.into_iter().for_each(|square| indices.add(&self.placed[square.index()]));
            indices
        };
        let mut indices = sum(board.player());
        indices.add(&self.after_pass(&sum(board.opponent())));
        indices
    }

    /// The indices after the mover placed a disc on `square` and turned `flips`, seen by the other side.
    #[inline]
    pub fn after_move(&self, indices: &Indices<LANES>, square: Square, flips: Bitboard) -> Indices<LANES> {
        let mut turned = Indices([0; LANES]);
        flips.visit_by_threes(|flip| turned.add(&self.placed[flip]));
        let mut next = *indices;
        next.add(&self.placed[square.index()]);
        next.add(&turned);
        next.add(&turned);
        self.after_pass(&next)
    }

    /// The indices seen by the other side.
    pub fn after_pass(&self, indices: &Indices<LANES>) -> Indices<LANES> {
        Indices(indices.0.map(i16::wrapping_neg))
    }

    /// The positions, among the weights of a stage, of all that a board is judged by.
    #[inline]
    fn features(&self, indices: &Indices<LANES>) -> [i32; LANES] {
        let mut features = self.origins;
        features.iter_mut().zip(indices.0).for_each(|(feature, index)| *feature += index as i32);
        features
    }

    /// The position of the weight for the board's disc count and, if the set has it, of the one for its mobility.
    #[inline]
    fn counted(&self, board: Board) -> (usize, Option<usize>) {
        let discs = self.disc_counts + board.discs() as usize;
        let mobility = self.has_mobility.then(|| {
            let own = board.legal_moves().len().min(MOST_MOVES);
            let other = board.after_pass().legal_moves().len().min(MOST_MOVES);
            self.disc_counts + 65 + (own * (MOST_MOVES + 1) + other) as usize
        });
        (discs, mobility)
    }

    /// The sum of the weights, one stage's, that a board is judged by.
    #[inline]
    pub fn sum(&self, weights: &[i16], indices: &Indices<LANES>, board: Board) -> i32 {
        assert_eq!(weights.len(), self.parameters.len());
        let (discs, mobility) = self.counted(board);
        let counted = weights[discs] as i32 + mobility.map_or(0, |place| weights[place] as i32);
        let features = self.features(indices);
        debug_assert!(features.iter().all(|&feature| (0..self.disc_counts as i32).contains(&feature)));
        // SAFETY: indices come from boards and moves on them alone, and a lane's cells are distinct, so each lies within
        // ±(size - 1) / 2 of its origin, which is the middle of its pattern's part of the weights; the weights by disc
        // count come after all of them.
        counted + unsafe { gather(weights, &features) }
    }

    /// The parameters that a board is judged by, one of them perhaps several times.
    pub fn board_parameters(&self, board: Board) -> impl Iterator<Item = u32> {
        let (discs, mobility) = self.counted(board);
        let features = self.features(&self.indices(board)).into_iter().map(|feature| feature as usize);
        features.chain([discs]).chain(mobility).map(|feature| self.parameters[feature])
    }

    /// How many parameters a board is judged by.
    pub fn terms(&self) -> usize {
        LANES + 1 + self.has_mobility as usize
    }
}

/// The sum of the weights at some places.
///
/// # Safety
///
/// Every place lies within the weights and is not the last one.
#[cfg(target_feature = "avx2")]
#[target_feature(enable = "avx2")]
#[inline]
unsafe fn gather<const LANES: usize>(weights: &[i16], places: &[i32; LANES]) -> i32 {
    use std::arch::x86_64::*;
    const { assert!(LANES.is_multiple_of(8)) };
    let low_half = _mm256_set1_epi32(1);
    let mut sums = _mm256_setzero_si256();
    for eight in places.chunks_exact(8) {
        // SAFETY: there are eight places.
        let eight = unsafe { _mm256_loadu_si256(eight.as_ptr().cast()) };
        // SAFETY: the caller has seen to it that four bytes may be read at each place.
        let pairs = unsafe { _mm256_i32gather_epi32::<2>(weights.as_ptr().cast(), eight) };
        // Of two neighbouring weights only the first counts.
        sums = _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, low_half));
    }
    let mut parts = [0; 8];
    // SAFETY: there is room for eight numbers.
    unsafe { _mm256_storeu_si256(parts.as_mut_ptr().cast(), sums) };
    parts.iter().sum()
}

/// The sum of the weights at some places.
///
/// # Safety
///
/// Every place lies within the weights.
#[cfg(not(target_feature = "avx2"))]
#[inline]
unsafe fn gather<const LANES: usize>(weights: &[i16], places: &[i32; LANES]) -> i32 {
    // SAFETY: see above.
    places.iter().map(|&place| unsafe { *weights.get_unchecked(place as usize) } as i32).sum()
}

impl<const LANES: usize> Indices<LANES> {
    /// Adds lane by lane; sums on the way may leave the range and come back.
    #[inline]
    fn add(&mut self, other: &Indices<LANES>) {
        self.0.iter_mut().zip(other.0).for_each(|(index, other)| *index = index.wrapping_add(other));
    }
}

fn cells(pattern: &str) -> Vec<Square> {
    let moves = parse_transcript(pattern).expect("a pattern is a list of squares");
    let square = |mv| if let Move::Place(square) = mv { square } else { unreachable!("a pattern has no pass") };
    moves.into_iter().map(square).collect()
}

fn set(cells: &[Square]) -> Bitboard {
    cells.iter().copied().collect()
}

/// The distinct images of a pattern under the board's symmetries.
fn copies(cells: &[Square]) -> Vec<Vec<Square>> {
    let mut copies: Vec<Vec<Square>> = Vec::new();
    for symmetry in Symmetry::ALL {
        let copy: Vec<Square> = cells.iter().map(|&square| symmetry.square(square)).collect();
        if copies.iter().all(|known| set(known) != set(&copy)) {
            copies.push(copy);
        }
    }
    copies
}

/// The symmetries that map a pattern onto itself, as permutations of its cells.
fn mirrors(cells: &[Square]) -> Vec<Vec<usize>> {
    let image = |symmetry: Symmetry| -> Option<Vec<usize>> {
        cells.iter().map(|&square| cells.iter().position(|&cell| cell == symmetry.square(square))).collect()
    };
    Symmetry::ALL.into_iter().filter_map(image).collect()
}

/// For every index, counted from 0, the one that is seen when a pattern is looked at through a mirror.
fn mirrored(mirror: &[usize]) -> Vec<usize> {
    let mut images = vec![0];
    for &place in mirror {
        let unit = 3usize.pow(place as u32);
        images = (0..3).flat_map(|cell| images.iter().map(move |image| image + cell * unit)).collect();
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::bench_positions;

    /// A board, a move with its flips or a pass, and the board after it.
    type Step = (Board, Option<(Square, Bitboard)>, Board);

    fn steps() -> Vec<Step> {
        let mut steps = Vec::new();
        for position in bench_positions() {
            let mut board = position.board;
            // Play on with some move or other.
            for number in 0.. {
                let moves = board.legal_moves();
                let next = match moves.into_iter().nth(number % moves.len().max(1) as usize) {
                    Some(square) => {
                        let flips = board.flips(square);
                        steps.push((board, Some((square, flips)), board.after_move(square, flips)));
                        board.after_move(square, flips)
                    }
                    None if board.is_game_over() => break,
                    None => {
                        steps.push((board, None, board.after_pass()));
                        board.after_pass()
                    }
                };
                board = next;
            }
        }
        assert!(steps.len() > 300 && steps.iter().any(|(_, mv, _)| mv.is_none()), "moves and passes");
        steps
    }

    fn indices_that_follow_the_moves_equal_fresh_ones<const LANES: usize>(set: &PatternSet<LANES>) {
        for (board, mv, next) in steps() {
            let indices = set.indices(board);
            let followed = match mv {
                Some((square, flips)) => set.after_move(&indices, square, flips),
                None => set.after_pass(&indices),
            };
            assert_eq!(followed, set.indices(next), "{board:?} {mv:?}");
        }
    }

    #[test]
    fn indices_of_the_main_set_that_follow_the_moves_equal_fresh_ones() {
        indices_that_follow_the_moves_equal_fresh_ones(&MAIN_SET);
    }

    #[test]
    fn indices_of_the_small_set_that_follow_the_moves_equal_fresh_ones() {
        indices_that_follow_the_moves_equal_fresh_ones(&SMALL_SET);
    }

    #[test]
    fn symmetric_boards_are_judged_by_the_same_parameters() {
        let sorted = |board: Board| {
            let mut parameters: Vec<u32> = MAIN_SET.board_parameters(board).collect();
            parameters.sort_unstable();
            parameters
        };
        for (board, ..) in steps() {
            for symmetry in Symmetry::ALL {
                assert_eq!(sorted(symmetry.board(board)), sorted(board), "{board:?} {symmetry:?}");
            }
        }
    }

    #[test]
    fn a_pattern_and_its_mirror_image_share_a_parameter_and_others_do_not() {
        // The edge with its X-squares: a1 alone and h1 alone look alike, a1 and b1 do not.
        let first = MAIN_SET.origins[lane_of("a1b1c1d1e1f1g1h1b2g2")] as usize;
        let parameter = |index: usize| MAIN_SET.parameters[first + index];
        assert_eq!(parameter(1), parameter(3usize.pow(7)));
        assert_ne!(parameter(1), parameter(3));
        // A 2x5 corner has no mirror image but itself.
        let first = MAIN_SET.origins[lane_of("a1b1c1d1e1a2b2c2d2e2")] as usize;
        let parameters = &MAIN_SET.parameters[first - 29524..=first + 29524];
        let distinct: std::collections::HashSet<u32> = parameters.iter().copied().collect();
        assert_eq!(distinct.len(), 59049);
    }

    /// The first lane of a pattern of the main set.
    fn lane_of(pattern: &str) -> usize {
        MAIN.iter().take_while(|other| **other != pattern).map(|other| copies(&cells(other)).len()).sum()
    }

    #[test]
    fn every_square_is_seen_by_every_set() {
        for square in Square::all() {
            assert!(MAIN_SET.placed[square.index()].0.iter().any(|&unit| unit != 0), "{square}");
        }
    }
}

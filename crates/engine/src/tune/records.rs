//! Record files: games with their proven results, appended one by one.
//!
//! All numbers are little-endian. The file begins with `RELUCA` 0x1a `G`, the version of the format (4 bytes), the
//! length of the settings (4), the settings (UTF-8) and a CRC-32 of all that. Then come the games:
//!
//! | bytes | what |
//! |---|---|
//! | 4 | number of the game; its branches have the same |
//! | 8 + 8 | the first board: discs of the side to move, of the other side |
//! | 1 | result for the side to move on the first board, in discs |
//! | 1 | number of moves |
//! | … | moves, a byte each; passes are left out |
//! | 4 | CRC-32 of the above |
//!
//! All records of one game are written at once, so that a run that is killed loses at most the game in hand; an
//! incomplete record at the end is cut off when the file is opened to go on. A file is locked while it is written.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::square::{Move, Square};
use std::collections::HashSet;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use thiserror::Error;

const MAGIC: [u8; 8] = *b"RELUCA\x1aG";
const VERSION: u32 = 1;
/// Bytes of a record before its moves.
const HEAD: usize = 22;
/// No game has more.
const MOST_MOVES: usize = 60;

/// Why a record file cannot be used.
#[derive(Debug, Error)]
pub enum RecordsError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Something else altogether, or its beginning is damaged.
    #[error("this is not a Reluca record file")]
    Foreign,
    /// Written by a later release.
    #[error("the record file has format {0}, made by a newer Reluca; this release reads format {VERSION}")]
    Version(u32),
    /// A record is damaged, and not because a run was killed while writing it.
    #[error("the record file is corrupted at byte {at}; games before it that are good: {games}")]
    Corrupted {
        /// Where the damaged record begins.
        at: u64,
        /// How many games are complete before it.
        games: usize,
    },
    /// Someone else has the file open for writing.
    #[error("the record file is being written by another run")]
    Busy,
    /// Another run wrote the file.
    #[error("the record file was made with other settings ({found}) than asked for ({asked})")]
    Settings {
        /// What the file says.
        found: String,
        /// What was asked for.
        asked: String,
    },
}

/// A game from some position on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The number of the game in its run; branches have the number of the game they left.
    pub game: u32,
    /// Where the record begins.
    pub start: Board,
    /// The result for the side to move at the start, in discs.
    pub score: i8,
    /// The moves without passes.
    pub moves: Vec<Square>,
}

impl GameRecord {
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        let first = bytes.len();
        bytes.extend(self.game.to_le_bytes());
        bytes.extend(self.start.player().0.to_le_bytes());
        bytes.extend(self.start.opponent().0.to_le_bytes());
        bytes.extend([self.score as u8, self.moves.len() as u8]);
        bytes.extend(self.moves.iter().map(|square| square.index() as u8));
        bytes.extend(crc32fast::hash(&bytes[first..]).to_le_bytes());
    }

    /// The record at the beginning of some bytes and its length; none if it is incomplete or damaged.
    fn read(bytes: &[u8]) -> Option<(GameRecord, usize)> {
        let length = GameRecord::length(bytes)?;
        let (record, checksum) = bytes.get(..length)?.split_at(length - 4);
        if crc32fast::hash(record).to_le_bytes() != *checksum {
            return None;
        }
        let number = |at: usize| u64::from_le_bytes(record[at..at + 8].try_into().expect("eight bytes"));
        let start = Board::new(Bitboard(number(4)), Bitboard(number(12))).ok()?;
        let moves = record[HEAD..].iter().map(|&index| Square::new(index)).collect::<Option<Vec<Square>>>()?;
        let game = u32::from_le_bytes(record[..4].try_into().expect("four bytes"));
        Some((GameRecord { game, start, score: record[20] as i8, moves }, length))
    }

    /// How long the record at the beginning of some bytes says it is.
    fn length(bytes: &[u8]) -> Option<usize> {
        Some(HEAD + *bytes.get(HEAD - 1)? as usize + 4)
    }

    /// Whether the bytes at the end of a file, which are no record, are the beginning of one that was never finished.
    ///
    /// A damaged length reads like that too; then a record is intact further on, or is so with the length that it has.
    fn is_unfinished(bytes: &[u8]) -> bool {
        let Some(length) = GameRecord::length(bytes) else { return true };
        if length <= bytes.len() || length > HEAD + MOST_MOVES + 4 {
            return false;
        }
        let mut whole = bytes.to_vec();
        whole[HEAD - 1] = bytes.len().saturating_sub(HEAD + 4) as u8;
        GameRecord::read(&whole).is_none() && (1..bytes.len()).all(|at| GameRecord::read(&bytes[at..]).is_none())
    }

    /// The boards of the game, each with the result for its side to move; boards where a side must pass are left out.
    pub fn positions(&self) -> impl Iterator<Item = (Board, i8)> {
        let mut board = self.start;
        let mut score = self.score;
        let mut moves = self.moves.iter();
        std::iter::from_fn(move || {
            let &square = moves.next()?;
            if board.legal_moves().is_empty() {
                (board, score) = (board.after_pass(), -score);
            }
            let position = (board, score);
            // A damaged move ends the game here; its checksum makes that all but impossible.
            board = board.play(Move::Place(square)).ok()?;
            score = -score;
            Some(position)
        })
    }
}

/// The contents of a record file.
#[derive(Debug)]
pub struct Records {
    /// How the games were made, as their maker wrote it.
    pub settings: String,
    /// The games.
    pub games: Vec<GameRecord>,
    /// How many bytes at the end are left out because they are an unfinished record.
    pub unfinished: u64,
}

impl Records {
    /// Reads a record file; an incomplete last record is left out.
    pub fn read(path: &Path) -> Result<Records, RecordsError> {
        let mut bytes = Vec::new();
        File::open(path)?.read_to_end(&mut bytes)?;
        Records::parse(&bytes)
    }

    /// The numbers of the games; branches have that of their game.
    pub fn numbers(&self) -> HashSet<u32> {
        self.games.iter().map(|record| record.game).collect()
    }

    fn parse(bytes: &[u8]) -> Result<Records, RecordsError> {
        let word =
            |at: usize| bytes.get(at..at + 4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes")));
        if !bytes.starts_with(&MAGIC) {
            return Err(RecordsError::Foreign);
        }
        match word(8) {
            Some(VERSION) => {}
            Some(version) => return Err(RecordsError::Version(version)),
            None => return Err(RecordsError::Foreign),
        }
        let settings_end = 16 + word(12).ok_or(RecordsError::Foreign)? as usize;
        if word(settings_end).is_none_or(|checksum| crc32fast::hash(&bytes[..settings_end]) != checksum) {
            return Err(RecordsError::Foreign);
        }
        let settings = String::from_utf8_lossy(&bytes[16..settings_end]).into_owned();
        let mut at = settings_end + 4;
        let mut games = Vec::new();
        while let Some((record, length)) = GameRecord::read(&bytes[at..]) {
            games.push(record);
            at += length;
        }
        let rest = &bytes[at..];
        let records = Records { settings, games, unfinished: rest.len() as u64 };
        if !GameRecord::is_unfinished(rest) {
            return Err(RecordsError::Corrupted { at: at as u64, games: records.numbers().len() });
        }
        Ok(records)
    }
}

/// Appends games to a record file, which is locked as long as this lives.
#[derive(Debug)]
pub struct RecordsWriter {
    file: File,
}

impl RecordsWriter {
    /// Begins a record file, or goes on with one of the same settings; gives what it has already.
    pub fn open(path: &Path, settings: &str) -> Result<(RecordsWriter, Records), RecordsError> {
        let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => RecordsError::Busy,
            TryLockError::Error(error) => error.into(),
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let mut header = MAGIC.to_vec();
        header.extend(VERSION.to_le_bytes());
        header.extend((settings.len() as u32).to_le_bytes());
        header.extend(settings.as_bytes());
        header.extend(crc32fast::hash(&header).to_le_bytes());
        // A run that was killed at once leaves a part of the header.
        if header.starts_with(&bytes) && bytes.len() < header.len() {
            file.seek(SeekFrom::Start(0))?;
            file.write_all(&header)?;
            let records = Records { settings: settings.to_owned(), games: Vec::new(), unfinished: 0 };
            return Ok((RecordsWriter { file }, records));
        }
        let records = Records::parse(&bytes)?;
        if records.settings != settings {
            return Err(RecordsError::Settings { found: records.settings, asked: settings.to_owned() });
        }
        file.set_len(bytes.len() as u64 - records.unfinished)?;
        file.seek(SeekFrom::End(0))?;
        Ok((RecordsWriter { file }, records))
    }

    /// Appends all records of one game.
    pub fn append(&mut self, records: &[GameRecord]) -> io::Result<()> {
        let mut bytes = Vec::new();
        records.iter().for_each(|record| record.write(&mut bytes));
        self.file.write_all(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_transcript;

    /// A file name that no other test uses; removed at the end.
    struct Scratch(std::path::PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            Scratch(std::env::temp_dir().join(format!("reluca-{}-{name}", std::process::id())))
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_file(&self.0);
        }
    }

    fn record(game: u32, transcript: &str, score: i8) -> GameRecord {
        let moves = parse_transcript(transcript).unwrap();
        let moves = moves.into_iter().filter_map(|mv| if let Move::Place(square) = mv { Some(square) } else { None });
        GameRecord { game, start: Board::START, score, moves: moves.collect() }
    }

    fn games() -> Vec<GameRecord> {
        vec![record(0, "f5d6c3d3c4", 2), record(1, "f5f6e6f4", -64), record(1, "d3c3", 64), record(2, "", 0)]
    }

    fn write(path: &Path, games: &[GameRecord]) {
        let (mut writer, known) = RecordsWriter::open(path, "some settings").unwrap();
        assert!(known.games.is_empty());
        games.iter().for_each(|game| writer.append(std::slice::from_ref(game)).unwrap());
    }

    #[test]
    fn games_come_back_from_their_file_as_they_were() {
        let scratch = Scratch::new("round-trip");
        write(&scratch.0, &games());
        let read = Records::read(&scratch.0).unwrap();
        assert_eq!((read.settings.as_str(), read.games), ("some settings", games()));
    }

    #[test]
    fn a_run_killed_at_any_byte_loses_at_most_the_game_in_hand() {
        let scratch = Scratch::new("killed");
        write(&scratch.0, &games());
        let bytes = std::fs::read(&scratch.0).unwrap();
        let mut ends = vec![0];
        for game in games() {
            let mut record = Vec::new();
            game.write(&mut record);
            ends.push(ends.last().unwrap() + record.len());
        }
        let first = bytes.len() - ends.last().unwrap();
        for length in 0..bytes.len() {
            std::fs::write(&scratch.0, &bytes[..length]).unwrap();
            let complete = ends.iter().filter(|&&end| end > 0 && first + end <= length).count();
            let (mut writer, known) = RecordsWriter::open(&scratch.0, "some settings").unwrap();
            assert_eq!(known.games, games()[..complete], "{length}");
            let cut = length.saturating_sub(first + ends[complete]);
            assert_eq!(known.unfinished, cut as u64, "{length}");
            writer.append(&games()[complete..]).unwrap();
            drop(writer);
            assert_eq!(std::fs::read(&scratch.0).unwrap(), bytes, "{length}");
        }
    }

    #[test]
    fn damage_of_any_byte_is_told_from_an_unfinished_record_and_nothing_is_cut_off() {
        let scratch = Scratch::new("damaged");
        write(&scratch.0, &games());
        let bytes = std::fs::read(&scratch.0).unwrap();
        let mut records = Vec::new();
        games().iter().for_each(|game| game.write(&mut records));
        for at in bytes.len() - records.len()..bytes.len() {
            for change in [1, 4, 0x20, 0x80] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                std::fs::write(&scratch.0, &damaged).unwrap();
                let read = Records::read(&scratch.0);
                assert!(matches!(read, Err(RecordsError::Corrupted { .. })), "{at} {change} {read:?}");
                assert!(RecordsWriter::open(&scratch.0, "some settings").is_err());
                assert_eq!(std::fs::read(&scratch.0).unwrap(), damaged);
            }
        }
    }

    #[test]
    fn a_damaged_file_cut_off_where_its_error_says_keeps_its_good_games() {
        let scratch = Scratch::new("mended");
        write(&scratch.0, &games());
        let mut bytes = std::fs::read(&scratch.0).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&scratch.0, &bytes).unwrap();
        let Err(RecordsError::Corrupted { at, games: good }) = Records::read(&scratch.0) else {
            panic!("it is damaged")
        };
        std::fs::write(&scratch.0, &bytes[..at as usize]).unwrap();
        assert_eq!((Records::read(&scratch.0).unwrap().games, good), (games()[..3].to_vec(), 2));
    }

    #[test]
    fn a_file_has_one_writer_at_a_time() {
        let scratch = Scratch::new("locked");
        let (first, _) = RecordsWriter::open(&scratch.0, "some settings").unwrap();
        assert!(matches!(RecordsWriter::open(&scratch.0, "some settings"), Err(RecordsError::Busy)));
        drop(first);
        assert!(RecordsWriter::open(&scratch.0, "some settings").is_ok());
    }

    #[test]
    fn foreign_newer_and_other_files_are_told_apart() {
        let scratch = Scratch::new("foreign");
        std::fs::write(&scratch.0, "just some text that is no record file").unwrap();
        assert!(matches!(RecordsWriter::open(&scratch.0, "x"), Err(RecordsError::Foreign)));
        std::fs::remove_file(&scratch.0).unwrap();
        write(&scratch.0, &games());
        assert!(matches!(RecordsWriter::open(&scratch.0, "others"), Err(RecordsError::Settings { .. })));
        let mut bytes = std::fs::read(&scratch.0).unwrap();
        bytes[8] = 9;
        std::fs::write(&scratch.0, &bytes).unwrap();
        assert!(matches!(Records::read(&scratch.0), Err(RecordsError::Version(9))));
    }

    #[test]
    fn results_of_positions_alternate_in_sign() {
        let transcript = "f5d6c3d3c4f4f6f3e6e7d7c5b6";
        let game = record(0, transcript, 10);
        let positions: Vec<(Board, i8)> = game.positions().collect();
        assert_eq!(positions.len(), 13);
        assert_eq!(positions[0], (Board::START, 10));
        assert!(positions.iter().enumerate().all(|(ply, (_, score))| *score == if ply % 2 == 0 { 10 } else { -10 }));
    }
}

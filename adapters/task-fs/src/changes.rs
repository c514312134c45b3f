//! Which records were written lately, for the other processes that have the folder open.
//!
//! The file begins with a generation of eight bytes; ids of twenty bytes follow. It need not outlive a loss of power:
//! whoever opens the folder reads all records anyway. Every call needs the folder's lock.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use pm_mcp_domain::task::TaskId;

use crate::disk::private;
use crate::key::Key;

const HEAD: u64 = 8;
const ENTRY: u64 = 20;
const _: () = assert!(TaskId::RANDOM_BYTES == 20, "an entry is an id");

/// Beyond this the list starts anew, and each other process reads all records once.
const LONGEST: u64 = 4 << 20;

/// How far the list was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) generation: u64,
    pub(crate) end: u64,
}

#[derive(Debug)]
pub(crate) struct Changes {
    file: File,
}

impl Changes {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file =
            private(OpenOptions::new().read(true).write(true).create(true).truncate(false)).open(path)?;
        let mut changes = Self { file };
        if changes.file.metadata()?.len() < HEAD {
            changes.reset(0)?;
        }
        Ok(changes)
    }

    /// Where the list ends. An entry that a killed process did not finish does not count.
    pub(crate) fn place(&mut self) -> io::Result<Place> {
        let length = self.file.metadata()?.len();
        if length < HEAD {
            return self.reset(0);
        }
        let mut generation = [0; 8];
        self.file.seek(SeekFrom::Start(0))?;
        self.file.read_exact(&mut generation)?;
        let end = length - (length - HEAD) % ENTRY;
        Ok(Place { generation: u64::from_be_bytes(generation), end })
    }

    /// Adds a record to the list that ends at `place`. When the disk is full the list starts anew, which takes no room,
    /// so that removals can make some.
    pub(crate) fn append(&mut self, key: Key, place: Place) -> io::Result<Place> {
        if place.end >= LONGEST {
            return self.reset(place.generation);
        }
        self.file.seek(SeekFrom::Start(place.end))?;
        match self.file.write_all(key.bytes()) {
            Ok(()) => Ok(Place { end: place.end + ENTRY, ..place }),
            Err(fault) if fault.kind() == io::ErrorKind::StorageFull => self.reset(place.generation),
            Err(fault) => Err(fault),
        }
    }

    /// The records that were added from `start` to `end`.
    pub(crate) fn between(&mut self, start: u64, end: u64) -> io::Result<Vec<Key>> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(start))?;
        (&self.file).take(end.saturating_sub(start)).read_to_end(&mut bytes)?;
        Ok(bytes.as_chunks().0.iter().copied().map(Key::from_bytes).collect())
    }

    /// The generation goes first: whoever sees the new one reads all records, whether the entries are gone or not.
    fn reset(&mut self, generation: u64) -> io::Result<Place> {
        let generation = generation.wrapping_add(1);
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&generation.to_be_bytes())?;
        self.file.set_len(HEAD)?;
        Ok(Place { generation, end: HEAD })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u8) -> Key {
        Key::from_bytes([number; 20])
    }

    #[test]
    fn others_read_what_was_added() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("changes");
        let (mut ours, mut theirs) = (Changes::open(&path).unwrap(), Changes::open(&path).unwrap());
        let start = theirs.place().unwrap();
        let mut place = start;
        for number in 0..3 {
            place = ours.append(key(number), place).unwrap();
        }
        assert_eq!(theirs.place().unwrap(), place);
        assert_eq!(theirs.between(start.end, place.end).unwrap(), [key(0), key(1), key(2)]);
    }

    #[test]
    fn an_unfinished_entry_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("changes");
        let mut changes = Changes::open(&path).unwrap();
        let place = changes.place().unwrap();
        let place = changes.append(key(1), place).unwrap();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"torn").unwrap();
        assert_eq!(changes.place().unwrap(), place);
        let next = changes.append(key(2), place).unwrap();
        assert_eq!(changes.between(place.end, next.end).unwrap(), [key(2)]);
    }

    #[test]
    fn a_long_list_starts_anew_in_another_generation() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("changes");
        let mut changes = Changes::open(&path).unwrap();
        let place = changes.place().unwrap();
        let next = changes.append(key(1), Place { end: LONGEST, ..place }).unwrap();
        assert_ne!(next.generation, place.generation);
        assert_eq!((next.end, std::fs::metadata(&path).unwrap().len()), (HEAD, HEAD));
        assert_eq!(Changes::open(&path).unwrap().place().unwrap(), next);
    }
}

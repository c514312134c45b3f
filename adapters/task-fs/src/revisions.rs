//! Numbers that no other write of the folder has.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use pm_mcp_ports::driven::Revision;

use crate::disk::private;
use crate::fault::Fault;

/// How many bits count within a block.
const COUNT_BITS: u32 = 20;
const PREFIX: &str = "revisions-";
const TEMPORARY: (&str, &str) = ("new-", ".tmp");

/// The block of a revision.
pub(crate) const fn block_of(revision: Revision) -> u64 {
    revision.as_u64() >> COUNT_BITS
}

/// The block that a file stands for.
pub(crate) fn block_of_file(name: &str) -> Option<u64> {
    number(name.strip_prefix(PREFIX)?)
}

/// The file in which the write of a revision is prepared.
pub(crate) fn temporary_file(revision: Revision) -> String {
    format!("{}{:016x}{}", TEMPORARY.0, revision.as_u64(), TEMPORARY.1)
}

/// The block of the write that a file was prepared for.
pub(crate) fn block_of_temporary(name: &str) -> Option<u64> {
    let digits = name.strip_prefix(TEMPORARY.0)?.strip_suffix(TEMPORARY.1)?;
    number(digits).map(|revision| block_of(Revision::from_u64(revision)))
}

fn number(digits: &str) -> Option<u64> {
    let plain = digits.len() == 16 && digits.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    if plain { u64::from_str_radix(digits, 16).ok() } else { None }
}

/// The blocks of one process. Their locks tell others that it lives, and end with it however it ends.
#[derive(Default, Debug)]
pub(crate) struct Revisions {
    held: Vec<(u64, File)>,
    next: u64,
    end: u64,
}

impl Revisions {
    /// The next number; `None` when a block has to be claimed first.
    pub(crate) fn take(&mut self) -> Option<Revision> {
        let revision = (self.next < self.end).then_some(Revision::from_u64(self.next))?;
        self.next = self.next.saturating_add(1);
        Some(revision)
    }

    pub(crate) fn holds(&self, block: u64) -> bool {
        self.held.iter().any(|(held, _)| *held == block)
    }

    /// Claims the block after `last`, the highest one that was ever claimed. The folder is to be synchronised before a
    /// number is used, and locked meanwhile.
    pub(crate) fn claim(&mut self, folder: &Path, last: u64) -> Result<(), Fault> {
        let block = last.saturating_add(1);
        let Some(end) = block.checked_add(1).filter(|after| *after <= u64::MAX >> COUNT_BITS) else {
            return Err(Fault::NoRevisions(folder.to_owned()));
        };
        let path = path_of(folder, block);
        let file = private(OpenOptions::new().write(true).create_new(true))
            .open(&path)
            .and_then(|file| file.try_lock().map(|()| file).map_err(io::Error::from))
            .map_err(Fault::io("claiming", &path))?;
        self.held.push((block, file));
        (self.next, self.end) = (block << COUNT_BITS, end << COUNT_BITS);
        Ok(())
    }
}

pub(crate) fn path_of(folder: &Path, block: u64) -> PathBuf {
    folder.join(format!("{PREFIX}{block:016x}"))
}

/// Whether the process that claimed a block lives. When that cannot be found out, it does.
pub(crate) fn is_alive(folder: &Path, block: u64) -> bool {
    match OpenOptions::new().write(true).open(path_of(folder, block)) {
        Ok(file) => file.try_lock().is_err(),
        Err(fault) => fault.kind() != io::ErrorKind::NotFound,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        let revision = Revision::from_u64((5 << COUNT_BITS) + 3);
        assert_eq!(block_of_temporary(&temporary_file(revision)), Some(5));
        let path = path_of(Path::new(""), 0xAB);
        assert_eq!(block_of_file(path.to_str().unwrap()), Some(0xAB));
        for other in ["revisions-", "revisions-+000000000000001", "new-1.tmp", "lock"] {
            assert_eq!((block_of_file(other), block_of_temporary(other)), (None, None), "{other}");
        }
    }

    #[test]
    fn blocks_follow_each_other_and_say_who_lives() {
        let folder = tempfile::tempdir().unwrap();
        let (mut ours, mut theirs) = (Revisions::default(), Revisions::default());
        assert_eq!(ours.take(), None);
        ours.claim(folder.path(), 0).unwrap();
        theirs.claim(folder.path(), 1).unwrap();
        assert!(ours.take().unwrap() < theirs.take().unwrap());
        assert!(ours.claim(folder.path(), 0).is_err(), "a block was claimed twice");
        assert!(is_alive(folder.path(), 1) && is_alive(folder.path(), 2) && !is_alive(folder.path(), 3));
        drop(theirs);
        assert!(ours.holds(1) && !ours.holds(2) && !is_alive(folder.path(), 2));
        assert!(matches!(ours.claim(folder.path(), u64::MAX >> COUNT_BITS), Err(Fault::NoRevisions(_))));
    }
}

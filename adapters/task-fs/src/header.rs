//! The first bytes of a record's file.
//!
//! | Bytes | What |
//! |---|---|
//! | 8 | `pmtask` and the number of the format, 1 |
//! | 8 | revision |
//! | 1 | 1 for finished, plus 2 for a record with `due` |
//! | 8 | `due`, in milliseconds of Unix time; else zero |
//! | 20 | the random bytes of the id |
//! | 4, 4 | lengths of the principal and of the body |
//! | 16 | the first half of the SHA-256 of principal and body |
//! | 16 | the first half of the SHA-256 of all above |
//!
//! Numbers are big-endian. Principal and body follow. A file that is shorter or longer than its header says, or whose
//! digests do not fit, is damaged. Another number is another version's record, of which nothing else is read.

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Revision, Stored};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::key::Key;

/// The length of a header, in bytes.
pub(crate) const LENGTH: usize = SIGNED + DIGEST;

const MAGIC: &[u8; 6] = b"pmtask";
const FORMAT: u16 = 1;
const DIGEST: usize = 16;
const SIGNED: usize = 8 + 8 + 1 + 8 + TaskId::RANDOM_BYTES + 4 + 4 + DIGEST;
const FINISHED: u8 = 1;
const HAS_DUE: u8 = 2;

/// Why bytes are no record that can be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(crate) enum HeaderFault {
    #[error("it has format {0} and this version reads {FORMAT}; use the version that wrote it")]
    OtherFormat(u16),
    #[error("it is damaged")]
    Damaged,
}

/// What lists are made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Columns {
    pub(crate) due: Option<i64>,
    pub(crate) finished: bool,
}

impl Columns {
    pub(crate) fn of(record: &TaskRecord) -> Self {
        Self { due: record.due.map(Timestamp::as_unix_ms), finished: record.finished }
    }
}

/// Whose a record is, told apart by the first bytes of a digest of the name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Owner([u8; DIGEST]);

impl Owner {
    /// The owner with these bytes as name.
    pub(crate) fn named(name: &[u8]) -> Self {
        Self(half_digest(&[name]))
    }
}

/// A header that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    pub(crate) key: Key,
    pub(crate) revision: Revision,
    pub(crate) columns: Columns,
    /// How long the name of the principal is, which follows the header.
    pub(crate) principal: u32,
    body: u32,
    digest: [u8; DIGEST],
}

impl Header {
    /// Reads a header from the first bytes of a file that is `length` bytes long.
    pub(crate) fn read(bytes: &[u8], length: u64) -> Result<Self, HeaderFault> {
        let mut cut = Cut(bytes);
        if &cut.take::<6>()? != MAGIC {
            return Err(HeaderFault::Damaged);
        }
        let format = u16::from_be_bytes(cut.take()?);
        if format != FORMAT {
            return Err(HeaderFault::OtherFormat(format));
        }
        let revision = Revision::from_u64(u64::from_be_bytes(cut.take()?));
        let [flags] = cut.take()?;
        let due = i64::from_be_bytes(cut.take()?);
        let key = Key::from_bytes(cut.take()?);
        let (principal, body) = (u32::from_be_bytes(cut.take()?), u32::from_be_bytes(cut.take()?));
        let digest = cut.take()?;
        let own: [u8; DIGEST] = cut.take()?;
        let signed = bytes.get(..SIGNED).ok_or(HeaderFault::Damaged)?;
        let whole = u64::try_from(LENGTH).unwrap_or(u64::MAX) + u64::from(principal) + u64::from(body);
        if own != half_digest(&[signed]) || whole != length || flags > (FINISHED | HAS_DUE) {
            return Err(HeaderFault::Damaged);
        }
        let columns = Columns { due: (flags & HAS_DUE != 0).then_some(due), finished: flags & FINISHED != 0 };
        Ok(Self { key, revision, columns, principal, body, digest })
    }
}

/// A record as its file holds it. `None` when it is longer than the format can say.
pub(crate) fn write(record: &TaskRecord, revision: Revision) -> Option<Vec<u8>> {
    let principal = record.principal.as_str().as_bytes();
    let lengths = (u32::try_from(principal.len()).ok()?, u32::try_from(record.body.len()).ok()?);
    let mut bytes = Vec::with_capacity(LENGTH + principal.len() + record.body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&FORMAT.to_be_bytes());
    bytes.extend_from_slice(&revision.as_u64().to_be_bytes());
    let Columns { due, finished } = Columns::of(record);
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    bytes.push(flag(finished, FINISHED) | flag(due.is_some(), HAS_DUE));
    bytes.extend_from_slice(&due.unwrap_or_default().to_be_bytes());
    bytes.extend_from_slice(Key::of(&record.id).bytes());
    bytes.extend_from_slice(&lengths.0.to_be_bytes());
    bytes.extend_from_slice(&lengths.1.to_be_bytes());
    bytes.extend_from_slice(&half_digest(&[principal, &record.body]));
    bytes.extend_from_slice(&half_digest(&[&bytes]));
    bytes.extend_from_slice(principal);
    bytes.extend_from_slice(&record.body);
    Some(bytes)
}

/// The record of a whole file.
pub(crate) fn read(bytes: &[u8], key: Key) -> Result<Stored, HeaderFault> {
    let header = Header::read(bytes, u64::try_from(bytes.len()).unwrap_or(u64::MAX))?;
    let rest = bytes.get(LENGTH..).ok_or(HeaderFault::Damaged)?;
    let length = usize::try_from(header.principal).map_err(|_| HeaderFault::Damaged)?;
    let (principal, body) = rest.split_at_checked(length).ok_or(HeaderFault::Damaged)?;
    if header.key != key || half_digest(&[principal, body]) != header.digest {
        return Err(HeaderFault::Damaged);
    }
    let principal = std::str::from_utf8(principal).map_err(|_| HeaderFault::Damaged)?;
    let record = TaskRecord {
        id: key.id(),
        principal: Principal::from_stored(principal),
        due: header.columns.due.map(Timestamp::from_unix_ms),
        finished: header.columns.finished,
        body: body.to_vec(),
    };
    Ok(Stored { record, revision: header.revision })
}

fn half_digest(parts: &[&[u8]]) -> [u8; DIGEST] {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update(part);
    }
    let mut half = [0; DIGEST];
    for (to, from) in half.iter_mut().zip(hasher.finalize()) {
        *to = from;
    }
    half
}

struct Cut<'a>(&'a [u8]);

impl Cut<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], HeaderFault> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(HeaderFault::Damaged)?;
        self.0 = rest;
        Ok(*taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> TaskRecord {
        TaskRecord {
            id: TaskId::from_random(&[7; 20]),
            principal: Principal::from_stored("ann"),
            due: Some(Timestamp::from_unix_ms(-5)),
            finished: true,
            body: b"{\"format\":1}".to_vec(),
        }
    }

    #[test]
    fn a_record_reads_back_as_itself() {
        let (record, revision) = (record(), Revision::from_u64(u64::MAX));
        let bytes = write(&record, revision).unwrap();
        let key = Key::of(&record.id);
        assert_eq!(read(&bytes, key), Ok(Stored { record: record.clone(), revision }));
        let header = Header::read(&bytes[..LENGTH], bytes.len() as u64).unwrap();
        assert_eq!((header.key, header.revision, header.columns), (key, revision, Columns::of(&record)));
        assert_eq!(read(&bytes, Key::from_bytes([8; 20])), Err(HeaderFault::Damaged));
    }

    #[test]
    fn the_stored_form_stays_readable_for_ever() {
        let golden = include_str!("../tests/golden/record-1.hex").trim();
        let (pairs, _) = golden.as_bytes().as_chunks::<2>();
        let bytes: Vec<u8> = pairs
            .iter()
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        let stored = Stored { record: record(), revision: Revision::from_u64(3) };
        assert_eq!(read(&bytes, Key::of(&record().id)), Ok(stored));
        assert_eq!(write(&record(), Revision::from_u64(3)), Some(bytes));
    }

    #[test]
    fn every_cut_and_every_flipped_bit_is_noticed() {
        let bytes = write(&record(), Revision::from_u64(1)).unwrap();
        let key = Key::of(&record().id);
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length], key), Err(HeaderFault::Damaged), "{length}");
        }
        for place in 0..bytes.len() * 8 {
            let mut torn = bytes.clone();
            torn[place / 8] ^= 1 << (place % 8);
            assert!(read(&torn, key).is_err(), "bit {place}");
        }
        let mut longer = bytes;
        longer.push(0);
        assert_eq!(read(&longer, key), Err(HeaderFault::Damaged));
    }

    #[test]
    fn another_format_is_told_as_such() {
        let mut bytes = write(&record(), Revision::from_u64(1)).unwrap();
        bytes[7] = 2;
        assert_eq!(read(&bytes, Key::of(&record().id)), Err(HeaderFault::OtherFormat(2)));
    }
}

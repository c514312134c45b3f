//! How a task record lies in the database. The form has a number of its own, because what is around a body may change
//! when the body does not.
//!
//! | Bytes | Version 1 |
//! |---|---|
//! | 1 | the version: 1 |
//! | 8 | the revision |
//! | 1 | flags: 1 finished, 2 due, 4 the body lies in a file |
//! | 8 | due, in ms since the epoch; 0 when it is never due |
//! | 4 | how long the principal's name is |
//! | n | the principal's name |
//! | rest | the body, or 8 bytes: how long the body in the file is |
//!
//! Numbers are big-endian.

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{DuePlace, Revision};

const VERSION: u8 = 1;
const FINISHED: u8 = 1;
const DUE: u8 = 2;
const IN_FILE: u8 = 4;

/// The longest body that lies beside its record, in bytes.
pub(crate) const LONGEST_BESIDE: usize = 8 << 10;

/// A record as it lies in the database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Envelope {
    pub(crate) revision: Revision,
    pub(crate) finished: bool,
    pub(crate) due: Option<Timestamp>,
    pub(crate) principal: Principal,
    pub(crate) body: Body,
}

/// Where the body is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Body {
    /// Beside its record.
    Beside(Vec<u8>),
    /// In a file of this many bytes.
    InFile(u64),
}

/// Bytes that are no envelope of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EnvelopeFault {
    /// A newer version wrote it.
    Version(u8),
    /// It is damaged.
    Damaged,
}

impl Envelope {
    pub(crate) fn of(record: &TaskRecord, revision: Revision) -> Self {
        let body = if record.body.len() > LONGEST_BESIDE {
            Body::InFile(record.body.len() as u64)
        } else {
            Body::Beside(record.body.clone())
        };
        let TaskRecord { id: _, principal, due, finished, body: _ } = record;
        Self { revision, finished: *finished, due: *due, principal: principal.clone(), body }
    }

    pub(crate) fn due_place(&self, id: &TaskId) -> Option<DuePlace> {
        self.due.map(|due| DuePlace { due, id: id.clone() })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let name = self.principal.as_str().as_bytes();
        let (in_file, body) = match &self.body {
            Body::Beside(body) => (0, body.as_slice()),
            Body::InFile(length) => (IN_FILE, &length.to_be_bytes()[..]),
        };
        let finished = if self.finished { FINISHED } else { 0 };
        let due = if self.due.is_some() { DUE } else { 0 };
        // Names are a kilobyte at the most.
        let name_length = u32::try_from(name.len()).unwrap_or(u32::MAX);
        [
            &[VERSION][..],
            &self.revision.as_u64().to_be_bytes(),
            &[finished | due | in_file],
            &self.due.map_or(0, Timestamp::as_unix_ms).to_be_bytes(),
            &name_length.to_be_bytes(),
            name,
            body,
        ]
        .concat()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, EnvelopeFault> {
        match bytes.first() {
            Some(&VERSION) => Self::read(bytes.get(1..).unwrap_or_default()).ok_or(EnvelopeFault::Damaged),
            Some(&other) => Err(EnvelopeFault::Version(other)),
            None => Err(EnvelopeFault::Damaged),
        }
    }

    fn read(rest: &[u8]) -> Option<Self> {
        let (revision, rest) = rest.split_first_chunk()?;
        let ([flags], rest) = rest.split_first_chunk()?;
        let (due, rest) = rest.split_first_chunk()?;
        let (name_length, rest) = rest.split_first_chunk()?;
        let (name, body) = rest.split_at_checked(usize::try_from(u32::from_be_bytes(*name_length)).ok()?)?;
        if flags & !(FINISHED | DUE | IN_FILE) != 0 {
            return None;
        }
        let body = if flags & IN_FILE == 0 {
            Body::Beside(body.to_vec())
        } else {
            Body::InFile(u64::from_be_bytes(body.try_into().ok()?))
        };
        Some(Self {
            revision: Revision::from_u64(u64::from_be_bytes(*revision)),
            finished: flags & FINISHED != 0,
            due: (flags & DUE != 0).then(|| Timestamp::from_unix_ms(i64::from_be_bytes(*due))),
            principal: Principal::from_stored(core::str::from_utf8(name).ok()?),
            body,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope() -> Envelope {
        Envelope {
            revision: Revision::from_u64(258),
            finished: true,
            due: Some(Timestamp::from_unix_ms(-2)),
            principal: Principal::from_stored("ann"),
            body: Body::Beside(b"{}".to_vec()),
        }
    }

    #[test]
    fn version_1_is_these_bytes_for_ever() {
        let bytes = b"\x01\0\0\0\0\0\0\x01\x02\x03\xff\xff\xff\xff\xff\xff\xff\xfe\0\0\0\x03ann{}";
        assert_eq!(envelope().to_bytes(), bytes);
        assert_eq!(Envelope::from_bytes(bytes), Ok(envelope()));
        let in_file = Envelope { due: None, finished: false, body: Body::InFile(65_537), ..envelope() };
        let bytes = b"\x01\0\0\0\0\0\0\x01\x02\x04\0\0\0\0\0\0\0\0\0\0\0\x03ann\0\0\0\0\0\x01\0\x01";
        assert_eq!(in_file.to_bytes(), bytes);
        assert_eq!(Envelope::from_bytes(bytes), Ok(in_file));
    }

    #[test]
    fn what_is_cut_or_from_a_newer_version_is_refused() {
        let bytes = envelope().to_bytes();
        for end in 0..bytes.len() - 2 {
            assert_eq!(Envelope::from_bytes(&bytes[..end]), Err(EnvelopeFault::Damaged), "{end}");
        }
        assert_eq!(Envelope::from_bytes(b"\x02"), Err(EnvelopeFault::Version(2)));
        let mut flagged = bytes;
        flagged[9] = 8;
        assert_eq!(Envelope::from_bytes(&flagged), Err(EnvelopeFault::Damaged));
    }
}

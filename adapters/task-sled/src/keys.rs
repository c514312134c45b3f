//! The keys: one ordered tree, so that a record and its places in the lists change in one atomic batch. The first byte
//! tells what a key belongs to.
//!
//! | Key | Value |
//! |---|---|
//! | `m` name | numbers of the database, eight bytes each |
//! | `t` id | a task record, see [`envelope`](crate::envelope) |
//! | `d` due, id | nothing: the list of what is due |
//! | `u` id | nothing: the list of what is unfinished |
//! | `p` principal | how many records it has, eight bytes; none has zero |
//! | `n` nonce | until when it is kept |
//! | `e` until, nonce | nothing: the list by which nonces are forgotten |

use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::TaskId;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::DuePlace;

/// The number of the form of the whole database.
pub(crate) const FORMAT: &[u8] = b"mformat";
/// The last revision that was given out, how many records there are, and how many nonces.
pub(crate) const COUNTERS: &[u8] = b"mcounters";
/// There once the records of each principal are counted.
pub(crate) const COUNTED: &[u8] = b"mcounted";
/// There while an import is not complete.
pub(crate) const IMPORTING: &[u8] = b"mimporting";

/// The first byte of all task records.
pub(crate) const TASKS: &[u8] = b"t";
/// The first byte of all nonces.
pub(crate) const NONCES: &[u8] = b"n";
/// The first byte of the list by which nonces are forgotten.
pub(crate) const ENDS: &[u8] = b"e";

const NONCE_BYTES: usize = 16;
const TIME_BYTES: usize = 8;

pub(crate) fn task(id: &TaskId) -> Vec<u8> {
    [TASKS, id.as_str().as_bytes()].concat()
}

pub(crate) fn held(principal: &Principal) -> Vec<u8> {
    [b"p", principal.as_str().as_bytes()].concat()
}

pub(crate) fn due(place: &DuePlace) -> Vec<u8> {
    [b"d", &ordered(place.due)[..], place.id.as_str().as_bytes()].concat()
}

/// Comes before every place in the list of what is due.
pub(crate) fn due_start() -> Vec<u8> {
    b"d".to_vec()
}

/// Comes after every place due at `by`, and before every later one: no id has such a byte.
pub(crate) fn due_end(by: Timestamp) -> Vec<u8> {
    [b"d", &ordered(by)[..], &[0xFF]].concat()
}

pub(crate) fn due_id(key: &[u8]) -> Option<TaskId> {
    id(key.get(1 + TIME_BYTES..)?)
}

pub(crate) fn unfinished(id: &TaskId) -> Vec<u8> {
    [b"u", id.as_str().as_bytes()].concat()
}

/// Comes before everything unfinished.
pub(crate) fn unfinished_start() -> Vec<u8> {
    b"u".to_vec()
}

/// Comes after everything unfinished.
pub(crate) fn unfinished_end() -> Vec<u8> {
    b"v".to_vec()
}

pub(crate) fn unfinished_id(key: &[u8]) -> Option<TaskId> {
    id(key.get(1..)?)
}

pub(crate) fn nonce(nonce: &Nonce) -> Vec<u8> {
    [NONCES, nonce.as_bytes()].concat()
}

pub(crate) fn end(until: Timestamp, nonce: &Nonce) -> Vec<u8> {
    [ENDS, &ordered(until), nonce.as_bytes()].concat()
}

/// What a key of the list of ends says.
pub(crate) fn end_parts(key: &[u8]) -> Option<(Timestamp, Nonce)> {
    let until = key.get(1..1 + TIME_BYTES)?.try_into().ok()?;
    Some((time(until), nonce_of(key.get(1 + TIME_BYTES..)?)?))
}

/// A nonce from its bytes.
pub(crate) fn nonce_of(bytes: &[u8]) -> Option<Nonce> {
    <[u8; NONCE_BYTES]>::try_from(bytes).ok().map(Nonce::from_random)
}

/// Eight bytes in the order of time, also before the epoch.
pub(crate) fn ordered(at: Timestamp) -> [u8; TIME_BYTES] {
    (at.as_unix_ms() ^ i64::MIN).to_be_bytes()
}

/// The instant of [`ordered`] bytes.
pub(crate) fn time(bytes: [u8; TIME_BYTES]) -> Timestamp {
    Timestamp::from_unix_ms(i64::from_be_bytes(bytes) ^ i64::MIN)
}

fn id(text: &[u8]) -> Option<TaskId> {
    TaskId::parse(core::str::from_utf8(text).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_time_are_in_the_order_of_time() {
        let times = [i64::MIN, -1, 0, 1, i64::MAX].map(Timestamp::from_unix_ms);
        assert!(times.is_sorted_by(|a, b| ordered(*a) < ordered(*b)));
        assert_eq!(times.map(|at| time(ordered(at))), times);
    }

    #[test]
    fn an_end_says_what_it_was_made_of() {
        let (until, used) = (Timestamp::from_unix_ms(-7), Nonce::from_random([3; 16]));
        assert_eq!(end_parts(&end(until, &used)), Some((until, used)));
        assert_eq!(end_parts(b"e"), None);
    }
}

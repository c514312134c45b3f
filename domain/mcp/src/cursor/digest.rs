//! A digest of request parameters that does not depend on the order of members.

use alloc::vec::Vec;
use core::fmt;

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Members of `params` that differ between one request and its retry.
const PER_ATTEMPT: [&str; 3] = ["_meta", "inputResponses", "requestState"];

/// SHA-256 over what a request asks for.
///
/// Two requests have one digest exactly if their parameters are the same JSON value, whatever the
/// order of members, apart from the members that belong to an attempt or a page and not to what
/// is asked. Numbers are the same if they are written the same: `1` is not `1.0`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ParamsDigest([u8; 32]);

impl ParamsDigest {
    /// Of any request: `_meta`, `inputResponses` and `requestState` do not take part, so that a
    /// retry with answers keeps the digest and one with other arguments does not.
    #[must_use]
    pub fn of_request(params: &Value) -> Self {
        Self::without(params, &PER_ATTEMPT)
    }

    /// Of a request that names something and takes arguments: that of the parameters `name` and `arguments`, which need not
    /// be put together for it.
    #[must_use]
    pub fn of_named(name: &str, arguments: &Value) -> Self {
        let mut hash = Sha256::new();
        count(&mut hash, b'o', 2);
        text(&mut hash, b'k', "arguments");
        whole(&mut hash, arguments, &[]);
        text(&mut hash, b'k', "name");
        text(&mut hash, b's', name);
        Self(hash.finalize().into())
    }

    /// Of a request for a list: `cursor` and `_meta` do not take part, so that all pages of one
    /// list have one digest.
    #[must_use]
    pub fn of_list(params: &Value) -> Self {
        Self::without(params, &["_meta", "cursor"])
    }

    /// The digest's bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(super) fn first_bytes<const COUNT: usize>(&self) -> [u8; COUNT] {
        self.0.first_chunk().copied().unwrap_or([0; COUNT])
    }

    fn without(params: &Value, left_out: &[&str]) -> Self {
        let mut hash = Sha256::new();
        whole(&mut hash, params, left_out);
        Self(hash.finalize().into())
    }
}

impl fmt::Debug for ParamsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ParamsDigest(")?;
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}

/// The digest of who asks. An absent caller is told apart from every name.
pub(super) fn of_caller(caller: Option<&str>) -> ParamsDigest {
    let mut hash = Sha256::new();
    match caller {
        None => hash.update(b"n"),
        Some(name) => text(&mut hash, b'c', name),
    }
    ParamsDigest(hash.finalize().into())
}

enum Piece<'a> {
    Name(&'a str),
    Value(&'a Value),
}

/// Hashes a value with all that is in it. Names of `left_out` are passed over in the value itself, not further in.
fn whole(hash: &mut Sha256, value: &Value, left_out: &[&str]) {
    let mut waiting = Vec::new();
    enter(hash, value, left_out, &mut waiting);
    while let Some(piece) = waiting.pop() {
        match piece {
            Piece::Name(name) => text(hash, b'k', name),
            Piece::Value(value) => enter(hash, value, &[], &mut waiting),
        }
    }
}

/// Hashes what belongs to `value` itself and leaves its members waiting. Every piece begins with
/// its kind and its length, so that no two values run together into the same bytes.
fn enter<'a>(hash: &mut Sha256, value: &'a Value, left_out: &[&str], waiting: &mut Vec<Piece<'a>>) {
    match value {
        Value::Null => hash.update(b"0"),
        Value::Bool(false) => hash.update(b"f"),
        Value::Bool(true) => hash.update(b"t"),
        Value::Number(number) => text(hash, b'n', &alloc::format!("{number}")),
        Value::String(string) => text(hash, b's', string),
        Value::Array(items) => {
            count(hash, b'a', items.len());
            waiting.extend(items.iter().rev().map(Piece::Value));
        }
        Value::Object(members) => {
            let mut kept: Vec<_> =
                members.iter().filter(|(name, _)| !left_out.contains(&name.as_str())).collect();
            kept.sort_unstable_by_key(|(name, _)| name.as_str());
            count(hash, b'o', kept.len());
            for (name, value) in kept.into_iter().rev() {
                waiting.push(Piece::Value(value));
                waiting.push(Piece::Name(name));
            }
        }
    }
}

fn text(hash: &mut Sha256, kind: u8, text: &str) {
    count(hash, kind, text.len());
    hash.update(text);
}

fn count(hash: &mut Sha256, kind: u8, count: usize) {
    hash.update([kind]);
    // A length fits into 64 bits on every platform there is.
    hash.update(u64::try_from(count).unwrap_or(u64::MAX).to_be_bytes());
}

//! Where a request comes from, in its client's words.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess};

use super::loose::{Expect, JsonKind, Loose, LooseText};

/// The most entries that are kept.
pub const MOST_PROVENANCE_ENTRIES: usize = 32;
/// The longest key, in bytes.
const LONGEST_KEY: usize = 64;
/// The longest value that is kept, in characters.
pub(super) const LONGEST_LABEL: usize = 256;

/// A bounded map of strings.
///
/// Left out are entries whose key is not `[a-z][a-z0-9_-]{0,63}` or came before, or whose value is no string, and
/// every entry after the first [`MOST_PROVENANCE_ENTRIES`]. Of a value, the first 256 characters are kept.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Provenance<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl Provenance<'_> {
    /// The value under `key`.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.iter().find(|(held, _)| *held == key).map(|(_, value)| value)
    }

    /// Every entry, in the order in which they came.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, value)| (key.as_ref(), value.as_ref()))
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn into_owned(self) -> Provenance<'static> {
        let owned = |(key, value): (Cow<'_, str>, Cow<'_, str>)| {
            (Cow::Owned(key.into_owned()), Cow::Owned(value.into_owned()))
        };
        Provenance(self.0.into_iter().map(owned).collect())
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Provenance<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Loose(ProvenanceOnly))
    }
}

struct ProvenanceOnly;

impl<'de> Expect<'de> for ProvenanceOnly {
    type Value = Provenance<'de>;

    fn other(self, _: JsonKind) -> Self::Value {
        Provenance::default()
    }

    fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut kept = Provenance::default();
        while let Some(key) = map.next_key::<LooseText<'de>>()? {
            let fitting = match key {
                LooseText::Text(key)
                    if kept.0.len() < MOST_PROVENANCE_ENTRIES
                        && is_key(&key)
                        && kept.value(&key).is_none() =>
                {
                    key
                }
                LooseText::Text(_) | LooseText::Wrong(_) | LooseText::Absent => {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
            };
            if let LooseText::Text(value) = map.next_value()? {
                kept.0.push((fitting, cut(value)));
            }
        }
        Ok(kept)
    }
}

fn is_key(key: &str) -> bool {
    key.len() <= LONGEST_KEY
        && key.starts_with(|first: char| first.is_ascii_lowercase())
        && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte))
}

/// The first characters of `value`, as many as are kept.
fn cut(value: Cow<'_, str>) -> Cow<'_, str> {
    let Some((end, _)) = value.char_indices().nth(LONGEST_LABEL) else { return value };
    match value {
        Cow::Borrowed(text) => Cow::Borrowed(text.get(..end).unwrap_or(text)),
        Cow::Owned(mut text) => {
            text.truncate(end);
            Cow::Owned(text)
        }
    }
}

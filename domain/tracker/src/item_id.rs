//! Ids as callers write them and as files carry them.

use core::fmt;

/// An id that a caller may mean: the full form first, the form as typed second.
///
/// Input is trimmed and lower-cased, one leading `#` is dropped, and the workspace's prefix is added if absent.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ItemId {
    full: String,
    raw: Option<String>,
}

impl ItemId {
    /// Reads an id as typed; `None` if nothing usable is left of it.
    #[must_use]
    pub fn parse(input: &str, prefix: &str) -> Option<Self> {
        let trimmed = input.trim();
        let raw = trimmed.strip_prefix('#').unwrap_or(trimmed).trim().to_lowercase();
        if !crate::item::is_plain_name(&raw) {
            return None;
        }
        if raw.starts_with(prefix) {
            return Some(Self { full: raw, raw: None });
        }
        Some(Self { full: format!("{prefix}{raw}"), raw: Some(raw) })
    }

    /// The id with the workspace's prefix.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.full
    }

    /// The forms to look up, in order: with prefix, then, if that added something, as typed.
    pub fn candidates(&self) -> impl Iterator<Item = &str> {
        core::iter::once(self.full.as_str()).chain(self.raw.as_deref())
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.full)
    }
}

/// The prefix form of a setting: lower case, other characters become `-`, ends in `-`.
#[must_use]
pub fn normalize_prefix(input: &str) -> Option<String> {
    let mut prefix: String = input
        .trim()
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_lowercase() || c.is_ascii_digit() { c } else { '-' })
        .collect();
    while prefix.ends_with('-') {
        prefix.pop();
    }
    if prefix.is_empty() {
        return None;
    }
    prefix.push('-');
    Some(prefix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_an_id_means_the_same_item() {
        for input in ["demo-k3x9", " #demo-K3X9 ", "#k3x9", "K3x9"] {
            assert_eq!(ItemId::parse(input, "demo-").unwrap().as_str(), "demo-k3x9", "{input}");
        }
    }

    #[test]
    fn a_foreign_id_is_also_tried_as_typed() {
        let id = ItemId::parse("old-7.1.2", "demo-").unwrap();
        assert_eq!(id.candidates().collect::<Vec<_>>(), ["demo-old-7.1.2", "old-7.1.2"]);
    }

    #[test]
    fn paths_and_nothing_are_no_ids() {
        for input in ["", "  ", "#", "../x", "a/b"] {
            assert_eq!(ItemId::parse(input, "demo-"), None, "{input}");
        }
    }

    #[test]
    fn prefixes_are_brought_into_form() {
        assert_eq!(normalize_prefix("My App").as_deref(), Some("my-app-"));
        assert_eq!(normalize_prefix("demo--").as_deref(), Some("demo-"));
        assert_eq!(normalize_prefix(" - "), None);
    }
}

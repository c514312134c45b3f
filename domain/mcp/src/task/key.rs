//! Questions and answers under their keys.

use alloc::collections::BTreeSet;
use alloc::format;

use super::json::JsonObject;
use crate::continuation::InputKey;

/// A question to the client. Within one task no key stands for two questions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyedQuestion {
    /// What it is asked under.
    pub key: InputKey,
    /// The request that the client is to fulfil, with its method and parameters.
    pub request: JsonObject,
}

/// A client's answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyedAnswer {
    /// What the question was asked under.
    pub key: InputKey,
    /// The result of the request that the client fulfilled.
    pub response: JsonObject,
}

/// The wished key if it is free, or else the first of `name-2`, `name-3` … that is.
///
/// One of as many candidates as there are used keys, and one more, is free.
pub(super) fn first_free(wished: &InputKey, used: &BTreeSet<InputKey>) -> Option<InputKey> {
    if !used.contains(wished) {
        return Some(wished.clone());
    }
    (2..=used.len().saturating_add(2)).find_map(|number| {
        let suffix = format!("-{number}");
        let room = InputKey::LIMIT.saturating_sub(suffix.len());
        // Keys are ASCII, so every place is a boundary.
        let kept = wished.as_str().get(..room).unwrap_or(wished.as_str());
        InputKey::parse(&format!("{kept}{suffix}")).ok().filter(|key| !used.contains(key))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::String;

    fn key(text: &str) -> InputKey {
        InputKey::parse(text).unwrap()
    }

    #[test]
    fn a_used_key_is_numbered() {
        let used = BTreeSet::from([key("name"), key("name-2")]);
        assert_eq!(first_free(&key("name"), &used), Some(key("name-3")));
        assert_eq!(first_free(&key("other"), &used), Some(key("other")));
    }

    #[test]
    fn a_numbered_key_stays_within_the_limit() {
        let long = key(&"k".repeat(InputKey::LIMIT));
        let used = BTreeSet::from([long.clone()]);
        let expected = String::from("k").repeat(InputKey::LIMIT - 2) + "-2";
        assert_eq!(first_free(&long, &used), Some(key(&expected)));
    }
}

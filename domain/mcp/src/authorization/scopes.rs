//! Which scopes to ask for, and how often to ask for more
//! ([Scope selection](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy)).

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;

use thiserror::Error;

use crate::access::{Scope, Scopes};

/// The scope that stands for refresh tokens.
pub(super) const OFFLINE_ACCESS: &str = "offline_access";

/// How often authorization is asked for again for one operation of one resource before that counts as a refusal.
pub const MOST_ATTEMPTS: u8 = 3;
/// How many operations are remembered.
const MOST_OPERATIONS: usize = 1024;

/// The scopes to ask for: what the challenge names, or else what the resource lists as basic, together with what was
/// asked for before. `None` leaves the choice to the server.
///
/// `offline_access` is added only for who wants refresh tokens from a server that knows the scope; what a resource says of
/// it is not heeded, because refresh tokens are no need of a resource.
pub fn select_scopes(
    challenged: Option<&Scopes>,
    resource_lists: Option<&Scopes>,
    before: Option<&Scopes>,
    offline_at: Option<&Scopes>,
) -> Option<Scopes> {
    let is_offline = |scope: &&Scope| scope.as_str() == OFFLINE_ACCESS;
    let mut chosen: Scopes =
        challenged.or(resource_lists)?.iter().filter(|scope| !is_offline(scope)).cloned().collect();
    if let Some(before) = before {
        chosen.extend(before);
    }
    if let Some(offline) = offline_at.and_then(|known| known.iter().find(is_offline)) {
        chosen.insert(offline.clone());
    }
    (!chosen.is_empty()).then_some(chosen)
}

/// How often authorization was asked for, by resource and operation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attempts {
    counts: BTreeMap<(String, String), u8>,
}

impl Attempts {
    /// Counts one more attempt for this operation of this resource.
    ///
    /// # Errors
    ///
    /// [`AttemptsSpent`] when there were [`MOST_ATTEMPTS`] since it last succeeded.
    pub fn begin(&mut self, resource: &str, operation: &str) -> Result<(), AttemptsSpent> {
        let key = (resource.to_owned(), operation.to_owned());
        let full = self.counts.len() >= MOST_OPERATIONS;
        if full && !self.counts.contains_key(&key) {
            // Who fails at so many operations fails at all of them; forgetting one lets it try again a few times.
            self.counts.pop_first();
        }
        let count = self.counts.entry(key).or_insert(0);
        if *count >= MOST_ATTEMPTS {
            return Err(AttemptsSpent);
        }
        *count += 1;
        Ok(())
    }

    /// The operation succeeded: what went before does not count any more.
    pub fn succeeded(&mut self, resource: &str, operation: &str) {
        self.counts.remove(&(resource.to_owned(), operation.to_owned()));
    }
}

/// Authorization was asked for too often; the refusal of the operation is permanent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the server refuses the operation after {MOST_ATTEMPTS} authorizations; it will not be asked again")]
pub struct AttemptsSpent;

#[cfg(test)]
mod tests {
    use super::*;
    use std::format;
    use std::string::ToString;

    #[test]
    fn no_more_is_asked_for_than_the_operation_needs() {
        let scopes = |text: Option<&str>| text.map(|text| Scopes::parse(text).unwrap());
        for (challenged, listed, before, server, expected) in [
            (Some("basic"), Some("a b"), None, None, Some("basic")),
            (None, Some("a b"), None, None, Some("a b")),
            (None, None, None, Some("offline_access a"), None),
            (None, Some(""), None, None, None),
            (Some("write"), Some("profile"), Some("basic"), None, Some("basic write")),
            (Some("write"), None, None, Some("read offline_access"), Some("offline_access write")),
            (Some("write"), None, None, Some("read"), Some("write")),
            (Some("offline_access write"), None, None, None, Some("write")),
            (Some("offline_access write"), None, Some("offline_access"), None, Some("offline_access write")),
        ] {
            let [challenged, listed, before, server] = [challenged, listed, before, server].map(scopes);
            let chosen =
                select_scopes(challenged.as_ref(), listed.as_ref(), before.as_ref(), server.as_ref());
            assert_eq!(chosen.map(|chosen| chosen.to_string()).as_deref(), expected);
        }
    }

    #[test]
    fn attempts_are_counted_for_each_operation_of_each_resource() {
        let mut attempts = Attempts::default();
        for _ in 0..MOST_ATTEMPTS {
            attempts.begin("https://h/mcp", "tools/call a").unwrap();
        }
        assert_eq!(attempts.begin("https://h/mcp", "tools/call a"), Err(AttemptsSpent));
        attempts.begin("https://h/mcp", "tools/call b").unwrap();
        attempts.begin("https://h/other", "tools/call a").unwrap();
        attempts.succeeded("https://h/mcp", "tools/call a");
        attempts.begin("https://h/mcp", "tools/call a").unwrap();
    }

    #[test]
    fn operations_are_remembered_in_a_bounded_number() {
        let mut attempts = Attempts::default();
        for number in 0..2 * MOST_OPERATIONS {
            attempts.begin("r", &format!("{number}")).unwrap();
        }
        assert_eq!(attempts.counts.len(), MOST_OPERATIONS);
    }
}

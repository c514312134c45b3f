//! URIs of the tracker's resources. They are compared character by character, so each resource has exactly one.

use std::fmt::Write as _;

use crate::tracker::Tracker;
use crate::workspace::Workspace;

/// The URI of a path in a workspace; the default workspace's have no query.
pub(crate) fn uri(tracker: &Tracker, workspace: &Workspace, path: &str) -> String {
    match is_default(tracker, workspace) {
        true => format!("pm://{path}"),
        // Names of workspaces need no escapes.
        false => format!("pm://{path}?workspace={}", workspace.name()),
    }
}

/// The URI of an item.
pub(crate) fn item_uri(tracker: &Tracker, workspace: &Workspace, id: &str) -> String {
    uri(tracker, workspace, &format!("items/{}", escaped(id)))
}

/// The URI of a part of an item, such as its body.
pub(crate) fn item_part_uri(tracker: &Tracker, workspace: &Workspace, id: &str, part: &str) -> String {
    uri(tracker, workspace, &format!("items/{}/{part}", escaped(id)))
}

/// The URI of the list of a status, or of one of its other spellings.
pub(crate) fn list_uri(tracker: &Tracker, workspace: &Workspace, status: &str) -> String {
    uri(tracker, workspace, &format!("lists/{}", escaped(status)))
}

fn is_default(tracker: &Tracker, workspace: &Workspace) -> bool {
    tracker.workspaces().next().is_some_and(|default| default.name() == workspace.name())
}

/// Percent-encodes what is not unreserved in RFC 3986.
fn escaped(segment: &str) -> String {
    let mut text = String::with_capacity(segment.len());
    for byte in segment.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _always_ok = write!(text, "%{byte:02X}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_escaped_where_a_uri_needs_it() {
        assert_eq!(escaped("demo-k3x9.1_2~"), "demo-k3x9.1_2~");
        assert_eq!(escaped("a?b#c%é"), "a%3Fb%23c%25%C3%A9");
    }
}

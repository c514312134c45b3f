//! Which earlier revisions are served.

/// The revisions that a local client may agree on by `initialize`, newest first. Requests cannot claim them: they are no
/// part of [`SUPPORTED_VERSIONS`](pm_mcp_domain::version::SUPPORTED_VERSIONS).
pub(super) const LEGACY_PROTOCOL_VERSIONS: &[&str] = &[NEWEST, "2025-06-18"];

const NEWEST: &str = "2025-11-25";

/// The revision that is agreed on when a client asks for `requested`: the same if it is known, else the newest that is
/// ([Version Negotiation](https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#version-negotiation)).
pub(super) fn agreed(requested: &str) -> &'static str {
    LEGACY_PROTOCOL_VERSIONS.iter().find(|known| **known == requested).copied().unwrap_or(NEWEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_revision_is_taken_and_any_other_gets_the_newest() {
        for known in LEGACY_PROTOCOL_VERSIONS {
            assert_eq!(agreed(known), *known);
        }
        for other in ["2024-11-05", "2025-03-26", "2026-07-28", "1900-01-01", ""] {
            assert_eq!(agreed(other), "2025-11-25", "{other}");
        }
    }
}

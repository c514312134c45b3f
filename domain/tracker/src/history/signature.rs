//! Who signs an entry.

use serde_json::{Map, Value, json};

/// How the author's name came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "the format has exactly these four")]
pub enum AuthorSource {
    /// The call named it, or a verified token did.
    Asserted,
    /// The server's or the workspace's settings name it.
    Configured,
    /// Taken from what the client says of itself.
    Detected,
    /// Nobody says.
    Unknown,
}

impl AuthorSource {
    /// The spelling of streams.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Asserted => "asserted",
            Self::Configured => "configured",
            Self::Detected => "detected",
            Self::Unknown => "unknown",
        }
    }
}

/// The program through which a change came, as it says itself. A label, never a principal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain facts of one request")]
pub struct Agent {
    /// The client's name.
    pub name: String,
    /// The client's version; empty if it names none.
    pub version: String,
}

/// Who makes a change.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "plain facts of one request")]
pub struct Signature {
    /// The author; a label.
    pub author: String,
    /// Where the name comes from.
    pub source: AuthorSource,
    /// The client, if it says what it is.
    pub agent: Option<Agent>,
}

impl Signature {
    /// A name that somebody states.
    #[must_use]
    pub fn asserted(author: impl Into<String>) -> Self {
        Self { author: author.into(), source: AuthorSource::Asserted, agent: None }
    }

    /// The members of an entry that say who, in file order.
    pub(super) fn members(&self) -> Map<String, Value> {
        let mut members = Map::new();
        members.insert("author".to_owned(), Value::from(self.author.as_str()));
        members.insert("author_source".to_owned(), Value::from(self.source.as_str()));
        if let Some(agent) = &self.agent {
            members.insert("agent_harness".to_owned(), Value::from(agent.name.as_str()));
            members.insert("agent_model_source".to_owned(), Value::from("mcp_client"));
            let version = match agent.version.as_str() {
                "" => Value::Null,
                version => json!({"value": version, "source": "mcp_client"}),
            };
            members.insert("agent_provenance".to_owned(), json!({"model": null, "version": version}));
        }
        members
    }
}

//! What came back, or why nothing did.

use core::time::Duration;

use serde_json::Value;
use thiserror::Error;

/// Longest answer that is read, in bytes.
pub(crate) const LONGEST: usize = 8 << 20;

/// What came back.
#[derive(Debug, Clone, Default)]
pub(crate) struct Heard {
    /// The HTTP status; none on stdio.
    pub(crate) status: Option<u16>,
    /// Headers with names in lower case; none on stdio.
    pub(crate) headers: Vec<(String, String)>,
    /// Messages in the order in which they came.
    pub(crate) messages: Vec<Value>,
    /// What came and is no message.
    pub(crate) stray: String,
    /// How long it took.
    pub(crate) took: Duration,
}

impl Heard {
    /// The answer to a request.
    pub(crate) fn answer(&self, id: u64) -> Option<&Value> {
        self.messages.iter().find(|message| message.get("id").and_then(Value::as_u64) == Some(id))
    }

    /// The result of a request that succeeded.
    pub(crate) fn result(&self, id: u64) -> Option<&Value> {
        self.answer(id)?.get("result")
    }

    /// Any error, also one without the request's id.
    pub(crate) fn error(&self) -> Option<&Value> {
        self.messages.iter().find(|message| message.get("error").is_some())
    }

    /// The first header of a name.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Why nothing came back.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Unheard {
    #[error("cannot be reached: {0}")]
    Unreachable(String),
    #[error("did not answer within {} s", .0.as_secs())]
    Silent(Duration),
    #[error("ended before it answered{0}")]
    Ended(String),
    #[error("sent more than {LONGEST} bytes")]
    TooLong,
    #[error("answered with what is no HTTP: {0}")]
    NoHttp(String),
}

/// What to change about the usual headers of a message.
#[derive(Debug, Clone, Default)]
pub(crate) struct Headers {
    /// Set these instead, by name in lower case.
    pub(crate) set: Vec<(&'static str, String)>,
    /// Leave these out.
    pub(crate) without: Vec<&'static str>,
}

impl Headers {
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.set.push((name, value.into()));
        self
    }

    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.without.push(name);
        self
    }
}

//! What a result is: complete, questions, or a task.

use alloc::string::{String, ToString as _};

use serde_json::{Map, Value};
use thiserror::Error;

use crate::request::Method;

/// What a result is, as its `resultType` says
/// ([`ResultType`](https://modelcontextprotocol.io/specification/2026-07-28/schema#resulttype)).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ResultKind {
    /// The final content.
    Complete,
    /// Questions, to be answered before the request is sent again.
    InputRequired,
    /// The handle of a task.
    Task,
}

/// Which revision a peer speaks, as far as its results differ.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PeerRevision {
    /// One whose results always say what they are.
    Current,
    /// One from before results said what they are.
    Earlier,
}

/// A result of which nobody can say what it is. It is of no use; the peer is at fault.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ResultKindFault {
    /// A peer of a revision in which the member is required leaves it out.
    #[error("the result has no resultType, which this revision requires")]
    Missing,
    /// The member is no text, or a text without a meaning.
    #[error("the result has the resultType {0}, which has no meaning")]
    Unknown(String),
    /// The member has a meaning, but not for this method or this peer.
    #[error("a result of {} cannot have the resultType {kind:?}", method.as_str())]
    Misplaced {
        /// The method that was called.
        method: Method,
        /// What the result claims to be.
        kind: ResultKind,
    },
}

impl ResultKind {
    /// Reads what a result is, for a client of any kind: `method` is what was called, `peer` what the server speaks.
    ///
    /// A missing `resultType` means a complete result where the server is of an earlier revision, and nowhere else.
    ///
    /// # Errors
    ///
    /// [`ResultKindFault`] when the result does not say what it is, or what it says cannot be.
    ///
    /// ```
    /// use pm_mcp_domain::request::Method;
    /// use pm_mcp_domain::wire::{PeerRevision, ResultKind, ResultKindFault};
    /// use serde_json::Map;
    ///
    /// let silent = Map::new();
    /// let read = |peer| ResultKind::read(&silent, Method::CallTool, peer);
    /// assert_eq!(read(PeerRevision::Earlier), Ok(ResultKind::Complete));
    /// assert_eq!(read(PeerRevision::Current), Err(ResultKindFault::Missing));
    /// ```
    pub fn read(
        result: &Map<String, Value>,
        method: Method,
        peer: PeerRevision,
    ) -> Result<Self, ResultKindFault> {
        let kind = match (result.get("resultType"), peer) {
            (None, PeerRevision::Earlier) => return Ok(Self::Complete),
            (None, PeerRevision::Current) => return Err(ResultKindFault::Missing),
            (Some(Value::String(kind)), _) => match kind.as_str() {
                "complete" => Self::Complete,
                "input_required" => Self::InputRequired,
                "task" => Self::Task,
                unknown => return Err(ResultKindFault::Unknown(Value::from(unknown).to_string())),
            },
            (Some(other), _) => return Err(ResultKindFault::Unknown(other.to_string())),
        };
        match kind.may_end(method, peer) {
            true => Ok(kind),
            false => Err(ResultKindFault::Misplaced { method, kind }),
        }
    }

    /// Whether a request for `method` may end so.
    fn may_end(self, method: Method, peer: PeerRevision) -> bool {
        match (self, peer) {
            (Self::Complete, _) => true,
            (Self::InputRequired | Self::Task, PeerRevision::Earlier) => false,
            (Self::InputRequired, PeerRevision::Current) => {
                matches!(method, Method::CallTool | Method::GetPrompt | Method::ReadResource)
            }
            (Self::Task, PeerRevision::Current) => matches!(method, Method::CallTool),
        }
    }
}

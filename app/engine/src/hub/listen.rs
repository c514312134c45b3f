//! A request for a stream, and what became of it.

use std::fmt;
use std::time::Duration;

use pm_mcp_domain::ident::{Principal, RequestId};
use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::subscription::{DoorId, Filter, LiveStream};
use thiserror::Error;

/// A request for a stream of changes.
#[derive(Clone, Debug)]
pub struct Listen<'a> {
    /// The id of the request, which becomes the id of the subscription.
    pub id: RequestId<'a>,
    /// What the server grants of the wanted filter.
    pub filter: Filter,
    /// Whom the request acts for.
    pub principal: &'a Principal,
    /// Where the stream leaves the server.
    pub door: DoorId,
}

/// How a stream ended.
#[derive(PartialEq, Eq, Debug)]
pub enum Ended {
    /// The server closed it, and all that was published before has been sent: answer the request with
    /// [`LiveStream::end`].
    Closed(LiveStream),
    /// Nobody reads it any more: send nothing.
    PeerGone,
    /// The peer reads too slowly: send nothing and end the response without a result.
    TooSlow(SlowReason),
}

/// What a slow peer ran into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever tells reasons apart should hear of a new one")]
pub enum SlowReason {
    /// It did not take a message within this time.
    WriteDeadline(Duration),
    /// More than this many changes waited for it.
    QueueEntries(usize),
    /// More than this many bytes waited for it.
    QueueBytes(usize),
}

impl SlowReason {
    /// The limit that was reached.
    pub const fn limit(self) -> Limit {
        match self {
            Self::WriteDeadline(_) => Limit::WriteDeadline,
            Self::QueueEntries(_) => Limit::QueueEntries,
            Self::QueueBytes(_) => Limit::QueueBytes,
        }
    }
}

impl fmt::Display for SlowReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WriteDeadline(limit) => {
                write!(f, "the peer took no message within {} ms (limit write_deadline)", limit.as_millis())
            }
            Self::QueueEntries(limit) => {
                write!(f, "more than {limit} changes waited for the peer (limit queue_entries)")
            }
            Self::QueueBytes(limit) => {
                write!(f, "more than {limit} bytes waited for the peer (limit queue_bytes)")
            }
        }
    }
}

/// Why no stream is opened. Nothing has been sent; the request gets an error.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[expect(clippy::exhaustive_enums, reason = "the table of errors should hear of a new reason")]
pub enum ListenRefused {
    /// The server has as many streams as it holds.
    #[error(
        "the server holds no more than {limit} subscription streams (limit streams); try again when others have ended"
    )]
    TooManyStreams {
        /// [`HubLimits::streams`](super::HubLimits::streams).
        limit: usize,
    },
    /// The principal has as many streams as one may have.
    #[error(
        "one caller may hold no more than {limit} subscription streams (limit streams_per_principal); end one, or ask for more on each"
    )]
    TooManyOfPrincipal {
        /// [`HubLimits::streams_per_principal`](super::HubLimits::streams_per_principal).
        limit: usize,
    },
    /// A stream with this id is open on the same connection.
    #[error("a subscription with the id {id} is open on this connection; use another request id")]
    IdInUse {
        /// The id as JSON text.
        id: String,
    },
    /// The id is too long to be repeated with every notification.
    #[error("the id of a subscription may have no more than {limit} bytes (limit id_bytes)")]
    IdTooLong {
        /// [`HubLimits::id_bytes`](super::HubLimits::id_bytes).
        limit: usize,
    },
    /// The server is about to stop.
    #[error("the server is shutting down and opens no subscription streams")]
    ShuttingDown,
}

impl ListenRefused {
    /// The limit that was reached, if it is one.
    pub const fn limit(&self) -> Option<Limit> {
        match self {
            Self::TooManyStreams { .. } => Some(Limit::Streams),
            Self::TooManyOfPrincipal { .. } => Some(Limit::StreamsPerPrincipal),
            Self::IdTooLong { .. } => Some(Limit::StreamIdBytes),
            Self::IdInUse { .. } | Self::ShuttingDown => None,
        }
    }
}

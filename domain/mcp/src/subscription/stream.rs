//! The life of one subscription: pending, live, closed.

use alloc::vec::Vec;

use super::encoded::EncodedChange;
use super::filter::Filter;
use super::wire;
use crate::ident::{KeptRequestId, RequestId};
use crate::wire::ServerIdentity;

/// A subscription that has not been acknowledged: it can send nothing else.
///
/// The acknowledgement is the first message with the subscription's id
/// ([Acknowledgment](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#acknowledgment)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PendingStream<'a> {
    id: RequestId<'a>,
    accepted: Filter,
}

impl<'a> PendingStream<'a> {
    /// The subscription that the request `id` opens, with what the server grants of its filter.
    pub fn new(id: RequestId<'a>, accepted: Filter) -> Self {
        Self { id, accepted }
    }

    /// What the server grants.
    pub fn accepted(&self) -> &Filter {
        &self.accepted
    }

    /// Makes the stream live, with the acknowledgement that is to be sent before anything else.
    pub fn acknowledge(self) -> (LiveStream, Vec<u8>) {
        let acknowledgement = wire::acknowledgement(self.id, &self.accepted).into_bytes();
        (LiveStream { id: self.id.keep() }, acknowledgement)
    }
}

/// A subscription that has been acknowledged and has not ended.
#[derive(PartialEq, Eq, Debug)]
pub struct LiveStream {
    id: KeptRequestId,
}

impl LiveStream {
    /// The id of the request that opened the stream.
    pub fn id(&self) -> RequestId<'_> {
        self.id.id()
    }

    /// The notification of one change on this stream.
    pub fn notification(&self, change: &EncodedChange) -> Vec<u8> {
        self.pieces(change).concat()
    }

    /// The notification of one change on this stream, in pieces that follow one another: a JSON object without line breaks.
    pub fn pieces<'a>(&'a self, change: &'a EncodedChange) -> [&'a [u8]; 3] {
        [change.prefix(), self.id().as_json(), change.suffix()].map(str::as_bytes)
    }

    /// Ends the stream on the server's initiative, with the result that is to be sent after everything else
    /// ([Graceful Closure](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions#graceful-closure)).
    pub fn end(self, identity: &ServerIdentity) -> Vec<u8> {
        wire::final_result(self.id(), identity).into_bytes()
    }
}

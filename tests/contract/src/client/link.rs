//! What carries messages.

use std::fmt::Debug;

use tokio::sync::mpsc::UnboundedReceiver;

/// The messages that belong to one request, in their order; an error once the link broke. It ends after the answer.
pub(super) type Messages = UnboundedReceiver<Result<Vec<u8>, String>>;

/// A request as it goes out.
#[derive(Debug)]
pub(super) struct Outgoing {
    pub(super) id: i64,
    pub(super) body: Vec<u8>,
    /// The headers of the protocol, for a link that has headers.
    pub(super) headers: Vec<(String, String)>,
}

/// Carries requests to a server and what belongs to each of them back.
pub(super) trait Link: Debug + Send + Sync {
    /// Whether requests need headers.
    fn has_headers(&self) -> bool;

    /// Sends a request.
    fn send(&self, request: Outgoing) -> Messages;

    /// Cancels a request that is not answered yet.
    fn cancel(&self, id: i64);

    /// What arrived and belongs to no request.
    fn stray(&self) -> Option<String>;
}

/// The message that cancels a request where messages do.
pub(super) fn cancellation(id: i64) -> Vec<u8> {
    format!(r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#)
        .into_bytes()
}

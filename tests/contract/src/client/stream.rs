//! Streams of changes.

use serde_json::{Value, json};

use super::call::{Call, Incoming};
use super::error::ClientError;
use super::session::Client;

/// A stream that the server has opened. Dropping it cancels it.
#[derive(Debug)]
pub struct Subscription {
    call: Call,
    accepted: Value,
}

/// One message of a stream.
#[derive(Clone, PartialEq, Debug)]
pub struct Notification {
    /// Its method, such as `notifications/resources/updated`.
    pub method: String,
    /// Its parameters, the id of the subscription among their `_meta`.
    pub params: Value,
}

impl Client {
    /// Opens a stream, such as `{"toolsListChanged": true, "resourceSubscriptions": ["file:///a"]}`, and waits until the
    /// server says what it grants.
    ///
    /// # Errors
    ///
    /// As [`Call::end`], and [`ClientError::OtherOutcome`] when another message comes before the acknowledgement.
    pub async fn listen(&self, notifications: Value) -> Result<Subscription, ClientError> {
        let mut call = self.send("subscriptions/listen", json!({"notifications": notifications}))?;
        match call.next().await? {
            Incoming::Notification { method, mut params }
                if method == "notifications/subscriptions/acknowledged" =>
            {
                let accepted = params.get_mut("notifications").map(Value::take).unwrap_or_default();
                Ok(Subscription { call, accepted })
            }
            Incoming::Notification { method, .. } => {
                Err(ClientError::OtherOutcome(format!("{method} comes before the acknowledgement")))
            }
            Incoming::Result(result) => {
                Err(ClientError::OtherOutcome(format!("the stream ended before it was open, with {result}")))
            }
        }
    }
}

impl Subscription {
    /// What the server grants of what was asked for.
    pub fn accepted(&self) -> &Value {
        &self.accepted
    }

    /// Waits for the next change; `None` once the server has ended the stream with its final result.
    ///
    /// # Errors
    ///
    /// As [`Call::end`].
    pub async fn next(&mut self) -> Result<Option<Notification>, ClientError> {
        match self.call.next().await? {
            Incoming::Notification { method, params } => Ok(Some(Notification { method, params })),
            Incoming::Result(_) => Ok(None),
        }
    }

    /// Ends the stream from this side.
    pub fn cancel(self) {
        self.call.cancel();
    }
}

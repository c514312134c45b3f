//! One request that is under way.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::error::ClientError;
use super::link::{Link, Messages};
use super::outcome::Progress;
use super::wire_schema::WireSchema;

pub(super) type OnProgress = Arc<dyn Fn(Progress) + Send + Sync>;

/// A request that was sent. Dropping it before its end cancels it, as [`cancel`](Self::cancel) does.
pub struct Call {
    link: Arc<dyn Link>,
    id: i64,
    method: String,
    messages: Messages,
    on_progress: Option<OnProgress>,
    ended: bool,
}

/// What arrived.
pub(super) enum Incoming {
    Notification { method: String, params: Value },
    Result(Value),
}

impl Call {
    pub(super) fn new(
        link: Arc<dyn Link>,
        id: i64,
        method: &str,
        messages: Messages,
        on_progress: Option<OnProgress>,
    ) -> Self {
        Self { link, id, method: method.to_owned(), messages, on_progress, ended: false }
    }

    /// The id of the request.
    pub fn id(&self) -> i64 {
        self.id
    }

    /// Waits for the answer and gives its result; progress goes to the client's callback meanwhile.
    ///
    /// # Errors
    ///
    /// [`ClientError`] when the server refuses, writes what the revision does not allow, or does not answer.
    pub async fn end(mut self) -> Result<Value, ClientError> {
        loop {
            if let Incoming::Result(result) = self.next().await? {
                return Ok(result);
            }
        }
    }

    /// Waits for the next report of progress, so that a test can act in the middle of a call.
    ///
    /// # Errors
    ///
    /// As [`end`](Self::end), and [`ClientError::OtherOutcome`] when the call ends before.
    pub async fn progress(&mut self) -> Result<Progress, ClientError> {
        loop {
            match self.next().await? {
                Incoming::Notification { method, params } if method == "notifications/progress" => {
                    return Ok(Progress::of(&params));
                }
                Incoming::Notification { .. } => {}
                Incoming::Result(result) => {
                    return Err(ClientError::OtherOutcome(format!("it ended before, with {result}")));
                }
            }
        }
    }

    /// Cancels the request: by `notifications/cancelled`, over HTTP by closing the connection.
    pub fn cancel(self) {
        drop(self);
    }

    /// The next message, after it was checked.
    pub(super) async fn next(&mut self) -> Result<Incoming, ClientError> {
        let received = self.messages.recv().await;
        if let Some(stray) = self.link.stray() {
            let reason = format!("the server wrote what belongs to no request: {stray}");
            return Err(self.ended_with(ClientError::NoAnswer(reason)));
        }
        let bytes = match received {
            Some(Ok(bytes)) => bytes,
            Some(Err(fault)) => return Err(self.ended_with(ClientError::NoAnswer(fault))),
            None => {
                let reason = format!("{} ended without an answer", self.method);
                return Err(self.ended_with(ClientError::NoAnswer(reason)));
            }
        };
        let Ok(mut message) = serde_json::from_slice::<Value>(&bytes) else {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            return Err(self.ended_with(ClientError::NoAnswer(format!("no JSON: {text}"))));
        };
        WireSchema::get().check(&self.method, &message)?;
        if let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) {
            let params = message.get_mut("params").map(Value::take).unwrap_or_default();
            if let Some(on_progress) =
                self.on_progress.as_ref().filter(|_| method == "notifications/progress")
            {
                on_progress(Progress::of(&params));
            }
            return Ok(Incoming::Notification { method, params });
        }
        self.ended = true;
        if message.get("id").and_then(Value::as_i64).is_some_and(|id| id != self.id) {
            return Err(ClientError::NoAnswer(format!("the answer has another id: {message}")));
        }
        match message.get("error") {
            None => Ok(Incoming::Result(message.get_mut("result").map(Value::take).unwrap_or_default())),
            Some(error) => Err(ClientError::Refused {
                code: error.get("code").and_then(Value::as_i64).unwrap_or_default(),
                message: error.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
                data: error.get("data").cloned().unwrap_or_default(),
            }),
        }
    }

    fn ended_with(&mut self, error: ClientError) -> ClientError {
        self.ended = true;
        error
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if !self.ended {
            self.link.cancel(self.id);
        }
    }
}

impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("id", &self.id).field("method", &self.method).finish_non_exhaustive()
    }
}

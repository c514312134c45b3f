//! Requests over a pair of byte streams, one message a line.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::lock::lock;

use super::link::{Link, Messages, Outgoing, cancellation};

type Open = BTreeMap<i64, UnboundedSender<Result<Vec<u8>, String>>>;

#[derive(Debug)]
pub(super) struct StdioLink {
    lines: UnboundedSender<Vec<u8>>,
    shared: Arc<Shared>,
}

#[derive(Default, Debug)]
struct Shared {
    open: Mutex<Open>,
    stray: Mutex<Option<String>>,
    ended: Mutex<Option<String>>,
}

impl StdioLink {
    pub(super) fn new<R, W>(reader: R, mut writer: W) -> Self
    where
        R: AsyncRead + Unpin + Send + 'static,
        W: AsyncWrite + Unpin + Send + 'static,
    {
        let (lines, mut outgoing) = unbounded_channel::<Vec<u8>>();
        let shared = Arc::new(Shared::default());
        tokio::spawn(async move {
            while let Some(mut line) = outgoing.recv().await {
                line.push(b'\n');
                if writer.write_all(&line).await.is_err() || writer.flush().await.is_err() {
                    return;
                }
            }
            // The end of the input is what ends a server on stdio.
            writer.shutdown().await.ok();
        });
        let reading = Arc::clone(&shared);
        tokio::spawn(async move {
            let mut reader = BufReader::new(reader);
            let end = loop {
                let mut line = Vec::new();
                match reader.read_until(b'\n', &mut line).await {
                    Ok(0) => break "the server closed its output".to_owned(),
                    Ok(_) => reading.route(&line),
                    Err(fault) => break format!("the server's output cannot be read: {fault}"),
                }
            };
            reading.end(end);
        });
        Self { lines, shared }
    }
}

impl Shared {
    /// Hands a line to the request that it belongs to.
    fn route(&self, line: &[u8]) {
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        let message = serde_json::from_slice::<Value>(line).unwrap_or_default();
        let mut open = lock(&self.open);
        let id = owner(&message);
        let Some(messages) = id.and_then(|id| open.get(&id)) else {
            drop(open);
            lock(&self.stray).get_or_insert_with(|| String::from_utf8_lossy(line).into_owned());
            return;
        };
        // What is sent after a request was given up is nobody's, and allowed.
        messages.send(Ok(line.to_vec())).ok();
        if message.get("id").is_some()
            && let Some(id) = id
        {
            open.remove(&id);
        }
    }

    fn end(&self, reason: String) {
        for messages in std::mem::take(&mut *lock(&self.open)).into_values() {
            messages.send(Err(reason.clone())).ok();
        }
        *lock(&self.ended) = Some(reason);
    }
}

/// The request that a message belongs to: by its id, by the progress token, which is the id, or by the subscription, whose
/// id is that of its request.
fn owner(message: &Value) -> Option<i64> {
    let params = message.get("params");
    let places = [
        message.get("id"),
        params.and_then(|params| params.get("progressToken")),
        params.and_then(|params| params.pointer("/_meta/io.modelcontextprotocol~1subscriptionId")),
    ];
    places.into_iter().flatten().find_map(Value::as_i64)
}

impl Link for StdioLink {
    fn has_headers(&self) -> bool {
        false
    }

    fn send(&self, request: Outgoing) -> Messages {
        let (sender, messages) = unbounded_channel();
        if let Some(reason) = lock(&self.shared.ended).clone() {
            sender.send(Err(reason)).ok();
            return messages;
        }
        lock(&self.shared.open).insert(request.id, sender);
        self.lines.send(request.body).ok();
        messages
    }

    /// The request stays known, because an answer may be under way.
    fn cancel(&self, id: i64) {
        self.lines.send(cancellation(id)).ok();
    }

    fn stray(&self) -> Option<String> {
        lock(&self.shared.stray).clone()
    }
}

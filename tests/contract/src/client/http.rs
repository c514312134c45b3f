//! Requests over HTTP/1.1, each on a connection of its own.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Mutex;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::AbortHandle;

use crate::lock::lock;

use super::link::{Link, Messages, Outgoing};

#[derive(Debug)]
pub(super) struct HttpLink {
    /// Host and port.
    authority: String,
    path: String,
    open: Mutex<BTreeMap<i64, AbortHandle>>,
}

impl HttpLink {
    /// `url` is `http://`, host, port and path.
    pub(super) fn new(url: &str) -> Self {
        let rest = url.strip_prefix("http://").unwrap_or(url);
        let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
        Self { authority: authority.to_owned(), path: format!("/{path}"), open: Mutex::default() }
    }

    fn head(&self, request: &Outgoing) -> String {
        let mut head = format!("POST {} HTTP/1.1\r\nHost: {}\r\n", self.path, self.authority);
        head.push_str("Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n");
        head.push_str("Connection: close\r\n");
        for (name, value) in &request.headers {
            // Writing to a string cannot fail.
            write!(head, "{name}: {value}\r\n").ok();
        }
        write!(head, "Content-Length: {}\r\n\r\n", request.body.len()).ok();
        head
    }
}

impl Link for HttpLink {
    fn has_headers(&self) -> bool {
        true
    }

    fn send(&self, request: Outgoing) -> Messages {
        let (sender, messages) = unbounded_channel();
        let (authority, head) = (self.authority.clone(), self.head(&request));
        let reading = tokio::spawn(async move {
            if let Err(fault) = exchange(&authority, &head, &request.body, &sender).await {
                sender.send(Err(fault)).ok();
            }
        });
        let mut open = lock(&self.open);
        open.retain(|_, reading| !reading.is_finished());
        open.insert(request.id, reading.abort_handle());
        messages
    }

    /// Closing the connection cancels.
    fn cancel(&self, id: i64) {
        if let Some(reading) = lock(&self.open).remove(&id) {
            reading.abort();
        }
    }

    fn stray(&self) -> Option<String> {
        None
    }
}

impl Drop for HttpLink {
    fn drop(&mut self) {
        for reading in lock(&self.open).values() {
            reading.abort();
        }
    }
}

type Reader = BufReader<TcpStream>;

async fn exchange(
    authority: &str,
    head: &str,
    body: &[u8],
    messages: &UnboundedSender<Result<Vec<u8>, String>>,
) -> Result<(), String> {
    let failed = |fault: std::io::Error| format!("the connection to {authority} broke: {fault}");
    let mut stream = TcpStream::connect(authority).await.map_err(failed)?;
    stream.write_all(head.as_bytes()).await.map_err(failed)?;
    stream.write_all(body).await.map_err(failed)?;
    let mut reader = BufReader::new(stream);
    let head = read_head(&mut reader).await.map_err(failed)?;
    let streamed = head.get("content-type").is_some_and(|kind| kind.starts_with("text/event-stream"));
    let mut body = Body::of(&head)?;
    let mut read = Vec::new();
    while let Some(part) = body.next(&mut reader).await? {
        read.extend_from_slice(&part);
        while streamed && let Some(event) = take_event(&mut read) {
            if let Some(data) = data_of(&event) {
                messages.send(Ok(data)).ok();
            }
        }
    }
    if !streamed && !read.is_empty() {
        messages.send(Ok(read)).ok();
    }
    Ok(())
}

/// The headers, by lower-case names.
async fn read_head(reader: &mut Reader) -> Result<BTreeMap<String, String>, std::io::Error> {
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).await? == 0 || line.trim().is_empty() {
            return Ok(headers);
        }
        if let Some((name, value)) = line.split_once(':') {
            headers.insert(name.trim().to_ascii_lowercase(), value.trim().to_owned());
        }
    }
}

/// How the end of a body is found.
enum Body {
    Left(usize),
    Chunked,
    UntilTheEnd,
}

impl Body {
    fn of(head: &BTreeMap<String, String>) -> Result<Self, String> {
        if head.get("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked")) {
            return Ok(Self::Chunked);
        }
        match head.get("content-length") {
            Some(length) => length.parse().map(Self::Left).map_err(|_| format!("{length:?} is no length")),
            None => Ok(Self::UntilTheEnd),
        }
    }

    /// The next part; `None` at the end.
    async fn next(&mut self, reader: &mut Reader) -> Result<Option<Vec<u8>>, String> {
        let broke = |fault: std::io::Error| format!("the response broke off: {fault}");
        match self {
            Self::Left(0) => Ok(None),
            Self::Left(left) => {
                let mut part = vec![0; *left];
                reader.read_exact(&mut part).await.map_err(broke)?;
                *left = 0;
                Ok(Some(part))
            }
            Self::UntilTheEnd => {
                let mut part = vec![0; 8192];
                let read = reader.read(&mut part).await.map_err(broke)?;
                part.truncate(read);
                Ok((read > 0).then_some(part))
            }
            Self::Chunked => {
                let mut line = String::new();
                reader.read_line(&mut line).await.map_err(broke)?;
                let size = line.trim().split(';').next().unwrap_or_default();
                let size =
                    usize::from_str_radix(size, 16).map_err(|_| format!("{line:?} is no chunk size"))?;
                let mut part = vec![0; size];
                reader.read_exact(&mut part).await.map_err(broke)?;
                line.clear();
                reader.read_line(&mut line).await.map_err(broke)?;
                Ok((size > 0).then_some(part))
            }
        }
    }
}

/// The first event, when all of it is there.
fn take_event(read: &mut Vec<u8>) -> Option<Vec<u8>> {
    let end = read.windows(2).position(|window| window == b"\n\n")?;
    Some(read.drain(..end.saturating_add(2)).collect())
}

/// The data of an event; `None` for a comment.
fn data_of(event: &[u8]) -> Option<Vec<u8>> {
    let lines = event.split(|byte| *byte == b'\n');
    let data = lines
        .filter_map(|line| line.strip_prefix(b"data:"))
        .map(|data| data.strip_prefix(b" ").unwrap_or(data));
    let data: Vec<&[u8]> = data.collect();
    (!data.is_empty()).then(|| data.join(&b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_taken_one_by_one_and_comments_hold_no_data() {
        let mut read = b": alive\n\nevent: message\ndata: {\ndata: }\n\ndata:x".to_vec();
        assert_eq!(data_of(&take_event(&mut read).unwrap()), None);
        assert_eq!(data_of(&take_event(&mut read).unwrap()), Some(b"{\n}".to_vec()));
        assert_eq!(take_event(&mut read), None);
        assert_eq!(read, b"data:x");
    }
}

//! A byte stream in pieces, cut into lines: the same lines as a plain split finds.
#![no_main]

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use async_trait::async_trait;
use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::{Admission, Answer, Channel, Inbound, McpDoor, McpService, Outbox, Served};
use pm_mcp_transport_stdio::{Stdio, StdioLimits};
use tokio::io::{AsyncRead, ReadBuf};

const LIMIT: usize = 64;

#[derive(Debug, Default)]
struct Heard(Mutex<Vec<Vec<u8>>>);

impl McpService for Heard {
    fn admission(&self) -> Admission {
        Admission::Local
    }

    fn open(self: Arc<Self>, _: Channel) -> Arc<dyn McpDoor> {
        self
    }
}

#[async_trait]
impl McpDoor for Heard {
    async fn serve(&self, inbound: Inbound<'_>, _: &mut dyn Outbox) -> Served {
        self.0.lock().unwrap().push(inbound.bytes.to_vec());
        Served::Answered(Answer::new(200, b"{}"))
    }

    fn close(&self) {}
}

/// Gives out so many bytes at a time.
struct Pieces(VecDeque<u8>, usize);

impl AsyncRead for Pieces {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<std::io::Result<()>> {
        let count = self.1.min(self.0.len()).min(into.remaining());
        into.put_slice(&self.0.drain(..count).collect::<Vec<u8>>());
        Poll::Ready(Ok(()))
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((size, bytes)) = input.split_first() else { return };
    let heard = Arc::new(Heard::default());
    let limits = StdioLimits { max_frame_bytes: LIMIT, max_in_flight: 1, ..StdioLimits::default() };
    let session = Stdio::over(Pieces(bytes.iter().copied().collect(), usize::from(*size) + 1), tokio::io::sink()).limits(limits);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let service: Arc<dyn McpService> = heard.clone();
    runtime.block_on(session.serve(service, Principal::local("fuzz"), std::future::pending())).unwrap();
    let found = std::mem::take(&mut *heard.0.lock().unwrap());
    let lines = bytes.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let wanted: Vec<&[u8]> = lines
        .filter(|line| line.len() <= LIMIT && !line.trim_ascii().is_empty())
        .collect();
    let mut found_sorted: Vec<&[u8]> = found.iter().map(Vec::as_slice).collect();
    found_sorted.retain(|line| !line.trim_ascii().is_empty());
    assert_eq!(found_sorted, wanted);
});

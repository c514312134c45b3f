//! One session as one state machine: it reads frames, has them served, and writes what comes of them.
//!
//! A request is polled once where it is read. If its answer is ready then, nothing was spawned for it and the memory
//! of its future and its frame is used again for the next one; if not, it goes on as a task of its own.

use std::collections::VecDeque;
use std::future::pending;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use pm_mcp_domain::fault::{Rejection, rejection_json};
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::request::{Binding, Verdict, judge};
use pm_mcp_ports::driving::{Inbound, Served};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::JoinSet;
use tokio_util::sync::ReusableBoxFuture;

use crate::error::StdioError;
use crate::frames::{Frame, Frames};
use crate::limits::StdioLimits;
use crate::output::{Door, LineOutbox};

/// The answer to a request whose handler panicked; which one it was cannot be told any more.
const PANICKED: &[u8] = br#"{"jsonrpc":"2.0","error":{"code":-32603,"message":"internal error"}}"#;

/// An output buffer that grew beyond this is given back once it is written.
const KEEP: usize = 256 << 10;

pub(crate) struct Session<R, W> {
    reader: R,
    writer: W,
    limits: StdioLimits,
    frames: Frames,
    door: Arc<Door>,
    next: ReusableBoxFuture<'static, Finished>,
    running: JoinSet<Finished>,
    waiting: VecDeque<Waiting>,
    waiting_bytes: usize,
    outgoing: Vec<u8>,
    written: usize,
    flush_due: bool,
}

/// A request that waits in line until another one ends.
struct Waiting {
    frame: Vec<u8>,
    /// Its id as JSON text, where it has one.
    id: Option<String>,
}

/// A request that was served, and the memory it came in.
struct Finished {
    frame: Vec<u8>,
    served: Served,
}

async fn attend(door: Arc<Door>, frame: Vec<u8>) -> Finished {
    let mut outbox = LineOutbox { output: &door.output };
    let inbound = Inbound::local(&frame, Binding::Stdio, &door.principal);
    let served = door.service.serve(inbound, &mut outbox).await;
    Finished { frame, served }
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Session<R, W> {
    pub(crate) fn new(reader: R, writer: W, limits: StdioLimits, door: Arc<Door>) -> Self {
        Self {
            reader,
            writer,
            limits,
            frames: Frames::new(limits.max_frame_bytes),
            door,
            next: ReusableBoxFuture::new(pending()),
            running: JoinSet::new(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            outgoing: Vec::new(),
            written: 0,
            flush_due: false,
        }
    }

    /// Serves until the input ends.
    pub(crate) fn poll_serve(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StdioError>> {
        self.door.output.watch(cx);
        loop {
            self.take_frames(cx);
            self.collect(cx);
            let was_full = !self.has_room();
            let _all_written = self.poll_write(cx)?;
            if !self.has_room() {
                return Poll::Pending;
            }
            if was_full {
                // Frames that were read already may be waiting for this room.
                continue;
            }
            if ready!(self.poll_read(cx))? == 0 {
                if let Some(frame) = self.frames.last() {
                    self.take(frame, cx);
                }
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Brings to an end what was taken, reading nothing more.
    pub(crate) fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StdioError>> {
        self.door.output.watch(cx);
        self.collect(cx);
        ready!(self.poll_write(cx))?;
        match self.running.is_empty() && self.waiting.is_empty() {
            true => Poll::Ready(Ok(())),
            false => Poll::Pending,
        }
    }

    /// How many requests have no answer yet.
    pub(crate) fn unanswered(&self) -> usize {
        self.running.len() + self.waiting.len()
    }

    /// Takes the answers of tasks that ended, and starts requests from the line in their place. To be called after
    /// the last start, so that the end of every task wakes this one.
    fn collect(&mut self, cx: &mut Context<'_>) {
        if self.running.is_empty() {
            return;
        }
        loop {
            while let Poll::Ready(Some(ended)) = self.running.poll_join_next(cx) {
                match ended {
                    Ok(finished) => self.finish(finished),
                    Err(error) if error.is_panic() => self.panicked(),
                    Err(_) => tracing::debug!("a request was cancelled"),
                }
            }
            if self.running.len() >= self.max_in_flight() {
                return;
            }
            let Some(Waiting { frame, .. }) = self.waiting.pop_front() else { return };
            self.waiting_bytes = self.waiting_bytes.saturating_sub(frame.len());
            self.start(frame, cx);
        }
    }

    fn take_frames(&mut self, cx: &mut Context<'_>) {
        while self.has_room()
            && let Some(frame) = self.frames.next()
        {
            self.take(frame, cx);
        }
    }

    fn has_room(&self) -> bool {
        let line_has_room = self.waiting.is_empty() || self.waiting_bytes < self.limits.max_waiting_bytes;
        line_has_room && self.door.output.has_room()
    }

    /// With none, nothing would ever be answered.
    fn max_in_flight(&self) -> usize {
        self.limits.max_in_flight.max(1)
    }

    fn take(&mut self, frame: Frame, cx: &mut Context<'_>) {
        match frame {
            Frame::Line(frame) if self.running.len() >= self.max_in_flight() => self.queue(frame, cx),
            Frame::Line(frame) => self.start(frame, cx),
            Frame::TooLarge => {
                let limit = self.limits.max_frame_bytes;
                let rejection = Rejection::TooLarge { limit };
                tracing::debug!("a frame is refused: {rejection}");
                self.door.limit_counts.count(Limit::FrameBytes);
                self.door.output.push(rejection_json(None, &rejection).as_bytes());
            }
        }
    }

    /// Lets a request wait in line. A notification does not wait: a cancellation has to reach what keeps the others
    /// waiting, and a request that is cancelled while it waits is never begun.
    fn queue(&mut self, frame: Vec<u8>, cx: &mut Context<'_>) {
        let text = |id: Option<RequestId<'_>>| id.map(|id| id.as_json().to_owned());
        let id = match judge(&frame, Binding::Stdio) {
            Verdict::Request(request) => text(Some(request.id)),
            Verdict::Refused(refused) => text(refused.id),
            Verdict::Notification(notification) => {
                if let Some(cancelled) = text(notification.cancels) {
                    self.waiting.retain(|waiting| waiting.id.as_ref() != Some(&cancelled));
                    self.waiting_bytes = self.waiting.iter().map(|waiting| waiting.frame.len()).sum();
                }
                return self.start(frame, cx);
            }
        };
        self.door.limit_counts.count(Limit::InFlight);
        self.waiting_bytes += frame.len();
        self.waiting.push_back(Waiting { frame, id });
    }

    fn start(&mut self, frame: Vec<u8>, cx: &mut Context<'_>) {
        self.next.set(attend(Arc::clone(&self.door), frame));
        match catch_unwind(AssertUnwindSafe(|| self.next.poll(cx))) {
            Ok(Poll::Ready(finished)) => self.finish(finished),
            Ok(Poll::Pending) => {
                let request = std::mem::replace(&mut self.next, ReusableBoxFuture::new(pending()));
                self.running.spawn(request);
            }
            Err(_) => {
                self.next = ReusableBoxFuture::new(pending());
                self.panicked();
            }
        }
    }

    fn finish(&mut self, finished: Finished) {
        match finished.served {
            Served::Answered(answer) => self.door.output.push(&answer.body),
            Served::Accepted | Served::Cancelled | Served::HandedOver => {}
        }
        self.frames.recycle(finished.frame);
    }

    fn panicked(&mut self) {
        tracing::error!("a request panicked");
        self.door.output.push(PANICKED);
    }

    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<Result<usize, StdioError>> {
        let mut space = ReadBuf::new(self.frames.space());
        ready!(Pin::new(&mut self.reader).poll_read(cx, &mut space)).map_err(StdioError::Read)?;
        let count = space.filled().len();
        self.frames.filled(count);
        Poll::Ready(Ok(count))
    }

    /// Ready when everything is written and flushed.
    fn poll_write(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StdioError>> {
        loop {
            while let Some(rest) = self.outgoing.get(self.written..).filter(|rest| !rest.is_empty()) {
                let count =
                    ready!(Pin::new(&mut self.writer).poll_write(cx, rest)).map_err(StdioError::Write)?;
                if count == 0 {
                    return Poll::Ready(Err(StdioError::Write(std::io::ErrorKind::WriteZero.into())));
                }
                self.written += count;
                self.flush_due = true;
            }
            self.written = 0;
            self.outgoing.clear();
            self.outgoing.shrink_to(KEEP);
            self.door.output.take(&mut self.outgoing);
            if self.outgoing.is_empty() {
                break;
            }
        }
        if self.flush_due {
            ready!(Pin::new(&mut self.writer).poll_flush(cx)).map_err(StdioError::Write)?;
            self.flush_due = false;
        }
        Poll::Ready(Ok(()))
    }
}

//! What waits to be written, and the door through which requests add to it.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use async_trait::async_trait;
use futures_util::task::AtomicWaker;
use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::{LimitCounts, McpDoor, Outbox, PeerGone};

use crate::line::append_line;

/// What all requests of one session share.
#[derive(Debug)]
pub(crate) struct Door {
    pub(crate) service: Arc<dyn McpDoor>,
    pub(crate) principal: Principal,
    pub(crate) output: Output,
    pub(crate) limit_counts: Arc<LimitCounts>,
}

/// Lines that wait for the writer.
#[derive(Debug)]
pub(crate) struct Output {
    state: Mutex<State>,
    writer: AtomicWaker,
    limit: usize,
}

#[derive(Debug, Default)]
struct State {
    lines: Vec<u8>,
    closed: bool,
    waiting: Vec<Waker>,
}

impl Output {
    /// An empty output that counts as full from `limit` bytes on.
    pub(crate) fn new(limit: usize) -> Self {
        Self { state: Mutex::default(), writer: AtomicWaker::new(), limit: limit.max(1) }
    }

    /// Adds an answer. There is always room for one: it stands for a request that was taken.
    pub(crate) fn push(&self, message: &[u8]) {
        append_line(message, &mut self.lock().lines);
    }

    /// Whether more requests may be taken.
    pub(crate) fn has_room(&self) -> bool {
        self.lock().lines.len() < self.limit
    }

    /// Moves all lines to `empty`, whose memory takes their place, and lets go on who waited for room.
    pub(crate) fn take(&self, empty: &mut Vec<u8>) {
        let mut state = self.lock();
        if state.lines.is_empty() {
            return;
        }
        std::mem::swap(&mut state.lines, empty);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }

    /// Has the task of `cx` woken when there is something to write.
    pub(crate) fn watch(&self, cx: &Context<'_>) {
        self.writer.register(cx.waker());
    }

    /// Refuses whatever is still to come.
    pub(crate) fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.into_iter().for_each(Waker::wake);
    }

    fn poll_send(&self, message: &[u8], cx: &Context<'_>) -> Poll<Result<(), PeerGone>> {
        let mut state = self.lock();
        if state.closed {
            return Poll::Ready(Err(PeerGone));
        }
        if state.lines.len() >= self.limit {
            if !state.waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
                state.waiting.push(cx.waker().clone());
            }
            return Poll::Pending;
        }
        append_line(message, &mut state.lines);
        drop(state);
        self.writer.wake();
        Poll::Ready(Ok(()))
    }

    /// A panic while the lock is held leaves whole lines behind at worst a truncated one, and ends the session.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The outbox of one request.
#[derive(Debug)]
pub(crate) struct LineOutbox<'a> {
    pub(crate) output: &'a Output,
}

#[async_trait]
impl Outbox for LineOutbox<'_> {
    async fn send(&mut self, message: Vec<u8>) -> Result<(), PeerGone> {
        poll_fn(|cx| self.output.poll_send(&message, cx)).await
    }
}

//! A request that became a stream.

use std::task::{Context, Poll};

/// What a stream came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "whoever carries a stream should hear of a new step")]
pub enum StreamStep {
    /// A message was said that precedes the answer.
    Message,
    /// The answer was said; nothing follows.
    Answer,
    /// Nothing was said and nothing may be sent any more, as with [`Served::Cancelled`](super::Served::Cancelled).
    Cancelled,
}

/// What is left of a request that became a stream: where its messages come from, and nothing of what only its beginning
/// needed. Dropping it cancels the request.
///
/// It is asked for a message once there is room for one, so it cannot know of a peer that takes nothing: whoever carries it
/// bounds how long that may go on.
pub trait MessageStream: Send {
    /// Says the next message, a JSON object without line breaks, in pieces that follow one another; `say` is called once,
    /// and only when the message is ready. Not to be polled after the answer or the cancellation.
    fn poll_next(&mut self, task: &mut Context<'_>, say: &mut dyn FnMut(&[&[u8]])) -> Poll<StreamStep>;
}

//! Speaking to a server: a message out, what comes back in.

mod conversation;
mod heard;
mod http;
mod stdio;

pub(crate) use self::http::HttpPeer;
pub(crate) use conversation::Peer;
pub(crate) use heard::{Headers, Heard, LONGEST, Unheard};
pub(crate) use stdio::StdioPeer;

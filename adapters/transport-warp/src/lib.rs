//! The Streamable HTTP transport on warp and hyper
//! ([Streamable HTTP](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http)).
//!
//! [`Http`] says where to listen and within which bounds, [`BoundHttp`] serves any
//! [`McpService`](pm_mcp_ports::driving::McpService) there. It bounds, frames and streams. Which requests are taken is
//! judged by the domain's [`HttpPolicy`](pm_mcp_domain::http::HttpPolicy), what they mean by the service.
//!
//! [`HttpEndpoint`] is the same inside a server that exists already: a filter for warp, a function for anything else.
//!
//! - The answer is one JSON object unless the service has something to say before it; then, and only then, the
//!   response becomes an event stream.
//! - A request is served on the task of its connection. Closing the connection or the stream drops it, which cancels
//!   its handler.
//! - A stream of changes is carried by its HTTP/1.1 connection without the request, and the connection closes behind it.
//! - Where nobody is asked for a token, only loopback addresses are bound, unless the service says that strangers may
//!   call. Where tokens are asked for, the metadata of the resource is served, to everyone.
//!
//! HTTP/2 takes the feature `http2`, which is on by default.
//!
//! Messages whose length is given both by `Content-Length` and by `Transfer-Encoding` are read by the latter and end
//! their connection, so that nothing behind them is ever taken for a request.

mod bell;
mod body;
mod connection;
mod cors;
mod endpoint;
mod error;
mod event_stream;
mod exchange;
mod handover;
mod head;
mod headers;
mod http_server;
mod limits;
mod lingering;
mod long_head;
mod metadata;
mod mounted;
#[cfg(feature = "http2")]
mod owed;
mod peer;
mod probe;
mod protocol;
mod reply;
mod sse;
mod stall;
mod stream_connection;
mod terms;

pub use error::HttpError;
pub use http_server::{BoundHttp, Http, is_loopback_only};
pub use limits::HttpLimits;
pub use mounted::HttpEndpoint;

//! The stdio transport: one JSON-RPC message a line
//! ([stdio](https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/stdio)).
//!
//! [`Stdio`] serves any [`McpService`](pm_mcp_ports::driving::McpService) over the standard streams of the process
//! or over any other pair of byte streams. It frames, bounds and orders; what a message means it does not know, but for
//! this: while requests wait in line, notifications overtake them, and a request that is cancelled there is not begun.
//!
//! - A frame ends at LF; a CR before it is dropped, blank lines are passed over.
//! - A frame that is too long is discarded up to its end in bounded memory and answered with one error.
//! - Answers go out as they are ready, in any order, each on one line and whole.
//! - Nothing but frames is ever written to the output; what there is to tell goes to `tracing`.

mod error;
mod frames;
mod limits;
mod line;
mod output;
mod process;
mod session;
mod thread_reader;
mod transport;

pub use error::StdioError;
pub use limits::StdioLimits;
pub use process::{StandardInput, StandardOutput};
pub use transport::Stdio;

//! Authorization of a client towards servers
//! ([Authorization](https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization)).
//!
//! Everything here is a pure function of what was received, what is known and, where secrets are made, of random bytes
//! given by the caller. Whoever drives it does the fetching.

mod http_url;

pub use http_url::{HttpUrl, LONGEST_URL, UrlFault};

//! What one HTTP server may use.

use std::time::Duration;

use pm_mcp_domain::http::HttpRefusal;

/// Bounds of one server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HttpLimits {
    /// Bytes of one request body; longer ones are answered with 413. Default 4 MiB.
    pub body_bytes: usize,
    /// Bytes of one request head; longer ones are answered with 431. Never below 8 KiB. Default 64 KiB.
    pub header_bytes: usize,
    /// Headers of one request; more are answered with 431. Default 100.
    pub max_headers: usize,
    /// How long a new connection may take to send its first request head. Default 10 s.
    pub header_read_time: Duration,
    /// How long one request body may take; slower ones are answered with 408. Default 30 s.
    pub body_read_time: Duration,
    /// How long a connection may go without starting another request, be it silent or halfway through a head. It
    /// is looked at once in each such span, so the connection closes after one to two of them; what it still
    /// answers is brought to an end first. Default 60 s.
    pub idle_time: Duration,
    /// How long a peer may take nothing of what waits for it, be it a stream or one long answer; then its connection is
    /// dropped, or, when it is one stream of an HTTP/2 connection for which the peer makes no room (8 KiB at a time), that
    /// stream. Default 10 s.
    pub write_time: Duration,
    /// How long a peer may leave sent bytes unread or unacknowledged before its connection counts as dead, where the
    /// operating system can tell. Default 60 s.
    pub unread_time: Duration,
    /// Bytes of one connection that the system takes from the server before the peer has made room for them, where it
    /// can tell. What is beyond waits in the server, where deadlines hold. Default 128 KiB.
    pub unsent_bytes: u32,
    /// Connections that are served at the same time; further ones wait to be accepted. Default 16,384.
    pub connections: usize,
    /// Requests at the same time on one HTTP/2 connection. Default 128.
    pub streams_per_connection: u32,
    /// How long requests may go on once a shutdown was asked for. Default 10 s.
    pub shutdown_grace: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            body_bytes: 4 << 20,
            header_bytes: 64 << 10,
            max_headers: 100,
            header_read_time: Duration::from_secs(10),
            body_read_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(60),
            write_time: Duration::from_secs(10),
            unread_time: Duration::from_secs(60),
            unsent_bytes: 128 << 10,
            connections: 16_384,
            streams_per_connection: 128,
            shutdown_grace: Duration::from_secs(10),
        }
    }
}

/// hyper panics below this.
const SMALLEST_BUFFER: usize = 8192;

impl HttpLimits {
    /// The bytes that a head may really have.
    pub(crate) fn head_room(&self) -> usize {
        self.header_bytes.max(SMALLEST_BUFFER)
    }

    /// The bytes of a head that HTTP/2 reads. What it does not read it refuses without words and uncounted, so there is room
    /// to tell who is over the limit by less than that again.
    #[cfg(feature = "http2")]
    pub(crate) fn header_list_bytes(&self) -> u32 {
        u32::try_from(self.head_room().saturating_mul(2)).unwrap_or(u32::MAX)
    }

    /// What who sends a longer head is told.
    pub(crate) fn head_refusal(&self) -> HttpRefusal {
        HttpRefusal::HeadTooLarge { bytes: self.head_room(), headers: self.max_headers }
    }
}

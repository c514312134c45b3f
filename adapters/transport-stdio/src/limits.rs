//! What one session may use.

use std::time::Duration;

/// Bounds of one session. Memory stays near the sum of the byte limits, whatever the peer sends or leaves unread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StdioLimits {
    /// Bytes of one incoming frame, its line end not counted. Longer ones are discarded and answered with an error.
    /// Default 4 MiB.
    pub max_frame_bytes: usize,
    /// Requests that are carried out at the same time. Further ones wait in line. Default 128.
    pub max_in_flight: usize,
    /// Bytes of requests that wait in line. When they are used up, reading stops until one of them starts.
    /// Default 8 MiB.
    pub max_waiting_bytes: usize,
    /// Bytes that wait for the peer to read them. Above that, reading stops and handlers that have more to say wait;
    /// answers that are ready are kept. Default 4 MiB.
    pub max_unread_bytes: usize,
    /// How long requests may go on once the input has ended or a shutdown was asked for. Default 1.5 s: clients
    /// commonly wait 2 s for a server to exit before they end it by force.
    pub shutdown_grace: Duration,
}

impl Default for StdioLimits {
    fn default() -> Self {
        Self {
            max_frame_bytes: 4 << 20,
            max_in_flight: 128,
            max_waiting_bytes: 8 << 20,
            max_unread_bytes: 4 << 20,
            shutdown_grace: Duration::from_millis(1500),
        }
    }
}

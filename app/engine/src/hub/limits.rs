//! How much the hub holds.

use std::time::Duration;

/// How much the hub holds, and how long it waits for a peer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HubLimits {
    /// How many streams may be open at once.
    pub streams: usize,
    /// How many of them may belong to one principal.
    pub streams_per_principal: usize,
    /// How many bytes the id of a stream may have, as JSON text.
    pub id_bytes: usize,
    /// How many changes may wait for one stream; changes of one topic count once, because the newest replaces the others.
    pub queue_entries: usize,
    /// How many bytes may wait for one stream. A change that is longer by itself still waits if it waits alone.
    pub queue_bytes: usize,
    /// How long the peer may take to accept one message, and at the end of a stream all that still waits.
    pub write_deadline: Duration,
}

impl Default for HubLimits {
    fn default() -> Self {
        Self {
            streams: 16_384,
            streams_per_principal: 1_024,
            id_bytes: 1_024,
            queue_entries: 1_024,
            queue_bytes: 262_144,
            write_deadline: Duration::from_secs(10),
        }
    }
}

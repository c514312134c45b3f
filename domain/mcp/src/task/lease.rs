//! Who works on a task, and until when that may be believed.

use alloc::string::String;
use core::fmt;

use super::id::{hexadecimal, is_hexadecimal};
use crate::time::Timestamp;

/// One start of one server process that runs tasks. A process that starts again has another one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WorkerId(String);

impl WorkerId {
    /// How many random bytes an id takes.
    pub const RANDOM_BYTES: usize = 16;

    /// The id made of these random bytes.
    pub fn from_random(bytes: &[u8; Self::RANDOM_BYTES]) -> Self {
        Self(hexadecimal(bytes))
    }

    /// Reads an id: 32 lower-case hexadecimal digits.
    pub fn parse(text: &str) -> Option<Self> {
        is_hexadecimal(text, Self::RANDOM_BYTES).then(|| Self(String::from(text)))
    }

    /// The id's text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WorkerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A worker's claim on a task. One that is not renewed in time shows that the worker is gone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lease {
    /// Who works on the task.
    pub worker: WorkerId,
    /// From this instant on the worker counts as lost, unless it has renewed the lease.
    pub until: Timestamp,
}

impl Lease {
    /// Whether the lease has run out.
    pub fn has_run_out(&self, now: Timestamp) -> bool {
        now >= self.until
    }
}

//! How long answers serve, and how much is asked.

use std::time::Duration;

/// How long answers serve, and how much is asked. Times are counted in the caller's time, but for `patience`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// How long an answer is kept, and so how long a token that was taken back is believed. A grant is never kept beyond
    /// the end of its token.
    pub keep: Duration,
    /// How long nothing is asked after the endpoint could not be reached.
    pub retry: Duration,
    /// How long a question may take.
    pub patience: Duration,
    /// How many questions may be under way.
    pub questions: usize,
}

impl Default for Bounds {
    /// Kept for 30 seconds, 1 second after a failure, 8 seconds to answer, 32 questions at a time.
    fn default() -> Self {
        Self {
            keep: Duration::from_secs(30),
            retry: Duration::from_secs(1),
            patience: Duration::from_secs(8),
            questions: 32,
        }
    }
}

//! How often limits were reached.

use std::sync::atomic::{AtomicU64, Ordering};

use pm_mcp_domain::limit::Limit;

/// How often each limit was reached since the server began, whoever noticed: the engine and every transport of one
/// service count in the same place.
#[derive(Default, Debug)]
pub struct LimitCounts([AtomicU64; Limit::ALL.len()]);

impl LimitCounts {
    /// Counts one more. It orders nothing: the numbers are for people to read.
    pub fn count(&self, limit: Limit) {
        if let Some(count) = self.0.get(limit.index()) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// How often a limit was reached.
    pub fn read(&self, limit: Limit) -> u64 {
        self.0.get(limit.index()).map_or(0, |count| count.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_counted_by_itself() {
        let counts = LimitCounts::default();
        for (more, limit) in Limit::ALL.into_iter().enumerate() {
            (0..more).for_each(|_| counts.count(limit));
        }
        for (expected, limit) in (0..).zip(Limit::ALL) {
            assert_eq!(counts.read(limit), expected, "{limit}");
        }
    }
}

//! What can be set.

/// How a [`SledDatabase`](crate::SledDatabase) is kept.
///
/// ```
/// use pm_mcp_task_sled::SledOptions;
///
/// let options = SledOptions { nonces: 10_000, ..SledOptions::default() };
/// assert_eq!(options.reserve, 64 << 20);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SledOptions {
    /// How many task records; one more is refused. The default is 1,000,000.
    pub records: u64,
    /// How many used nonces the replay guard remembers at a time; one more is refused. The default is 100,000.
    pub nonces: u64,
    /// How many bytes the disk must have free for anything to be added, because a log that meets a full disk cannot go
    /// on. The default is 64 MiB.
    pub reserve: u64,
    /// How many bytes of pages are held in memory. The default is 64 MiB.
    pub cache: u64,
}

impl Default for SledOptions {
    fn default() -> Self {
        Self { records: 1_000_000, nonces: 100_000, reserve: 64 << 20, cache: 64 << 20 }
    }
}

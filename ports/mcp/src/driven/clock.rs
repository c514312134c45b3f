//! The time.

use std::fmt::Debug;

use pm_mcp_domain::time::Timestamp;

/// Tells the time. The wall clock may step in either direction; callers must not rely on it growing.
pub trait Clock: Debug + Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> Timestamp;
}

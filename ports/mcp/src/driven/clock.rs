//! The time.

use std::fmt::Debug;

use async_trait::async_trait;
use pm_mcp_domain::time::Timestamp;

/// Tells the time and waits for it. The wall clock may step in either direction; callers must not rely on it growing.
///
/// # Laws
///
/// - CL-01: `sleep_until` an instant that `now` has reached is ready at once.
/// - CL-02: `sleep_until` never ends before the clock shows the instant, unless the wall clock stepped meanwhile.
/// - CL-03: a dropped `sleep_until` has no effect.
#[async_trait]
pub trait Clock: Debug + Send + Sync + 'static {
    /// The present instant.
    fn now(&self) -> Timestamp;

    /// Waits until the clock shows `instant`.
    async fn sleep_until(&self, instant: Timestamp);
}

//! The trace of the request that is being served, for code that has no context at hand.

use std::future::Future;

use pm_mcp_domain::trace::TraceContext;

tokio::task_local! {
    static CURRENT: TraceContext;
}

/// The trace of the request that the running code belongs to. Work that was spawned belongs to none, unless it was spawned
/// [`within`] one.
pub fn current() -> Option<TraceContext> {
    CURRENT.try_with(Clone::clone).ok()
}

/// Runs a future as part of a trace: the one way to let spawned work inherit it.
pub async fn within<F: Future>(trace: TraceContext, future: F) -> F::Output {
    CURRENT.scope(trace, future).await
}

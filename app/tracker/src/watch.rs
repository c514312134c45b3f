//! Long work, as its caller sees it: how far it is, and that it stops when nobody waits any more.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pm_mcp::Context;
use pm_tracker_ports::CheckProgress;

/// Watches the work of one call. Clones watch the same work.
#[derive(Debug, Clone)]
pub struct Watch {
    context: Context,
    /// Steps that were reached. It grows over all parts of the work, as progress has to.
    reached: Arc<AtomicUsize>,
    stopped: Arc<AtomicBool>,
}

impl Watch {
    /// Nothing is done yet.
    #[must_use]
    pub fn of(context: &Context) -> Self {
        Self { context: context.clone(), reached: Arc::default(), stopped: Arc::default() }
    }

    /// Stops the work when the value is dropped, however the call ends.
    pub(crate) fn stop_on_drop(&self) -> StopOnDrop {
        StopOnDrop(self.clone())
    }

    /// A part of the work that counts its own steps.
    pub(crate) fn part(&self, what: &'static str) -> Part {
        Part { watch: self.clone(), what, start: self.reached.load(Ordering::Relaxed) }
    }
}

/// See [`Watch::stop_on_drop`].
#[derive(Debug)]
pub(crate) struct StopOnDrop(Watch);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stopped.store(true, Ordering::Relaxed);
    }
}

/// See [`Watch::part`].
#[derive(Debug)]
pub(crate) struct Part {
    watch: Watch,
    what: &'static str,
    start: usize,
}

impl CheckProgress for Part {
    /// A report in a hundred steps is enough to see that the work goes on; in a task, each is a write.
    fn advanced(&self, checked: usize, total: usize) {
        if checked != total && !checked.is_multiple_of(total.div_ceil(100).max(1)) {
            return;
        }
        let (reached, total_reached) = (self.start.saturating_add(checked), self.start.saturating_add(total));
        self.watch.reached.fetch_max(reached, Ordering::Relaxed);
        let message = format!("{}: {checked} of {total}", self.what);
        self.watch.context.progress(as_number(reached), Some(as_number(total_reached)), message);
    }

    fn is_cancelled(&self) -> bool {
        self.watch.stopped.load(Ordering::Relaxed) || self.watch.context.is_cancelled()
    }
}

/// Steps are far fewer than a number can tell apart.
fn as_number(steps: usize) -> f64 {
    u32::try_from(steps).unwrap_or(u32::MAX).into()
}

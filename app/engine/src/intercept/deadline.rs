//! The nearest bound of an operation.

use std::future::Future;

use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::Clock;
use pm_mcp_ports::feature::{HandlerFault, TimeBound};

/// When an operation has to have ended, and what its caller gets otherwise.
#[derive(Clone, Debug)]
pub(super) struct Deadline {
    at: Timestamp,
    bound: TimeBound,
}

impl Deadline {
    /// The nearer of a deadline that holds already and a bound that begins now.
    pub(super) fn nearer(known: Option<Self>, bound: &TimeBound, now: Timestamp) -> Self {
        let at = now.after(bound.limit());
        match known {
            Some(known) if known.at <= at => known,
            Some(_) | None => Self { at, bound: bound.clone() },
        }
    }

    /// Lets work go on until the deadline. Work that is ready at once needs no timer.
    pub(super) async fn limit<T, E: From<HandlerFault>>(
        &self,
        clock: &dyn Clock,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        tokio::select! {
            biased;
            done = work => done,
            () = async { clock.sleep_until(self.at).await } => Err(self.bound.fault().into()),
        }
    }
}

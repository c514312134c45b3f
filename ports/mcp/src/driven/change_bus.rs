//! Changes that other processes hear of.

use std::fmt::Debug;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::subscription::Change;
use thiserror::Error;

use super::backend_error::BackendError;

/// Carries changes between the processes of one server, so that a listener hears of a change whichever process made it
/// ([Subscriptions](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/subscriptions)).
///
/// A value of this port is one member of a bus: as a rule, one a process. What it publishes goes to the feeds of the
/// *other* members. A server tells its own listeners itself, at once, and so tells each change once.
///
/// It carries events, not messages to a client: who may hear of a change and in which words is decided where it is heard.
///
/// # Laws
///
/// - CB-01: what a member publishes is heard once by every feed that the other members had attached by then, in the order
///   in which the member published it.
/// - CB-02: no feed of a member hears what that member published.
/// - CB-03: no feed hears what was published before it was attached.
/// - CB-04: a feed that is not read never holds back who publishes. Where it has lost changes it yields [`Heard::Lagged`]
///   in their place, then goes on with newer ones, the newest among them.
/// - CB-05: a [`ChangeFeed::next`] that is dropped before it is ready has taken nothing: the next call yields it.
/// - CB-06: a feed that was dropped costs nothing: publishing goes on without a failure, and other feeds hear as before.
/// - CB-07: a change arrives as it was published, of whatever kind: with its URI, or with the task's id, owner and state.
/// - CB-08: what was published before [`ChangeBus::sent`] was asked is heard although the member is gone once that is ready.
///
/// Not promised: an order between the changes of several members, that a change outlives the process that published it,
/// and that CB-03 covers what is still under way between two processes when a feed is attached.
///
/// ```
/// use pm_mcp_domain::subscription::Change;
/// use pm_mcp_ports::driven::{BackendError, ChangeBus, Heard};
///
/// /// Waits until the tools of another process change, or may have.
/// async fn tools_changed(bus: &dyn ChangeBus) -> Result<(), BackendError> {
///     let mut feed = bus.attach().await?;
///     loop {
///         if let Heard::Change(Change::ToolsListChanged) | Heard::Lagged = feed.next().await? {
///             return Ok(());
///         }
///     }
/// }
/// ```
#[async_trait]
pub trait ChangeBus: Debug + Send + Sync + 'static {
    /// Tells the other members of a change. It never waits, neither for a feed nor for a network: an adapter that has to
    /// send keeps the change in a bounded queue, and lets the feeds yield [`Heard::Lagged`] where that was full.
    ///
    /// Changes that are published at the same time may be heard in either order.
    ///
    /// # Errors
    ///
    /// [`PublishError::TooLarge`] for what this bus never carries, [`PublishError::Backend`] when it cannot be sent. The
    /// other members may not hear of the change then.
    fn publish(&self, change: &Change) -> Result<(), PublishError>;

    /// Waits until what was published before is on its way, so that a process which ends afterwards takes no change with it.
    /// It may take as long as what lies behind the bus is away: bound it. A future that is dropped changes nothing.
    async fn sent(&self);

    /// A feed of what the other members publish from now on. A future that is dropped leaves no feed behind.
    ///
    /// # Errors
    ///
    /// When nothing would be heard.
    async fn attach(&self) -> Result<Box<dyn ChangeFeed>, BackendError>;
}

/// What other members of a [`ChangeBus`] publish, for one reader. Dropped, it hears nothing more.
#[async_trait]
pub trait ChangeFeed: Debug + Send + 'static {
    /// Waits for what comes next. A future that is dropped has taken nothing (CB-05).
    ///
    /// # Errors
    ///
    /// When nothing is heard for now. Call again later; once it hears again, [`Heard::Lagged`] comes first. With
    /// [`Retry::Never`](super::Retry::Never), attach anew instead.
    async fn next(&mut self) -> Result<Heard, BackendError>;
}

/// What a feed yields.
#[derive(Clone, Debug)]
#[expect(
    clippy::exhaustive_enums,
    reason = "whoever reads a feed has to know what to do with all that it yields"
)]
pub enum Heard {
    /// Another member published this.
    Change(Change),
    /// Changes were lost here, of any kind and number: whoever relies on them has to look again.
    Lagged,
}

/// Why other members may not hear of a change.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PublishError {
    /// It takes more bytes than this bus carries at a time.
    #[error("the change takes {bytes} bytes, and this bus carries no more than {limit} at a time")]
    TooLarge {
        /// What it takes.
        bytes: usize,
        /// What the bus carries.
        limit: usize,
    },
    /// What lies behind the bus failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

macro_rules! forward {
    ($pointer:ident) => {
        #[deny(clippy::missing_trait_methods, reason = "a pointer answers what its target answers")]
        #[async_trait]
        impl<B: ChangeBus + ?Sized> ChangeBus for $pointer<B> {
            fn publish(&self, change: &Change) -> Result<(), PublishError> {
                (**self).publish(change)
            }

            async fn sent(&self) {
                (**self).sent().await;
            }

            async fn attach(&self) -> Result<Box<dyn ChangeFeed>, BackendError> {
                (**self).attach().await
            }
        }
    };
}

forward!(Arc);
forward!(Box);

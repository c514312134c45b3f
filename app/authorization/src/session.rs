//! What one authorizer remembers.

use std::sync::{Mutex, MutexGuard, PoisonError};

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::authorization::{Attempts, Granted};
use pm_mcp_domain::time::Timestamp;

/// What a flow works with, and leaves to the next one.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// What the last flow gained.
    pub(crate) granted: Option<Granted>,
    /// The scopes of every challenge that was met, so that a token for one operation stays good for the others. What the
    /// user did not consent to is not among them.
    pub(crate) asked: Scopes,
    /// How often the client registered itself.
    pub(crate) registrations: u8,
}

/// What everybody may look at while a flow is under way, which can take as long as a user does.
#[derive(Debug, Default)]
pub(crate) struct Glance(Mutex<Seen>);

#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// What the last flow gained.
    pub(crate) granted: Option<Granted>,
    /// How often authorization was asked for.
    pub(crate) attempts: Attempts,
    /// Before this, a refresh that failed is not tried again.
    pub(crate) refresh_from: Option<Timestamp>,
}

impl Glance {
    /// Nobody waits while holding it.
    pub(crate) fn look(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

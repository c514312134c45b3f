//! What one authorizer remembers.

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::authorization::{Attempts, Granted};

/// What is known of the server since it first refused.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// What the last flow gained.
    pub(crate) granted: Option<Granted>,
    /// The scopes of every challenge so far, so that a token for one operation stays good for the others.
    pub(crate) asked: Scopes,
    /// How often authorization was asked for.
    pub(crate) attempts: Attempts,
    /// How often the client registered itself.
    pub(crate) registrations: u8,
}

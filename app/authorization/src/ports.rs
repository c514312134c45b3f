//! What an authorizer works with.

use std::sync::Arc;

use pm_mcp_ports::driven::{AssertionSource, Clock, CredentialStore, Entropy, HttpFetch, UserConsent};

/// The ports of an authorizer. Several authorizers of a process share one store.
#[derive(Clone, Debug)]
pub struct Ports {
    /// Fetches metadata and tokens.
    pub fetch: Arc<dyn HttpFetch>,
    /// Keeps credentials.
    pub store: Arc<dyn CredentialStore>,
    /// Asks the user.
    pub consent: Arc<dyn UserConsent>,
    /// Vouches for the client, where it asks for tokens by [`GrantKind::Assertion`](pm_mcp_domain::authorization::GrantKind).
    pub assertions: Option<Arc<dyn AssertionSource>>,
    /// Gives random bytes.
    pub entropy: Arc<dyn Entropy>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
}

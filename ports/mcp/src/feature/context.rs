//! What a handler may know of the request that it serves.

use std::fmt;
use std::sync::Arc;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::request::{ClientCapabilities, ClientCapability};
use pm_mcp_domain::time::Timestamp;

use super::fault::HandlerFault;
use crate::driven::{Clock, CursorSigner};

/// Who calls: the principal, and what its client says of itself.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Whom the request acts for.
    pub principal: Principal,
    /// The name that the client gives itself; a label, never a principal.
    pub client_name: Option<String>,
    /// What the client can do.
    pub capabilities: ClientCapabilities,
}

/// The context of one request. It holds for that request alone; cloning it is cheap.
#[derive(Clone)]
pub struct Context {
    caller: Arc<Caller>,
    clock: Arc<dyn Clock>,
    cursors: Arc<dyn CursorSigner>,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("caller", &self.caller).finish_non_exhaustive()
    }
}

impl Context {
    /// The context of a request by `caller`.
    pub fn new(caller: Caller, clock: Arc<dyn Clock>, cursors: Arc<dyn CursorSigner>) -> Self {
        Self { caller: Arc::new(caller), clock, cursors }
    }

    /// Who calls.
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The present instant, by the server's clock.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Signer of the server's list cursors, for handlers that page their own lists.
    pub fn cursors(&self) -> &dyn CursorSigner {
        &*self.cursors
    }

    /// Goes on only if the client can do what the operation needs.
    ///
    /// # Errors
    ///
    /// [`HandlerFault::MissingCapability`] when this request does not declare `capability`; pass it on with `?`.
    pub fn require(&self, capability: ClientCapability) -> Result<(), HandlerFault> {
        match self.caller.capabilities.declares(capability) {
            true => Ok(()),
            false => Err(HandlerFault::MissingCapability(capability)),
        }
    }
}

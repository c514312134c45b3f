//! What the engine stands on.

use std::sync::Arc;

use pm_mcp_ports::driven::{
    ChangeBus, Clock, CursorSigner, Entropy, ReplayGuard, RequestObserver, SchemaChecker, StateSealer,
    TaskStore, TokenVerifier, WorkerLiveness,
};

/// The adapters that an engine stands on.
#[derive(Clone, Debug)]
pub struct Ports {
    /// Compiles the schemas of tools.
    pub schemas: Arc<dyn SchemaChecker>,
    /// Tells the time.
    pub clock: Arc<dyn Clock>,
    /// Makes ids and nonces.
    pub entropy: Arc<dyn Entropy>,
    /// Signs list cursors.
    pub cursors: Arc<dyn CursorSigner>,
    /// Seals what a client carries between two rounds.
    pub sealer: Arc<dyn StateSealer>,
    /// Remembers which sealed states were used.
    pub guard: Arc<dyn ReplayGuard>,
    /// Keeps tasks; without one there are none.
    pub tasks: Option<Arc<dyn TaskStore>>,
    /// Knows which workers of those tasks are gone; without it, their leases tell.
    pub workers: Option<Arc<dyn WorkerLiveness>>,
    /// Carries changes between the processes of the server; without it, each tells its own listeners only.
    pub bus: Option<Arc<dyn ChangeBus>>,
    /// Watches requests from outside; without one they cost nothing more.
    pub observer: Option<Arc<dyn RequestObserver>>,
    /// Authenticates tokens; together with [`Settings::access`](crate::Settings::access).
    pub verifier: Option<Arc<dyn TokenVerifier>>,
}

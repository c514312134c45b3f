//! What the engine calls.

mod clock;
mod cursor_signer;
mod entropy;
mod replay_guard;
mod schema_checker;
mod state_sealer;

pub use clock::Clock;
pub use cursor_signer::CursorSigner;
pub use entropy::{Entropy, EntropyUnavailable};
pub use replay_guard::{ConsumeError, ReplayGuard};
pub use schema_checker::{CompileError, CompiledSchema, SchemaChecker, SchemaViolation};
pub use state_sealer::{SealError, StateSealer};

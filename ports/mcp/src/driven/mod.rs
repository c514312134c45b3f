//! What the engine calls.

mod clock;
mod cursor_signer;
mod schema_checker;

pub use clock::Clock;
pub use cursor_signer::CursorSigner;
pub use schema_checker::{CompileError, CompiledSchema, SchemaChecker, SchemaViolation};

//! What the engine calls.

mod assertion_source;
mod backend_error;
mod change_bus;
mod clock;
mod credential_store;
mod cursor_signer;
mod entropy;
mod http_fetch;
mod key_source;
mod replay_guard;
mod request_observer;
mod schema_checker;
mod state_sealer;
mod store_error;
mod stored;
mod task_store;
mod token_verifier;
mod user_consent;
mod worker_liveness;

pub use assertion_source::AssertionSource;
pub use backend_error::{Applied, BackendError, Retry};
pub use change_bus::{ChangeBus, ChangeFeed, Heard, PublishError};
pub use clock::Clock;
pub use credential_store::{CredentialHold, CredentialStore, SaveCredentialError, StoredCredential};
pub use cursor_signer::CursorSigner;
pub use entropy::{Entropy, EntropyUnavailable};
pub use http_fetch::{FetchError, FetchMethod, FetchRequest, FetchResponse, HttpFetch};
pub use key_source::{KeyMaterial, KeySet, KeySource, KeysUnavailable, VerificationKey};
pub use replay_guard::{ConsumeError, ReplayGuard};
pub use request_observer::{ObservedRequest, RequestEnd, RequestObserver, RequestOutcome};
pub use schema_checker::{CompileError, CompiledSchema, SchemaChecker, SchemaViolation};
pub use state_sealer::{SealError, StateSealer};
pub use store_error::{
    CreateError, LONGEST_BODY, LONGEST_PRINCIPAL, RemoveError, ReplaceError, fits_every_store,
};
pub use stored::{DuePlace, Durability, Page, Revision, Stored};
pub use task_store::TaskStore;
pub use token_verifier::{TokenVerifier, VerifyError};
pub use user_consent::{ConsentError, ConsentRequest, SuppliedClient, UserConsent};
pub use worker_liveness::{Announcement, WorkerLiveness};

//! Changes of items, as the tools make them: who signs, what is answered, what follows.

mod author;
mod batch;
mod claim;
mod confirm;
mod edit;
mod options;
mod plan;
mod receipt;
mod references;
mod repairs;

pub use author::AuthorRules;
pub use batch::{BatchReceipt, BatchRowReceipt};
pub use claim::ClaimNext;
pub use confirm::Confirmation;
pub use receipt::{Receipt, SideEffect};

pub(crate) use batch::{Mutations, mutate};
pub(crate) use claim::claim_next;
pub(crate) use confirm::approved;
pub(crate) use edit::{Asked, edit, now};
pub(crate) use options::{CloseOptions, CreateOptions, UpdateOptions};
pub(crate) use plan::{Mutation, MutationOp};
pub(crate) use repairs::{Planned, repair};

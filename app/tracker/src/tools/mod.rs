//! The tracker's tools: arguments, schemas and pages around the questions of [`reading`](crate::reading).

mod arguments;
mod call;
mod claim;
mod close;
mod comments;
mod context;
mod create;
mod events;
mod files;
mod filter;
mod focus;
mod get;
mod graph;
mod health;
mod import;
mod list;
mod mutate;
mod name;
mod next;
mod page;
mod profile;
mod registry;
mod reindex;
mod search;
mod test;
mod update;
mod validate;
mod write_arguments;
mod write_call;

pub use name::ToolName;
pub use profile::{Profile, ProfileError};
pub use registry::tools;

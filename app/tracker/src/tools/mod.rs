//! The tracker's tools: arguments, schemas and pages around the questions of [`reading`](crate::reading).

mod arguments;
mod call;
mod claim;
mod close;
mod comments;
mod context;
mod create;
mod events;
mod filter;
mod get;
mod graph;
mod health;
mod list;
mod mutate;
mod name;
mod next;
mod page;
mod profile;
mod registry;
mod search;
mod update;
mod validate;
mod write_arguments;
mod write_call;

pub use name::ToolName;
pub use profile::{Profile, ProfileError};
pub use registry::tools;

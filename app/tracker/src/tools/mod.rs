//! The tracker's tools: arguments, schemas and pages around the questions of [`reading`](crate::reading).

mod arguments;
mod call;
mod context;
mod events;
mod filter;
mod get;
mod graph;
mod health;
mod list;
mod name;
mod next;
mod page;
mod profile;
mod registry;
mod search;
mod validate;

pub use name::ToolName;
pub use profile::{Profile, ProfileError};
pub use registry::tools;

//! The work tracker as MCP tools, resources and prompts, written only against the `pm-mcp` facade.
//!
//! A [`Tracker`] holds the configured workspaces by name. Tools and resources ask a [`View`], one workspace at one
//! moment, and answer in the shapes of [`reading`]. Nothing here knows how a workspace is stored.

mod changes;
mod completions;
mod failure;
pub mod importing;
mod index;
mod instructions;
mod offer;
pub mod prompts;
pub mod reading;
pub mod resources;
pub mod scopes;
pub mod templates;
pub mod testing;
pub mod tools;
mod tracker;
mod view;
mod vocabulary;
mod watch;
mod workspace;
pub mod writing;

pub use changes::{Announced, Follower};
pub use failure::{Failure, Problem};
pub use instructions::INSTRUCTIONS;
pub use offer::{LIST_CACHES, offer};
pub use tracker::{Tracker, TrackerError};
pub use view::View;
pub use vocabulary::Vocabulary;
pub use watch::Watch;
pub use workspace::Workspace;

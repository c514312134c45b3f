//! Use cases of the MCP engine: from an inbound message to the answer, through ports only.
//!
//! [`Engine`] is the one [`McpService`](pm_mcp_ports::driving::McpService). It asks the domain what a message is, looks
//! up in the [`Catalogue`] what it names, lets the host's handler work and writes the answer. It knows no transport.

mod access;
mod answer;
mod build;
mod catalogue;
mod complete;
mod core;
mod dispatch;
mod door;
mod engine;
mod exchange;
mod extension;
mod failure;
mod figures;
mod follow;
mod handed_over;
mod hub;
mod in_flight;
mod intercept;
mod last_client;
mod legacy;
mod list;
mod listen;
mod load;
mod observing;
mod ports;
mod prompt;
mod read;
mod ready;
mod settings;
mod surface;
mod tasks;
mod tool;
pub mod trace;
mod unwind;

pub use access::{AccessSettings, ArgumentScopes};
pub use build::BuildError;
pub use catalogue::{
    Catalogue, CatalogueBuilder, Execution, PromptSpec, ResourceSpec, TemplateSpec, ToolSpec,
};
pub use engine::Engine;
pub use extension::{ExtensionSpec, MethodSpec};
pub use hub::{Ended, Hub, HubCounts, HubLimits, Listen, ListenRefused, SlowReason};
pub use load::RequestLimits;
pub use ports::Ports;
pub use settings::{Limits, ListCaches, Settings, TaskSettings};

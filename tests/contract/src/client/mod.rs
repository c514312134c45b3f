//! A client for tests of hosts: the same calls in memory, over stdio and over HTTP.
//!
//! It answers what a handler asks from a script, so that a test reads as a dialogue; it waits for tasks by a clock; and it
//! checks every message that it reads against the schema of the revision, so that no test can forget to.
//!
//! ```
//! # use std::sync::Arc;
//! # use pm_mcp_contract::client::{Client, ClientError};
//! # use pm_mcp_ports::driving::McpService;
//! # async fn example(service: Arc<dyn McpService>) -> Result<(), ClientError> {
//! use serde_json::json;
//!
//! let client = Client::memory(service).on("confirm", json!({"approved": true}));
//! let result = client.call_to_end("deploy", json!({"service": "api"})).await?;
//! assert_eq!(result.text(), "deployed");
//! assert_eq!(client.asked(), ["confirm"]);
//! # Ok(())
//! # }
//! ```

mod call;
mod calls;
mod error;
mod http;
mod link;
mod memory;
mod outcome;
mod reply;
mod request;
mod session;
mod stdio;
mod stream;
mod tasks;
mod wire_schema;

pub use call::Call;
pub use error::ClientError;
pub use outcome::{Outcome, Progress, TaskView, ToolResult};
pub use reply::Reply;
pub use request::Listing;
pub use session::Client;
pub use stream::{Notification, Subscription};
pub use wire_schema::{SchemaFault, WireSchema};

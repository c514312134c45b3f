//! What a host implements: its tools, resources and prompts.

mod context;
mod fault;
mod prompt;
mod resource;
mod tool;

pub use context::{Caller, Context};
pub use fault::HandlerFault;
pub use prompt::{Completer, PromptHandler};
pub use resource::{ResourcePage, ResourceReader, ResourceSource};
pub use tool::ToolHandler;

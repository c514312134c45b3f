//! What a host implements: its tools, resources and prompts.

mod ask;
mod context;
mod fault;
mod prompt;
mod resource;
mod scope;
mod tool;

pub use ask::{Ask, OpenUrl, Roots, Sampling};
pub use context::{Caller, Context};
pub use fault::HandlerFault;
pub use prompt::{Completer, PromptHandler};
pub use resource::{ResourcePage, ResourceReader, ResourceSource};
pub use scope::{CheckAnswer, RequestScope};
pub use tool::ToolHandler;

//! What a host implements: its tools, resources, prompts and extensions, and what stands around them.

mod ask;
mod context;
mod extension;
mod fault;
mod intercept;
mod progress;
mod prompt;
mod resource;
mod scope;
mod skill;
mod tool;
mod visibility;

pub use ask::{Ask, OpenUrl, Roots, Sampling};
pub use context::{Caller, Context};
pub use extension::{ExtensionHandler, SettingsCheck};
pub use fault::HandlerFault;
pub use intercept::{Interceptor, Operation, Outcome, Pass, ResultMut, TimeBound};
pub use progress::{ProgressAmount, ProgressTotal, StatusMessage};
pub use prompt::{Completer, PromptHandler};
pub use resource::{ResourcePage, ResourceReader, ResourceSource};
pub use scope::{CheckAnswer, RequestScope};
pub use skill::SkillSource;
pub use tool::ToolHandler;
pub use visibility::{Offer, Visibility};

//! The words of the revision, spelled as the revision spells them. Only this module and [`crate::request`] know
//! member names of the wire.

mod challenge;
mod completion;
mod content;
mod discover;
mod input;
mod list;
mod progress;
mod prompt;
mod protected_resource;
mod resource;
mod result;
mod result_kind;
mod sink;
mod skill;
mod task;
mod tool;

pub use challenge::{Challenge, ChallengeError};
pub use completion::{CompleteResult, Completion};
pub use content::{Annotations, ContentBlock, Role};
pub use discover::{DiscoverResult, Implementation, ServerCapabilities};
pub use input::InputRequired;
pub use list::ListResult;
pub use progress::ProgressNotification;
pub use prompt::{GetPromptResult, Prompt, PromptArgument, PromptMessage};
pub use protected_resource::{PROTECTED_RESOURCE_PATH, ProtectedResource};
pub use resource::{ReadResourceResult, Resource, ResourceContents, ResourceTemplate};
pub use result::{
    ClaimedResultType, Rendered, ResultBody, ResultResponse, ServerIdentity, WrittenResult, complete_result,
    with_cache_policy,
};
pub use result_kind::{PeerRevision, ResultKind, ResultKindFault};
pub use sink::JsonSink;
pub use skill::{
    GET_SKILL, LIST_SKILLS, READ_DIRECTORY, SKILL_SCHEME, SKILLS_EXTENSION, directory_page,
    directory_resource, skill_entry, skill_found, skill_meta, skill_uri, skills_page, skills_settings,
};
pub use task::{Acknowledgement, CreatedTask, DetailedTask, TASKS_EXTENSION, task_result};
pub use tool::{CallToolResult, Tool, ToolAnnotations};

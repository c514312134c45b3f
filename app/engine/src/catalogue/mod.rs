//! What a server offers: its tools, resources, templates and prompts, in the order in which they were registered.

mod builder;
mod entries;

pub use builder::CatalogueBuilder;
pub(crate) use entries::ToolEntry;
pub use entries::{Catalogue, Execution, PromptSpec, ResourceSpec, TemplateSpec, ToolSpec};

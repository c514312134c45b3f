//! Changing what a server offers while it serves.

use pm_mcp_engine::CatalogueBuilder;

use crate::builder::BuildError;
use crate::prompt::PromptEntry;
use crate::resource::ResourceEntry;
use crate::template::TemplateEntry;
use crate::tool::{ToolEntry, ToolProfile};

/// Changes to what a server offers, for [`Server::edit`](crate::Server::edit). Entries that are added come last in their
/// lists; to replace one, remove it first.
#[derive(Debug)]
pub struct Edit<'a>(pub(crate) &'a mut CatalogueBuilder, pub(crate) ToolProfile);

impl Edit<'_> {
    /// Adds a tool.
    ///
    /// # Errors
    ///
    /// When it is not usable or its name is taken.
    pub fn add_tool(&mut self, tool: ToolEntry) -> Result<(), BuildError> {
        self.0.tool(tool.into_spec(self.1)?)?;
        Ok(())
    }

    /// Takes a tool away; says whether there was one.
    pub fn remove_tool(&mut self, name: &str) -> bool {
        self.0.remove_tool(name)
    }

    /// Adds a resource.
    ///
    /// # Errors
    ///
    /// When its URI is taken.
    pub fn add_resource(&mut self, resource: ResourceEntry) -> Result<(), BuildError> {
        self.0.resource(resource.into_spec()?)?;
        Ok(())
    }

    /// Takes a resource away; says whether there was one.
    pub fn remove_resource(&mut self, uri: &str) -> bool {
        self.0.remove_resource(uri)
    }

    /// Adds a resource template.
    ///
    /// # Errors
    ///
    /// When it is not usable or taken.
    pub fn add_template(&mut self, template: TemplateEntry) -> Result<(), BuildError> {
        self.0.template(template.into_spec()?)?;
        Ok(())
    }

    /// Takes a resource template away; says whether there was one.
    pub fn remove_template(&mut self, uri_template: &str) -> bool {
        self.0.remove_template(uri_template)
    }

    /// Adds a prompt.
    ///
    /// # Errors
    ///
    /// When its name is not usable or taken.
    pub fn add_prompt(&mut self, prompt: PromptEntry) -> Result<(), BuildError> {
        self.0.prompt(prompt.into_spec()?)?;
        Ok(())
    }

    /// Takes a prompt away; says whether there was one.
    pub fn remove_prompt(&mut self, name: &str) -> bool {
        self.0.remove_prompt(name)
    }
}

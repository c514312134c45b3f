//! Building a server.

use std::fmt;
use std::sync::Arc;

use pm_mcp_clock_system::SystemClock;
use pm_mcp_domain::schema::SchemaFault;
use pm_mcp_domain::wire::Implementation;
use pm_mcp_engine::{CatalogueBuilder, Engine, ListCaches, Settings};
use pm_mcp_ports::driven::{Clock, CursorSigner};
use pm_mcp_ports::feature::ResourceSource;
use pm_mcp_schema_jsonschema::JsonSchemaChecker;
use pm_mcp_seal_ring::{EntropyError, HmacCursorSigner};
use thiserror::Error;

use crate::prompt::PromptEntry;
use crate::resource::ResourceEntry;
use crate::server::Server;
use crate::template::TemplateEntry;
use crate::tool::ToolEntry;

/// Why a server cannot be built: what a host has to change in its own code.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// An entry or a setting is not usable.
    #[error(transparent)]
    Catalogue(#[from] pm_mcp_engine::BuildError),
    /// A tool's schema is refused before it is compiled.
    #[error("{which} schema of tool {tool:?} is refused")]
    Schema {
        /// The tool's name.
        tool: String,
        /// `input` or `output`.
        which: &'static str,
        /// What is wrong with it.
        source: SchemaFault,
    },
    /// The system gives no random bytes for the cursor key.
    #[error("no random bytes for the key of list cursors")]
    Entropy(#[from] EntropyError),
}

/// Collects what a server offers. Lists show entries in the order in which they are added.
pub struct ServerBuilder {
    settings: Settings,
    tools: Vec<ToolEntry>,
    resources: Vec<ResourceEntry>,
    templates: Vec<TemplateEntry>,
    prompts: Vec<PromptEntry>,
    source: Option<Arc<dyn ResourceSource>>,
    clock: Arc<dyn Clock>,
    cursors: Option<Arc<dyn CursorSigner>>,
}

impl fmt::Debug for ServerBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerBuilder").field("settings", &self.settings).finish_non_exhaustive()
    }
}

impl ServerBuilder {
    pub(crate) fn new(name: String, version: String) -> Self {
        Self {
            settings: Settings::new(Implementation { name, title: None, version }),
            tools: Vec::new(),
            resources: Vec::new(),
            templates: Vec::new(),
            prompts: Vec::new(),
            source: None,
            clock: Arc::new(SystemClock),
            cursors: None,
        }
    }

    /// The server's name for people.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.settings.implementation.title = Some(title.into());
        self
    }

    /// How to use the server, for a model; at most 4,000 characters.
    #[must_use]
    pub fn instructions(mut self, instructions: impl Into<String>) -> Self {
        self.settings.instructions = Some(instructions.into());
        self
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: ToolEntry) -> Self {
        self.tools.push(tool);
        self
    }

    /// Adds a resource.
    #[must_use]
    pub fn resource(mut self, resource: ResourceEntry) -> Self {
        self.resources.push(resource);
        self
    }

    /// Names the source of resources that come and go; they are listed after the added ones, and read by a template.
    #[must_use]
    pub fn resource_source(mut self, source: impl ResourceSource) -> Self {
        self.source = Some(Arc::new(source));
        self
    }

    /// Adds a resource template.
    #[must_use]
    pub fn template(mut self, template: TemplateEntry) -> Self {
        self.templates.push(template);
        self
    }

    /// Adds a prompt.
    #[must_use]
    pub fn prompt(mut self, prompt: PromptEntry) -> Self {
        self.prompts.push(prompt);
        self
    }

    /// How long discovery and the lists may be kept.
    #[must_use]
    pub fn caches(mut self, caches: ListCaches) -> Self {
        self.settings.caches = caches;
        self
    }

    /// How many tools, templates or prompts a page has at the most, 100 unless told.
    #[must_use]
    pub fn page_size(mut self, entries: usize) -> Self {
        self.settings.page_size = entries;
        self
    }

    /// How many resources a page has at the most, 50 unless told.
    #[must_use]
    pub fn resource_page_size(mut self, entries: usize) -> Self {
        self.settings.resource_page_size = entries;
        self
    }

    /// Another clock than the system's.
    #[must_use]
    pub fn clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// The signer of list cursors; unless told, one with a random key, whose cursors end with the process.
    #[must_use]
    pub fn cursor_signer(mut self, signer: impl CursorSigner) -> Self {
        self.cursors = Some(Arc::new(signer));
        self
    }

    /// Checks everything, compiles all schemas and makes the server.
    ///
    /// # Errors
    ///
    /// The first entry or setting that is not usable.
    pub fn build(self) -> Result<Server, BuildError> {
        let mut catalogue = CatalogueBuilder::new(Arc::new(JsonSchemaChecker::new()));
        for tool in self.tools {
            catalogue.tool(tool.into_spec()?)?;
        }
        for resource in self.resources {
            catalogue.resource(resource.spec)?;
        }
        for template in self.templates {
            catalogue.template(template.spec)?;
        }
        for prompt in self.prompts {
            catalogue.prompt(prompt.spec)?;
        }
        if let Some(source) = self.source {
            catalogue.resource_source(source);
        }
        let cursors = match self.cursors {
            Some(signer) => signer,
            None => Arc::new(HmacCursorSigner::random()?),
        };
        Ok(Server::new(Engine::new(catalogue.build(), self.settings, self.clock, cursors)?))
    }
}

//! The entries of a catalogue, as a host registers them and as the engine keeps them.

use std::collections::BTreeMap;
use std::sync::Arc;

use pm_mcp_domain::access::Scopes;
use pm_mcp_domain::extension::{ExtensionFault, ExtensionId, Extensions};
use pm_mcp_domain::header::HeaderAnnotations;
use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_domain::uri_template::UriTemplate;
use pm_mcp_domain::wire::{Prompt, Resource, ResourceTemplate, ServerCapabilities, Tool};
use pm_mcp_ports::driven::CompiledSchema;
use pm_mcp_ports::feature::{
    Completer, Interceptor, PromptHandler, ResourceReader, ResourceSource, ToolHandler,
};

use crate::access::{ArgumentScopes, OperationScopes};

/// A tool to register.
#[derive(Debug)]
pub struct ToolSpec {
    /// What is advertised.
    pub tool: Tool,
    /// What the lists show of the arguments, where it is another schema than they are held against.
    pub shown_input: Option<CheckedSchema>,
    /// What runs.
    pub handler: Arc<dyn ToolHandler>,
    /// Where it runs.
    pub execution: Execution,
    /// Whether a handler that runs as a task works on the request first, to ask, and says itself when the task begins.
    pub asks_before_task: bool,
    /// What stands around calls of this tool, within what stands around every operation; from the outside in.
    pub interceptors: Vec<Arc<dyn Interceptor>>,
    /// The extension that a call has to declare, if it has to.
    pub needs: Option<ExtensionId>,
    /// The scopes that every call needs.
    pub scopes: Scopes,
    /// The scopes that a call needs by its arguments, too.
    pub argument_scopes: Option<ArgumentScopes>,
}

/// Where a tool runs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Execution {
    /// With its request, always.
    #[default]
    Inline,
    /// As a task where the client can wait for one, else with its request.
    Task,
    /// As a task only; a client that cannot wait for one is refused.
    TaskOnly,
    /// With its request at first; work that takes longer becomes a task where the client can wait for one.
    Adaptive,
}

/// A resource to register.
#[derive(Debug)]
pub struct ResourceSpec {
    /// What is advertised.
    pub resource: Resource,
    /// What reads it.
    pub reader: Arc<dyn ResourceReader>,
    /// The extension that a read has to declare, if it has to.
    pub needs: Option<ExtensionId>,
    /// The scopes that reading it needs.
    pub scopes: Scopes,
}

/// A resource template to register.
#[derive(Debug)]
pub struct TemplateSpec {
    /// What is advertised.
    pub template: ResourceTemplate,
    /// What reads its resources.
    pub reader: Arc<dyn ResourceReader>,
    /// What completes its variables, by name.
    pub completers: BTreeMap<String, Arc<dyn Completer>>,
    /// The extension that a read has to declare, if it has to.
    pub needs: Option<ExtensionId>,
    /// The scopes that reading its resources and completing its variables needs.
    pub scopes: Scopes,
}

/// A prompt to register.
#[derive(Debug)]
pub struct PromptSpec {
    /// What is advertised.
    pub prompt: Prompt,
    /// What writes it.
    pub handler: Arc<dyn PromptHandler>,
    /// What completes its arguments, by name.
    pub completers: BTreeMap<String, Arc<dyn Completer>>,
    /// The scopes that getting it and completing its arguments needs.
    pub scopes: Scopes,
}

#[derive(Debug)]
pub(crate) struct ToolEntry {
    pub(crate) handler: Arc<dyn ToolHandler>,
    pub(crate) input: Box<dyn CompiledSchema>,
    pub(crate) output: Option<Arc<dyn CompiledSchema>>,
    pub(crate) execution: Execution,
    pub(crate) asks_before_task: bool,
    pub(crate) headers: HeaderAnnotations,
    pub(crate) interceptors: Arc<[Arc<dyn Interceptor>]>,
    pub(crate) needs: Option<ExtensionId>,
    pub(crate) scopes: OperationScopes,
}

#[derive(Debug)]
pub(crate) struct ResourceEntry {
    pub(crate) reader: Arc<dyn ResourceReader>,
    pub(crate) needs: Option<ExtensionId>,
    pub(crate) scopes: Scopes,
}

#[derive(Debug)]
pub(crate) struct TemplateEntry {
    pub(crate) pattern: UriTemplate,
    pub(crate) reader: Arc<dyn ResourceReader>,
    pub(crate) needs: Option<ExtensionId>,
    pub(crate) completers: BTreeMap<String, Arc<dyn Completer>>,
    pub(crate) scopes: Scopes,
}

#[derive(Debug)]
pub(crate) struct PromptEntry {
    pub(crate) prompt: Prompt,
    pub(crate) handler: Arc<dyn PromptHandler>,
    pub(crate) completers: BTreeMap<String, Arc<dyn Completer>>,
    pub(crate) scopes: Scopes,
}

/// Everything that a server offers. What is in it was checked: schemas compile, names are unique.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    pub(crate) tools: Vec<Tool>,
    pub(crate) tool_entries: BTreeMap<String, Arc<ToolEntry>>,
    pub(crate) resources: Vec<Resource>,
    pub(crate) resource_entries: BTreeMap<String, Arc<ResourceEntry>>,
    pub(crate) source: Option<Arc<dyn ResourceSource>>,
    pub(crate) templates: Vec<ResourceTemplate>,
    pub(crate) template_entries: Vec<Arc<TemplateEntry>>,
    pub(crate) prompts: Vec<Prompt>,
    pub(crate) prompt_entries: BTreeMap<String, Arc<PromptEntry>>,
}

impl Catalogue {
    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<ToolEntry>> {
        self.tool_entries.get(name)
    }

    /// Whether the server has all extensions that entries are marked with.
    pub(crate) fn check_needs(&self, known: &Extensions) -> Result<(), ExtensionFault> {
        let of_tools = self.tool_entries.values().filter_map(|entry| entry.needs);
        let of_resources = self.resource_entries.values().filter_map(|entry| entry.needs);
        let of_templates = self.template_entries.iter().filter_map(|entry| entry.needs);
        match of_tools.chain(of_resources).chain(of_templates).find(|id| !known.offers(*id)) {
            Some(missing) => Err(ExtensionFault::NotOffered(missing)),
            None => Ok(()),
        }
    }

    /// What a server with this catalogue offers.
    pub fn capabilities(&self) -> ServerCapabilities {
        let completes = |completers: &BTreeMap<String, Arc<dyn Completer>>| !completers.is_empty();
        ServerCapabilities {
            completions: self.template_entries.iter().any(|entry| completes(&entry.completers))
                || self.prompt_entries.values().any(|entry| completes(&entry.completers)),
            prompts: !self.prompts.is_empty(),
            resources: !self.resources.is_empty() || !self.templates.is_empty() || self.source.is_some(),
            tools: !self.tools.is_empty(),
            tasks: false,
        }
    }
}

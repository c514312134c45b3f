//! Building a catalogue: every entry is checked when it is added.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use pm_mcp_domain::header::collect_header_annotations;
use pm_mcp_domain::schema::CheckedSchema;
use pm_mcp_domain::uri_template::UriTemplate;
use pm_mcp_ports::driven::{CompiledSchema, SchemaChecker};
use pm_mcp_ports::feature::ResourceSource;

use super::entries::{
    Catalogue, PromptEntry, PromptSpec, ResourceEntry, ResourceSpec, TemplateEntry, TemplateSpec, ToolEntry,
    ToolSpec,
};
use crate::access::OperationScopes;
use crate::build::BuildError;

/// Builds a [`Catalogue`]; the order of the lists is the order in which entries are added.
pub struct CatalogueBuilder {
    checker: Arc<dyn SchemaChecker>,
    catalogue: Catalogue,
}

impl fmt::Debug for CatalogueBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CatalogueBuilder").field("catalogue", &self.catalogue).finish_non_exhaustive()
    }
}

impl CatalogueBuilder {
    /// An empty catalogue, whose schemas `checker` compiles.
    pub fn new(checker: Arc<dyn SchemaChecker>) -> Self {
        Self { checker, catalogue: Catalogue::default() }
    }

    /// A catalogue that goes on from another one.
    pub(crate) fn from_catalogue(checker: Arc<dyn SchemaChecker>, catalogue: Catalogue) -> Self {
        Self { checker, catalogue }
    }

    /// Takes a tool away; says whether there was one.
    pub fn remove_tool(&mut self, name: &str) -> bool {
        self.catalogue.tools.retain(|tool| tool.name != name);
        self.catalogue.tool_entries.remove(name).is_some()
    }

    /// Takes a resource away; says whether there was one.
    pub fn remove_resource(&mut self, uri: &str) -> bool {
        self.catalogue.resources.retain(|resource| resource.uri != uri);
        self.catalogue.resource_entries.remove(uri).is_some()
    }

    /// Takes a resource template away; says whether there was one.
    pub fn remove_template(&mut self, uri_template: &str) -> bool {
        self.catalogue.template_entries.retain(|entry| entry.pattern.as_str() != uri_template);
        let before = self.catalogue.templates.len();
        self.catalogue.templates.retain(|template| template.uri_template != uri_template);
        self.catalogue.templates.len() < before
    }

    /// Takes a prompt away; says whether there was one.
    pub fn remove_prompt(&mut self, name: &str) -> bool {
        self.catalogue.prompts.retain(|prompt| prompt.name != name);
        self.catalogue.prompt_entries.remove(name).is_some()
    }

    /// Adds a tool.
    ///
    /// # Errors
    ///
    /// When its name is unusable or taken, a schema does not compile, or a header annotation breaks the rules.
    pub fn tool(&mut self, spec: ToolSpec) -> Result<&mut Self, BuildError> {
        let ToolSpec {
            mut tool,
            shown_input,
            handler,
            execution,
            asks_before_task,
            interceptors,
            needs,
            scopes,
            argument_scopes,
        } = spec;
        check_name("tool", &tool.name)?;
        let compile = |which, schema: &CheckedSchema| -> Result<Box<dyn CompiledSchema>, BuildError> {
            self.checker.compile(schema).map_err(|source| BuildError::Schema {
                tool: tool.name.clone(),
                which,
                source,
            })
        };
        let entry = ToolEntry {
            handler,
            input: compile("input", &tool.input_schema)?,
            output: tool
                .output_schema
                .as_ref()
                .map(|schema| compile("output", schema))
                .transpose()?
                .map(Arc::from),
            execution,
            asks_before_task,
            interceptors: interceptors.into(),
            needs,
            scopes: OperationScopes { always: scopes, by_arguments: argument_scopes },
            headers: collect_header_annotations(tool.input_schema.as_value())
                .map_err(|source| BuildError::Annotation { tool: tool.name.clone(), source })?,
        };
        insert_once("tool", &mut self.catalogue.tool_entries, tool.name.clone(), entry)?;
        if let Some(shown) = shown_input {
            tool.input_schema = shown;
        }
        self.catalogue.tools.push(tool);
        Ok(self)
    }

    /// Adds a resource.
    ///
    /// # Errors
    ///
    /// When its URI is taken.
    pub fn resource(&mut self, spec: ResourceSpec) -> Result<&mut Self, BuildError> {
        let ResourceSpec { resource, reader, needs, scopes } = spec;
        let entry = ResourceEntry { reader, needs, scopes };
        insert_once("resource", &mut self.catalogue.resource_entries, resource.uri.clone(), entry)?;
        self.catalogue.resources.push(resource);
        Ok(self)
    }

    /// Names the source of resources that come and go; they are listed after the added ones.
    pub fn resource_source(&mut self, source: Arc<dyn ResourceSource>) -> &mut Self {
        self.catalogue.source = Some(source);
        self
    }

    /// Adds a resource template.
    ///
    /// # Errors
    ///
    /// When the template has an unsupported form, is taken, or has a completer for a variable that it lacks.
    pub fn template(&mut self, spec: TemplateSpec) -> Result<&mut Self, BuildError> {
        let TemplateSpec { template, reader, completers, needs, scopes } = spec;
        let pattern = UriTemplate::parse(&template.uri_template)?;
        if self.catalogue.templates.iter().any(|known| known.uri_template == template.uri_template) {
            return Err(BuildError::Twice { kind: "resource template", name: template.uri_template });
        }
        if let Some(argument) =
            completers.keys().find(|name| !pattern.variables().any(|known| known == *name))
        {
            return Err(BuildError::Completer { owner: template.uri_template, argument: argument.clone() });
        }
        self.catalogue.template_entries.push(Arc::new(TemplateEntry {
            pattern,
            reader,
            needs,
            completers,
            scopes,
        }));
        self.catalogue.templates.push(template);
        Ok(self)
    }

    /// Adds a prompt.
    ///
    /// # Errors
    ///
    /// When its name is unusable or taken, or it has a completer for an argument that it lacks.
    pub fn prompt(&mut self, spec: PromptSpec) -> Result<&mut Self, BuildError> {
        let PromptSpec { prompt, handler, completers, scopes } = spec;
        check_name("prompt", &prompt.name)?;
        if let Some(argument) =
            completers.keys().find(|name| !prompt.arguments.iter().any(|known| known.name == **name))
        {
            return Err(BuildError::Completer { owner: prompt.name, argument: argument.clone() });
        }
        let entry = PromptEntry { prompt: prompt.clone(), handler, completers, scopes };
        insert_once("prompt", &mut self.catalogue.prompt_entries, prompt.name.clone(), entry)?;
        self.catalogue.prompts.push(prompt);
        Ok(self)
    }

    /// The catalogue.
    pub fn build(self) -> Catalogue {
        self.catalogue
    }
}

fn insert_once<T>(
    kind: &'static str,
    entries: &mut BTreeMap<String, Arc<T>>,
    name: String,
    entry: T,
) -> Result<(), BuildError> {
    if entries.contains_key(&name) {
        return Err(BuildError::Twice { kind, name });
    }
    entries.insert(name, Arc::new(entry));
    Ok(())
}

/// Tool names have 1 to 128 of these characters
/// ([Tool names](https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-names)); prompts may also
/// group by slash.
fn check_name(kind: &'static str, name: &str) -> Result<(), BuildError> {
    let allowed = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'.' | b'-')
            || (kind == "prompt" && byte == b'/')
    };
    match (1..=128).contains(&name.len()) && name.bytes().all(allowed) {
        true => Ok(()),
        false => Err(BuildError::Name { kind, name: name.to_owned() }),
    }
}

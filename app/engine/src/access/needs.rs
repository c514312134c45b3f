//! Which scopes a request needs for what it names.

use std::fmt;
use std::sync::Arc;

use pm_mcp_domain::access::{Authorized, Scopes};
use pm_mcp_domain::request::{CompletionReference, Method, Params};
use pm_mcp_ports::feature::Offer;
use serde_json::{Map, Value};

use crate::catalogue::Catalogue;
use crate::exchange::Request;
use crate::failure::Failure;

/// Which scopes a call needs by its arguments, beside those that every call of the tool needs.
///
/// The arguments are as they were sent: nothing has been checked but that they are JSON.
#[derive(Clone)]
pub struct ArgumentScopes(Arc<dyn Fn(&Value) -> Scopes + Send + Sync>);

impl ArgumentScopes {
    /// Asks `scopes` for each call.
    pub fn new(scopes: impl Fn(&Value) -> Scopes + Send + Sync + 'static) -> Self {
        Self(Arc::new(scopes))
    }
}

impl fmt::Debug for ArgumentScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ArgumentScopes(..)")
    }
}

/// Which scopes a tool needs.
#[derive(Clone, Default, Debug)]
pub(crate) struct OperationScopes {
    pub(crate) always: Scopes,
    pub(crate) by_arguments: Option<ArgumentScopes>,
}

impl Catalogue {
    /// The scopes that a request needs for what it names. What `shown` keeps from the caller needs none, like what does
    /// not exist.
    pub(crate) fn needs(&self, params: &Params<'_>, shown: impl Fn(Offer<'_>) -> bool) -> Scopes {
        match params {
            Params::CallTool { name, arguments, .. } => {
                let Some(entry) = self.tool(name).filter(|_| shown(Offer::Tool(name))) else {
                    return Scopes::default();
                };
                let mut needs = entry.scopes.always.clone();
                if let Some(ArgumentScopes(more)) = &entry.scopes.by_arguments {
                    let arguments = match arguments {
                        None => Ok(Value::Object(Map::new())),
                        Some(raw) => serde_json::from_str(raw.get()),
                    };
                    // Arguments that cannot be read are refused before they are used.
                    needs.extend(&arguments.map(|arguments| more(&arguments)).unwrap_or_default());
                }
                needs
            }
            Params::ReadResource { uri, .. } => self.needs_of_resource(uri, shown),
            Params::GetPrompt { name, .. }
            | Params::Complete { reference: CompletionReference::Prompt(name), .. } => {
                let entry = self.prompt_entries.get(name.as_ref()).filter(|_| shown(Offer::Prompt(name)));
                entry.map(|entry| entry.scopes.clone()).unwrap_or_default()
            }
            Params::Complete { reference: CompletionReference::Template(template), .. } => {
                let found =
                    self.template_entries.iter().find(|entry| entry.pattern.as_str() == template.as_ref());
                let entry = found.filter(|_| shown(Offer::Template(template)));
                entry.map(|entry| entry.scopes.clone()).unwrap_or_default()
            }
            Params::Discover
            | Params::List { .. }
            | Params::Listen { .. }
            | Params::GetTask { .. }
            | Params::UpdateTask { .. }
            | Params::CancelTask { .. }
            | Params::Extension { .. } => Scopes::default(),
        }
    }

    /// The scopes that reading a resource needs.
    pub(crate) fn needs_of_resource(&self, uri: &str, shown: impl Fn(Offer<'_>) -> bool) -> Scopes {
        if !shown(Offer::Resource(uri)) {
            return Scopes::default();
        }
        if let Some(entry) = self.resource_entries.get(uri) {
            return entry.scopes.clone();
        }
        let found = self.template_entries.iter().find(|entry| entry.pattern.matches(uri).is_some());
        let entry = found.filter(|entry| shown(Offer::Template(entry.pattern.as_str())));
        entry.map(|entry| entry.scopes.clone()).unwrap_or_default()
    }

    /// The scopes of what a request names whose parameters are malformed otherwise.
    pub(crate) fn needs_by_name(&self, method: Method, name: Option<&str>) -> Scopes {
        let Some(name) = name else { return Scopes::default() };
        match method {
            Method::CallTool => self.tool(name).map(|entry| entry.scopes.always.clone()).unwrap_or_default(),
            Method::GetPrompt => {
                self.prompt_entries.get(name).map(|entry| entry.scopes.clone()).unwrap_or_default()
            }
            Method::ReadResource => self.needs_of_resource(name, |_| true),
            Method::Discover
            | Method::ListTools
            | Method::ListResources
            | Method::ListResourceTemplates
            | Method::ListPrompts
            | Method::Complete
            | Method::Listen
            | Method::GetTask
            | Method::UpdateTask
            | Method::CancelTask
            | Method::Extension(_) => Scopes::default(),
        }
    }

    /// Every scope that some entry always needs.
    pub(crate) fn scopes(&self) -> Scopes {
        let mut scopes = Scopes::default();
        let of_tools = self.tool_entries.values().map(|entry| &entry.scopes.always);
        let of_resources = self.resource_entries.values().map(|entry| &entry.scopes);
        let of_templates = self.template_entries.iter().map(|entry| &entry.scopes);
        let of_prompts = self.prompt_entries.values().map(|entry| &entry.scopes);
        for more in of_tools.chain(of_resources).chain(of_templates).chain(of_prompts) {
            scopes.extend(more);
        }
        scopes
    }
}

impl Request<'_> {
    /// Whether the caller may know of an offer.
    pub(crate) fn shows(&self, offer: Offer<'_>) -> bool {
        match (&self.core.settings.visibility, &self.class) {
            (Some(policy), Some(class)) => policy.shows(class, offer),
            (Some(_), None) | (None, _) => true,
        }
    }

    /// Goes on only if the caller holds what its request needs and `more`; all of it is named at once.
    pub(crate) fn permit(&self, more: &Scopes) -> Result<(), Failure> {
        let (Some(gate), Some(access)) = (&self.core.gate, &self.caller.access) else { return Ok(()) };
        let mut needs = self.needs.clone();
        needs.extend(more);
        gate.permit(access, &needs).map_err(|refusal| Failure::Denied(refusal.into(), needs))
    }

    /// Whether a caller holds what it needs to use an offer that always needs `scopes`.
    pub(crate) fn could_use(&self, access: &Authorized, scopes: &Scopes) -> bool {
        self.core.gate.as_ref().is_none_or(|gate| gate.permit(access, scopes).is_ok())
    }
}

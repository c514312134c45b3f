//! Which interceptors stand around a request.

use std::sync::Arc;

use pm_mcp_domain::request::{CompletionReference, Params};
use pm_mcp_ports::feature::{Caller, Interceptor, Offer, Operation};

use crate::exchange::Request;

/// The interceptors around one request, and the operation that they see.
#[derive(Debug)]
pub(crate) struct Links {
    pub(super) interceptors: Vec<Arc<dyn Interceptor>>,
    pub(super) operation: Operation,
}

impl Links {
    /// The server's interceptors, then those of the tool that is called; `None` when there are none at all.
    pub(crate) fn around(request: &Request<'_>, params: &Params<'_>) -> Option<Self> {
        let of_server: &[Arc<dyn Interceptor>] = &request.core.settings.interceptors;
        if of_server.is_empty() && !request.surface.intercepts_tools {
            return None;
        }
        let of_tool: &[Arc<dyn Interceptor>] = match params {
            Params::CallTool { name, .. } => {
                // What is hidden must not be told by what stands around it.
                let tool = request.surface.catalogue.tool(name);
                tool.filter(|_| request.shows(Offer::Tool(name))).map_or(&[], |entry| &entry.interceptors)
            }
            Params::Discover
            | Params::List { .. }
            | Params::ReadResource { .. }
            | Params::GetPrompt { .. }
            | Params::Complete { .. }
            | Params::Listen { .. }
            | Params::GetTask { .. }
            | Params::UpdateTask { .. }
            | Params::CancelTask { .. }
            | Params::Extension { .. } => &[],
        };
        if of_server.is_empty() && of_tool.is_empty() {
            return None;
        }
        let name = named(params).map(str::to_owned);
        Some(Self {
            interceptors: of_server.iter().chain(of_tool).cloned().collect(),
            operation: Operation::new(request.method, name, Caller::clone(&request.caller)),
        })
    }
}

/// What a request names.
fn named<'p>(params: &'p Params<'_>) -> Option<&'p str> {
    match params {
        Params::Discover | Params::List { .. } | Params::Listen { .. } | Params::Extension { .. } => None,
        Params::CallTool { name, .. } | Params::GetPrompt { name, .. } => Some(name),
        Params::ReadResource { uri, .. } => Some(uri),
        Params::Complete {
            reference: CompletionReference::Prompt(name) | CompletionReference::Template(name),
            ..
        } => Some(name),
        Params::GetTask { task_id } | Params::UpdateTask { task_id, .. } | Params::CancelTask { task_id } => {
            Some(task_id)
        }
    }
}

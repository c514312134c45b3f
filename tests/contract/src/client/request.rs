//! Requests as they go out.

use pm_mcp_domain::version::PROTOCOL_VERSION;
use serde_json::{Value, json};

/// One of the lists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Listing {
    /// `tools/list`.
    Tools,
    /// `resources/list`.
    Resources,
    /// `resources/templates/list`.
    ResourceTemplates,
    /// `prompts/list`.
    Prompts,
}

impl Listing {
    pub(super) const fn method(self) -> &'static str {
        match self {
            Self::Tools => "tools/list",
            Self::Resources => "resources/list",
            Self::ResourceTemplates => "resources/templates/list",
            Self::Prompts => "prompts/list",
        }
    }

    pub(super) const fn member(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::Resources => "resources",
            Self::ResourceTemplates => "resourceTemplates",
            Self::Prompts => "prompts",
        }
    }
}

/// Everything that a client can declare, but for extensions.
pub(super) fn all_capabilities() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}})
}

/// `params` with the `_meta` that every request carries
/// ([Requests](https://modelcontextprotocol.io/specification/2026-07-28/basic#requests)).
pub(super) fn with_meta(mut params: Value, id: i64, capabilities: &Value) -> Value {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": PROTOCOL_VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "pm-mcp-contract", "version": env!("CARGO_PKG_VERSION")},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
        "progressToken": id,
    });
    if let Some(params) = params.as_object_mut() {
        params.insert("_meta".to_owned(), meta);
    }
    params
}

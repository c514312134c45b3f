//! Every message for a client of an earlier revision, against the schema of that revision.

use std::sync::OnceLock;

use serde_json::Value;

use crate::definitions::Definitions;

/// The earlier revisions that are served, newest first.
pub const LEGACY_REVISIONS: [&str; 2] = ["2025-11-25", "2025-06-18"];

/// The schema of an earlier revision.
#[derive(Debug)]
pub struct LegacySchema {
    definitions: Definitions,
    /// What it calls an error response.
    error: &'static str,
}

/// The schema of one of the [`LEGACY_REVISIONS`], from the same folder as the one of the current revision and like that
/// passed over where it is missing.
///
/// # Panics
///
/// When `revision` is none of them.
pub fn legacy_schema(revision: &str) -> Option<&'static LegacySchema> {
    static SCHEMAS: OnceLock<[Option<LegacySchema>; 2]> = OnceLock::new();
    let read = |revision: &str, error| {
        let definitions = Definitions::read(&format!("spec/mcp-{revision}.schema.json"))?;
        Some(LegacySchema { definitions, error })
    };
    let [newer, older] = LEGACY_REVISIONS;
    let schemas = SCHEMAS.get_or_init(|| [read(newer, "JSONRPCErrorResponse"), read(older, "JSONRPCError")]);
    let place = LEGACY_REVISIONS.iter().position(|known| *known == revision);
    schemas[place.unwrap_or_else(|| panic!("no schema of revision {revision}"))].as_ref()
}

impl LegacySchema {
    /// Checks one message of an earlier revision, whose schema this is; `method` is the one that the answered request had.
    ///
    /// # Errors
    ///
    /// What does not fit, one fault a line.
    pub fn check(&self, message: &Value, method: Option<&str>) -> Result<(), String> {
        self.definitions.fits("JSONRPCMessage", message)?;
        if message.get("error").is_some() {
            // An error that fits as another kind of message would pass above.
            return self.definitions.fits(self.error, message);
        }
        if message.get("method").is_some() {
            return match message.get("id") {
                Some(_) => Err("this server asks nothing by request".to_owned()),
                None => self.definitions.fits("ServerNotification", message),
            };
        }
        let result = &message["result"];
        // Both schemas let any member pass.
        for member in ["resultType", "ttlMs", "cacheScope"] {
            if result.get(member).is_some() {
                return Err(format!("{member} belongs to the current revision"));
            }
        }
        if result["_meta"].get("io.modelcontextprotocol/serverInfo").is_some() {
            return Err("the server's identity belongs to the current revision".to_owned());
        }
        match method.and_then(legacy_definition_of) {
            Some(definition) => self.definitions.fits(definition, result),
            None => Err(format!("a result for the method {method:?}")),
        }
    }
}

/// The definition of a result, without the response around it.
fn legacy_definition_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "initialize" => "InitializeResult",
        "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe" => "EmptyResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        _ => return None,
    })
}

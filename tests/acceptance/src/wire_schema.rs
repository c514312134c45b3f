//! Every message that a server writes, against the schema of the revision.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};

const FILE: &str = "spec/mcp-2026-07-28.schema.json";

/// The schema of the revision.
#[derive(Debug)]
pub struct WireSchema {
    definitions: Value,
    compiled: Mutex<HashMap<String, Arc<Validator>>>,
}

/// The schema, read from the folder that `PM_SHARED` names (default: `shared` beside the repository). Where it is
/// missing, a line says so once and nothing is checked.
pub fn wire_schema() -> Option<&'static WireSchema> {
    static SCHEMA: OnceLock<Option<WireSchema>> = OnceLock::new();
    SCHEMA.get_or_init(read).as_ref()
}

fn read() -> Option<WireSchema> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    // A relative path is meant as seen from the repository's root, where make runs.
    let shared = std::env::var_os("PM_SHARED").map_or_else(|| "../shared".into(), PathBuf::from);
    let path = root.join(shared).join(FILE);
    let Ok(text) = std::fs::read_to_string(&path) else {
        eprintln!("SKIPPED schema check of what the servers write: no {}; set PM_SHARED", path.display());
        return None;
    };
    let mut schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    Some(WireSchema { definitions: schema["$defs"].take(), compiled: Mutex::default() })
}

impl WireSchema {
    /// Checks one message; `method` is the one that the answered request had, where it is known.
    ///
    /// # Errors
    ///
    /// What does not fit, one fault a line.
    pub fn check(&self, message: &Value, method: Option<&str>) -> Result<(), String> {
        self.fits("JSONRPCMessage", message)?;
        if let Some(error) = message.get("error") {
            return match error["code"].as_i64() {
                Some(-32700) => self.fits("ParseError", error),
                Some(-32600) => self.fits("InvalidRequestError", error),
                Some(-32601) => self.fits("MethodNotFoundError", error),
                Some(-32602) => self.fits("InvalidParamsError", error),
                Some(-32603) => self.fits("InternalError", error),
                Some(-32020) => self.fits("HeaderMismatchError", message),
                Some(-32021) => self.fits("MissingRequiredClientCapabilityError", message),
                Some(-32022) => self.fits("UnsupportedProtocolVersionError", message),
                code => Err(format!("no error of the protocol has the code {code:?}")),
            };
        }
        if message.get("method").is_some() {
            return match message.get("id") {
                Some(_) => Err("a server asks nothing by request".to_owned()),
                None => self.fits("ServerNotification", message),
            };
        }
        match method.and_then(definition_of) {
            Some(definition) => self.fits(definition, message),
            None => Err(format!("a result for the method {method:?}")),
        }
    }

    fn fits(&self, definition: &str, value: &Value) -> Result<(), String> {
        let faults: Vec<String> = self
            .compiled(definition)
            .iter_errors(value)
            .map(|fault| format!("{definition}, at `{}`: {fault}", fault.instance_path()))
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
    }

    fn compiled(&self, definition: &str) -> Arc<Validator> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        let validator = compiled.entry(definition.to_owned()).or_insert_with(|| {
            let schema = json!({"$ref": format!("#/$defs/{definition}"), "$defs": self.definitions});
            let options = jsonschema::options().with_draft(Draft::Draft202012).offline();
            Arc::new(options.build(&schema).expect("the revision's schema compiles"))
        });
        Arc::clone(validator)
    }
}

fn definition_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "server/discover" => "DiscoverResultResponse",
        "tools/list" => "ListToolsResultResponse",
        "tools/call" => "CallToolResultResponse",
        "resources/list" => "ListResourcesResultResponse",
        "resources/templates/list" => "ListResourceTemplatesResultResponse",
        "resources/read" => "ReadResourceResultResponse",
        "prompts/list" => "ListPromptsResultResponse",
        "prompts/get" => "GetPromptResultResponse",
        "completion/complete" => "CompleteResultResponse",
        "subscriptions/listen" => "SubscriptionsListenResultResponse",
        _ => return None,
    })
}

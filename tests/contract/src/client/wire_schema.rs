//! What the revision allows a server to write.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use jsonschema::{Draft, Validator};
use serde_json::{Value, json};
use thiserror::Error;

use crate::lock::lock;

const REVISION: &str = include_str!("../../schema/mcp-2026-07-28.schema.json");
const TASKS: &str = include_str!("../../schema/tasks.schema.json");

/// A message that the revision, or its tasks extension, does not allow.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{faults}\nin {message}")]
pub struct SchemaFault {
    /// What is wrong, one fault a line.
    pub faults: String,
    /// The message as it was read.
    pub message: String,
}

/// The schemas of the revision 2026-07-28 and of its tasks extension.
#[derive(Debug)]
pub struct WireSchema {
    revision: Value,
    tasks: Value,
    compiled: Mutex<BTreeMap<Definition, Arc<Validator>>>,
}

/// A definition of one of the two schemas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Definition {
    Revision(&'static str),
    Tasks(&'static str),
}

impl WireSchema {
    /// The schemas. What they compile to is kept for the whole process.
    pub fn get() -> &'static Self {
        static SCHEMA: OnceLock<WireSchema> = OnceLock::new();
        SCHEMA.get_or_init(|| Self {
            revision: definitions(REVISION),
            tasks: definitions(TASKS),
            compiled: Mutex::default(),
        })
    }

    /// Checks one message of a server. `method` is the one of the request that it belongs to.
    ///
    /// # Errors
    ///
    /// What is wrong with the message.
    pub fn check(&self, method: &str, message: &Value) -> Result<(), SchemaFault> {
        self.faults(method, message).map_err(|faults| SchemaFault { faults, message: message.to_string() })
    }

    fn faults(&self, method: &str, message: &Value) -> Result<(), String> {
        use Definition::{Revision, Tasks};
        self.fits(Revision("JSONRPCMessage"), message)?;
        if let Some(error) = message.get("error") {
            return match error.get("code").and_then(Value::as_i64) {
                Some(-32700) => self.fits(Revision("ParseError"), error),
                Some(-32600) => self.fits(Revision("InvalidRequestError"), error),
                Some(-32601) => self.fits(Revision("MethodNotFoundError"), error),
                Some(-32602) => self.fits(Revision("InvalidParamsError"), error),
                Some(-32603) => self.fits(Revision("InternalError"), error),
                Some(-32020) => self.fits(Revision("HeaderMismatchError"), message),
                Some(-32021) => self.fits(Revision("MissingRequiredClientCapabilityError"), message),
                Some(-32022) => self.fits(Revision("UnsupportedProtocolVersionError"), message),
                // A handler may have codes of its own.
                _ => self.fits(Revision("Error"), error),
            };
        }
        if let Some(notified) = message.get("method").and_then(Value::as_str) {
            return match (message.get("id"), notified) {
                (Some(_), _) => Err("a server asks nothing by request".to_owned()),
                (None, "notifications/tasks") => self.fits(Tasks("TaskStatusNotification"), message),
                (None, _) => self.fits(Revision("ServerNotification"), message),
            };
        }
        let result = message.get("result").unwrap_or(&Value::Null);
        let kind = result.get("resultType").and_then(Value::as_str).unwrap_or_default();
        match (method, kind) {
            ("tools/call" | "prompts/get" | "resources/read", "input_required") => {
                self.fits(Revision("InputRequiredResult"), result)
            }
            ("tools/call", "task") => self.fits(Tasks("CreateTaskResult"), result),
            (_, "complete") => self.fits(result_of(method), result),
            _ => Err(format!("{method} ends with the resultType {kind:?}")),
        }?;
        // The task of a call ends with what the call would have ended with.
        match (method, result.get("result")) {
            ("tasks/get", Some(ended)) => self.fits(Revision("CallToolResult"), ended),
            _ => Ok(()),
        }
    }

    fn fits(&self, definition: Definition, value: &Value) -> Result<(), String> {
        let name = match definition {
            Definition::Revision(name) | Definition::Tasks(name) => name,
        };
        let faults: Vec<String> = self
            .compiled(definition)?
            .iter_errors(value)
            .map(|fault| format!("no {name}, at `{}`: {fault}", fault.instance_path()))
            .collect();
        if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
    }

    fn compiled(&self, definition: Definition) -> Result<Arc<Validator>, String> {
        let mut compiled = lock(&self.compiled);
        if let Some(validator) = compiled.get(&definition) {
            return Ok(Arc::clone(validator));
        }
        let (name, definitions) = match definition {
            Definition::Revision(name) => (name, &self.revision),
            Definition::Tasks(name) => (name, &self.tasks),
        };
        let schema = json!({"$ref": format!("#/$defs/{name}"), "$defs": definitions});
        let options = jsonschema::options().with_draft(Draft::Draft202012).offline();
        let validator =
            Arc::new(options.build(&schema).map_err(|fault| format!("no schema {name}: {fault}"))?);
        compiled.insert(definition, Arc::clone(&validator));
        Ok(validator)
    }
}

fn definitions(schema: &str) -> Value {
    serde_json::from_str::<Value>(schema)
        .ok()
        .and_then(|mut schema| schema.get_mut("$defs").map(Value::take))
        .unwrap_or_default()
}

fn result_of(method: &str) -> Definition {
    use Definition::{Revision, Tasks};
    match method {
        "server/discover" => Revision("DiscoverResult"),
        "tools/list" => Revision("ListToolsResult"),
        "tools/call" => Revision("CallToolResult"),
        "resources/list" => Revision("ListResourcesResult"),
        "resources/templates/list" => Revision("ListResourceTemplatesResult"),
        "resources/read" => Revision("ReadResourceResult"),
        "prompts/list" => Revision("ListPromptsResult"),
        "prompts/get" => Revision("GetPromptResult"),
        "completion/complete" => Revision("CompleteResult"),
        "subscriptions/listen" => Revision("SubscriptionsListenResult"),
        "tasks/get" => Tasks("GetTaskResult"),
        "tasks/update" => Tasks("UpdateTaskResult"),
        "tasks/cancel" => Tasks("CancelTaskResult"),
        // What the revision does not know is a method of an extension, whose result is at least a result.
        _ => Revision("Result"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_revision_does_not_allow_is_seen() {
        let schema = WireSchema::get();
        let result = |result: Value| json!({"jsonrpc": "2.0", "id": 1, "result": result});
        let good = result(json!({"resultType": "complete", "content": []}));
        assert_eq!(schema.check("tools/call", &good), Ok(()));
        for (method, bad) in [
            ("tools/call", result(json!({"content": []}))),
            ("tools/call", result(json!({"resultType": "complete", "content": [{"type": "text"}]}))),
            ("tools/call", result(json!({"resultType": "task", "taskId": "t"}))),
            ("tools/list", result(json!({"resultType": "input_required"}))),
            ("tasks/get", result(json!({"resultType": "complete", "taskId": "t", "status": "working"}))),
            ("tools/call", json!({"jsonrpc": "2.0", "method": "notifications/other"})),
            ("tools/call", json!({"jsonrpc": "2.0", "id": 1, "method": "ping"})),
            ("tools/call", json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32603}})),
            ("tools/call", json!([])),
        ] {
            assert!(schema.check(method, &bad).is_err(), "{method}: {bad}");
        }
    }
}

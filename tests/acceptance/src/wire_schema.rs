//! Every message that a server writes, against the schemas of the revision and of its tasks extension.

use std::sync::OnceLock;

use serde_json::Value;

use crate::definitions::Definitions;

const REVISION: &str = "spec/mcp-2026-07-28.schema.json";
const TASKS: &str = "spec/tasks.schema.json";

/// The schemas of the revision and of its tasks extension.
#[derive(Debug)]
pub struct WireSchema {
    revision: Definitions,
    tasks: Definitions,
}

/// The schemas, read from the folder that `PM_SHARED` names (default: `shared` beside the repository). Where one is
/// missing, a line says so once and nothing is checked.
pub fn wire_schema() -> Option<&'static WireSchema> {
    static SCHEMA: OnceLock<Option<WireSchema>> = OnceLock::new();
    SCHEMA.get_or_init(read).as_ref()
}

fn read() -> Option<WireSchema> {
    Some(WireSchema { revision: Definitions::read(REVISION)?, tasks: Definitions::read(TASKS)? })
}

impl WireSchema {
    /// Checks one message; `method` is the one that the answered request had, where it is known.
    ///
    /// # Errors
    ///
    /// What does not fit, one fault a line.
    pub fn check(&self, message: &Value, method: Option<&str>) -> Result<(), String> {
        self.revision.fits("JSONRPCMessage", message)?;
        if message.get("error").is_some() {
            return self.check_error(message);
        }
        if message.get("method").is_some() {
            return match message.get("id") {
                Some(_) => Err("a server asks nothing by request".to_owned()),
                None => self.check_notification(message),
            };
        }
        match method {
            Some(method) => self.check_result(&message["result"], method),
            None => Err("a result that nobody asked for".to_owned()),
        }
    }

    fn check_error(&self, message: &Value) -> Result<(), String> {
        let error = &message["error"];
        match error["code"].as_i64() {
            Some(-32700) => self.revision.fits("ParseError", error),
            Some(-32600) => self.revision.fits("InvalidRequestError", error),
            Some(-32601) => self.revision.fits("MethodNotFoundError", error),
            Some(-32602) => self.revision.fits("InvalidParamsError", error),
            Some(-32603) => self.revision.fits("InternalError", error),
            Some(-32020) => self.revision.fits("HeaderMismatchError", message),
            Some(-32021) => self.revision.fits("MissingRequiredClientCapabilityError", message),
            Some(-32022) => self.revision.fits("UnsupportedProtocolVersionError", message),
            code => Err(format!("no error of the protocol has the code {code:?}")),
        }
    }

    fn check_notification(&self, message: &Value) -> Result<(), String> {
        match message["method"].as_str() {
            Some("notifications/tasks") => {
                self.tasks.fits("TaskStatusNotification", message)?;
                self.check_outcome(&message["params"])
            }
            Some("notifications/subscriptions/acknowledged") => {
                self.revision.fits("ServerNotification", message)?;
                self.tasks
                    .fits("TaskSubscriptionAcknowledgedNotifications", &message["params"]["notifications"])
            }
            _ => self.revision.fits("ServerNotification", message),
        }
    }

    /// The revision allows either form of a result under one name; which of them it has to be is what `resultType` says.
    fn check_result(&self, result: &Value, method: &str) -> Result<(), String> {
        let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        if !server["name"].is_string() || !server["version"].is_string() {
            return Err("a result that does not say which server it is from".to_owned());
        }
        match (method, result["resultType"].as_str()) {
            ("tools/call", Some("task")) => self.tasks.fits("CreateTaskResult", result),
            ("tools/call" | "resources/read" | "prompts/get", Some("input_required")) => {
                self.revision.fits("InputRequiredResult", result)?;
                match (result.get("inputRequests"), result.get("requestState")) {
                    (None, None) => Err("neither questions nor a state in what asks".to_owned()),
                    _ => Ok(()),
                }
            }
            ("tasks/get", Some("complete")) => {
                self.tasks.fits("GetTaskResult", result)?;
                self.check_outcome(result)
            }
            ("tasks/update", Some("complete")) => self.tasks.fits("UpdateTaskResult", result),
            ("tasks/cancel", Some("complete")) => self.tasks.fits("CancelTaskResult", result),
            // What the revision does not know is a method of an extension, whose result is at least a result.
            (method, Some("complete")) => {
                self.revision.fits(definition_of(method).unwrap_or("Result"), result)
            }
            (method, kind) => Err(format!("a result of the type {kind:?} for the method {method}")),
        }
    }

    /// A task brings along what its status calls for, and the result of a call is one of the revision.
    fn check_outcome(&self, task: &Value) -> Result<(), String> {
        let here = |name: &str| task.get(name).is_some();
        let fits = match task["status"].as_str() {
            Some("input_required") => here("inputRequests"),
            Some("completed") => return self.revision.fits("CallToolResult", &task["result"]),
            Some("failed") => return self.revision.fits("Error", &task["error"]),
            Some(_) => !here("inputRequests") && !here("result") && !here("error"),
            None => false,
        };
        if fits { Ok(()) } else { Err("a task with the members of another status".to_owned()) }
    }
}

fn definition_of(method: &str) -> Option<&'static str> {
    Some(match method {
        "server/discover" => "DiscoverResult",
        "tools/list" => "ListToolsResult",
        "tools/call" => "CallToolResult",
        "resources/list" => "ListResourcesResult",
        "resources/templates/list" => "ListResourceTemplatesResult",
        "resources/read" => "ReadResourceResult",
        "prompts/list" => "ListPromptsResult",
        "prompts/get" => "GetPromptResult",
        "completion/complete" => "CompleteResult",
        "subscriptions/listen" => "SubscriptionsListenResult",
        _ => return None,
    })
}

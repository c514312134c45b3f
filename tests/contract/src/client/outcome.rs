//! What calls end with.

use serde_json::{Map, Value};

/// What one request for a tool ended with.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    /// A result.
    Complete(ToolResult),
    /// Questions, to be answered by calling again with the answers and the state.
    InputRequired {
        /// The questions by their keys.
        requests: Map<String, Value>,
        /// What to send back with the answers, if anything.
        state: Option<String>,
    },
    /// A task that goes on.
    Task(TaskView),
}

/// The result of a tool.
#[derive(Clone, PartialEq, Debug)]
pub struct ToolResult(pub Value);

impl ToolResult {
    /// All text blocks, one a line.
    pub fn text(&self) -> String {
        let blocks = self.0.get("content").and_then(Value::as_array);
        let texts =
            blocks.into_iter().flatten().filter_map(|block| block.get("text")).filter_map(Value::as_str);
        texts.collect::<Vec<_>>().join("\n")
    }

    /// The structured content, null for none.
    pub fn structured(&self) -> &Value {
        self.0.get("structuredContent").unwrap_or(&Value::Null)
    }

    /// Whether the tool says that it failed.
    pub fn is_error(&self) -> bool {
        self.0.get("isError").and_then(Value::as_bool).unwrap_or_default()
    }
}

/// A task as the server describes it.
#[derive(Clone, PartialEq, Debug)]
pub struct TaskView(pub Value);

impl TaskView {
    /// The task's id.
    pub fn id(&self) -> &str {
        self.text("taskId")
    }

    /// Its status, such as `working`.
    pub fn status(&self) -> &str {
        self.text("status")
    }

    /// What it says of itself; empty for nothing.
    pub fn message(&self) -> &str {
        self.text("statusMessage")
    }

    /// The questions that it waits for, by their keys.
    pub fn questions(&self) -> Map<String, Value> {
        self.0.get("inputRequests").and_then(Value::as_object).cloned().unwrap_or_default()
    }

    pub(super) fn poll_interval_ms(&self) -> u64 {
        self.0.get("pollIntervalMs").and_then(Value::as_u64).unwrap_or(1_000)
    }

    fn text(&self, member: &str) -> &str {
        self.0.get(member).and_then(Value::as_str).unwrap_or_default()
    }
}

/// A report of progress.
#[derive(Clone, PartialEq, Debug)]
pub struct Progress {
    /// How far it is.
    pub progress: f64,
    /// How far it goes.
    pub total: Option<f64>,
    /// What is being done; empty when the report does not say.
    pub message: String,
}

impl Progress {
    pub(super) fn of(params: &Value) -> Self {
        Self {
            progress: params.get("progress").and_then(Value::as_f64).unwrap_or_default(),
            total: params.get("total").and_then(Value::as_f64),
            message: params.get("message").and_then(Value::as_str).unwrap_or_default().to_owned(),
        }
    }
}

//! Tasks.

use serde_json::{Map, Value, json};

use super::error::ClientError;
use super::outcome::{TaskView, ToolResult};
use super::session::Client;

/// How often a task is looked at before it counts as endless.
const LOOKS: usize = 10_000;

impl Client {
    /// Looks at a task.
    ///
    /// # Errors
    ///
    /// As [`Call::end`](super::Call::end).
    pub async fn task(&self, id: &str) -> Result<TaskView, ClientError> {
        self.request("tasks/get", json!({"taskId": id})).await.map(TaskView)
    }

    /// Answers questions of a task.
    ///
    /// # Errors
    ///
    /// As [`Call::end`](super::Call::end).
    pub async fn update_task(&self, id: &str, answers: Map<String, Value>) -> Result<(), ClientError> {
        self.request("tasks/update", json!({"taskId": id, "inputResponses": answers})).await.map(drop)
    }

    /// Asks for the end of a task.
    ///
    /// # Errors
    ///
    /// As [`Call::end`](super::Call::end).
    pub async fn cancel_task(&self, id: &str) -> Result<(), ClientError> {
        self.request("tasks/cancel", json!({"taskId": id})).await.map(drop)
    }

    /// Looks at a task, at the interval that it asks for, until it ended; what it asks is answered from the script.
    ///
    /// # Errors
    ///
    /// As [`call_to_end`](Self::call_to_end).
    pub async fn task_to_end(&self, id: &str) -> Result<ToolResult, ClientError> {
        for _ in 0..LOOKS {
            let mut task = self.task(id).await?;
            match task.status() {
                "completed" => {
                    return Ok(ToolResult(task.0.get_mut("result").map(Value::take).unwrap_or_default()));
                }
                "failed" => {
                    let error = task.0.get_mut("error").map(Value::take).unwrap_or_default();
                    return Err(ClientError::TaskFailed(error));
                }
                "cancelled" => return Err(ClientError::TaskCancelled),
                "input_required" => self.update_task(id, self.answers(&task.questions())?).await?,
                _ => {}
            }
            self.pass(task.poll_interval_ms()).await;
        }
        Err(ClientError::Endless(LOOKS))
    }
}

//! Tasks that are polled, answered, cancelled and forgotten.

use std::sync::Arc;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{call, request};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::calls::ask;
use crate::load::{Load, Pace};
use crate::messages::{post, with_tasks};
use crate::wire::{PATIENCE, Wire};

/// How often a task is looked at.
const INTERVAL: Duration = Duration::from_millis(100);

/// One client of tasks.
struct Client {
    load: Arc<Load>,
    wire: Option<Wire>,
}

impl Client {
    async fn ask(&mut self, message: Value) -> Result<Value, String> {
        let bytes = post(self.load.server, &with_tasks(message));
        ask(&self.load, &mut self.wire, &bytes).await.map(|mut answer| answer["result"].take())
    }

    async fn begin(&mut self, tool: &str, arguments: Value) -> Result<String, String> {
        let result = self.ask(call(1, tool, arguments)).await?;
        result["taskId"].as_str().map(str::to_owned).ok_or_else(|| format!("no task: {result}"))
    }

    /// Looks until the task has one of the `wanted` states; until then it has one of those `before`.
    async fn until(&mut self, task: &str, before: &[&str], wanted: &[&str]) -> Result<Value, String> {
        let begun = Instant::now();
        loop {
            let found = self.ask(request(2, "tasks/get", json!({"taskId": task}))).await?;
            let is_one_of = |states: &[&str]| states.iter().any(|state| found["status"] == *state);
            if is_one_of(wanted) {
                return Ok(found);
            }
            if !is_one_of(before) || begun.elapsed() > PATIENCE {
                return Err(format!("{wanted:?} was to come, after {:?} there is {found}", begun.elapsed()));
            }
            sleep(INTERVAL).await;
        }
    }

    async fn polled(&mut self) -> Result<(), String> {
        let task = self.begin("pm_health", json!({})).await?;
        self.until(&task, &["working"], &["completed"]).await.map(drop)
    }

    async fn answered(&mut self) -> Result<(), String> {
        let task = self.begin("pm_validate", json!({"fix": true})).await?;
        let asked = self.until(&task, &["working"], &["input_required"]).await?;
        let question = &asked["inputRequests"]["repairs"];
        if !question.is_object() {
            return Err(format!("another question than was to come: {asked}"));
        }
        let answers = json!({"taskId": task, "inputResponses": {"repairs": {"action": "decline"}}});
        self.ask(request(3, "tasks/update", answers)).await?;
        // It may be seen as waiting once more before the answer has arrived at the work.
        self.until(&task, &["working", "input_required"], &["completed"]).await.map(drop)
    }

    async fn cancelled(&mut self) -> Result<(), String> {
        let task = self.begin("pm_validate", json!({})).await?;
        self.ask(request(4, "tasks/cancel", json!({"taskId": task}))).await?;
        self.until(&task, &["working"], &["cancelled", "completed"]).await.map(drop)
    }

    async fn cancelled_while_it_asks(&mut self) -> Result<(), String> {
        let task = self.begin("pm_validate", json!({"fix": true})).await?;
        self.until(&task, &["working"], &["input_required"]).await?;
        self.ask(request(4, "tasks/cancel", json!({"taskId": task}))).await?;
        self.until(&task, &["working"], &["cancelled"]).await.map(drop)
    }
}

/// Tasks of every fate, one after the other.
pub(crate) async fn task_on(load: Arc<Load>, number: u64, rate: f64) {
    let mut pace = Pace::a_second(rate, 1_000 + number);
    let mut client = Client { load: Arc::clone(&load), wire: None };
    let mut at = number;
    while load.goes_on() {
        pace.rest().await;
        let begun = Instant::now();
        let (kind, outcome) = match at % 6 {
            0 | 3 => ("task polled", client.polled().await),
            1 => ("task answered", client.answered().await),
            2 => ("task cancelled", client.cancelled().await),
            4 => ("task cancelled, asking", client.cancelled_while_it_asks().await),
            _ => ("task forgotten", client.begin("pm_health", json!({})).await.map(drop)),
        };
        load.tally.note(kind, begun, outcome);
        at += 1;
    }
}

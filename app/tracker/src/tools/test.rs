//! `pm_test`.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp::{ClientCapability, Context, Execution, HandlerFault, ToolAnnotations, ToolEntry};
use pm_tracker_domain::change::{Change, TestCommand};
use pm_tracker_ports::Target;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::call::{Call, begin, draft, finished};
use super::name::ToolName;
use super::write_call::split;
use crate::failure::{Failure, Problem};
use crate::testing::{LinkedTests, TestReport, consent, listed, run};
use crate::tracker::Tracker;
use crate::vocabulary::Vocabulary;
use crate::writing::{Asked, Receipt, edit};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Action {
    #[default]
    List,
    Add,
    Remove,
    Run,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TestArguments {
    id: String,
    #[serde(default)]
    action: Action,
    command: Option<String>,
    timeout_seconds: Option<u64>,
    #[serde(default)]
    only: Vec<String>,
}

/// A report when listing and running, else a receipt.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(extend("type" = "object"))]
enum TestAnswer {
    Report(TestReport),
    Receipt(Receipt),
}

pub(super) fn entry(tracker: &Arc<Tracker>, vocabulary: &Vocabulary) -> ToolEntry {
    let command = json!({
        "type": "string", "minLength": 1, "maxLength": 4000,
        "description": "The command to add or to take out, as a shell reads it in the repository root."
    });
    let seconds = json!({
        "type": "integer", "minimum": 1, "maximum": 86_400,
        "description": "How long a command may run: kept with one that is added, else for this run."
    });
    let input = Arguments::new()
        .id("id", "The item")
        .required("id")
        .choice("action", ["list", "add", "remove", "run"], "What to do; list unless told.")
        .with("command", command)
        .with("timeoutSeconds", seconds)
        .texts("only", "Run these of the linked commands, spelled as listed; all unless told.")
        .writing()
        .finish(vocabulary);
    let hints = ToolAnnotations {
        destructive_hint: Some(true),
        idempotent_hint: Some(false),
        open_world_hint: Some(true),
        ..ToolAnnotations::default()
    };
    let tracker = Arc::clone(tracker);
    let draft = draft::<TestAnswer>(ToolName::Test, input).annotations(hints).execution(Execution::Adaptive);
    draft.handler(move |context: Context, arguments: Value| {
        let limit = context.require(ClientCapability::TASKS).is_err().then_some(tracker.foreground_limit());
        let running = begin(&tracker, context, arguments, |call, arguments: Value| {
            let (asked, own) = split(arguments)?;
            Ok::<_, HandlerFault>(test(call, asked, own, limit))
        });
        async move { finished(running??.await) }
    })
}

async fn test(
    call: Call,
    asked: Asked,
    own: TestArguments,
    limit: Option<Duration>,
) -> Result<TestAnswer, Problem> {
    let view = call.view().await?;
    let item = view.find(&own.id)?;
    let command =
        || own.command.clone().ok_or_else(|| Failure::argument("command", "is needed to add or remove"));
    let change = match own.action {
        Action::List => return Ok(TestAnswer::Report(listed(item))),
        Action::Run => {
            if view.workspace().runner().is_none() {
                return Err(Failure::TestRunDisabled.into());
            }
            let tests = LinkedTests::of(item, &own.only, own.timeout_seconds)?;
            if !consent(&call.tracker, &call.context, &view, &tests).await? {
                return Ok(TestAnswer::Report(tests.declined()));
            }
            // Consent is asked for with the request, so that nothing is left behind when it is not given.
            call.context.start_task(Some("running linked commands".to_owned())).await?;
            let running = run(&call.tracker, &call.context, &view, &asked, tests, &call.watch);
            let report = match limit {
                None => running.await?,
                Some(limit) => match tokio::time::timeout(limit, running).await {
                    Ok(report) => report?,
                    Err(_) => return Err(Failure::ForegroundLimit { limit }.into()),
                },
            };
            return Ok(TestAnswer::Report(report));
        }
        Action::Add => {
            Change::TestAdd(TestCommand { command: command()?, timeout_seconds: own.timeout_seconds })
        }
        Action::Remove => Change::TestRemove { command: command()? },
    };
    let target = Target::Item(item.id().to_owned());
    edit(&call.tracker, &call.context, &view, target, &asked, change).await.map(TestAnswer::Receipt)
}

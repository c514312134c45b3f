//! Running test commands, after the user agreed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use pm_mcp::Context;
use pm_tracker_domain::change::Change;
use pm_tracker_ports::{CheckProgress as _, Target};
use serde_json::{Value, json};

use super::linked::LinkedTests;
use super::report::{TestReport, TestRun};
use crate::failure::{Failure, Problem};
use crate::tracker::Tracker;
use crate::view::View;
use crate::watch::Watch;
use crate::writing::{Asked, Confirmation, approved, edit, now};

/// Asks whether these commands may run, where the rules say so. A command that changes afterwards is asked about anew.
///
/// # Errors
///
/// What asking raises, which is to be passed on.
pub(crate) async fn consent(
    tracker: &Tracker,
    context: &Context,
    view: &View,
    tests: &LinkedTests,
) -> Result<bool, Problem> {
    match tracker.confirmation() {
        Confirmation::Never => Ok(true),
        Confirmation::Always | Confirmation::Destructive => {
            approved(context, &tests.digest(), &BTreeMap::new(), &message(view, tests)).await
        }
    }
}

/// Every command in full: the user agrees to exactly these.
fn message(view: &View, tests: &LinkedTests) -> String {
    let mut text = format!(
        "Run these commands in the repository of workspace \u{201c}{}\u{201d}, for {} ({})?",
        view.workspace().name(),
        tests.id,
        tests.title
    );
    for test in &tests.tests {
        let Some(order) = &test.order else { continue };
        // Writing to a string does not fail.
        let _always_ok = write!(text, "\n- {} (at most {} s)", order.command, order.time_limit.as_secs());
        for (name, value) in &order.env_set {
            let _always_ok = write!(text, "\n    with {name}={value}");
        }
    }
    text
}

/// Runs the commands one after another. A cancel ends the one that runs; what has run is told.
///
/// # Errors
///
/// [`Failure::TestRunDisabled`] where nothing can run commands; faults as they come.
pub(crate) async fn run(
    tracker: &Tracker,
    context: &Context,
    view: &View,
    asked: &Asked,
    tests: LinkedTests,
    watch: &Watch,
) -> Result<TestReport, Problem> {
    let runner = view.workspace().runner().ok_or(Failure::TestRunDisabled)?;
    let started = now(context);
    let part = watch.part("running commands");
    let total = tests.tests.len();
    let mut runs = Vec::with_capacity(total);
    let mut stopped = false;
    for (done, test) in tests.tests.iter().enumerate() {
        part.advanced(done, total);
        let Some(order) = test.order.clone() else {
            let note = "names a path and no command".to_owned();
            runs.push(TestRun::without_output(&test.name, "not_run", Some(note)));
            continue;
        };
        if stopped || part.is_cancelled() {
            stopped = true;
            runs.push(TestRun::without_output(&test.name, "not_run", None));
            continue;
        }
        tokio::select! {
            end = runner.run(order) => runs.push(test.judge(end)),
            () = context.cancelled() => {
                stopped = true;
                runs.push(TestRun::without_output(&test.name, "stopped", None));
            }
        }
    }
    part.advanced(total, total);
    let report = TestReport::new(&tests.id, runs);
    if view.snapshot().settings.record_test_results {
        record(tracker, context, view, asked, &report, &started.to_string(), stopped).await?;
    }
    Ok(report)
}

/// Keeps the outcome with the item.
async fn record(
    tracker: &Tracker,
    context: &Context,
    view: &View,
    asked: &Asked,
    report: &TestReport,
    started: &str,
    stopped: bool,
) -> Result<(), Problem> {
    let ended = now(context).to_string();
    let status = if stopped {
        "stopped"
    } else if report.failed > 0 {
        "failed"
    } else {
        "passed"
    };
    let record: Value = json!({
        "run_id": format!("mcp-{}-{}", report.id, context.now().as_unix_ms()),
        "kind": "test",
        "status": status,
        "started_at": started,
        "finished_at": ended,
        "recorded_at": ended,
        "passed": report.passed,
        "failed": report.failed,
        "skipped": report.skipped,
    });
    let target = Target::Item(report.id.clone());
    edit(tracker, context, view, target, asked, Change::TestRun { record }).await?;
    Ok(())
}

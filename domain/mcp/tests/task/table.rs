//! Every state and every event, in one table that is printed into the documentation.

use std::fmt::Write;

use pm_mcp_domain::task::{Next, Task, TaskEffect, TaskEvent, TaskRefusal, TaskStatus};

use crate::golden;
use crate::support::*;

const BEFORE: &str = include_str!("lifecycles_head.md");
const AFTER: &str = include_str!("lifecycles_tail.md");

/// A row of the table: what happened in words, when, and the event.
fn events() -> Vec<(&'static str, i64, TaskEvent)> {
    let rows = vec![
        ("`InputRequested`, a new key", 5_000, ask(&["region"])),
        ("`InputRequested`, a used key", 5_000, ask(&["name"])),
        ("`InputRequested`, nothing", 5_000, ask(&[])),
        ("`InputWithdrawn`, open key", 5_000, withdraw(&["name"])),
        ("`InputWithdrawn`, other key", 5_000, withdraw(&["size"])),
        ("`InputSupplied`, last open key", 5_000, supply(&["name"])),
        ("`InputSupplied`, other keys", 5_000, supply(&["size", "unknown"])),
        ("`InputTaken`", 5_000, TaskEvent::InputTaken),
        ("`Reported`", 5_000, report("testing")),
        ("`Finished`", 5_000, finish()),
        ("`Broke`", 5_000, broke()),
        ("`CancelRequested`", 5_000, TaskEvent::CancelRequested),
        ("`LeaseRenewed` by the worker", 5_000, renew(1, LEASE + 5_000)),
        ("`LeaseRenewed` by another", 5_000, renew(2, LEASE + 5_000)),
        ("`LeaseRanOut`, too early", LEASE - 1, TaskEvent::LeaseRanOut),
        ("`LeaseRanOut`, in time", LEASE, TaskEvent::LeaseRanOut),
        ("`WorkerLost`, the task's", 5_000, lost(1)),
        ("`WorkerLost`, another", 5_000, lost(2)),
        ("`Expired`, too early", LIFETIME - 1, TaskEvent::Expired),
        ("`Expired`, in time", LIFETIME, TaskEvent::Expired),
        ("any other, lifetime over", LIFETIME, TaskEvent::CancelRequested),
    ];
    for (words, _, event) in &rows {
        assert!(words.starts_with(name(event)) || words.starts_with("any other"), "{words}");
    }
    rows
}

/// Names the event as the table does. A new event does not compile until it is named here, and so is not forgotten above.
fn name(event: &TaskEvent) -> &'static str {
    match event {
        TaskEvent::InputRequested { .. } => "`InputRequested`",
        TaskEvent::InputWithdrawn { .. } => "`InputWithdrawn`",
        TaskEvent::InputSupplied { .. } => "`InputSupplied`",
        TaskEvent::InputTaken => "`InputTaken`",
        TaskEvent::Reported { .. } => "`Reported`",
        TaskEvent::Finished { .. } => "`Finished`",
        TaskEvent::Broke { .. } => "`Broke`",
        TaskEvent::CancelRequested => "`CancelRequested`",
        TaskEvent::LeaseRenewed { .. } => "`LeaseRenewed`",
        TaskEvent::LeaseRanOut => "`LeaseRanOut`",
        TaskEvent::WorkerLost { .. } => "`WorkerLost`",
        TaskEvent::Expired => "`Expired`",
    }
}

fn cell(task: &Task, event: TaskEvent, now: i64) -> String {
    let decision = match decide(task, event, now) {
        Err(TaskRefusal::Ended { .. }) => return "refused: ended".to_owned(),
        Err(TaskRefusal::Expired) => return "refused: expired".to_owned(),
        Err(TaskRefusal::OtherWorker) => return "refused: other worker".to_owned(),
        Err(TaskRefusal::TooManyQuestions { .. }) => return "refused: too many".to_owned(),
        Err(TaskRefusal::TooLong { .. }) => return "refused: too long".to_owned(),
        Ok(decision) => decision,
    };
    let next = match decision.next {
        Next::Unchanged => return "—".to_owned(),
        Next::Remove => "*removed*".to_owned(),
        Next::Replace(next) if next.status() == task.status() => "same state".to_owned(),
        Next::Replace(next) => format!("**{}**", next.status()),
    };
    let effects: Vec<&str> = decision
        .effects
        .iter()
        .map(|effect| match effect {
            TaskEffect::Publish => "Publish",
            TaskEffect::AssignKeys(_) => "AssignKeys",
            TaskEffect::WakeWorker => "WakeWorker",
            TaskEffect::DeliverInput(_) => "DeliverInput",
            TaskEffect::StopWork => "StopWork",
            TaskEffect::WakeAt(_) => "WakeAt",
        })
        .collect();
    if effects.is_empty() { next } else { format!("{next}: {}", effects.join(", ")) }
}

fn page() -> String {
    let tasks = in_every_state();
    let mut page = BEFORE.to_owned();
    page.push_str("\n| Event |");
    for status in TaskStatus::ALL {
        write!(page, " {status} |").unwrap();
    }
    page.push_str("\n|---|---|---|---|---|---|\n");
    for (words, now, event) in events() {
        write!(page, "| {words} |").unwrap();
        for status in TaskStatus::ALL {
            let (_, task) = tasks.iter().find(|(name, _)| *name == status.as_str()).unwrap();
            write!(page, " {} |", cell(task, event.clone(), now)).unwrap();
        }
        page.push('\n');
    }
    page.push('\n');
    page.push_str(AFTER);
    page
}

#[test]
fn the_table_in_the_documentation_is_what_the_domain_decides() {
    golden::compare("../../docs/lifecycles.md", include_str!("../../../../docs/lifecycles.md"), &page());
}

#[test]
fn every_event_is_a_row() {
    let rows = events();
    let mut names: Vec<&str> = rows.iter().map(|(_, _, event)| name(event)).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 12);
}

#[test]
fn every_state_is_a_column() {
    for (name, task) in in_every_state() {
        assert_eq!(task.status().as_str(), name);
    }
}

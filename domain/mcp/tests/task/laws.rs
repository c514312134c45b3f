//! Laws that hold for every course of events, tried on random ones beside a small model.

use std::collections::{BTreeMap, BTreeSet};

use pm_mcp_domain::fault::{ErrorCode, Refusal};
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::task::{
    Lifetime, Next, Task, TaskEffect, TaskEvent, TaskLimits, TaskRefusal, TaskState, TaskStatus,
    WORK_CANCELLED, WORKER_LOST, visible,
};
use pm_mcp_domain::time::{TimeToLive, Timestamp};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::support::*;

/// What the client and the worker may believe, told in the fewest words.
#[derive(Default)]
struct Model {
    used: BTreeSet<String>,
    open: BTreeSet<String>,
    untaken: BTreeSet<String>,
    ended: Option<TaskStatus>,
    lease: i64,
}

impl Model {
    /// Says what must come of the event, and takes the keys that the task assigned.
    fn step(&mut self, event: &TaskEvent, assigned: &[String], now: i64) -> TaskStatus {
        if self.ended.is_none() {
            match event {
                TaskEvent::InputRequested { .. } => {
                    for key in assigned {
                        assert!(self.used.insert(key.clone()), "{key} is used twice");
                        self.open.insert(key.clone());
                    }
                }
                TaskEvent::InputWithdrawn { keys } => {
                    self.open.retain(|open| keys.iter().all(|key| key.as_str() != open))
                }
                TaskEvent::InputSupplied { answers } => {
                    let keys = answers.iter().map(|answer| answer.key.to_string());
                    self.untaken.extend(keys.filter(|key| self.open.remove(key)));
                }
                TaskEvent::InputTaken => self.untaken.clear(),
                TaskEvent::Reported { .. } | TaskEvent::Expired => {}
                TaskEvent::Finished { .. } => self.ended = Some(TaskStatus::Completed),
                TaskEvent::Broke { .. } => self.ended = Some(TaskStatus::Failed),
                TaskEvent::CancelRequested => self.ended = Some(TaskStatus::Cancelled),
                TaskEvent::LeaseRenewed { worker: who, until } if *who == worker(1) => {
                    self.lease = self.lease.max(until.as_unix_ms() - CREATED);
                }
                TaskEvent::LeaseRenewed { .. } => {}
                TaskEvent::LeaseRanOut if now >= self.lease => self.ended = Some(TaskStatus::Failed),
                TaskEvent::LeaseRanOut => {}
                TaskEvent::WorkerLost { worker: who } if *who == worker(1) => {
                    self.ended = Some(TaskStatus::Failed)
                }
                TaskEvent::WorkerLost { .. } => {}
            }
        }
        self.ended.unwrap_or(if self.open.is_empty() {
            TaskStatus::Working
        } else {
            TaskStatus::InputRequired
        })
    }
}

fn events() -> impl Strategy<Value = Vec<(TaskEvent, i64)>> {
    let names = || prop::collection::vec(prop::sample::select(vec!["a", "b", "a-2", "c"]), 0..3);
    let event = prop_oneof![
        6 => names().prop_map(|names| ask(&names)),
        2 => names().prop_map(|names| withdraw(&names)),
        6 => names().prop_map(|names| supply(&names)),
        4 => Just(TaskEvent::InputTaken),
        2 => prop::sample::select(vec!["x", "y"]).prop_map(report),
        1 => Just(finish()),
        1 => Just(broke()),
        1 => Just(TaskEvent::CancelRequested),
        3 => (1..3_u8, 0..LIFETIME).prop_map(|(number, until)| renew(number, until)),
        1 => Just(TaskEvent::LeaseRanOut),
        1 => (1..3_u8).prop_map(lost),
        1 => Just(TaskEvent::Expired),
    ];
    // The clock steps back as often as it goes on, and sometimes beyond the lifetime.
    prop::collection::vec((event, -5_000..LIFETIME + 5_000), 1..30)
}

/// Everything that a client can see, but when it changed.
fn seen(task: &Task) -> (TaskState, Option<String>, Lifetime) {
    (task.state().clone(), task.status_message().map(str::to_owned), task.lifetime())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, rng_seed: RngSeed::Fixed(0x7A5C), ..ProptestConfig::default() })]

    #[test]
    fn every_course_of_events_agrees_with_the_model(course in events()) {
        let mut model = Model { lease: LEASE, ..Model::default() };
        let mut delivered: BTreeMap<String, u32> = BTreeMap::new();
        let mut task = task();
        for (event, now) in course {
            let decision = decide(&task, event.clone(), now);
            if now >= LIFETIME {
                match decision {
                    Ok(decision) => prop_assert!(event == TaskEvent::Expired && decision.next == Next::Remove),
                    Err(refusal) => prop_assert_eq!(refusal, TaskRefusal::Expired),
                }
                continue;
            }
            let Ok(decision) = decision else {
                let ended = decision == Err(TaskRefusal::Ended { status: task.status() });
                prop_assert!(ended == task.status().is_ended());
                prop_assert!(ended || decision == Err(TaskRefusal::OtherWorker));
                continue;
            };
            let mut assigned = Vec::new();
            for effect in &decision.effects {
                match effect {
                    TaskEffect::AssignKeys(keys) => assigned.extend(keys.iter().map(|key| key.assigned.to_string())),
                    TaskEffect::DeliverInput(answers) => {
                        let keys: BTreeSet<String> = answers.iter().map(|answer| answer.key.to_string()).collect();
                        prop_assert_eq!(&keys, &model.untaken);
                        keys.into_iter().for_each(|key| *delivered.entry(key).or_default() += 1);
                    }
                    TaskEffect::WakeAt(deadline) => {
                        let Next::Replace(next) = &decision.next else { panic!("nothing is stored") };
                        prop_assert_eq!(next.next_deadline(), Some(*deadline));
                    }
                    TaskEffect::Publish | TaskEffect::WakeWorker | TaskEffect::StopWork => {}
                }
            }
            let expected = model.step(&event, &assigned, now);
            let published = decision.effects.contains(&TaskEffect::Publish);
            match decision.next {
                Next::Unchanged => prop_assert!(decision.effects.is_empty()),
                Next::Remove => prop_assert!(false, "removed within its lifetime"),
                Next::Replace(next) => {
                    prop_assert!(!decision.effects.is_empty() && *next != task && !task.status().is_ended());
                    prop_assert_eq!(published, seen(&next) != seen(&task));
                    let updated = if published { task.updated().max(at(now)) } else { task.updated() };
                    prop_assert_eq!(next.updated(), updated);
                    prop_assert!(Task::from_record(&next.to_record()) == Ok((*next).clone()));
                    task = *next;
                }
            }
            prop_assert_eq!(task.status(), expected);
            prop_assert_eq!(task.has_untaken_answers(), model.ended.is_none() && !model.untaken.is_empty());
            let open: BTreeSet<String> = task.asked().iter().map(|question| question.key.to_string()).collect();
            prop_assert!(model.ended.is_some() || open == model.open);
        }
        prop_assert!(delivered.values().all(|times| *times == 1));
    }
}

#[test]
fn cancelling_again_and_cancelling_what_ended_changes_nothing() {
    for (name, task) in in_every_state() {
        let cancelled = after(&task, TaskEvent::CancelRequested, 4_000);
        let again = decide(&cancelled, TaskEvent::CancelRequested, 5_000).unwrap();
        assert_eq!((again.next, again.effects), (Next::Unchanged, vec![]), "{name}");
        if task.status().is_ended() {
            assert_eq!(cancelled, task, "{name}");
        } else {
            assert_eq!(cancelled.status_message(), Some(WORK_CANCELLED), "{name}");
        }
    }
}

#[test]
fn a_late_result_of_a_cancelled_task_is_dropped() {
    let cancelled = after(&task(), TaskEvent::CancelRequested, 1_000);
    let refusal = TaskRefusal::Ended { status: TaskStatus::Cancelled };
    assert_eq!(decide(&cancelled, finish(), 2_000), Err(refusal));
    assert_eq!(decide(&cancelled, broke(), 2_000), Err(refusal));
    assert_eq!(refusal.to_string(), "the task is cancelled and does not change any more");
}

#[test]
fn a_result_that_tells_of_a_failure_completes_the_task() {
    let done = after(&task(), finish(), 1_000);
    assert!(
        matches!(done.state(), TaskState::Completed { result } if result.as_str().contains("\"isError\":true"))
    );
    assert_eq!(done.status_message(), None);
}

#[test]
fn a_lost_worker_ends_the_task_with_words_that_say_what_to_do() {
    for (task, event, now) in [
        (task(), TaskEvent::LeaseRanOut, LEASE),
        (task(), lost(1), 0),
        (after(&task(), ask(&["a"]), 0), lost(1), 1_000),
    ] {
        let decision = decide(&task, event, now).unwrap();
        assert!(decision.effects.contains(&TaskEffect::StopWork));
        let Next::Replace(next) = decision.next else { panic!("the task is stored") };
        let TaskState::Failed { error } = next.state() else { panic!("the task has failed") };
        assert_eq!(
            (error.code, error.message.as_str(), &error.data),
            (ErrorCode::INTERNAL, WORKER_LOST, &None)
        );
    }
    assert!(WORKER_LOST.contains("was lost") && WORKER_LOST.contains("start a new task"));
}

#[test]
fn results_and_errors_over_the_limit_end_the_task_with_words_that_name_it() {
    let limits = TaskLimits { result_bytes: 10, ..TaskLimits::default() };
    for (event, what, bytes) in [(finish(), "result", 58), (broke(), "error", 18)] {
        let Next::Replace(next) = task().decide(event, &limits, at(1)).unwrap().next else {
            panic!("the task is stored");
        };
        let TaskState::Failed { error } = next.state() else { panic!("the task has failed") };
        let words = format!(
            "a {what} of {bytes} bytes is over the limit of 10 (limit result_bytes); ask for less, or raise the limit"
        );
        assert_eq!(error.message, words);
    }
    let refused =
        task().decide(report("too long for this"), &TaskLimits { message_bytes: 3, ..limits }, at(1));
    for message_bytes in [17, 18] {
        assert!(
            task()
                .decide(report("too long for this"), &TaskLimits { message_bytes, ..limits }, at(1))
                .is_ok()
        );
    }
    assert_eq!(
        refused,
        Err(TaskRefusal::TooLong {
            what: "status message",
            name: Limit::TaskMessageBytes,
            bytes: 17,
            limit: 3
        })
    );
}

#[test]
fn a_lease_is_renewed_by_its_holder_only_and_never_shortened() {
    let renewed = after(&task(), renew(1, LEASE + 1), 5_000);
    assert_eq!(renewed.lease().until, at(LEASE + 1));
    assert_eq!(decide(&renewed, renew(1, LEASE), 5_000).unwrap().next, Next::Unchanged);
    assert_eq!(decide(&renewed, TaskEvent::LeaseRanOut, LEASE).unwrap().next, Next::Unchanged);
    assert_eq!(decide(&renewed, renew(2, LEASE + 2), 5_000), Err(TaskRefusal::OtherWorker));
}

#[test]
fn expiry_follows_from_creation_and_lifetime_alone() {
    for (name, task) in in_every_state() {
        assert_eq!(task.expires_at(), Some(at(LIFETIME)), "{name}");
        assert!(!task.is_expired(at(LIFETIME - 1)) && task.is_expired(at(LIFETIME)), "{name}");
        let deadline = if task.status().is_ended() { LIFETIME } else { LEASE };
        assert_eq!(task.next_deadline(), Some(at(deadline)), "{name}");
        let decision = decide(&task, TaskEvent::Expired, LIFETIME).unwrap();
        let effects = if task.status().is_ended() { vec![] } else { vec![TaskEffect::StopWork] };
        assert_eq!((decision.next, decision.effects), (Next::Remove, effects), "{name}");
    }
}

#[test]
fn the_end_of_time_and_no_end_are_bearable() {
    let mut new = new_task();
    new.lifetime = Lifetime::For(TimeToLive::from_ms(u64::MAX));
    let long = Task::create(new.clone(), at(0));
    assert_eq!(long.expires_at(), Some(Timestamp::from_unix_ms(i64::MAX)));
    new.lifetime = Lifetime::Unlimited;
    let unlimited = Task::create(new, at(0));
    assert_eq!((unlimited.expires_at(), unlimited.next_deadline()), (None, Some(at(LEASE))));
    let ended = after(&unlimited, finish(), 1);
    assert_eq!((ended.next_deadline(), ended.is_expired(Timestamp::from_unix_ms(i64::MAX))), (None, false));
}

#[test]
fn unknown_foreign_and_expired_tasks_are_refused_alike() {
    let bob = Principal::local("bob");
    let refusals = [
        visible(None, &ann(), at(0)),
        visible(Some(task()), &bob, at(0)),
        visible(Some(task()), &ann(), at(LIFETIME)),
        visible(Some(task()), &bob, at(LIFETIME)),
    ];
    for refusal in refusals {
        assert_eq!(refusal, Err(Refusal::UnknownTask));
    }
    assert_eq!(Refusal::UnknownTask.to_string(), "task not found");
    assert_eq!(Refusal::UnknownTask.code(), ErrorCode::INVALID_PARAMS);
    assert_eq!(visible(Some(task()), &ann(), at(LIFETIME - 1)), Ok(task()));
}

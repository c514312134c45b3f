//! The stored form.

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{Lifetime, RecordError, Task, TaskEvent, TaskId, TaskRecord, TaskState};

use proptest::prelude::*;
use proptest::test_runner::RngSeed;

use crate::golden;
use crate::support::*;

macro_rules! golden_files {
    ($($name:literal),*) => {
        [$(($name, include_str!(concat!("../golden/task/1-", $name, ".json")))),*]
    };
}

/// What format 1 wrote. These files stay as they are for as long as anyone may have such records.
const GOLDEN: [(&str, &str); 6] =
    golden_files!("working", "input_required", "completed", "failed", "cancelled", "unlimited");

fn samples() -> Vec<(&'static str, Task)> {
    let mut samples = Vec::from(in_every_state());
    let mut new = new_task();
    new.lifetime = Lifetime::Unlimited;
    new.status_message = None;
    let spaced = r#"{ "a" : 1.0e2,
 "ü":"\u00fc" }"#;
    let unlimited = after(&Task::create(new, at(0)), TaskEvent::Finished { result: object(spaced) }, 1);
    samples.push(("unlimited", unlimited));
    samples
}

#[test]
fn the_stored_form_is_fixed() {
    for (name, task) in samples() {
        let (_, expected) = GOLDEN.iter().find(|(golden, _)| *golden == name).unwrap();
        let body = String::from_utf8(task.to_record().body).unwrap();
        golden::compare(&format!("tests/golden/task/1-{name}.json"), expected, &body);
    }
}

#[test]
fn what_format_1_wrote_is_read() {
    for (name, task) in samples() {
        let (_, body) = GOLDEN.iter().find(|(golden, _)| *golden == name).unwrap();
        let record = TaskRecord { body: body.as_bytes().to_vec(), ..task.to_record() };
        assert_eq!(Task::from_record(&record).as_ref(), Ok(&task), "{name}");
    }
}

#[test]
fn columns_say_what_the_task_says() {
    for (name, task) in samples() {
        let record = task.to_record();
        assert_eq!((&record.id, &record.principal), (task.id(), task.principal()), "{name}");
        assert_eq!((record.due, record.finished), (task.next_deadline(), task.status().is_ended()), "{name}");
    }
}

#[test]
fn results_come_back_letter_for_letter() {
    let (_, task) = samples().pop().unwrap();
    let again = Task::from_record(&task.to_record()).unwrap();
    let TaskState::Completed { result } = again.state() else { panic!("the task has a result") };
    assert_eq!(result.as_str(), "{ \"a\" : 1.0e2,\n \"ü\":\"\\u00fc\" }");
}

#[test]
fn a_newer_format_is_reported_as_such() {
    let record = task().to_record();
    let text = String::from_utf8(record.body.clone()).unwrap();
    let same_members = text.replace("\"format\":1", "\"format\":2");
    for body in [same_members.as_str(), r#"{"format":2}"#, r#"{"format":2,"body":"AAEC","more":[1]}"#] {
        let record = TaskRecord { body: body.as_bytes().to_vec(), ..record.clone() };
        assert_eq!(Task::from_record(&record), Err(RecordError::UnknownFormat { found: 2 }), "{body}");
    }
    let words = "the task record has format 2, and this version reads 1; use the version that wrote it";
    assert_eq!(RecordError::UnknownFormat { found: 2 }.to_string(), words);
}

#[test]
fn a_member_that_would_be_lost_is_not_overlooked() {
    let record = task().to_record();
    let text = String::from_utf8(record.body.clone()).unwrap();
    let body = text.replace("\"format\":1", "\"format\":1,\"priority\":3").into_bytes();
    assert_eq!(Task::from_record(&TaskRecord { body, ..record }), Err(RecordError::Unreadable));
}

#[test]
fn no_damage_is_read_as_a_task() {
    for (name, task) in samples() {
        let record = task.to_record();
        for length in 0..record.body.len() {
            let body = record.body[..length].to_vec();
            assert_eq!(
                Task::from_record(&TaskRecord { body, ..record.clone() }),
                Err(RecordError::Unreadable),
                "{name} cut at {length}"
            );
        }
    }
    let record = in_every_state()[4].1.to_record();
    let text = String::from_utf8(record.body.clone()).unwrap();
    for (old, new) in [
        ("\"lifetime_ms\":60000", "\"lifetime_ms\":0"),
        ("tools/call", "tools/conjure"),
        ("\"asked\":[{", "\"asked\":[],\"x\":[{"),
        ("\"key\":\"size\"", "\"key\":\"\""),
        ("{\"roots\":[]}", "[]"),
        ("task-07", "task-0x"),
    ] {
        assert!(text.contains(old), "{old}");
        let body = text.replace(old, new).into_bytes();
        let read = Task::from_record(&TaskRecord { body, ..record.clone() });
        assert_eq!(read, Err(RecordError::Unreadable), "{new}");
    }
}

#[test]
fn columns_that_disagree_with_the_body_are_reported() {
    let record = task().to_record();
    for other in [
        TaskRecord { id: TaskId::from_random(&[8; 20]), ..record.clone() },
        TaskRecord { principal: Principal::local("bob"), ..record.clone() },
        TaskRecord { due: None, ..record.clone() },
        TaskRecord { finished: true, ..record.clone() },
    ] {
        assert_eq!(Task::from_record(&other), Err(RecordError::Disagrees));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, rng_seed: RngSeed::Fixed(0x7EC0), ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_read_is_written_again_as_the_same_task(
        sample in 0..6_usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut record = samples()[sample].1.to_record();
        for (place, byte) in changes {
            let place = place.index(record.body.len());
            record.body[place] = byte;
        }
        if let Ok(task) = Task::from_record(&record) {
            prop_assert!(Task::from_record(&task.to_record()) == Ok(task));
        }
    }
}

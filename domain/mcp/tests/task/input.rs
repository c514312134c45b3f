//! Questions, answers and their keys.

use pm_mcp_domain::limit::Limit;
use pm_mcp_domain::task::{Next, Task, TaskEffect, TaskEvent, TaskLimits, TaskRefusal, TaskStatus};

use crate::support::*;

fn open_keys(task: &Task) -> Vec<&str> {
    task.asked().iter().map(|question| question.key.as_str()).collect()
}

fn assigned(task: &Task, event: TaskEvent) -> Vec<String> {
    let decision = decide(task, event, 1_000).unwrap();
    decision
        .effects
        .iter()
        .find_map(|effect| match effect {
            TaskEffect::AssignKeys(keys) => Some(keys.iter().map(|key| key.assigned.to_string()).collect()),
            _ => None,
        })
        .unwrap()
}

fn delivered(task: &Task) -> Vec<String> {
    let decision = decide(task, TaskEvent::InputTaken, 1_000).unwrap();
    match decision.effects.as_slice() {
        [] => Vec::new(),
        [TaskEffect::DeliverInput(answers)] => answers.iter().map(|answer| answer.key.to_string()).collect(),
        other => panic!("unexpected effects: {other:?}"),
    }
}

#[test]
fn a_used_key_is_never_asked_under_again() {
    let asked = after(&task(), ask(&["name"]), 1_000);
    assert_eq!(assigned(&asked, ask(&["name"])), ["name-2"]);
    let answered = after(&asked, supply(&["name"]), 2_000);
    assert_eq!(assigned(&answered, ask(&["name", "name"])), ["name-2", "name-3"]);
    let withdrawn = after(&asked, withdraw(&["name"]), 2_000);
    assert_eq!(assigned(&withdrawn, ask(&["name"])), ["name-2"]);
}

#[test]
fn a_late_answer_to_the_first_question_does_not_meet_the_second() {
    let first = after(&task(), ask(&["name"]), 1_000);
    let withdrawn = after(&first, withdraw(&["name"]), 2_000);
    let second = after(&withdrawn, ask(&["name"]), 3_000);
    assert_eq!(open_keys(&second), ["name-2"]);
    assert_eq!(decide(&second, supply(&["name"]), 4_000).unwrap().next, Next::Unchanged);
}

#[test]
fn answers_may_come_one_by_one_and_in_any_order() {
    let asked = after(&task(), ask(&["a", "b", "c"]), 1_000);
    let one = after(&asked, supply(&["b"]), 2_000);
    assert_eq!((one.status(), open_keys(&one)), (TaskStatus::InputRequired, vec!["a", "c"]));
    let two = after(&one, supply(&["c", "b", "x"]), 3_000);
    assert_eq!((two.status(), open_keys(&two)), (TaskStatus::InputRequired, vec!["a"]));
    let all = after(&two, supply(&["a"]), 4_000);
    assert_eq!((all.status(), open_keys(&all)), (TaskStatus::Working, vec![]));
    assert_eq!(delivered(&all), ["b", "c", "a"]);
}

#[test]
fn answers_that_nobody_waits_for_are_acknowledged_and_change_nothing() {
    let asked = after(&task(), ask(&["a", "b"]), 1_000);
    let partly = after(&asked, supply(&["a"]), 2_000);
    for (task, answers) in
        [(&task(), vec!["a"]), (&asked, vec!["x"]), (&asked, vec![]), (&partly, vec!["a", "x"])]
    {
        let decision = decide(task, supply(&answers), 3_000).unwrap();
        assert_eq!((decision.next, decision.effects), (Next::Unchanged, vec![]), "{answers:?}");
    }
    for (name, task) in in_every_state().into_iter().filter(|(_, task)| task.status().is_ended()) {
        assert_eq!(decide(&task, supply(&["name"]), 4_000).unwrap().next, Next::Unchanged, "{name}");
    }
}

#[test]
fn the_first_of_two_answers_to_one_question_counts() {
    let asked = after(&task(), ask(&["a"]), 1_000);
    let twice = after(&asked, supply(&["a", "a"]), 2_000);
    assert_eq!(delivered(&twice), ["a"]);
}

#[test]
fn answers_are_handed_over_once() {
    let asked = after(&task(), ask(&["a", "b"]), 1_000);
    let partly = after(&asked, supply(&["a"]), 2_000);
    assert_eq!(delivered(&partly), ["a"]);
    let taken = after(&partly, TaskEvent::InputTaken, 3_000);
    assert_eq!(delivered(&taken), Vec::<String>::new());
    let all = after(&taken, supply(&["b"]), 4_000);
    assert_eq!(delivered(&all), ["b"]);
}

#[test]
fn a_task_asks_only_so_often_and_so_long() {
    let limits = TaskLimits { questions: 2, question_bytes: 23, ..TaskLimits::default() };
    let task = task();
    assert!(task.decide(ask(&["a", "b"]), &limits, at(0)).is_ok());
    assert_eq!(
        task.decide(ask(&["a", "b", "c"]), &limits, at(0)),
        Err(TaskRefusal::TooManyQuestions { limit: 2 })
    );
    let short = TaskLimits { question_bytes: 22, ..limits };
    let refusal =
        TaskRefusal::TooLong { what: "question", name: Limit::TaskQuestionBytes, bytes: 23, limit: 22 };
    assert_eq!(task.decide(ask(&["a"]), &short, at(0)), Err(refusal));
    assert_eq!(refusal.to_string(), "a question of 23 bytes is over the limit of 22 (limit question_bytes)");
}

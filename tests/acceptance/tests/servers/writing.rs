//! Many edits of every kind, and then a second opinion on every byte that was written.

use std::path::PathBuf;

use pm_mcp_acceptance::{Project, StdioServer, call, ledger::Ledger};
use serde_json::{Value, json};

/// Keys that the edits of these tests set or take out. All others have to stay where they were.
const EDITED: [&str; 18] = [
    "title",
    "goal",
    "deadline",
    "tags",
    "priority",
    "assignee",
    "claim_principal",
    "comments",
    "notes",
    "learnings",
    "closed_at",
    "completed_at",
    "close_reason",
    "duplicate_of",
    "resolution",
    "expected_result",
    "actual_result",
    "unblock_note",
];

/// Numbers that look random and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn words(&mut self) -> String {
        const PARTS: [&str; 12] = [
            "plain",
            "with, comma",
            "\"quoted\"",
            "two\nlines",
            " tab\t",
            "umlaut ä",
            "東京",
            "- dash",
            "a: b",
            "[3]",
            "{x}",
            "007",
        ];
        let count = 1 + self.below(4);
        (0..count).map(|_| PARTS[self.below(PARTS.len())]).collect::<Vec<_>>().join(" ")
    }
}

/// One edit: the tool and its arguments.
fn edit(dice: &mut Dice, ids: &[String], deleted: &mut Vec<String>, number: usize) -> (&'static str, Value) {
    let id = ids[dice.below(ids.len())].clone();
    let words = dice.words();
    let transaction = format!("edit-{number}");
    match dice.below(19) {
        0 => (
            "pm_update",
            json!({"id": id, "set": {"title": format!("T {words}").replace(['\n', '\t'], " ")}}),
        ),
        1 => ("pm_update", json!({"id": id, "set": {"priority": dice.below(5), "goal": words}})),
        2 => (
            "pm_update",
            json!({"id": id, "addTags": [format!("t{}", dice.below(9)), "Ä-tag", "a_b"], "removeTags": ["t1"]}),
        ),
        3 => ("pm_update", json!({"id": id, "unset": ["goal"], "appendBody": words})),
        4 => (
            "pm_update",
            json!({"id": id, "set": {"deadline": "2027-01-02", "estimated_minutes": 5 + dice.below(90)}}),
        ),
        5 => {
            let type_name = ["Task", "Chore", "Issue"][dice.below(3)];
            ("pm_update", json!({"id": id, "set": {"type": type_name}}))
        }
        6 => ("pm_update", json!({"id": id, "body": format!("{words}\n\n# Head\n\n{words}")})),
        7 | 8 => ("pm_comments", json!({"id": id, "action": "add", "text": words})),
        9 => ("pm_comments", json!({"id": id, "action": "add", "kind": "note", "text": words})),
        10 => ("pm_comments", json!({"id": id, "action": "add", "kind": "learning", "text": words})),
        11 => ("pm_comments", json!({"id": id, "action": "edit", "index": 1, "text": words})),
        12 => ("pm_claim", json!({"id": id, "force": true})),
        13 => ("pm_release", json!({"id": id})),
        14 => ("pm_close", json!({"id": id, "reason": words, "resolution": "done"})),
        15 => (
            "pm_create",
            json!({"title": format!("New {number}"), "body": words, "allowDuplicate": true, "tags": ["made"]}),
        ),
        16 => {
            let rows = json!([
                {"op": "create", "ref": "n", "options": {"title": format!("Batch {number}"), "allowDuplicate": true}},
                {"op": "update", "id": id, "options": {"set": {"goal": words}, "addDependencies": [{"id": "@n", "kind": "related"}]}},
                {"op": "update", "id": "@n", "options": {"appendBody": words}},
            ]);
            ("pm_mutate", json!({"transactionId": transaction, "mutations": rows}))
        }
        17 => match deleted.pop() {
            Some(gone) => {
                let rows = json!([{"op": "restore", "id": gone, "reason": "back"}]);
                ("pm_mutate", json!({"transactionId": transaction, "mutations": rows}))
            }
            None => {
                deleted.push(id.clone());
                let rows = json!([{"op": "delete", "id": id, "reason": "away"}]);
                ("pm_mutate", json!({"transactionId": transaction, "mutations": rows}))
            }
        },
        _ => {
            let rows = json!([{"op": "reopen", "id": id, "reason": words}]);
            ("pm_mutate", json!({"transactionId": transaction, "mutations": rows}))
        }
    }
}

/// Makes edits until so many were taken; gives how many were refused.
fn edited(project: &Project, wanted: usize) -> (usize, usize) {
    let ledger = Ledger::of(project.root());
    let before = ledger.snapshot();
    let ids: Vec<String> = ledger.items().into_iter().map(|(_, id)| id).collect();
    let mut server = StdioServer::start(
        project.root(),
        &[("PM_MCP_CONFIRM", "never"), ("PM_AUTHOR", "tester"), ("PM_MCP_LOG", "error")],
    );
    let (mut dice, mut deleted) = (Dice(20_260_728), Vec::new());
    let (mut taken, mut refused, mut number) = (0, 0, 0);
    while taken < wanted {
        number += 1;
        assert!(number < wanted * 3, "too many edits are refused: {refused} of {number}");
        let (tool, arguments) = edit(&mut dice, &ids, &mut deleted, number);
        let answer = server.ask(&call(number, tool, arguments.clone()));
        assert!(answer["result"].is_object(), "{tool} {arguments}: {answer}");
        match answer["result"]["isError"] == true {
            true => refused += 1,
            false => taken += 1,
        }
    }
    let ended = server.finish();
    assert_eq!(ended.stderr, "", "nothing is logged as an error");
    match ledger.verify_since(&before, &EDITED) {
        Ok(entries) => (entries, refused),
        Err(faults) => panic!("{} faults: {:#?}", faults.len(), &faults[..faults.len().min(5)]),
    }
}

#[test]
fn random_edits_of_every_kind_stand_up_to_a_second_reading() {
    let (entries, _) = edited(&Project::paged(), 250);
    assert!(entries > 200, "{entries}");
}

/// Edits of a large workspace, unless `PM_LARGE_EDITS` says how many. A build without optimization takes ten times as long for each.
const MANY: usize = if cfg!(debug_assertions) { 300 } else { 2_000 };

#[test]
fn many_random_edits_of_a_large_workspace_stand_up_to_a_second_reading() {
    let Some(root) = std::env::var_os("PM_LARGE_WORKSPACE").map(PathBuf::from) else {
        eprintln!("SKIPPED edits of a large workspace: PM_LARGE_WORKSPACE names none");
        return;
    };
    let many = std::env::var("PM_LARGE_EDITS").map_or(MANY, |many| many.parse().expect("a number of edits"));
    let begun = std::time::Instant::now();
    let (entries, refused) = edited(&Project::copied(&root), many);
    eprintln!("{many} edits, {entries} entries, {refused} refused, {:?}", begun.elapsed());
    assert!(entries > many * 3 / 4, "{entries}");
}

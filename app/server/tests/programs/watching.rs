//! What subscribers hear of changes that others make.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::session::{Session, project};

const RETRY: &str = ".agents/pm/tasks/demo-retry1.toon";

fn rewrite(project: &Path, path: &str, change: impl FnOnce(String) -> String) {
    let path = project.join(path);
    let text = change(fs::read_to_string(&path).unwrap());
    fs::write(&path, text).unwrap();
}

/// A session that listens to all lists and to some resources, and a project that it looks at.
struct Listener {
    session: Session,
    project: tempfile::TempDir,
}

impl Listener {
    fn to(uris: &[&str]) -> Self {
        Self::of(project(), uris)
    }

    fn of(project: tempfile::TempDir, uris: &[&str]) -> Self {
        let mut session = Session::start(project.path(), &[]);
        // The guide is what each test ends with, see `heard`.
        let mut uris = uris.to_vec();
        uris.push("pm://workspace/agent-guide");
        session.listen(json!({
            "toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
            "resourceSubscriptions": uris,
        }));
        Self { session, project }
    }

    fn path(&self) -> &Path {
        self.project.path()
    }

    /// How often each thing was heard since the last call, up to the report of a change that is made now.
    fn heard(&mut self) -> BTreeMap<String, usize> {
        let guide = self.path().join("AGENTS.md");
        let text = fs::read_to_string(&guide).unwrap_or_default();
        fs::write(&guide, format!("{text}\nOne more rule.\n")).unwrap();
        let mut heard = BTreeMap::new();
        loop {
            let message = self.session.notification();
            let what = match message["params"]["uri"].as_str() {
                Some("pm://workspace/agent-guide") => return heard,
                Some(uri) => uri.to_owned(),
                None => message["method"].as_str().unwrap().trim_start_matches("notifications/").to_owned(),
            };
            *heard.entry(what).or_default() += 1;
        }
    }
}

fn once(what: &[&str]) -> BTreeMap<String, usize> {
    what.iter().map(|what| ((*what).to_owned(), 1)).collect()
}

const ITEM: [&str; 7] = [
    "pm://items/demo-retry1",
    "pm://items/demo-retry1/body",
    "pm://items/demo-retry1/history",
    "pm://workspace/next",
    "pm://workspace/context",
    "pm://workspace/claims",
    "pm://lists/in_progress",
];

#[test]
fn an_edit_by_hand_is_heard_of_once_and_the_same_bytes_are_not() {
    let mut listener = Listener::to(&ITEM);
    rewrite(listener.path(), RETRY, |text| {
        text.replacen("title: ", "title: New ", 1).replace("New \"", "\"New ")
    });
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1", "pm://items/demo-retry1/history"]));
    rewrite(listener.path(), RETRY, |text| text);
    assert_eq!(listener.heard(), once(&[]));
}

#[test]
fn what_moves_an_item_in_the_queue_is_heard_of_by_those_who_look_at_the_queue() {
    let mut listener = Listener::to(&ITEM);
    rewrite(listener.path(), RETRY, |text| {
        assert!(text.contains("\npriority: 0\n"), "{text}");
        text.replace("\npriority: 0\n", "\npriority: 3\n")
    });
    assert_eq!(
        listener.heard(),
        once(&[
            "pm://items/demo-retry1",
            "pm://items/demo-retry1/history",
            "pm://workspace/next",
            "pm://workspace/context",
            "pm://lists/in_progress"
        ])
    );
}

#[test]
fn a_finished_item_leaves_its_lists_and_gives_back_the_claim() {
    let mut listener = Listener::to(&[&ITEM[..], &["pm://lists/closed"]].concat());
    rewrite(listener.path(), RETRY, |text| {
        let closed = text.replace("\nstatus: in_progress\n", "\nstatus: closed\n");
        let lines = closed.lines().filter(|line| !line.starts_with("assignee: "));
        lines.map(|line| format!("{line}\n")).collect()
    });
    assert_eq!(
        listener.heard(),
        once(&[
            "pm://items/demo-retry1",
            "pm://items/demo-retry1/history",
            "pm://workspace/next",
            "pm://workspace/context",
            "pm://workspace/claims",
            "pm://lists/closed",
            "pm://lists/in_progress",
            "resources/list_changed"
        ])
    );
}

#[test]
fn a_schema_with_another_status_changes_the_tools() {
    let mut listener = Listener::to(&["pm://workspace/schema"]);
    let statuses = ".agents/pm/schema/statuses.json";
    rewrite(listener.path(), statuses, |text| {
        let mut value: Value = serde_json::from_str(&text).unwrap();
        value["statuses"].as_array_mut().unwrap().push(json!({"id": "parked", "roles": ["blocked"]}));
        value.to_string()
    });
    assert_eq!(listener.heard(), once(&["pm://workspace/schema", "tools/list_changed"]));
    let tools = listener.session.ask("tools/list", json!({}));
    let list = tools["tools"].as_array().unwrap().iter().find(|tool| tool["name"] == "pm_list").unwrap();
    let known = list["inputSchema"]["properties"]["status"]["items"]["enum"].as_array().unwrap();
    assert!(known.contains(&json!("parked")), "{known:?}");
}

#[test]
fn skills_come_and_go_with_their_prompts() {
    let mut listener = Listener::to(&[]);
    let skill = listener.path().join(".agents/skills/review/SKILL.md");
    fs::create_dir_all(skill.parent().unwrap()).unwrap();
    fs::write(&skill, "---\ndescription: How to review.\n---\nRead it twice.\n").unwrap();
    let heard = listener.heard();
    assert!(heard.contains_key("prompts/list_changed") && heard.len() == 1, "{heard:?}");
    let names = |listener: &mut Listener| -> Vec<String> {
        let prompts = listener.session.ask("prompts/list", json!({}));
        let prompts = prompts["prompts"].as_array().unwrap().iter();
        prompts.map(|prompt| prompt["name"].as_str().unwrap().to_owned()).collect()
    };
    assert!(names(&mut listener).contains(&"skill/review".to_owned()));
    fs::remove_dir_all(skill.parent().unwrap()).unwrap();
    assert_eq!(listener.heard(), once(&["prompts/list_changed"]));
    assert!(!names(&mut listener).contains(&"skill/review".to_owned()));
}

#[test]
fn the_focus_is_heard_of() {
    let mut listener = Listener::to(&["pm://workspace/focus"]);
    let session = listener.path().join(".agents/pm/runtime/session.json");
    fs::write(&session, r#"{"focused_item": "demo-return"}"#).unwrap();
    assert_eq!(listener.heard(), once(&["pm://workspace/focus"]));
    fs::write(&session, r#"{"focused_item": "demo-return", "other": 1}"#).unwrap();
    assert_eq!(listener.heard(), once(&[]));
}

fn git(project: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new("git");
    command.arg("-C").arg(project).args(["-c", "user.name=t", "-c", "user.email=t@example.org"]);
    command.args(arguments).output().unwrap().status.success()
}

#[test]
fn a_checkout_with_five_hundred_changed_files_is_one_announcement() {
    let project = project();
    let original = fs::read_to_string(project.path().join(".agents/pm/tasks/demo-screen.toon")).unwrap();
    for number in 0..500 {
        let id = format!("demo-many{number:03}");
        let text = original.replace("demo-screen", &id);
        fs::write(project.path().join(format!(".agents/pm/tasks/{id}.toon")), text).unwrap();
    }
    assert!(git(project.path(), &["init", "-q", "-b", "main"]));
    assert!(git(project.path(), &["add", "-A"]) && git(project.path(), &["commit", "-qm", "one"]));
    assert!(git(project.path(), &["checkout", "-qb", "other"]));
    for number in 0..500 {
        let path = format!(".agents/pm/tasks/demo-many{number:03}.toon");
        rewrite(project.path(), &path, |text| text.replace("priority: 2", "priority: 4"));
    }
    assert!(
        git(project.path(), &["commit", "-qam", "two"]) && git(project.path(), &["checkout", "-q", "main"])
    );

    let watched =
        ["pm://items/demo-many007", "pm://items/demo-screen", "pm://workspace/next", "pm://workspace/schema"];
    let mut listener = Listener::of(project, &watched);
    assert!(git(listener.path(), &["checkout", "-q", "other"]));
    // The guide is part of what is announced as a whole, so it ends the first round.
    let (mut heard, second) = (listener.heard(), listener.heard());
    for (what, times) in second {
        *heard.entry(what).or_default() += times;
    }
    assert_eq!(
        heard,
        once(&[
            "pm://items/demo-many007",
            "pm://workspace/next",
            "pm://workspace/schema",
            "resources/list_changed"
        ])
    );
}

#[test]
fn a_merge_with_conflicts_and_a_deleted_folder_are_seen_and_survived() {
    let mut listener = Listener::to(&["pm://items/demo-retry1"]);
    let sound = fs::read_to_string(listener.path().join(RETRY)).unwrap();
    rewrite(listener.path(), RETRY, |text| format!("<<<<<<< ours\n{text}=======\n{text}>>>>>>> theirs\n"));
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1", "resources/list_changed"]));
    let call = json!({"name": "pm_get", "arguments": {"id": "demo-retry1"}});
    let failed = listener.session.ask("tools/call", call.clone());
    assert!(failed["content"][0]["text"].as_str().unwrap().contains("unresolved merge"), "{failed}");
    fs::write(listener.path().join(RETRY), &sound).unwrap();
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1", "resources/list_changed"]));
    assert!(listener.session.ask("tools/call", call.clone())["structuredContent"]["id"] == "demo-retry1");

    fs::remove_dir_all(listener.path().join(".agents/pm/tasks")).unwrap();
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1", "resources/list_changed"]));
    fs::create_dir(listener.path().join(".agents/pm/tasks")).unwrap();
    fs::write(listener.path().join(RETRY), &sound).unwrap();
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1", "resources/list_changed"]));
    // The folder is another one than at the start, and is watched all the same.
    rewrite(listener.path(), RETRY, |text| text.replace("\npriority: 0\n", "\npriority: 3\n"));
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1"]));
}

#[test]
fn a_clock_that_runs_backwards_hides_no_change() {
    let mut listener = Listener::to(&["pm://items/demo-retry1"]);
    let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000_000);
    rewrite(listener.path(), RETRY, |text| text.replace("\npriority: 0\n", "\npriority: 3\n"));
    fs::File::options()
        .append(true)
        .open(listener.path().join(RETRY))
        .unwrap()
        .set_modified(long_ago)
        .unwrap();
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1"]));
    // The same length and a time before the last one.
    rewrite(listener.path(), RETRY, |text| text.replace("\npriority: 3\n", "\npriority: 4\n"));
    let earlier = long_ago - std::time::Duration::from_secs(3_600);
    fs::File::options()
        .append(true)
        .open(listener.path().join(RETRY))
        .unwrap()
        .set_modified(earlier)
        .unwrap();
    assert_eq!(listener.heard(), once(&["pm://items/demo-retry1"]));
}

#[test]
fn a_workspace_that_goes_and_comes_back_is_served_again() {
    let mut listener = Listener::to(&["pm://workspace/next"]);
    let (root, away) = (listener.path().join(".agents/pm"), listener.path().join("away"));
    fs::rename(&root, &away).unwrap();
    let heard = listener.heard();
    assert_eq!(heard, once(&["pm://workspace/next", "resources/list_changed"]));
    assert_eq!(listener.heard(), once(&[]));
    fs::rename(&away, &root).unwrap();
    let heard = listener.heard();
    assert_eq!(heard, once(&["pm://workspace/next", "resources/list_changed"]));
    let next = listener.session.ask("tools/call", json!({"name": "pm_next", "arguments": {}}));
    assert!(next["structuredContent"]["recommended"].is_object(), "{next}");
}

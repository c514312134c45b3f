//! Two servers and a program of another make write into one workspace at the same time.

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::ledger::{Ledger, hash_of, read_item};
use pm_mcp_acceptance::{Project, StdioServer, call, text_of};
use serde_json::{Value, json};

/// The items that all write to.
const ITEMS: [&str; 2] = ["demo-f100", "demo-f101"];

/// How long they write: long enough to meet each other many times.
fn duration() -> Duration {
    let seconds = std::env::var("PM_TEST_WRITERS_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(seconds.unwrap_or(8))
}

/// Adds notes through a server until the time is over; gives those that were acknowledged.
fn notes(project: &Project, name: &str, until: Instant) -> Vec<(usize, String)> {
    let mut server = StdioServer::start(project.root(), &[("PM_AUTHOR", name)]);
    let mut acknowledged = Vec::new();
    for number in 0.. {
        if Instant::now() > until {
            break;
        }
        let item = number % ITEMS.len();
        let text = format!("{name} {number}");
        let arguments = json!({"id": ITEMS[item], "action": "add", "kind": "note", "text": text});
        let answer = server.ask(&call(number, "pm_comments", arguments));
        if answer["result"]["isError"] == true {
            assert_eq!(text_of(&answer)["code"], "lock_conflict", "{answer}");
        } else {
            acknowledged.push((item, text));
        }
    }
    acknowledged
}

/// A lock as pm takes it: made first, written then, removed in the end.
struct Lock(std::path::PathBuf);

impl Lock {
    fn take(tracker: &Path, id: &str) -> Self {
        let path = tracker.join(format!("locks/{id}.lock"));
        fs::create_dir_all(tracker.join("locks")).unwrap();
        let mut pause = 25;
        loop {
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    let lock = json!({"id": id, "pid": std::process::id(), "owner": "script",
                        "created_at": now(), "ttl_seconds": 1800});
                    file.write_all(format!("{}\n", serde_json::to_string_pretty(&lock).unwrap()).as_bytes())
                        .unwrap();
                    return Self(path);
                }
                Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::AlreadyExists),
            }
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_millis(pause) {
                thread::yield_now();
            }
            pause = (pause * 2).min(200);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        fs::remove_file(&self.0).unwrap();
    }
}

/// The time as the format writes it.
fn now() -> String {
    let ms = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_millis();
    let (days, ms) = (i64::try_from(ms / 86_400_000).unwrap(), ms % 86_400_000);
    // Days to a civil date, in eras of 400 years that begin in March.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    let date = of_year - (153 * shifted + 2) / 5 + 1;
    let (hour, minute, second) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", ms % 1000)
}

/// Counts up a field of an item, by the rules of the format alone.
fn count_up(tracker: &Path, id: &str) {
    let _lock = Lock::take(tracker, id);
    let path = tracker.join(format!("tasks/{id}.toon"));
    let before = fs::read_to_string(&path).unwrap();
    let (metadata, body) = read_item(&before).unwrap();
    let count = metadata["estimated_minutes"].as_u64().unwrap();
    let line = |count: u64| format!("\nestimated_minutes: {count}\n");
    let after = before.replacen(&line(count), &line(count + 1), 1);
    let (changed, _) = read_item(&after).unwrap();
    assert_eq!(changed["estimated_minutes"], count + 1);
    let entry = json!({"ts": now(), "author": "script", "author_source": "asserted", "op": "update",
        "patch": [{"op": "replace", "path": "/metadata/estimated_minutes", "value": count + 1}],
        "before_hash": hash_of(&metadata, &body), "after_hash": hash_of(&changed, &body), "item_hash_version": 2});
    let staged = tracker.join(format!("tasks/.{id}.toon.script.tmp"));
    fs::write(&staged, after).unwrap();
    fs::rename(staged, &path).unwrap();
    let mut stream =
        OpenOptions::new().append(true).open(tracker.join(format!("history/{id}.jsonl"))).unwrap();
    stream.write_all(format!("{entry}\n").as_bytes()).unwrap();
}

#[test]
fn two_servers_and_another_program_lose_nothing_of_each_other() {
    let project = Project::paged();
    let tracker = project.root().join(".agents/pm");
    let mut server = StdioServer::of(&project);
    for id in ITEMS {
        let made = server.ask(&call(1, "pm_update", json!({"id": id, "set": {"estimated_minutes": 0}})));
        assert!(made["result"]["structuredContent"].is_object(), "{made}");
    }
    let ledger = Ledger::of(project.root());
    let before = ledger.snapshot();
    let until = Instant::now() + duration();
    let (first, second, counted) = thread::scope(|scope| {
        let first = scope.spawn(|| notes(&project, "one", until));
        let second = scope.spawn(|| notes(&project, "two", until));
        let script = scope.spawn(|| {
            let mut counted = [0_u64; ITEMS.len()];
            while Instant::now() < until {
                for (id, count) in ITEMS.iter().zip(&mut counted) {
                    count_up(&tracker, id);
                    *count += 1;
                }
            }
            counted
        });
        (first.join().unwrap(), second.join().unwrap(), script.join().unwrap())
    });
    let entries = ledger.verify_since(&before, &["notes"]).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let wanted = first.len() + second.len() + usize::try_from(counted.iter().sum::<u64>()).unwrap();
    eprintln!("{} and {} notes, {counted:?} counts, {entries} entries", first.len(), second.len());
    assert!(first.len() > 5 && second.len() > 5 && counted.iter().all(|count| *count > 5));
    assert_eq!(entries, wanted, "every acknowledged change has its entry, and there are no others");
    for (at, id) in ITEMS.iter().enumerate() {
        let (metadata, _) =
            read_item(&fs::read_to_string(tracker.join(format!("tasks/{id}.toon"))).unwrap()).unwrap();
        assert_eq!(metadata["estimated_minutes"], counted[at], "{id}");
        let there: Vec<&str> =
            metadata["notes"].as_array().unwrap().iter().map(|note| note["text"].as_str().unwrap()).collect();
        let mine: BTreeSet<&str> = first
            .iter()
            .chain(&second)
            .filter(|(item, _)| *item == at)
            .map(|(_, text)| text.as_str())
            .collect();
        assert_eq!((there.len(), there.iter().copied().collect::<BTreeSet<_>>()), (mine.len(), mine), "{id}");
    }
    let report =
        server.ask(&call(2, "pm_validate", json!({"checks": ["history_drift", "storage_integrity"]})));
    let checks = report["result"]["structuredContent"]["checks"].as_array().unwrap();
    let of_mine = |finding: &&Value| ITEMS.iter().any(|id| finding["item"] == **id);
    let found: Vec<&Value> =
        checks.iter().flat_map(|check| check["findings"].as_array().unwrap()).filter(of_mine).collect();
    assert!(found.is_empty(), "{found:?}");
    let locks = fs::read_dir(tracker.join("locks")).unwrap().count();
    assert_eq!(locks, 0, "no lock is left");
}

//! The tests of processes against a store that is right in one process, and ones that are wrong on purpose.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_contract::HarnessError;
use pm_mcp_contract::processes::{ProcessTest, StoreAtPlace, work_as_child};
use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    BackendError, CreateError, DuePlace, Durability, Page, RemoveError, ReplaceError, Revision, Stored,
    TaskStore,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fault {
    None,
    /// What is acknowledged waits in memory for nine others.
    AcknowledgesBeforeItWrites,
    /// What was unfinished when the process was killed is in no list afterwards.
    ForgetsTheLists,
}

/// Every write is a line of a file, and opening it does all of them again: a store for one process.
#[derive(Debug)]
struct Journal(Mutex<Kept>);

#[derive(Debug)]
struct Kept {
    fault: Fault,
    file: File,
    waiting: Vec<String>,
    writes: u64,
    records: BTreeMap<TaskId, Stored>,
    before: Vec<TaskId>,
}

impl Journal {
    fn open(path: &Path, fault: Fault) -> Self {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        let mut records = BTreeMap::new();
        let mut writes = 0;
        // A line that was cut off was never acknowledged.
        for line in text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n')) {
            let (id, stored) = read(line);
            writes += 1;
            match stored {
                Some(stored) => drop(records.insert(id, stored)),
                None => drop(records.remove(&id)),
            }
        }
        let file = OpenOptions::new().create(true).append(true).open(path).unwrap();
        // Else the next line would go on where it was cut off.
        if !text.is_empty() && !text.ends_with('\n') {
            let whole = text.rfind('\n').map_or(0, |end| end + 1);
            file.set_len(u64::try_from(whole).unwrap()).unwrap();
        }
        let before = records.keys().cloned().collect();
        Self(Mutex::new(Kept { fault, file, waiting: Vec::new(), writes, records, before }))
    }
}

/// `id revision due finished body`, or `id` alone for a removal.
fn read(line: &str) -> (TaskId, Option<Stored>) {
    let words: Vec<&str> = line.split(' ').collect();
    let id = TaskId::parse(words[0]).unwrap();
    let [_, revision, due, finished, body] = words[..] else { return (id, None) };
    let record = TaskRecord {
        id: id.clone(),
        principal: Principal::local("ann"),
        due: due.parse().ok().map(Timestamp::from_unix_ms),
        finished: finished == "true",
        body: body.as_bytes().chunks(2).map(|pair| (pair[0] - b'a') << 4 | (pair[1] - b'a')).collect(),
    };
    (id, Some(Stored { record, revision: Revision::from_u64(revision.parse().unwrap()) }))
}

impl Kept {
    fn tell(&mut self, line: String) {
        self.waiting.push(line);
        if self.fault != Fault::AcknowledgesBeforeItWrites || self.waiting.len() >= 10 {
            self.file.write_all(self.waiting.concat().as_bytes()).unwrap();
            self.waiting.clear();
        }
    }

    fn write(&mut self, record: &TaskRecord) -> Revision {
        self.writes += 1;
        let body: String = record
            .body
            .iter()
            .flat_map(|byte| [byte >> 4, byte & 15].map(|half| char::from(b'a' + half)))
            .collect();
        let due = record.due.map_or("-".to_owned(), |due| due.as_unix_ms().to_string());
        self.tell(format!("{} {} {due} {} {body}\n", record.id, self.writes, record.finished));
        let revision = Revision::from_u64(self.writes);
        self.records.insert(record.id.clone(), Stored { record: record.clone(), revision });
        revision
    }

    fn is_at(&self, id: &TaskId, expected: Revision) -> bool {
        self.records.get(id).is_some_and(|stored| stored.revision == expected)
    }
}

#[async_trait]
impl TaskStore for Journal {
    fn durability(&self) -> Durability {
        Durability::Durable
    }

    async fn create(&self, record: &TaskRecord) -> Result<Revision, CreateError> {
        Ok(self.0.lock().unwrap().write(record))
    }

    async fn load(&self, id: &TaskId) -> Result<Option<Stored>, BackendError> {
        Ok(self.0.lock().unwrap().records.get(id).cloned())
    }

    async fn replace(&self, record: &TaskRecord, expected: Revision) -> Result<Revision, ReplaceError> {
        let mut kept = self.0.lock().unwrap();
        if kept.is_at(&record.id, expected) { Ok(kept.write(record)) } else { Err(ReplaceError::Conflict) }
    }

    async fn remove(&self, id: &TaskId, expected: Revision) -> Result<(), RemoveError> {
        let mut kept = self.0.lock().unwrap();
        if !kept.is_at(id, expected) {
            return Err(RemoveError::Conflict);
        }
        kept.writes += 1;
        kept.tell(format!("{id}\n"));
        kept.records.remove(id);
        Ok(())
    }

    async fn due(&self, _: Timestamp, page: Page<DuePlace>) -> Result<Vec<Stored>, BackendError> {
        let kept = self.0.lock().unwrap();
        let mut due: Vec<_> = kept
            .records
            .values()
            .filter_map(|stored| Some((DuePlace::of(&stored.record)?, stored)))
            .collect();
        due.sort_by(|(one, _), (other, _)| one.cmp(other));
        let rest = due.into_iter().filter(|(place, _)| page.after.as_ref().is_none_or(|after| place > after));
        Ok(rest.take(page.size.get()).map(|(_, stored)| stored.clone()).collect())
    }

    async fn unfinished(&self, page: Page<TaskId>) -> Result<Vec<Stored>, BackendError> {
        let kept = self.0.lock().unwrap();
        let listed = kept.records.values().filter(|stored| {
            let id = &stored.record.id;
            !stored.record.finished
                && page.after.as_ref().is_none_or(|after| id > after)
                && (kept.fault != Fault::ForgetsTheLists || !kept.before.contains(id))
        });
        Ok(listed.take(page.size.get()).cloned().collect())
    }

    async fn held(&self, principal: &Principal) -> Result<usize, BackendError> {
        let kept = self.0.lock().unwrap();
        Ok(kept.records.values().filter(|stored| stored.record.principal == *principal).count())
    }
}

#[async_trait]
impl StoreAtPlace for Fault {
    async fn open(&self, place: &str) -> Result<Arc<dyn TaskStore>, HarnessError> {
        Ok(Arc::new(Journal::open(Path::new(place), *self)))
    }

    async fn settle(&self, _: &str) -> Result<(), HarnessError> {
        Ok(())
    }
}

/// What killing processes with such a store shows, in words.
fn killed(fault: Fault, name: &'static str) -> Result<String, String> {
    if work_as_child(&fault) {
        return Err("killed before it comes to this".to_owned());
    }
    let folder = tempfile::tempdir().unwrap();
    let test = ProcessTest::new(fault, name, folder.path().join("journal").to_str().unwrap());
    test.kill(4, |_| Ok(())).map(|kills| kills.to_string()).map_err(|violation| violation.seen)
}

#[test]
fn a_store_that_writes_first_survives_killed_processes() {
    let told = killed(Fault::None, "a_store_that_writes_first_survives_killed_processes").unwrap();
    assert!(told.starts_with("4 processes killed, "), "{told}");
}

#[test]
fn an_answer_before_the_write_is_caught() {
    let seen = killed(Fault::AcknowledgesBeforeItWrites, "an_answer_before_the_write_is_caught").unwrap_err();
    assert!(seen.contains("is at none of its steps"), "{seen}");
}

#[test]
fn lists_that_forget_are_caught() {
    let seen = killed(Fault::ForgetsTheLists, "lists_that_forget_are_caught").unwrap_err();
    assert!(seen.contains("are listed as unfinished"), "{seen}");
}

#[test]
fn a_store_for_one_process_is_caught_when_two_share_it() {
    if work_as_child(&Fault::None) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("journal");
    let name = "a_store_for_one_process_is_caught_when_two_share_it";
    let seen = ProcessTest::new(Fault::None, name, place.to_str().unwrap()).share(400).unwrap_err().seen;
    assert!(seen.contains("was given out twice"), "{seen}");
}

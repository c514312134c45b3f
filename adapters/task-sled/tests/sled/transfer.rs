//! Export and import.

use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use pm_mcp_contract::task_store::expect_stored;
use pm_mcp_domain::continuation::Nonce;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{ConsumeError, ReplayGuard, TaskStore};
use pm_mcp_task_sled::{OpenError, SledDatabase, SledOptions, TransferError, Transferred};

use crate::records::record;

#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn open(folder: &Path) -> SledDatabase {
    SledDatabase::open(folder, SledOptions::default()).unwrap()
}

async fn exported(database: &SledDatabase) -> (Transferred, String) {
    let lines = Lines::default();
    let moved = database.export(lines.clone()).await.unwrap();
    let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
    (moved, text)
}

#[tokio::test]
async fn everything_moves_and_no_revision_is_given_out_again() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (old, new) = (open(from.path()), open(to.path()));
    let (at, nonce) = (Timestamp::from_unix_ms, Nonce::from_random([5; 16]));
    let mut written = Vec::new();
    for number in 0..600_u64 {
        let body = vec![7; if number == 3 { 200_000 } else { 10 }];
        let record = record(number, body);
        written.push((old.task_store().create(&record).await.unwrap(), record));
    }
    let last = old.task_store().create(&record(1_000, vec![])).await.unwrap();
    old.task_store().remove(&record(1_000, vec![]).id, last).await.unwrap();
    old.replay_guard().consume(&nonce, at(500), at(0)).await.unwrap();
    let (moved, text) = exported(&old).await;
    assert_eq!(moved, Transferred { tasks: 600, nonces: 1 });
    assert_eq!(new.import(Cursor::new(text.clone())).await.unwrap(), moved);
    for (revision, record) in &written {
        expect_stored(&new.task_store(), record, *revision).await.unwrap();
    }
    assert_eq!(exported(&new).await.1, text);
    let again = new.task_store().create(&record(1_000, vec![])).await.unwrap();
    assert!(again > last, "{again} was given out before");
    let outcome = new.replay_guard().consume(&nonce, at(500), at(0)).await;
    assert!(matches!(outcome, Err(ConsumeError::AlreadyUsed)), "{outcome:?}");
    let error = new.import(Cursor::new(text)).await.unwrap_err();
    assert!(matches!(error, TransferError::NotEmpty { .. }), "{error:?}");
}

#[tokio::test]
async fn a_part_of_an_export_is_refused_and_so_is_what_became_of_it() {
    let from = tempfile::tempdir().unwrap();
    let old = open(from.path());
    old.task_store().create(&record(1, vec![1])).await.unwrap();
    let (_, text) = exported(&old).await;
    let cut = text.lines().take(2).map(|line| format!("{line}\n")).collect::<String>();
    let newer = text.replace("\"version\":1", "\"version\":2");
    let other = text.replace("\"tasks\":1", "\"tasks\":2");
    for (lines, line) in [(cut, 3), (newer, 1), (other, 3), (String::new(), 1)] {
        let to = tempfile::tempdir().unwrap();
        let new = open(to.path());
        let error = new.import(Cursor::new(lines)).await.unwrap_err();
        assert!(matches!(error, TransferError::Line { line: at, .. } if at == line), "{error:?}");
        assert!(new.task_store().load(&record(1, vec![]).id).await.is_err());
        drop(new);
        let error = SledDatabase::open(to.path(), SledOptions::default()).unwrap_err();
        assert!(matches!(error, OpenError::HalfImported { .. }), "{error:?}");
    }
}

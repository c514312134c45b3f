//! Folders as they are found.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops at the first surprise")]

use std::error::Error;
use std::fs;
use std::num::NonZeroUsize;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{Page, TaskStore};
use pm_mcp_task_fs::FsTaskStore;

fn record(number: u8) -> TaskRecord {
    TaskRecord {
        id: TaskId::from_random(&[number; TaskId::RANDOM_BYTES]),
        principal: Principal::local("ann"),
        due: Some(Timestamp::from_unix_ms(0)),
        finished: false,
        body: vec![number; 100],
    }
}

#[tokio::test]
async fn a_missing_folder_is_made_for_its_user_only() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("runtime/mcp-tasks");
    let store = FsTaskStore::open(&path).unwrap();
    store.create(&record(1)).await.unwrap();
    assert_eq!(store.folder(), path);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o700);
        for entry in fs::read_dir(&path).unwrap() {
            assert_eq!(mode(&entry.unwrap().path()), 0o600);
        }
    }
}

#[test]
fn a_folder_that_cannot_be_used_is_named() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("file");
    fs::write(&path, b"").unwrap();
    let fault = FsTaskStore::open(&path).unwrap_err();
    assert!(fault.to_string().contains(path.to_str().unwrap()), "{fault}");
    assert!(fault.source().unwrap().to_string().starts_with("making "), "{fault:?}");
}

#[tokio::test]
async fn stray_torn_and_newer_files_never_block_a_start() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("tasks");
    let store = FsTaskStore::open(&path).unwrap();
    let revision = store.create(&record(1)).await.unwrap();
    store.create(&record(2)).await.unwrap();
    store.create(&record(3)).await.unwrap();
    drop(store);
    let file = |number: u8| path.join(format!("{}.record", record(number).id));
    let whole = fs::read(file(2)).unwrap();
    fs::write(file(2), &whole[..whole.len() - 1]).unwrap();
    let mut newer = fs::read(file(3)).unwrap();
    newer[7] = 2;
    fs::write(file(3), &newer).unwrap();
    fs::write(path.join("notes.txt"), b"mine").unwrap();
    fs::write(path.join(".gitignore"), b"*\n").unwrap();
    fs::write(file(4), b"").unwrap();
    fs::create_dir(path.join("folder")).unwrap();
    fs::create_dir(path.join(format!("{}.record", record(5).id))).unwrap();
    fs::write(path.join("changes"), b"x").unwrap();
    let store = FsTaskStore::open(&path).unwrap();
    let found = store.unfinished(Page::first(NonZeroUsize::MAX)).await.unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].record, found[0].revision), (&record(1), revision));
    for (number, words) in [(2, "it is damaged"), (3, "it has format 2"), (4, "it is damaged")] {
        let fault = store.load(&record(number).id).await.unwrap_err();
        let line = fault.source().unwrap().to_string();
        assert!(line.contains(words) && line.contains(record(number).id.as_str()), "{line}");
        assert!(
            store.create(&record(number)).await.is_err(),
            "a record that cannot be read was written over"
        );
        assert!(file(number).exists());
    }
    assert!(path.join("notes.txt").exists() && path.join(".gitignore").exists());
    assert!(store.load(&record(5).id).await.is_err());
    store.replace(&record(1), revision).await.unwrap();
}

#[tokio::test]
async fn two_stores_on_one_folder_see_each_other() {
    let place = tempfile::tempdir().unwrap();
    let (ours, theirs) = (FsTaskStore::open(place.path()).unwrap(), FsTaskStore::open(place.path()).unwrap());
    let revision = ours.create(&record(1)).await.unwrap();
    assert_eq!(theirs.load(&record(1).id).await.unwrap().unwrap().revision, revision);
    assert_eq!(theirs.unfinished(Page::first(NonZeroUsize::MIN)).await.unwrap().len(), 1);
    let done = TaskRecord { finished: true, due: None, ..record(1) };
    let revision = theirs.replace(&done, revision).await.unwrap();
    assert!(ours.unfinished(Page::first(NonZeroUsize::MIN)).await.unwrap().is_empty());
    ours.remove(&record(1).id, revision).await.unwrap();
    assert!(theirs.load(&record(1).id).await.unwrap().is_none());
}

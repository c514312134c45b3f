use std::io::ErrorKind;
use std::path::Path;

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::TaskId;
use tempfile::TempDir;

use super::*;
use crate::revisions::block_of;

fn record(number: u8, body: &[u8]) -> TaskRecord {
    TaskRecord {
        id: TaskId::from_random(&[number; 20]),
        principal: Principal::local("ann"),
        due: Some(Timestamp::from_unix_ms(1_000)),
        finished: false,
        body: body.to_vec(),
    }
}

fn key(number: u8) -> Key {
    Key::from_bytes([number; 20])
}

fn fresh() -> (TempDir, Folder) {
    let place = tempfile::tempdir().unwrap();
    let folder = Folder::open(place.path().join("tasks")).unwrap();
    (place, folder)
}

fn create(folder: &Folder, record: &TaskRecord) -> Revision {
    folder.write(record, Expected::Nothing).unwrap().unwrap()
}

fn refuse(folder: &Folder, refused: Option<(Step, ErrorKind)>) {
    *folder.disk.refused.lock().unwrap() = refused;
}

fn temporaries(path: &Path) -> usize {
    names(path).unwrap().filter(|name| block_of_temporary(name).is_some()).count()
}

fn due(folder: &Folder) -> Vec<Key> {
    let stored = folder.due(Timestamp::from_unix_ms(i64::MAX), None, 100).unwrap();
    stored.iter().map(|stored| Key::of(&stored.record.id)).collect()
}

#[test]
fn a_refused_step_leaves_the_old_record_and_says_what_was_refused() {
    let (_place, folder) = fresh();
    let (old, new) = (record(1, b"old"), record(1, b"new"));
    let revision = create(&folder, &old);
    let before_the_rename = [Step::CreateFile, Step::WriteFile, Step::SyncFile, Step::Note, Step::Rename];
    for step in before_the_rename {
        refuse(&folder, Some((step, ErrorKind::StorageFull)));
        for outcome in
            [folder.write(&new, Expected::At(revision)), folder.write(&record(2, b""), Expected::Nothing)]
        {
            let Failed { fault, applied } = outcome.unwrap_err();
            assert_eq!(applied, Applied::No, "{step:?}");
            let line = fault.to_string();
            assert!(line.contains("make room on the disk"), "{step:?}: {line}");
            assert!(line.contains(&folder.path.display().to_string()), "{step:?}: {line}");
        }
        assert_eq!(folder.load(key(1)).unwrap(), Some(Stored { record: old.clone(), revision }), "{step:?}");
        assert_eq!(folder.load(key(2)).unwrap(), None, "{step:?}");
        assert_eq!((temporaries(&folder.path), due(&folder)), (0, vec![key(1)]), "{step:?}");
    }
    refuse(&folder, None);
    let next = folder.write(&new, Expected::At(revision)).unwrap().unwrap();
    assert_eq!(folder.load(key(1)).unwrap(), Some(Stored { record: new, revision: next }));
}

#[test]
fn a_folder_that_does_not_synchronise_leaves_the_outcome_open() {
    let (_place, folder) = fresh();
    refuse(&folder, Some((Step::SyncFolder, ErrorKind::Other)));
    let failed = folder.write(&record(1, b"whole"), Expected::Nothing).unwrap_err();
    assert_eq!(failed.applied, Applied::Unknown);
    assert!(failed.fault.to_string().starts_with("synchronising "), "{}", failed.fault);
    // Nobody is shown what a loss of power may still take back.
    for fault in [
        folder.load(key(1)).map(drop),
        folder.due(Timestamp::from_unix_ms(i64::MAX), None, 100).map(drop),
        folder.unfinished(None, 100).map(drop),
    ] {
        assert!(fault.unwrap_err().to_string().starts_with("synchronising "));
    }
    refuse(&folder, None);
    let stored = folder.load(key(1)).unwrap().unwrap();
    assert_eq!((stored.record, due(&folder)), (record(1, b"whole"), vec![key(1)]));
    refuse(&folder, Some((Step::SyncFolder, ErrorKind::Other)));
    assert_eq!(folder.remove(key(1), stored.revision).unwrap_err().applied, Applied::Unknown);
    assert_eq!(folder.load(key(1)).unwrap(), None);
}

#[test]
fn a_removal_that_is_refused_removes_nothing() {
    let (_place, folder) = fresh();
    let revision = create(&folder, &record(1, b""));
    for step in [Step::Note, Step::Remove] {
        refuse(&folder, Some((step, ErrorKind::PermissionDenied)));
        let failed = folder.remove(key(1), revision).unwrap_err();
        assert_eq!(failed.applied, Applied::No);
        assert!(failed.fault.to_string().contains("let the server's user write"), "{}", failed.fault);
        assert!(folder.load(key(1)).unwrap().is_some() && due(&folder) == [key(1)]);
    }
}

#[test]
fn what_a_killed_process_left_is_removed_and_what_a_living_one_prepares_is_not() {
    let (_place, living) = fresh();
    let path = living.path.clone();
    let own = living.next_revision().unwrap();
    let prepared = path.join(temporary_file(own));
    let orphan = path.join(temporary_file(Revision::from_u64(7)));
    for file in [&prepared, &orphan] {
        fs::write(file, b"half").unwrap();
    }
    let gone = Folder::open(path.clone()).unwrap();
    let left = path.join(temporary_file(gone.next_revision().unwrap()));
    let dead_block = path_of(&path, block_of(gone.next_revision().unwrap()));
    drop(gone);
    fs::write(&left, b"half").unwrap();
    let third = Folder::open(path.clone()).unwrap();
    assert!(prepared.exists() && !orphan.exists() && !left.exists() && !dead_block.exists());
    assert!(third.next_revision().unwrap() > own);
}

#[test]
fn revisions_grow_over_restarts_and_without_the_files_that_count_them() {
    let (_place, folder) = fresh();
    let path = folder.path.clone();
    let mut last = create(&folder, &record(1, b""));
    drop(folder);
    for round in 0..3 {
        let folder = Folder::open(path.clone()).unwrap();
        let next = folder.write(&record(1, b""), Expected::At(last)).unwrap().unwrap();
        assert!(next > last, "round {round}");
        last = next;
        drop(folder);
        for name in names(&path).unwrap().filter(|name| block_of_file(name).is_some()) {
            fs::remove_file(path.join(name)).unwrap();
        }
    }
}

#[test]
fn a_used_up_block_is_followed_by_another_one() {
    let (_place, folder) = fresh();
    let first = create(&folder, &record(1, b""));
    *lock_of(&folder.revisions) = Revisions::default();
    let second = folder.write(&record(1, b""), Expected::At(first)).unwrap().unwrap();
    assert!(block_of(second) > block_of(first));
}

#[test]
fn lists_follow_what_other_processes_write_also_past_a_list_that_started_anew() {
    let (_place, ours) = fresh();
    let theirs = Folder::open(ours.path.clone()).unwrap();
    let revision = create(&theirs, &record(1, b""));
    create(&theirs, &record(2, b""));
    assert_eq!(due(&ours), [key(1), key(2)]);
    assert!(theirs.remove(key(1), revision).unwrap());
    assert_eq!(due(&ours), [key(2)]);
    create(&theirs, &record(3, b""));
    fs::write(ours.path.join("changes"), 99_u64.to_be_bytes()).unwrap();
    create(&theirs, &record(4, b""));
    assert_eq!(due(&ours), [key(2), key(3), key(4)]);
    assert_eq!(due(&theirs), [key(2), key(3), key(4)]);
}

#[test]
fn a_damaged_record_hides_no_other_one() {
    let (_place, folder) = fresh();
    for number in 1..=3 {
        create(&folder, &record(number, b"body"));
    }
    fs::write(folder.record_path(key(2)), b"pmtask").unwrap();
    let listed = |folder: &Folder| {
        let stored = folder.unfinished(None, 2).unwrap();
        stored.iter().map(|stored| Key::of(&stored.record.id)).collect::<Vec<_>>()
    };
    assert_eq!((due(&folder), listed(&folder)), (vec![key(1), key(3)], vec![key(1), key(3)]));
    let line = folder.load(key(2)).unwrap_err().to_string();
    assert!(line.contains("task-0202") && line.ends_with("it is damaged"), "{line}");
    let reopened = Folder::open(folder.path.clone()).unwrap();
    assert_eq!(due(&reopened), [key(1), key(3)]);
    assert!(folder.record_path(key(2)).exists(), "a damaged record is left where it is");
}

#[test]
fn whoever_reads_first_sees_to_it_that_the_record_stays_and_later_reads_cost_nothing() {
    let (place, ours) = fresh();
    let theirs = Folder::open(place.path().join("tasks")).unwrap();
    let revision = create(&ours, &record(1, b"old"));
    // What this process wrote it has synchronised itself.
    refuse(&ours, Some((Step::SyncFolder, ErrorKind::Other)));
    assert!(ours.load(key(1)).unwrap().is_some() && due(&ours) == [key(1)]);
    // Another one cannot know that, and does it once a revision.
    refuse(&theirs, Some((Step::SyncFolder, ErrorKind::Other)));
    assert!(theirs.load(key(1)).is_err());
    refuse(&theirs, None);
    assert_eq!(due(&theirs), [key(1)]);
    refuse(&theirs, Some((Step::SyncFolder, ErrorKind::Other)));
    assert_eq!(theirs.load(key(1)).unwrap().unwrap().revision, revision);
    // A write that was made and not synchronised is a new revision.
    let failed = ours.write(&record(1, b"new"), Expected::At(revision)).unwrap_err();
    assert_eq!(failed.applied, Applied::Unknown);
    assert!(ours.load(key(1)).is_err() && theirs.load(key(1)).is_err());
    refuse(&theirs, None);
    assert_eq!(theirs.load(key(1)).unwrap().unwrap().record, record(1, b"new"));
}

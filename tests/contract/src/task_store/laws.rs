//! The laws, one function each.

use pm_mcp_domain::ident::Principal;
use pm_mcp_domain::task::TaskRecord;
use pm_mcp_ports::driven::{
    CreateError, LONGEST_BODY, LONGEST_PRINCIPAL, Page, RemoveError, ReplaceError, Revision, TaskStore,
};

use crate::begin::begin;
use crate::law::{Outcome, Violation, ensure};

use super::harness::FreshStore;
use super::records::{at, expect_stored, numbered_id as id, numbered_record as record, size};

pub(super) async fn everything_comes_back_unchanged(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let odd = "\0'\"\\\n\u{7f}é\u{202e}🙂";
    let longest: String = Principal::local(&"p".repeat(LONGEST_PRINCIPAL - "local:".len())).to_string();
    let bodies = [vec![], (0..=255).collect(), odd.as_bytes().to_vec(), vec![0xFF; LONGEST_BODY]];
    let dues = [None, Some(at(0)), Some(at(i64::MIN)), Some(at(i64::MAX))];
    let principals = ["", odd, longest.as_str(), "ann"];
    for (number, ((body, due), principal)) in (1..).zip(bodies.into_iter().zip(dues).zip(principals)) {
        for finished in [false, true] {
            let principal = Principal::from_stored(principal);
            let written = TaskRecord { id: id(number), principal, due, finished, body: body.clone() };
            let revision = if finished {
                let stored = store.load(&written.id).await?;
                ensure!(stored.is_some(), "the record {number} is gone");
                store
                    .replace(&written, stored.map_or(Revision::from_u64(0), |stored| stored.revision))
                    .await?
            } else {
                store.create(&written).await?
            };
            expect_stored(&*store, &written, revision).await?;
        }
    }
    Ok(())
}

pub(super) async fn load_finds_the_latest_write(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    ensure!(store.load(&id(1)).await?.is_none(), "a record is there that nobody wrote");
    let mut written = record(1);
    let mut revision = store.create(&written).await?;
    expect_stored(&*store, &written, revision).await?;
    for step in 0..10 {
        written.body = vec![step; usize::from(step)];
        revision = store.replace(&written, revision).await?;
        expect_stored(&*store, &written, revision).await?;
    }
    ensure!(store.load(&id(2)).await?.is_none(), "another id finds the record");
    Ok(())
}

pub(super) async fn replace_succeeds_at_the_stored_revision(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let first = store.create(&record(1)).await?;
    let other = store.create(&record(2)).await?;
    let second = store.replace(&record(1), first).await?;
    ensure!(second != first, "the revision stays the same though the record was written");
    expect_stored(&*store, &record(2), other).await?;
    let missing = store.replace(&record(3), second).await;
    ensure!(matches!(missing, Err(ReplaceError::Conflict)), "replacing what is not there gives {missing:?}");
    ensure!(store.load(&id(3)).await?.is_none(), "replacing what is not there made a record");
    Ok(())
}

pub(super) async fn a_stale_replace_changes_nothing(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let first = store.create(&record(1)).await?;
    let current = TaskRecord { body: b"current".to_vec(), ..record(1) };
    let second = store.replace(&current, first).await?;
    let stale = TaskRecord { body: b"stale".to_vec(), due: None, finished: true, ..record(1) };
    for expected in [first, Revision::from_u64(second.as_u64().wrapping_add(1)), Revision::from_u64(u64::MAX)]
    {
        let outcome = store.replace(&stale, expected).await;
        ensure!(matches!(outcome, Err(ReplaceError::Conflict)), "a stale replace gives {outcome:?}");
        expect_stored(&*store, &current, second).await?;
    }
    Ok(())
}

pub(super) async fn revisions_are_never_reused(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let mut given = Vec::new();
    for _ in 0..3 {
        let mut revision = store.create(&record(1)).await?;
        given.push(revision);
        for _ in 0..3 {
            revision = store.replace(&record(1), revision).await?;
            given.push(revision);
        }
        store.remove(&id(1), revision).await?;
    }
    let mut distinct = given.clone();
    distinct.sort_unstable();
    distinct.dedup();
    ensure!(distinct.len() == given.len(), "a revision was given out twice: {given:?}");
    let late = store.create(&record(1)).await?;
    for old in given {
        let outcome = store.replace(&record(1), old).await;
        ensure!(matches!(outcome, Err(ReplaceError::Conflict)), "the old revision {old} fits again");
    }
    expect_stored(&*store, &record(1), late).await
}

pub(super) async fn a_dropped_call_leaves_all_or_nothing(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    for polls in 0..8 {
        let number = u8::try_from(polls).unwrap_or(u8::MAX);
        let (old, new) = (record(number), TaskRecord { body: vec![9; 4096], due: None, ..record(number) });
        begin(Box::pin(store.create(&old)), polls);
        let revision = match store.load(&old.id).await? {
            None => store.create(&old).await?,
            Some(stored) => {
                ensure!(stored.record == old, "half a record is there after {polls} polls");
                stored.revision
            }
        };
        begin(Box::pin(store.replace(&new, revision)), polls);
        let found = store.load(&old.id).await?;
        let Some(stored) = found else { return Err(Violation::new("a record is lost")) };
        let whole = (stored.record == old && stored.revision == revision)
            || (stored.record == new && stored.revision != revision);
        ensure!(whole, "half a replacement is there after {polls} polls");
        begin(Box::pin(store.remove(&old.id, stored.revision)), polls);
        let left = store.load(&old.id).await?;
        ensure!(left.is_none() || left == Some(stored), "half a removal is there after {polls} polls");
    }
    Ok(())
}

pub(super) async fn unknown_formats_come_back_like_any_other(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let bodies: [&[u8]; 4] = [b"{\"format\":999,\"state\":{}}", b"\x00\x01\xFE\xFF", b"{", b""];
    for (number, body) in (1..).zip(bodies) {
        let written = TaskRecord { body: body.to_vec(), ..record(number) };
        let revision = store.create(&written).await?;
        expect_stored(&*store, &written, revision).await?;
    }
    Ok(())
}

pub(super) async fn remove_succeeds_at_the_stored_revision(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let first = store.create(&record(1)).await?;
    let second = store.replace(&record(1), first).await?;
    let other = store.create(&record(2)).await?;
    for stale in [first, Revision::from_u64(u64::MAX)] {
        let outcome = store.remove(&id(1), stale).await;
        ensure!(matches!(outcome, Err(RemoveError::Conflict)), "a stale remove gives {outcome:?}");
        expect_stored(&*store, &record(1), second).await?;
    }
    store.remove(&id(1), second).await?;
    ensure!(store.load(&id(1)).await?.is_none(), "a removed record is found");
    let again = store.remove(&id(1), second).await;
    ensure!(matches!(again, Err(RemoveError::Conflict)), "removing again gives {again:?}");
    let page = Page::first(size(10));
    ensure!(store.unfinished(page).await?.len() == 1, "a removed record is listed as unfinished");
    let page = Page::first(size(10));
    ensure!(store.due(at(i64::MAX), page).await?.len() == 1, "a removed record is listed as due");
    expect_stored(&*store, &record(2), other).await
}

pub(super) async fn refused_writes_change_nothing(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let revision = store.create(&record(1)).await?;
    let long_body = TaskRecord { body: vec![0; LONGEST_BODY + 1], ..record(1) };
    let long_name = Principal::from_stored(&"p".repeat(LONGEST_PRINCIPAL + 1));
    let long_name = TaskRecord { principal: long_name, ..record(1) };
    for record_over in [long_body, long_name] {
        match store.replace(&record_over, revision).await {
            Err(ReplaceError::TooLong | ReplaceError::Full { .. }) => {
                expect_stored(&*store, &record(1), revision).await?;
            }
            Ok(_) | Err(ReplaceError::Conflict | ReplaceError::Backend(_)) => {
                return Err(Violation::new("a record that is too long is not refused as such"));
            }
        }
        let outcome = store.create(&TaskRecord { id: id(2), ..record_over }).await;
        let refused = matches!(outcome, Err(CreateError::TooLong | CreateError::Full { .. }));
        ensure!(refused && store.load(&id(2)).await?.is_none(), "a record that is too long is created");
    }
    Ok(())
}

pub(super) async fn held_counts_the_records_of_one_principal(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let names = ["ann", "an", "ann\0", ""].map(Principal::from_stored);
    let mut expected = [0; 4];
    let mut revisions = Vec::new();
    for number in 1..=9_u8 {
        let place = usize::from(number % 3);
        let Some(principal) = names.get(place) else { continue };
        let written = TaskRecord { principal: principal.clone(), finished: number > 5, ..record(number) };
        revisions.push((written.clone(), place, store.create(&written).await?));
        if let Some(count) = expected.get_mut(place) {
            *count += 1;
        }
        expect_held(&*store, &names, &expected).await?;
    }
    let twice = store.create(&record(1)).await;
    ensure!(matches!(twice, Err(CreateError::AlreadyExists)), "an id is created twice");
    expect_held(&*store, &names, &expected).await?;
    for (written, place, revision) in revisions {
        let done = TaskRecord { finished: true, due: None, ..written };
        let revision = store.replace(&done, revision).await?;
        expect_held(&*store, &names, &expected).await?;
        store.remove(&done.id, revision).await?;
        if let Some(count) = expected.get_mut(place) {
            *count -= 1;
        }
        expect_held(&*store, &names, &expected).await?;
    }
    Ok(())
}

async fn expect_held(store: &dyn TaskStore, names: &[Principal], expected: &[usize]) -> Outcome {
    for (name, expected) in names.iter().zip(expected) {
        let held = store.held(name).await?;
        ensure!(held == *expected, "{held} records are counted for {name:?}, who has {expected}");
    }
    Ok(())
}

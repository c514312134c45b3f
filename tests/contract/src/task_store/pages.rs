//! Laws on lists.

use std::collections::BTreeSet;

use pm_mcp_domain::task::{TaskId, TaskRecord};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{DuePlace, Page, Stored, TaskStore};

use crate::law::{Outcome, Violation, ensure};

use super::harness::FreshStore;
use super::records::{at, numbered_id as id, numbered_record as record, size};

/// What happens between two pages.
#[derive(Clone, Copy)]
enum Meanwhile {
    Nothing,
    Changes,
}

async fn all_due(
    store: &dyn TaskStore,
    by: Timestamp,
    records: usize,
    meanwhile: Meanwhile,
) -> Result<Vec<Stored>, Violation> {
    let (mut all, mut page): (Vec<Stored>, Page<DuePlace>) = (Vec::new(), Page::first(size(records)));
    loop {
        let found = store.due(by, page.clone()).await?;
        ensure!(found.len() <= records, "a page of {} records is longer than asked for", found.len());
        let Some(last) = found.last() else { return Ok(all) };
        let Some(place) = DuePlace::of(&last.record) else {
            return Err(Violation::new("a record without `due` is listed"));
        };
        page = page.following(place);
        touch(store, &found, meanwhile).await?;
        all.extend(found);
        ensure!(all.len() < 1_000, "the pages never end");
    }
}

async fn all_unfinished(
    store: &dyn TaskStore,
    records: usize,
    meanwhile: Meanwhile,
) -> Result<Vec<Stored>, Violation> {
    let (mut all, mut page): (Vec<Stored>, Page<TaskId>) = (Vec::new(), Page::first(size(records)));
    loop {
        let found = store.unfinished(page.clone()).await?;
        ensure!(found.len() <= records, "a page of {} records is longer than asked for", found.len());
        let Some(last) = found.last() else { return Ok(all) };
        page = page.following(last.record.id.clone());
        touch(store, &found, meanwhile).await?;
        all.extend(found);
        ensure!(all.len() < 1_000, "the pages never end");
    }
}

/// Removes, finishes or puts off records that were seen, and adds others, as a sweeper and its neighbours do.
async fn touch(store: &dyn TaskStore, seen: &[Stored], meanwhile: Meanwhile) -> Outcome {
    match meanwhile {
        Meanwhile::Nothing => {}
        Meanwhile::Changes => {
            for (place, Stored { record, revision }) in seen.iter().enumerate() {
                match place % 3 {
                    0 => store.remove(&record.id, *revision).await?,
                    1 => {
                        let done = TaskRecord { finished: true, due: None, ..record.clone() };
                        store.replace(&done, *revision).await.map(drop)?;
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

fn ids(stored: &[Stored]) -> Vec<TaskId> {
    stored.iter().map(|stored| stored.record.id.clone()).collect()
}

pub(super) async fn paging_neither_repeats_nor_skips(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    // Many records share an instant, so that the id has to tell them apart.
    let wanted: BTreeSet<DuePlace> =
        (1..=50).map(|number| DuePlace { due: at(i64::from(number % 4)), id: id(number) }).collect();
    for place in wanted.iter().rev() {
        let number = u8::from_str_radix(&place.id.as_str()[5..7], 16)?;
        store.create(&TaskRecord { due: Some(place.due), ..record(number) }).await?;
    }
    let by_due: Vec<TaskId> = wanted.iter().map(|place| place.id.clone()).collect();
    let by_id: Vec<TaskId> =
        wanted.iter().map(|place| place.id.clone()).collect::<BTreeSet<_>>().into_iter().collect();
    for records in [1, 2, 7, 49, 50, 51] {
        let due = ids(&all_due(&*store, at(10), records, Meanwhile::Nothing).await?);
        ensure!(due == by_due, "pages of {records} list what is due in another order, twice or not at all");
        let unfinished = ids(&all_unfinished(&*store, records, Meanwhile::Nothing).await?);
        ensure!(
            unfinished == by_id,
            "pages of {records} list what is unfinished in another order, twice or not at all"
        );
    }
    let due = ids(&all_due(&*store, at(10), 7, Meanwhile::Changes).await?);
    ensure!(due == by_due, "records are skipped or repeated while others change");
    let left: BTreeSet<TaskId> =
        ids(&all_unfinished(&*store, 50, Meanwhile::Nothing).await?).into_iter().collect();
    let unfinished = ids(&all_unfinished(&*store, 5, Meanwhile::Changes).await?);
    ensure!(unfinished == Vec::from_iter(left), "records are skipped or repeated while others change");
    Ok(())
}

pub(super) async fn due_is_exact_at_the_boundary(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    let dues = [Some(i64::MIN), Some(-1), Some(999), Some(1_000), Some(1_001), Some(i64::MAX), None];
    for (number, due) in (1..).zip(dues) {
        store.create(&TaskRecord { due: due.map(at), finished: number % 2 == 0, ..record(number) }).await?;
    }
    for (by, listed) in [(i64::MIN, 1), (-2, 1), (-1, 2), (999, 3), (1_000, 4), (1_001, 5), (i64::MAX, 6)] {
        let found = ids(&all_due(&*store, at(by), 3, Meanwhile::Nothing).await?);
        let expected: Vec<TaskId> = (1..=listed).map(id).collect();
        ensure!(
            found == expected,
            "what is due at {by} is not exact: {} records instead of {listed}",
            found.len()
        );
    }
    let Some(stored) = store.load(&id(4)).await? else { return Err(Violation::new("a record is lost")) };
    store.replace(&TaskRecord { due: Some(at(1_002)), ..stored.record }, stored.revision).await?;
    let found = ids(&all_due(&*store, at(1_000), 3, Meanwhile::Nothing).await?);
    ensure!(found == [id(1), id(2), id(3)], "a record that was put off is still listed at its old instant");
    let found = ids(&all_due(&*store, at(1_002), 3, Meanwhile::Nothing).await?);
    ensure!(
        found == [id(1), id(2), id(3), id(5), id(4)],
        "a record that was put off is not listed at its new instant"
    );
    Ok(())
}

pub(super) async fn unfinished_is_exact(fresh: FreshStore) -> Outcome {
    let store = fresh.store();
    for number in 1..=6 {
        store.create(&TaskRecord { finished: number % 2 == 0, due: None, ..record(number) }).await?;
    }
    let found = ids(&all_unfinished(&*store, 2, Meanwhile::Nothing).await?);
    ensure!(found == [id(1), id(3), id(5)], "what is unfinished is not exact");
    let Some(stored) = store.load(&id(3)).await? else { return Err(Violation::new("a record is lost")) };
    store.replace(&TaskRecord { finished: true, ..stored.record }, stored.revision).await?;
    let found = ids(&all_unfinished(&*store, 2, Meanwhile::Nothing).await?);
    ensure!(found == [id(1), id(5)], "a record that was finished is still listed");
    Ok(())
}

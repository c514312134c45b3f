//! Undoing batches that failed or were stopped half-way.

use std::fs;

use pm_tracker_domain::change::World;
use pm_tracker_ports::WriteError;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::{
    batch::{context_of, lock_all, put_back},
    commit::Commit,
    disk::{Disk, hex},
    journal::{Journal, State, Undo},
    lock::LockTaker,
    present::PresentItem,
};

/// Undoes every batch whose writer was stopped. The lock of transactions must be held, so no running batch is among
/// them. Gives the names of those undone.
pub(super) fn all(disk: &Disk, taker: &LockTaker<'_>, world: &World) -> Result<Vec<String>, WriteError> {
    let mut undone = Vec::new();
    for name in Journal::names(disk) {
        // Journals of other programs are theirs to recover.
        let Ok(Some(mut journal)) = Journal::read(disk, &name) else { continue };
        if journal.state != State::Running {
            continue;
        }
        let items: Vec<String> = journal.steps.iter().map(|step| step.item_id.clone()).collect();
        let _locks = lock_all(taker, items.iter().map(String::as_str))?;
        undo(disk, taker, world, &mut journal)?;
        undone.push(name);
    }
    Ok(undone)
}

/// Undoes in reverse what a batch began. The locks of its items must be held.
pub(super) fn undo(
    disk: &Disk,
    taker: &LockTaker<'_>,
    world: &World,
    journal: &mut Journal,
) -> Result<(), WriteError> {
    while let Some(step) = journal.started.last().cloned() {
        let item = journal.steps.iter().find(|known| known.id == step).map(|known| known.item_id.clone());
        let undo = journal.undo.get(&step).cloned();
        if let (Some(id), Some(undo)) = (item, undo) {
            undo_step(disk, taker, world, journal, &id, undo)?;
        }
        journal.forget(&step);
        journal.write(disk, taker.clock.now())?;
    }
    journal.state = State::Undone;
    journal.results.clear();
    journal.completed.clear();
    journal.write(disk, taker.clock.now())?;
    Ok(())
}

fn undo_step(
    disk: &Disk,
    taker: &LockTaker<'_>,
    world: &World,
    journal: &Journal,
    id: &str,
    undo: Undo,
) -> Result<(), WriteError> {
    let present = PresentItem::read(disk, id, world.schema())?;
    if !is_ours(disk, &present, journal, &undo) {
        return Ok(());
    }
    let request = put_back(undo.document.map(Into::into), &journal.owner, &journal.transaction_id);
    let context = context_of(&journal.transaction_id);
    let commit = Commit {
        disk,
        id,
        request: &request,
        world,
        now: taker.clock.now(),
        context: Some(&context),
        announce: None,
    };
    commit.make().map(drop)
}

/// Whether what is there is what the step wrote. Work that somebody did after it is not undone.
fn is_ours(disk: &Disk, present: &PresentItem, journal: &Journal, undo: &Undo) -> bool {
    if present.version > undo.version {
        let context = present.last_context.as_ref();
        let name = context.and_then(|context| context.get("transaction_id")).and_then(Value::as_str);
        return name == Some(journal.transaction_id.as_str());
    }
    // The file may be ahead of its history by this step.
    let bytes = present.file.as_ref().and_then(|file| fs::read(disk.root.join(&file.path)).ok());
    bytes.map(|bytes| hex(&Sha256::digest(&bytes))) == undo.written
}

//! Several changes, all or none.

use std::{cell::RefCell, collections::BTreeSet};

use pm_tracker_domain::change::{Change, ChangeRequest, Document, World};
use pm_tracker_ports::{Batch, BatchDone, BatchError, WriteError, Written};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::{
    commit::{Commit, Plan},
    disk::{Disk, DiskError, hex},
    journal::{Journal, State, Undo, check_name},
    lock::{Lock, LockTaker, TRANSACTION},
    present::PresentItem,
    recover,
};

/// What the entries of a batch say of it.
pub(super) fn context_of(name: &str) -> Value {
    json!({"transaction_id": name})
}

pub(super) fn run(disk: &Disk, taker: &LockTaker<'_>, batch: &Batch) -> Result<BatchDone, BatchError> {
    check_name(&batch.transaction_id)?;
    let _transaction = taker.take(TRANSACTION)?;
    recover::all(disk, taker, &batch.world)?;
    if let Some(known) =
        Journal::read(disk, &batch.transaction_id)?.filter(|known| known.state == State::Completed)
    {
        if known.request_digest != batch.request_digest {
            return Err(BatchError::NameTaken { transaction_id: batch.transaction_id.clone() });
        }
        return Ok(BatchDone::Recorded(known.outcome()));
    }
    let _items = lock_all(taker, batch.rows.iter().map(|row| row.id.as_str()))?;
    let now = taker.clock.now();
    for (id, seen) in &batch.seen {
        let present = PresentItem::read(disk, id, batch.world.schema())?;
        let current = present.version;
        if current != *seen {
            return Err(BatchError::Moved { id: id.clone(), seen: *seen, current });
        }
    }
    let ids = batch.rows.iter().map(|row| row.id.clone());
    let mut journal = Journal::begin(&batch.transaction_id, &batch.request_digest, &batch.author, ids);
    journal.write(disk, now).map_err(WriteError::from)?;
    let mut running =
        Running { disk, taker, batch, journal, world: (*batch.world).clone(), written: Vec::new() };
    for index in 0..batch.rows.len() {
        if let Err(source) = running.row(index) {
            return Err(match running.undo() {
                Ok(()) => BatchError::Row { index, source },
                Err(undo) => BatchError::HalfDone { index, source: Box::new(source), undo: Box::new(undo) },
            });
        }
    }
    running.journal.state = State::Completed;
    if let Err(error) = running.journal.write(disk, taker.clock.now()) {
        running.journal.state = State::Running;
        let (index, source) = (batch.rows.len(), WriteError::from(error));
        return Err(match running.undo() {
            Ok(()) => BatchError::Row { index, source },
            Err(undo) => BatchError::HalfDone { index, source: Box::new(source), undo: Box::new(undo) },
        });
    }
    Ok(BatchDone::Applied(running.journal.outcome(), running.written))
}

/// Takes the locks of items, in ascending order of id.
pub(super) fn lock_all<'i>(
    taker: &LockTaker<'_>,
    ids: impl Iterator<Item = &'i str>,
) -> Result<Vec<Lock>, WriteError> {
    let ids: BTreeSet<&str> = ids.collect();
    ids.into_iter().map(|id| taker.take(id)).collect()
}

/// A batch whose locks are held.
struct Running<'a> {
    disk: &'a Disk,
    taker: &'a LockTaker<'a>,
    batch: &'a Batch,
    journal: Journal,
    world: World,
    written: Vec<Written>,
}

impl Running<'_> {
    fn row(&mut self, index: usize) -> Result<(), WriteError> {
        let Some(row) = self.batch.rows.get(index) else { return Ok(()) };
        let step = index.to_string();
        let now = self.taker.clock.now();
        let context = context_of(&self.batch.transaction_id);
        let journal = RefCell::new(&mut self.journal);
        let announce = |present: &PresentItem, plan: &Plan| -> Result<(), DiskError> {
            let mut journal = journal.borrow_mut();
            let undo = Undo {
                version: present.version,
                document: present.item().map(|item| Document::of(item).into()),
                written: plan.file.as_ref().map(|(_, bytes)| hex(&Sha256::digest(bytes))),
            };
            journal.started.push(step.clone());
            journal.undo.insert(step.clone(), undo);
            journal.write(self.disk, now)
        };
        let commit = Commit {
            disk: self.disk,
            id: &row.id,
            request: &row.request,
            world: &self.world,
            now,
            context: Some(&context),
            announce: Some(&announce),
        };
        let written = commit.make()?;
        self.journal.complete(&step, &written);
        if written.wrote {
            self.world.put(&row.id, written.after.clone());
        }
        self.written.push(written);
        Ok(())
    }

    /// Undoes in reverse what was begun.
    fn undo(&mut self) -> Result<(), WriteError> {
        recover::undo(self.disk, self.taker, &self.batch.world, &mut self.journal)
    }
}

/// The request that puts an item back.
pub(super) fn put_back(document: Option<Document>, owner: &str, name: &str) -> ChangeRequest {
    ChangeRequest {
        change: Change::PutBack {
            document: document.map(Box::new),
            reason: format!("undone: the batch {name} could not be made as a whole"),
        },
        by: pm_tracker_domain::Signature {
            author: owner.to_owned(),
            source: pm_tracker_domain::AuthorSource::Configured,
            agent: None,
        },
        message: None,
        force: true,
    }
}

//! A sample workspace with somebody who writes it.

use std::sync::Arc;

use pm_tracker_domain::{
    Signature, Timestamp,
    board::Board,
    change::{Change, ChangeRequest, FieldEdits, World},
};
use pm_tracker_ports::{
    Batch, BatchRow, Edit, HistoryCheck, Target, Unwatched, WorkspaceRepository, WorkspaceWriter, WriteError,
    Written,
};
use pm_tracker_workspace_pm::PmWorkspace;
use serde_json::Value;

use crate::common::Sample;

/// Whoever writes.
pub struct Desk {
    pub sample: Sample,
    pub workspace: PmWorkspace,
}

/// The time of every change.
pub fn now() -> Timestamp {
    Timestamp::parse("2026-03-03T08:00:00.000Z").unwrap()
}

pub fn request(change: Change) -> ChangeRequest {
    ChangeRequest { change, by: Signature::asserted("agent-7"), message: None, force: false }
}

pub fn forced(change: Change) -> ChangeRequest {
    ChangeRequest { force: true, ..request(change) }
}

pub fn update(set: Value) -> Change {
    let Value::Object(set) = set else { panic!("an object") };
    Change::Update(Box::new(FieldEdits { set, ..FieldEdits::default() }))
}

pub async fn world(workspace: &PmWorkspace) -> Arc<World> {
    let snapshot = workspace.fresh_snapshot().await.unwrap();
    let board = Board::new(snapshot.iter().map(Arc::clone), Arc::clone(&snapshot.schema));
    Arc::new(World::new(Arc::new(board), Arc::clone(&snapshot.settings), Arc::clone(&snapshot.schema)))
}

impl Desk {
    pub fn new() -> Self {
        let sample = Sample::copied();
        let workspace = sample.open();
        Self { sample, workspace }
    }

    /// Makes the settings of the preset without rules, under which stale locks need no force.
    pub fn lenient(self) -> Self {
        let settings =
            self.sample.read("settings.json").replace("\"preset\": \"default\"", "\"preset\": \"minimal\"");
        self.sample.write("settings.json", settings);
        self
    }

    pub async fn world(&self) -> Arc<World> {
        world(&self.workspace).await
    }

    pub async fn ask(&self, id: &str, request: ChangeRequest) -> Result<Written, WriteError> {
        let world = self.world().await;
        self.workspace.edit(Edit { target: Target::Item(id.to_owned()), request, world, now: now() }).await
    }

    pub async fn make(&self, id: &str, change: Change) -> Written {
        self.ask(id, request(change)).await.unwrap()
    }

    pub async fn batch(&self, name: &str, rows: Vec<(&str, Change)>) -> Batch {
        let rows =
            rows.into_iter().map(|(id, change)| BatchRow { id: id.to_owned(), request: request(change) });
        Batch {
            transaction_id: name.to_owned(),
            request_digest: "digest".to_owned(),
            rows: rows.collect(),
            seen: Default::default(),
            world: self.world().await,
            now: now(),
            author: "agent-7".to_owned(),
            force: false,
        }
    }

    pub async fn check(&self, id: &str) -> HistoryCheck {
        let checks = self.workspace.check_histories(Arc::new(Unwatched)).await.unwrap();
        checks.into_iter().find(|check| check.id == id).unwrap()
    }

    pub async fn is_sound(&self, id: &str) -> bool {
        let check = self.check(id).await;
        let odd =
            check.findings.iter().any(|found| found.fault != pm_tracker_domain::ChainFault::FileMissing);
        check.exists && !odd && check.faults.is_empty()
    }

    pub async fn version(&self, id: &str) -> usize {
        self.workspace.history(id).await.unwrap().entries.len()
    }

    /// The names of files in a folder below the tracker root, hidden ones too.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let Ok(entries) = std::fs::read_dir(self.sample.tracker.join(folder)) else { return Vec::new() };
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

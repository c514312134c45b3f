//! One change of one item, under its lock.

use std::{fs, sync::Arc};

use pm_tracker_domain::{
    EntryLine, HistoryEntry, Item, StreamTip, Timestamp, canonical_json,
    change::{Change, ChangeRequest, Decision, Document, Next, Present, World, decide},
};
use pm_tracker_ports::{FileForm, WriteError, Written};
use serde_json::{Map, Value};

use super::{
    disk::{Disk, DiskError},
    present::{PresentItem, at_version, stream_path},
    step::WriteStep,
};
use crate::{item_file::read_item, toon};

/// A change that is about to be made, with its lock held.
pub(super) struct Commit<'a> {
    pub(super) disk: &'a Disk,
    pub(super) id: &'a str,
    pub(super) request: &'a ChangeRequest,
    pub(super) world: &'a World,
    pub(super) now: Timestamp,
    /// What else the entry says.
    pub(super) context: Option<&'a Value>,
    /// Hears what is about to be written, before it is.
    pub(super) announce: Option<&'a Announce<'a>>,
}

/// Hears of a plan.
pub(super) type Announce<'a> = dyn Fn(&PresentItem, &Plan) -> Result<(), DiskError> + 'a;

/// What is to be written.
pub(super) struct Plan {
    /// Path and bytes of the file; `None` removes it.
    pub(super) file: Option<(String, Vec<u8>)>,
    after: Option<Document>,
    entry: Option<HistoryEntry>,
}

impl Commit<'_> {
    /// Decides and makes the change.
    pub(super) fn make(&self) -> Result<Written, WriteError> {
        let present = PresentItem::read(self.disk, self.id, self.world.schema())?;
        self.disk.step(self.id, WriteStep::ItemRead)?;
        let tip = present.tip(self.id)?;
        self.check_tip(&present, tip)?;
        let earlier = self.request.change.earlier_version(present.version);
        let earlier = earlier.map(|version| at_version(self.disk, self.id, version)).transpose()?;
        let seen = Present {
            id: self.id,
            item: present.item(),
            version: present.version,
            earlier: earlier.as_ref(),
            now: self.now,
        };
        let decision = decide(self.request, &seen, self.world)?;
        let plan = self.plan(&present, tip, &decision)?;
        let Some(plan) = plan else { return Ok(self.unchanged(&present, decision)) };
        if let Some(announce) = self.announce {
            announce(&present, &plan)?;
        }
        self.write(&present, &plan)?;
        let before = present.item().map(Document::of);
        let statuses = self.world.schema().statuses();
        let normal_before = before.map(|before| before.normal(statuses, tip.dialect())).unwrap_or_default();
        let changed = plan.after.as_ref().unwrap_or(&Document::default()).changed_since(&normal_before);
        let after = plan.after.and_then(|after| after.into_item().ok()).map(Arc::new);
        Ok(Written {
            id: self.id.to_owned(),
            op: decision.op.to_owned(),
            wrote: true,
            version: present.version + usize::from(plan.entry.is_some()),
            before: present.file.map(|file| Arc::new(file.item)),
            after,
            changed_fields: changed,
            warnings: decision.warnings,
        })
    }

    /// The history must lead to the file, or the change must be one that mends this.
    fn check_tip(&self, present: &PresentItem, tip: &StreamTip) -> Result<(), WriteError> {
        let mends = matches!(self.request.change, Change::AdoptFile | Change::PutBack { .. });
        let empty = present.version == 0;
        if mends || (empty && present.file.is_none()) {
            return Ok(());
        }
        if empty {
            if !self.world.settings().missing_stream_is_error {
                return Ok(());
            }
            let what = if present.stream_exists { "is empty" } else { "is missing" };
            return Err(WriteError::HistoryUnreadable {
                id: self.id.to_owned(),
                detail: format!("it {what}, and the setting history.missing_stream is strict_error"),
                forcible: false,
            });
        }
        if self.request.force || tip.fits(present.item(), self.world.schema().statuses()) {
            return Ok(());
        }
        Err(WriteError::HistoryUnreadable {
            id: self.id.to_owned(),
            detail: "it does not lead to what the file holds".to_owned(),
            forcible: true,
        })
    }

    fn plan(
        &self,
        present: &PresentItem,
        tip: &StreamTip,
        decision: &Decision,
    ) -> Result<Option<Plan>, WriteError> {
        let schema = self.world.schema();
        let line = EntryLine {
            now: self.now,
            by: &self.request.by,
            op: decision.op,
            message: decision.message.as_deref(),
            context: self.context,
        };
        match &decision.next {
            Next::Unchanged => Ok(None),
            Next::Deleted => {
                let entry = tip.compose(None, &line, schema.statuses());
                let nothing = entry.is_none() && present.file.is_none();
                Ok((!nothing).then_some(Plan { file: None, after: None, entry }))
            }
            Next::Adopted => {
                let Some(file) = &present.file else { return Ok(None) };
                let after = Document::of(&file.item);
                let entry = tip.compose(Some(&after), &line, schema.statuses());
                let after = after.normal(schema.statuses(), tip.dialect());
                let same = Some((file.path.clone(), file.bytes.clone()));
                Ok(entry.map(|entry| Plan { file: same, after: Some(after), entry: Some(entry) }))
            }
            Next::Document(document) => {
                let after = document.normal(schema.statuses(), tip.dialect());
                let entry = tip.compose(Some(&after), &line, schema.statuses());
                let path = self.path_of(&after, present);
                let bytes = encoded(self.id, &after).map_err(|detail| WriteError::Storage {
                    path: path.clone(),
                    detail,
                    half_done: false,
                })?;
                Ok(Some(Plan { file: Some((path, bytes)), after: Some(after), entry }))
            }
        }
    }

    /// Where an item lies: in the folder of its type, always in the present form.
    fn path_of(&self, after: &Document, present: &PresentItem) -> String {
        let named = after.metadata.get("type").and_then(Value::as_str).unwrap_or_default();
        let kept = || present.file.as_ref().map(|file| file.folder.clone());
        let known = || self.world.schema().item_type(named).map(|known| known.folder.clone());
        // A type that the schema does not know has no folder; its items stay where they are.
        let same_type = present.item().is_some_and(|item| item.type_name() == named);
        let folder = if same_type { kept().or_else(known) } else { known().or_else(kept) };
        format!("{}/{}.toon", folder.unwrap_or_else(|| "tasks".to_owned()), self.id)
    }

    fn write(&self, present: &PresentItem, plan: &Plan) -> Result<(), WriteError> {
        let written = self.write_file(present, plan).and_then(|()| self.append(plan));
        written.map_err(|error| match self.undo(present, plan) {
            Ok(()) => error.into_write_error(false),
            Err(_) => error.into_write_error(true),
        })
    }

    fn write_file(&self, present: &PresentItem, plan: &Plan) -> Result<(), DiskError> {
        let before = present.file.as_ref();
        let mut old: Vec<&str> = present.leftovers.iter().map(String::as_str).collect();
        match &plan.file {
            Some((path, bytes)) => {
                if before.is_none_or(|file| file.path != *path || file.bytes != *bytes) {
                    let staged = self.disk.stage(path, bytes, self.now)?;
                    let put = self
                        .disk
                        .step(path, WriteStep::FileStaged)
                        .and_then(|()| self.disk.put(path, &staged));
                    put.inspect_err(|_| {
                        let _only_litter = fs::remove_file(&staged);
                    })?;
                    self.disk.step(path, WriteStep::FileReplaced)?;
                }
                old.extend(before.map(|file| file.path.as_str()).filter(|known| known != path));
            }
            None => old.extend(before.map(|file| file.path.as_str())),
        }
        for path in old {
            self.disk.remove(path)?;
            self.disk.step(path, WriteStep::OldFileRemoved)?;
        }
        Ok(())
    }

    fn append(&self, plan: &Plan) -> Result<(), DiskError> {
        let Some(entry) = &plan.entry else { return Ok(()) };
        let path = stream_path(self.id);
        let line =
            serde_json::to_string(entry.members()).map_err(|error| DiskError::new(&path, error.into()))?;
        let appended = self.disk.append_line(&path, &line)?;
        self.disk.step(&path, WriteStep::EntryAppended).inspect_err(|_| {
            let _as_good_as_can_be = appended.take_back();
        })
    }

    /// Puts the old bytes back.
    fn undo(&self, present: &PresentItem, plan: &Plan) -> Result<(), DiskError> {
        if let Some(file) = &present.file {
            let there = fs::read(self.disk.root.join(&file.path)).is_ok_and(|bytes| bytes == file.bytes);
            if !there {
                self.disk.replace(&file.path, &file.bytes, self.now)?;
            }
        }
        match &plan.file {
            Some((path, _))
                if present.file.as_ref().is_none_or(|file| file.path != *path)
                    && fs::symlink_metadata(self.disk.root.join(path)).is_ok() =>
            {
                self.disk.remove(path)
            }
            Some(_) | None => Ok(()),
        }
    }

    fn unchanged(&self, present: &PresentItem, decision: Decision) -> Written {
        let item = present.item().map(|item| Arc::new(item.clone()));
        Written {
            id: self.id.to_owned(),
            op: decision.op.to_owned(),
            wrote: false,
            version: present.version,
            before: item.clone(),
            after: item,
            changed_fields: Vec::new(),
            warnings: decision.warnings,
        }
    }
}

/// The bytes of a file, which must give the same document when they are read.
pub(super) fn encoded(id: &str, document: &Document) -> Result<Vec<u8>, String> {
    let mut members = document.metadata.clone();
    members.insert("body".to_owned(), Value::String(document.body.clone()));
    let text = toon::encode(&Value::Object(members)).map_err(|error| error.to_string())?;
    let read: Result<Item, _> = read_item(text.as_bytes(), id, FileForm::Toon);
    match read {
        Ok(item) if item.body() == document.body && same(item.metadata(), &document.metadata) => {
            Ok(text.into_bytes())
        }
        Ok(_) => Err("the item cannot be written without loss; change what was set last".to_owned()),
        Err(reason) => Err(format!("the item cannot be written: its file {reason}")),
    }
}

/// Whether two metadata are the same to whoever hashes them: a whole number may have been given with a fraction of zero.
fn same(read: &Map<String, Value>, given: &Map<String, Value>) -> bool {
    let text = |members: &Map<String, Value>| canonical_json(&Value::Object(members.clone()));
    read == given || text(read) == text(given)
}

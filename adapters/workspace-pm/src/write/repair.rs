//! Mechanical repairs.

use std::fs;

use pm_tracker_domain::{
    TipFollower,
    change::{Change, ChangeRequest, Document, LinkKind},
    check::Repair,
};
use pm_tracker_ports::{FileForm, RepairOrder, WriteError};

use super::{
    commit::{Commit, encoded},
    disk::Disk,
    present::{PresentItem, files_of, stream_path, unusable},
};
use crate::{item_file::read_item, stream};

/// Makes one repair, with the item's lock held; `None` if there is nothing to repair any more.
pub(super) fn make(disk: &Disk, order: &RepairOrder) -> Result<Option<String>, WriteError> {
    match order.repair {
        Repair::RemoveDeadLink => remove_link(disk, order),
        Repair::Normalize => normalize(disk, order),
        Repair::CreateHistory => adopt(disk, order, "began the history with what the file holds"),
        Repair::AppendHistoryRepair => adopt(disk, order, "led the history to what the file holds"),
        Repair::DropTornLine => drop_torn_line(disk, order),
        Repair::RemoveExtraCopy => remove_extra_copy(disk, order),
        // Concerns several items, whose locks are taken where batches are undone.
        Repair::UndoBatch => Ok(None),
    }
}

fn change(disk: &Disk, order: &RepairOrder, change: Change, message: &str) -> Result<bool, WriteError> {
    let request =
        ChangeRequest { change, by: order.by.clone(), message: Some(message.to_owned()), force: true };
    let commit = Commit {
        disk,
        id: &order.id,
        request: &request,
        world: &order.world,
        now: order.now,
        context: None,
        announce: None,
    };
    commit.make().map(|written| written.wrote)
}

fn adopt(disk: &Disk, order: &RepairOrder, done: &str) -> Result<Option<String>, WriteError> {
    Ok(change(disk, order, Change::AdoptFile, "edited outside")?.then(|| done.to_owned()))
}

fn remove_link(disk: &Disk, order: &RepairOrder) -> Result<Option<String>, WriteError> {
    let Some(path) = &order.path else { return Ok(None) };
    let present = PresentItem::read(disk, &order.id, order.world.schema())?;
    let mut taken_out = Vec::new();
    for list in [LinkKind::File, LinkKind::Doc] {
        let links = |item: &pm_tracker_domain::Item| {
            item.records(list.field())
                .any(|link| link.get("path").and_then(|path| path.as_str()) == Some(path))
        };
        if present.item().is_some_and(links) {
            let removal = Change::LinkRemove { list, path: path.clone() };
            if change(disk, order, removal, "the linked file is gone")? {
                taken_out.push(list.field());
            }
        }
    }
    Ok((!taken_out.is_empty()).then(|| format!("took `{path}` out of {}", taken_out.join(" and "))))
}

/// Writes the file in normal form. Its history leads to the normal form already, so it has no entry for this.
fn normalize(disk: &Disk, order: &RepairOrder) -> Result<Option<String>, WriteError> {
    let present = PresentItem::read(disk, &order.id, order.world.schema())?;
    let dialect = present.tip(&order.id)?.dialect();
    let Some(file) = present.file.filter(|file| file.form == FileForm::Toon) else { return Ok(None) };
    let form = Document::of(&file.item).normal(order.world.schema().statuses(), dialect);
    let refused = |detail: String| WriteError::Storage { path: file.path.clone(), detail, half_done: false };
    let bytes = encoded(&order.id, &form).map_err(refused)?;
    if bytes == file.bytes {
        return Ok(None);
    }
    disk.replace(&file.path, &bytes, order.now)?;
    Ok(Some("wrote the file in normal form".to_owned()))
}

/// A line without its end that is no entry was never acknowledged to anybody.
fn drop_torn_line(disk: &Disk, order: &RepairOrder) -> Result<Option<String>, WriteError> {
    let present = PresentItem::read(disk, &order.id, order.world.schema())?;
    let only_torn = matches!(present.lines.faults.as_slice(), [fault] if fault.torn);
    if !only_torn {
        return Ok(None);
    }
    disk.cut(&stream_path(&order.id), present.lines.ended_bytes)?;
    let adopted = adopt(disk, order, "and led the history to what the file holds")?;
    let dropped = "took an unfinished line out of the history";
    Ok(Some(adopted.map_or_else(|| dropped.to_owned(), |more| format!("{dropped} {more}"))))
}

/// A writer that was stopped between its new file and the removal of the old one leaves both.
fn remove_extra_copy(disk: &Disk, order: &RepairOrder) -> Result<Option<String>, WriteError> {
    let schema = order.world.schema();
    let unusable = |detail: String| unusable(&order.id, detail);
    let mut followed = TipFollower::default();
    let lines = stream::each_entry(&disk.root, &order.id, |entry| followed.follow(&entry))
        .map_err(|error| unusable(error.to_string()))?;
    if let Some(fault) = lines.unwrap_or_default().faults.first() {
        return Err(unusable(format!("line {}: {}", fault.line, fault.detail)));
    }
    let tip = followed.finish().map_err(|error| unusable(error.to_string()))?;
    let files = files_of(disk, &order.id, schema);
    let fits = |path: &str, form| {
        let item =
            fs::read(disk.root.join(path)).ok().and_then(|bytes| read_item(&bytes, &order.id, form).ok());
        item.is_some_and(|item| tip.fits(Some(&item), schema.statuses()))
    };
    let kept: Vec<&str> =
        files.iter().filter(|(path, _, form)| fits(path, *form)).map(|(path, _, _)| path.as_str()).collect();
    let &[kept] = kept.as_slice() else { return Ok(None) };
    let extra: Vec<&str> =
        files.iter().map(|(path, _, _)| path.as_str()).filter(|path| *path != kept).collect();
    for path in &extra {
        disk.remove(path)?;
    }
    Ok((!extra.is_empty()).then(|| format!("removed {}; the history leads to {kept}", extra.join(", "))))
}

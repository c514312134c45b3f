//! Versions that this server may read and not write.

use std::collections::BTreeSet;

use super::history_drift::StreamFact;
use super::names::ValidationCheck;
use super::report::{CheckRow, CheckStatus, Finding};
use crate::{ChainFault, Item, WRITABLE_FORMAT_VERSION};

/// Reports items and histories of a later format.
#[must_use]
pub fn format_version<'i>(items: impl IntoIterator<Item = &'i Item>, streams: &[StreamFact]) -> CheckRow {
    let mut row = CheckRow::new(ValidationCheck::FormatVersion.name());
    for item in items {
        row.add("items", 1);
        let version = item.format_version();
        if version > WRITABLE_FORMAT_VERSION {
            let detail = format!(
                "the item has format version {version}; versions above {WRITABLE_FORMAT_VERSION} are read only"
            );
            row.note(CheckStatus::Warn, Finding::new("item_format_unknown", detail).of_item(item.id()));
        }
    }
    for stream in streams {
        let versions: BTreeSet<u64> = stream
            .findings
            .iter()
            .filter_map(|found| match found.fault {
                ChainFault::UnsupportedVersion(version) => Some(version),
                ChainFault::BeforeHash
                | ChainFault::AfterHash
                | ChainFault::Patch(_)
                | ChainFault::RecordHash
                | ChainFault::TipDiffers
                | ChainFault::FileMissing
                | ChainFault::DeletedItemIsBack => None,
            })
            .collect();
        for version in versions {
            let detail = format!("the history names the unknown hash version {version} and is read only");
            row.note(CheckStatus::Warn, Finding::new("hash_version_unknown", detail).of_item(&stream.item));
        }
    }
    row
}

//! What several test files share.

use std::fs;
use std::path::Path;

use pm_mcp_contract::task_store::numbered_record;
use pm_mcp_domain::task::{TaskId, TaskRecord};

/// Copies a folder with everything in it.
pub(crate) fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type().unwrap().is_dir() {
            copy(&source, &target);
        } else {
            fs::copy(&source, &target).unwrap();
        }
    }
}

/// The id of this number, out of more than fit a byte.
pub(crate) fn id(number: u64) -> TaskId {
    let mut random = [0; TaskId::RANDOM_BYTES];
    random[..8].copy_from_slice(&number.to_be_bytes());
    TaskId::from_random(&random)
}

/// A record with the id of this number and this body.
pub(crate) fn record(number: u64, body: Vec<u8>) -> TaskRecord {
    TaskRecord { id: id(number), body, ..numbered_record(0) }
}

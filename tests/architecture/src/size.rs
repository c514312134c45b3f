//! Sizes of Rust files: short enough to be read in one go.

use crate::fault::Fault;
use crate::tree::Source;

/// No Rust file is longer, whatever the reason.
pub const HARD_LIMIT: usize = 800;

/// Above this a file is split, unless it is on [`REVIEWED`].
pub const SOFT_LIMIT: usize = 500;

/// Files between the two limits that were looked at and kept whole, each with the reason.
pub const REVIEWED: [(&str, &str); 0] = [];

/// Rust files that are too long, and entries of `reviewed` that are no longer needed.
#[must_use]
pub fn faults(sources: &[Source], reviewed: &[(&str, &str)]) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut needed = Vec::new();
    for source in sources.iter().filter(|source| source.is_rust()) {
        let lines = source.text.lines().count();
        if lines > HARD_LIMIT {
            faults
                .push(Fault::new(&source.path, format!("{lines} lines; split it, {HARD_LIMIT} is the most")));
        } else if lines > SOFT_LIMIT {
            needed.push(source.path.as_str());
            if !reviewed.iter().any(|(path, _)| *path == source.path) {
                faults.push(Fault::new(
                    &source.path,
                    format!("{lines} lines; split it at {SOFT_LIMIT}, or have it reviewed and listed with a reason"),
                ));
            }
        }
    }
    for (path, reason) in reviewed {
        if !needed.contains(path) {
            faults.push(Fault::new(*path, "is on the list of reviewed long files but is not one"));
        }
        if reason.trim().is_empty() {
            faults.push(Fault::new(*path, "is on the list of reviewed long files without a reason"));
        }
    }
    faults
}

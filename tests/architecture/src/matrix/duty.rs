//! What is still owed: a row is complete when nothing is, and so is the gate.

use super::row::{Cell, Matrix, Row};
use crate::manifest::Manifest;

/// What is owed before `row` is complete.
#[must_use]
pub fn duties(row: &Row, manifest: &Manifest) -> Vec<String> {
    let cells = row.cells().filter_map(|(name, cell)| match cell {
        Cell::Owed(what) => Some(format!("{name}: {what}")),
        Cell::Unclassified => Some(format!("{name}: is not classified")),
        Cell::Shown(_) | Cell::Inapplicable(_) => None,
    });
    cells.chain(row.owes.iter().cloned()).chain(open(&row.requirements, manifest)).collect()
}

/// What is owed before the whole revision counts as met: every row, and evidence of what was packed and published.
/// Rows alone never close it, however much of the source is tested.
#[must_use]
pub fn gate_duties(matrix: &Matrix, manifest: &Manifest) -> Vec<String> {
    let rows = matrix.rows.iter().filter(|row| !duties(row, manifest).is_empty());
    let mut owed: Vec<String> = rows.map(|row| format!("row {} is open", row.number)).collect();
    let packed = open(&matrix.packed, manifest).map(|what| format!("packed: {what}"));
    owed.extend(packed);
    if matrix.packed.is_empty() {
        owed.push("packed: no requirement is named".to_owned());
    }
    match &matrix.published {
        Cell::Shown(_) => {}
        Cell::Inapplicable(_) | Cell::Unclassified => owed.push("published: is not classified".to_owned()),
        Cell::Owed(what) => owed.push(format!("published: {what}")),
    }
    owed
}

fn open<'a>(numbers: &'a [String], manifest: &'a Manifest) -> impl Iterator<Item = String> + 'a {
    let open = numbers.iter().filter(|number| !manifest.is_done(number));
    open.map(|number| format!("{number}: {}", manifest.reason(number)))
}

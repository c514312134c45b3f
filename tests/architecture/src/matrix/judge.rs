//! What is wrong with the matrix: nothing may be missing, unclassified or claimed without grounds.

use std::collections::{BTreeMap, BTreeSet};

use super::duty::duties;
use super::row::{Cell, Matrix, Row};
use crate::fault::Fault;
use crate::manifest::Manifest;

/// The numbers of the rows.
const ROWS: std::ops::RangeInclusive<usize> = 210..=224;

/// Requirements about the matrix itself and about documents; every other one belongs to a row.
const ABOUT_PAGES: [std::ops::RangeInclusive<usize>; 3] = [210..=228, 244..=249, 250..=251];

/// Where a change can be met.
const SURFACES: [&str; 8] = ["library", "stdio", "http", "tools", "resources", "prompts", "tasks", "docs"];

/// Whose requests it concerns.
const ERAS: [&str; 2] = ["current", "earlier"];

/// Every fault. `exists` says whether a test is there, and `is_place` whether a file or folder is.
pub fn faults(
    matrix: &Matrix,
    manifest: &Manifest,
    exists: impl Fn(&str) -> bool,
    is_place: impl Fn(&str) -> bool,
) -> Vec<Fault> {
    let wanted: BTreeSet<String> = ROWS.map(|number| format!("R{number}")).collect();
    let there: BTreeSet<String> = matrix.rows.iter().map(|row| row.number.clone()).collect();
    let missing = wanted.difference(&there).map(|number| Fault::new(number, "has no row"));
    let unknown = there.difference(&wanted).map(|number| Fault::new(number, "is no row of the matrix"));
    let mut faults: Vec<Fault> = missing.chain(unknown).collect();
    for row in &matrix.rows {
        let found = classified(row, &is_place).into_iter().chain(grounded(row, manifest, &exists));
        faults.extend(found.map(|what| Fault::new(&row.number, what)));
    }
    faults.extend(unclaimed(matrix, manifest));
    for number in matrix.packed.iter().filter(|number| !manifest.has(number)) {
        faults.push(Fault::new("packed", format!("names {number}, which is no known number")));
    }
    faults
}

fn classified(row: &Row, is_place: &impl Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    if row.change.trim().is_empty() {
        faults.push("does not say what the change is".to_owned());
    }
    if row.owner.is_empty() || !is_place(&row.owner) {
        faults.push(format!("is owned by `{}`, which is not there", row.owner));
    }
    for (name, said, known) in [("surfaces", &row.surfaces, &SURFACES[..]), ("eras", &row.eras, &ERAS[..])] {
        if said.is_empty() {
            faults.push(format!("names no {name}"));
        }
        let strays = said.iter().filter(|word| !known.contains(&word.as_str()));
        faults.extend(strays.map(|word| format!("names `{word}` among its {name}; there are {known:?}")));
    }
    faults.extend(row.strays.iter().map(|stray| format!("has an outcome `{stray}`, which nobody looks at")));
    for (name, _) in row.cells().filter(|(_, cell)| **cell == Cell::Unclassified) {
        faults.push(format!(
            "is not classified for `{name}`; list tests, or say `no: WHY` or `open: WHAT IS MISSING`"
        ));
    }
    faults
}

fn grounded(row: &Row, manifest: &Manifest, exists: &impl Fn(&str) -> bool) -> Vec<String> {
    let mut faults = Vec::new();
    for (name, cell) in row.cells() {
        let gone = cell.tests().iter().filter(|test| !exists(test));
        faults.extend(gone.map(|test| format!("names the test `{test}` for `{name}`, which is not there")));
        if name == "negative control" && cell.tests().is_empty() {
            faults.push("names no negative control".to_owned());
        }
    }
    if row.requirements.is_empty() {
        faults.push("has no requirements".to_owned());
    }
    let owed = duties(row, manifest);
    if manifest.is_done(&row.number) && !owed.is_empty() {
        faults.push(format!("is done in docs/requirements.json, but owes {}", owed.join("; ")));
    }
    faults
}

/// Requirements that belong to no row, or to several: each has one owner.
fn unclaimed(matrix: &Matrix, manifest: &Manifest) -> Vec<Fault> {
    let mut claims: BTreeMap<&str, usize> = BTreeMap::new();
    for number in matrix.rows.iter().flat_map(|row| &row.requirements) {
        *claims.entry(number).or_default() += 1;
    }
    let unknown = claims.keys().filter(|number| !manifest.has(number));
    let mut faults: Vec<Fault> = unknown
        .map(|number| Fault::new(*number, "is no known number, and a row of the matrix has it"))
        .collect();
    for number in manifest.numbers().filter(|number| !is_about_pages(number)) {
        match claims.get(number).copied().unwrap_or_default() {
            0 => faults.push(Fault::new(number, "belongs to no row of the matrix")),
            1 => {}
            rows => faults.push(Fault::new(number, format!("belongs to {rows} rows of the matrix"))),
        }
    }
    faults
}

fn is_about_pages(number: &str) -> bool {
    let number = number.strip_prefix('R').and_then(|digits| digits.parse::<usize>().ok());
    number.is_some_and(|number| ABOUT_PAGES.iter().any(|range| range.contains(&number)))
}

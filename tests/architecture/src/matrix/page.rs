//! The page that people read.

use std::fmt::Write as _;

use super::duty::{duties, gate_duties};
use super::row::{Cell, Matrix, OUTCOMES, Row};
use crate::manifest::Manifest;

/// Packages whose tests start the built programs.
const OF_PROGRAMS: [&str; 5] =
    ["pm-mcp-acceptance", "pm-mcp-server", ".ci/run", "tests/release/probe.py", "tests/release/refusals.py"];

const OPENING: &str = "# Conformance matrix

What the revision changed, one row a change: who decides it here, where it can be met, and which tests show it. The page
is written by `make documents` from `tests/architecture/matrix.json` and [requirements.json](requirements.json), and tests
hold it to both: a row that is not classified, a test that is gone, a requirement without a row, or a row called complete
that owes something fails them. A number of outcomes is how many tests show it, `–` means that it cannot happen there, and
`open` that it is owed; the reasons stand below. The negative control of a row is what fails when the behaviour is taken
away.

";

/// `docs/conformance-matrix.md`.
#[must_use]
pub fn page(matrix: &Matrix, manifest: &Manifest) -> String {
    let mut text = OPENING.to_owned();
    text.push_str(&gate(matrix, manifest));
    let heads = ["Row", "Change", "State", "Owner", "Surfaces", "Eras"].into_iter().chain(OUTCOMES);
    let heads: Vec<&str> = heads.chain(["Artifacts", "Scale", "Evidence"]).collect();
    line(&mut text, &heads);
    line(&mut text, &vec!["---"; heads.len()]);
    for row in &matrix.rows {
        summary(&mut text, row, matrix, manifest);
    }
    for row in &matrix.rows {
        details(&mut text, row, manifest);
    }
    text
}

fn gate(matrix: &Matrix, manifest: &Manifest) -> String {
    let owed = gate_duties(matrix, manifest);
    if owed.is_empty() {
        return "**The gate is closed: every row is complete, in what is built, packed and published.**\n\n"
            .to_owned();
    }
    let owed: String = owed.iter().map(|what| format!("- {what}\n")).collect();
    format!("**The gate is open.** It closes when nothing of this is left:\n\n{owed}\n")
}

fn summary(text: &mut String, row: &Row, matrix: &Matrix, manifest: &Manifest) {
    let state = if duties(row, manifest).is_empty() { "complete" } else { "open" };
    let mut cells = vec![
        row.number.clone(),
        row.change.clone(),
        state.to_owned(),
        format!("`{}`", row.owner),
        row.surfaces.join(", "),
        row.eras.join(", "),
    ];
    cells.extend(row.outcomes.iter().map(|(_, cell)| mark(cell)));
    let tests: Vec<&String> = row.cells().flat_map(|(_, cell)| cell.tests()).collect();
    let of_programs =
        |test: &&&String| OF_PROGRAMS.iter().any(|place| test.starts_with(&format!("{place}::")));
    let mut artifacts = Vec::new();
    if tests.iter().any(|test| !of_programs(&test)) {
        artifacts.push("source");
    }
    if tests.iter().any(|test| of_programs(&test)) {
        artifacts.push("programs");
    }
    if !matrix.packed.is_empty() && matrix.packed.iter().all(|number| manifest.is_done(number)) {
        artifacts.push("packed");
    }
    cells.push(artifacts.join(", "));
    cells.push(mark(&row.scale));
    cells.push(tests.len().to_string());
    line(text, &cells.iter().map(String::as_str).collect::<Vec<_>>());
}

fn mark(cell: &Cell) -> String {
    match cell {
        Cell::Shown(tests) => tests.len().to_string(),
        Cell::Inapplicable(_) => "–".to_owned(),
        Cell::Owed(_) | Cell::Unclassified => "open".to_owned(),
    }
}

fn details(text: &mut String, row: &Row, manifest: &Manifest) {
    write(text, format_args!("\n## {}: {}\n\n", row.number, row.change));
    write(text, format_args!("Requirements: {}.\n", ranges(&row.requirements)));
    for owed in duties(row, manifest) {
        write(text, format_args!("\nOwed: {owed}\n"));
    }
    text.push_str("\n| Outcome | Evidence |\n| --- | --- |\n");
    for (name, cell) in row.cells() {
        let said = match cell {
            Cell::Shown(tests) => {
                tests.iter().map(|test| format!("`{test}`")).collect::<Vec<_>>().join("<br>")
            }
            Cell::Inapplicable(why) => format!("–: {why}"),
            Cell::Owed(what) => format!("open: {what}"),
            Cell::Unclassified => "is not classified".to_owned(),
        };
        write(text, format_args!("| {name} | {said} |\n"));
    }
}

/// `R001, R002, R003, D9` as `R001–R003, D9`.
fn ranges(numbers: &[String]) -> String {
    let mut runs: Vec<(&str, &str)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((_, last)) if follows(last, number) => *last = number,
            Some(_) | None => runs.push((number, number)),
        }
    }
    let runs = runs.iter().map(|(first, last)| match first == last {
        true => (*first).to_owned(),
        false => format!("{first}–{last}"),
    });
    runs.collect::<Vec<_>>().join(", ")
}

fn follows(one: &str, other: &str) -> bool {
    let number = |text: &str| text.strip_prefix('R').and_then(|digits| digits.parse::<usize>().ok());
    number(one).zip(number(other)).is_some_and(|(one, other)| one + 1 == other)
}

fn line(text: &mut String, cells: &[&str]) {
    write(text, format_args!("| {} |\n", cells.join(" | ")));
}

fn write(text: &mut String, content: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _always_ok = text.write_fmt(content);
}

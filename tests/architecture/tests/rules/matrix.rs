//! The conformance matrix and the other pages that are written from what the tree says.

use std::fs;

use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::generated::{MATRIX_SOURCE, pages};
use pm_mcp_architecture::manifest::Manifest;
use pm_mcp_architecture::matrix::{Cell, Matrix, OUTCOMES, duties, faults, gate_duties};
use pm_mcp_architecture::tests::Tests;
use pm_mcp_architecture::tree;

use crate::{members, sources};

fn manifest() -> Manifest {
    let text =
        fs::read_to_string(tree::root().join("docs/requirements.json")).expect("the manifest is there");
    Manifest::read(&text).expect("a JSON object")
}

fn source() -> String {
    fs::read_to_string(tree::root().join(MATRIX_SOURCE)).expect("the source is there")
}

fn matrix(text: &str) -> Matrix {
    Matrix::read(text).expect("JSON")
}

/// What is wrong with the source `text`, if every test and place is there but `gone`.
fn without(text: &str, gone: &str) -> String {
    listing(&faults(&matrix(text), &manifest(), |test| test != gone, |place| place != gone))
}

#[test]
fn every_change_of_the_revision_has_an_owner_and_its_evidence() {
    let (members, sources) = (members(), sources());
    let tests = Tests::of(&members, &sources);
    let is_place = |place: &str| tree::root().join(place).exists();
    let found = faults(&matrix(&source()), &manifest(), |test| tests.has(test), is_place);
    assert_eq!(listing(&found), "");
}

#[test]
fn generated_pages_are_in_step() {
    for (path, wanted) in pages(&tree::root()).expect("their sources are there") {
        let there = fs::read_to_string(tree::root().join(path)).unwrap_or_default();
        assert!(there == wanted, "{path} is out of step; run `make documents`");
    }
}

#[test]
fn an_unclassified_outcome_and_row_turn_the_matrix_red() {
    let text = source();
    assert_eq!(without(&text, ""), "");
    for name in OUTCOMES {
        let planted = text.replacen(&format!("\"{name}\": "), "\"nothing\": ", 1);
        let said = without(&planted, "");
        assert!(said.contains(&format!("R210: is not classified for `{name}`")), "{name}: {said}");
        assert!(said.contains("R210: has an outcome `nothing`"), "{said}");
    }
    let said = without(&text.replacen("\"R210\"", "\"R229\"", 1), "");
    assert!(said.contains("R210: has no row") && said.contains("R229: is no row of the matrix"), "{said}");
    let said = without(&text.replacen("\"R001\", ", "", 1), "");
    assert_eq!(said, "R001: belongs to no row of the matrix\n");
}

/// Taking any one of the named tests away is seen: a behaviour without its control cannot pass for shown.
#[test]
fn a_test_or_an_owner_that_is_gone_turns_the_matrix_red() {
    let text = source();
    for row in matrix(&text).rows {
        for (name, cell) in row.cells() {
            for test in cell.tests() {
                let said = without(&text, test);
                let wanted =
                    format!("{}: names the test `{test}` for `{name}`, which is not there\n", row.number);
                assert!(said.contains(&wanted), "{said}");
            }
        }
        let said = without(&text, &row.owner);
        assert!(said.contains(&format!("{}: is owned by `{}`", row.number, row.owner)), "{said}");
    }
}

#[test]
fn each_behaviour_names_a_negative_control_and_none_turns_the_matrix_red() {
    let mut planted = matrix(&source());
    for row in &planted.rows {
        let control =
            row.outcomes.iter().find(|(name, _)| *name == "negative control").expect("it is an outcome");
        assert!(!control.1.tests().is_empty(), "{} names none", row.number);
    }
    let first = planted.rows.first_mut().expect("there are rows");
    for (_, cell) in first.outcomes.iter_mut().filter(|(name, _)| *name == "negative control") {
        *cell = Cell::Inapplicable("nobody thought of one".to_owned());
    }
    let said = listing(&faults(&planted, &manifest(), |_| true, |_| true));
    assert_eq!(said, "R210: names no negative control\n");
}

#[test]
fn a_row_is_not_done_while_a_requirement_of_its_is_open() {
    let text = r#"{"R001": {"state": "open", "reason": "is not built", "claim": "c", "tests": []},
                   "R210": {"state": "done", "claim": "c", "tests": ["x::y"]}}"#;
    let manifest = Manifest::read(text).expect("JSON");
    let mut one = matrix(&source());
    one.rows.retain(|row| row.number == "R210");
    one.rows[0].requirements = vec!["R001".to_owned()];
    assert_eq!(duties(&one.rows[0], &manifest), ["R001: is not built"]);
    one.rows[0].owes = vec!["a release".to_owned()];
    assert_eq!(duties(&one.rows[0], &manifest), ["a release", "R001: is not built"]);
    one.rows[0].owes.clear();
    let said = listing(&faults(&one, &manifest, |_| true, |_| true));
    assert!(
        said.contains("R210: is done in docs/requirements.json, but owes R001: is not built\n"),
        "{said}"
    );
}

#[test]
fn the_gate_stays_open_without_evidence_of_what_is_packed_and_published() {
    let text = r#"{"R236": {"state": "open", "reason": "is not built", "claim": "c", "tests": []}}"#;
    let open = Manifest::read(text).expect("JSON");
    let done = Manifest::read(&text.replace("open", "done")).expect("JSON");
    let mut none = matrix(&source());
    none.rows.clear();
    none.packed = vec!["R236".to_owned()];
    none.published = Cell::Shown(vec!["x::y".to_owned()]);
    assert_eq!(gate_duties(&none, &open), ["packed: R236: is not built"]);
    assert!(gate_duties(&none, &done).is_empty());
    none.published = Cell::Owed("nothing is published".to_owned());
    assert_eq!(gate_duties(&none, &done), ["published: nothing is published"]);
    none.packed.clear();
    assert_eq!(gate_duties(&none, &done).len(), 2);
}

#[test]
fn the_readme_counts_the_requirements_in_its_last_line() {
    let readme = fs::read_to_string(tree::root().join("README.md")).expect("the readme is there");
    assert_eq!(readme.lines().last().map(str::to_owned), Some(manifest().sums()), "run `make documents`");
}

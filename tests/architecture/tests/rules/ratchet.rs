//! Removed symbols stay out of what serves the current revision.

use std::fs;

use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::ratchet::{Class, Declaration, faults, inventory};
use pm_mcp_architecture::tree::{self, Source};

use crate::sources;

fn declared() -> Declaration {
    let page = fs::read_to_string(tree::root().join("docs/deprecations.md")).expect("the page is there");
    Declaration::read(&page)
}

#[test]
fn nothing_canonical_names_what_the_revision_removed() {
    let declared = declared();
    assert!(declared.symbols.len() > 10, "the page lists symbols: {:?}", declared.symbols);
    assert_eq!(listing(&faults(&declared, &sources())), "");
}

#[test]
fn a_planted_symbol_turns_the_ratchet_red() {
    let (declared, mut planted) = (declared(), sources());
    let mut wanted = Vec::new();
    for (number, symbol) in declared.symbols.iter().enumerate() {
        for path in ["domain/mcp/src/planted", "app/engine/src/planted", "docs/planted", "tests/planted"] {
            let path = format!("{path}{number}.md");
            let line = format!("planted {} // reviewed, canonical, allowed\n", symbol.text);
            planted.push(Source::made_up(&path, &line));
            wanted
                .push(format!("{path}:1: uses `{}`, which the revision removed or deprecated", symbol.text));
        }
    }
    let found: Vec<String> = faults(&declared, &planted).iter().map(ToString::to_string).collect();
    assert_eq!(found, wanted);
}

/// The file at `path` with `line` above everything else.
fn with_line(path: &str, line: &str) -> Vec<Source> {
    let mut sources = sources();
    let source = sources.iter_mut().find(|source| source.path == path).expect("a listed file is there");
    source.text = format!("{line}\n{}", source.text);
    sources
}

#[test]
fn a_listed_line_is_allowed_once_and_to_the_letter() {
    let declared = declared();
    let (path, line) = declared.lines.first().expect("a single line").clone();
    let twice = listing(&faults(&declared, &with_line(&path, &line)));
    assert_eq!(twice, format!("{path}: has the listed line 2 times, not once: {line}\n"));
    let other = listing(&faults(&declared, &with_line(&path, &format!("{line} // as listed"))));
    assert!(other.starts_with(&format!("{path}:1: uses ")), "{other}");
}

#[test]
fn tests_of_a_listed_source_file_are_controls_and_its_code_is_not() {
    let declared = declared();
    let path =
        declared.controls.iter().find(|path| path.ends_with("src/http.rs")).expect("a listed source file");
    let planted = with_line(path, "const PLANTED: &str = \"Mcp-Session-Id\";");
    let found = inventory(&declared, &planted);
    let found = found.iter().find(|found| found.path == *path && found.line == 1).expect("what was planted");
    assert_eq!(found.class, Class::Canonical);
}

#[test]
fn a_place_that_names_nothing_any_more_is_taken_off_the_list() {
    let mut declared = declared();
    declared.controls.push("tests/nothing.rs".to_owned());
    let said = listing(&faults(&declared, &sources()));
    assert_eq!(
        said,
        "tests/nothing.rs: is listed as negative control and has no use; take it off the list\n"
    );
}

#[test]
fn the_adapter_has_an_owner_and_no_end_before_its_date() {
    let declared = declared();
    for name in ["Owner", "Eras", "Evidence needed", "Earliest removal", "Rollback"] {
        assert!(declared.adapter_says(name).is_some_and(|value| !value.is_empty()), "{name} is not said");
    }
    assert_eq!(declared.adapter_says("Eras"), Some("2025-11-25, 2025-06-18"));
    assert!(declared.adapter_says("Earliest removal") >= Some("2027-07-28"));
    for place in &declared.adapter_places {
        assert!(tree::root().join(place).exists(), "{place} is gone before its date");
    }
}

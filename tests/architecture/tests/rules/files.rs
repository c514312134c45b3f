//! What files lie where, how long they are and what they say.

use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::tree::{self, Source};
use pm_mcp_architecture::{layout, size, surface, wording};

use crate::sources;

fn saying(path: &str, text: &str) -> usize {
    wording::faults(&[Source::made_up(path, text)]).len()
}

#[test]
fn the_top_of_the_tree_holds_what_belongs_there() {
    let names = tree::top_level(&tree::root()).expect("the tree is readable");
    assert_eq!(listing(&layout::top_level_faults(&names)), "");
}

#[test]
fn a_stray_and_a_missing_entry_at_the_top_are_seen() {
    let mut names: Vec<String> = layout::TOP_LEVEL.iter().map(|name| (*name).to_owned()).collect();
    names.extend([".ci".to_owned(), "tests".to_owned()]);
    assert_eq!(layout::top_level_faults(&names), []);
    names.retain(|name| name != "LICENSE");
    names.push("scratch".to_owned());
    let said =
        "scratch: does not belong at the top of the tree\nLICENSE: is missing at the top of the tree\n";
    assert_eq!(listing(&layout::top_level_faults(&names)), said);
}

#[test]
fn files_are_short_enough_to_read() {
    assert_eq!(listing(&size::faults(&sources(), &size::REVIEWED)), "");
}

#[test]
fn a_long_file_is_seen_and_a_reviewed_one_passes_until_the_hard_limit() {
    let long = |lines: usize| [Source::made_up("a/src/long.rs", &"\n".repeat(lines))];
    let reviewed = [("a/src/long.rs", "one table")];
    assert_eq!(size::faults(&long(500), &[]), []);
    assert_eq!(size::faults(&long(501), &[]).len(), 1);
    assert_eq!(size::faults(&long(501), &reviewed), []);
    assert_eq!(size::faults(&long(501), &[("a/src/long.rs", "")]).len(), 1);
    assert_eq!(size::faults(&long(500), &reviewed).len(), 1, "a stale entry is seen");
    assert!(!size::faults(&long(801), &reviewed).is_empty());
}

#[test]
fn declaring_files_hold_no_logic() {
    assert_eq!(listing(&surface::faults(&sources())), "");
}

#[test]
fn logic_and_globs_in_a_declaring_file_are_seen() {
    let text = "//! fn in prose\npub mod a;\npub use a::*;\npub(crate) fn b() {}\npub type C = fn(u8);\n";
    let faults = surface::faults(&[Source::made_up("x/src/lib.rs", text)]);
    let said = "x/src/lib.rs:3: re-exports a glob; list the names\n\
                x/src/lib.rs:4: has a function; move it into a file of its own\n";
    assert_eq!(listing(&faults), said);
    assert_eq!(surface::faults(&[Source::made_up("x/src/other.rs", text)]), []);
    let entry = "#[proc_macro_derive(Form)]\npub fn derive_form() {}\n";
    assert_eq!(surface::faults(&[Source::made_up("x/src/lib.rs", entry)]), []);
    assert_eq!(
        surface::faults(&[Source::made_up("x/src/lib.rs", &format!("{entry}fn more() {{}}\n"))]).len(),
        1
    );
}

#[test]
fn the_tree_says_nothing_it_should_not() {
    assert_eq!(listing(&wording::faults(&sources())), "");
}

#[test]
fn unfinished_work_is_seen() {
    assert_eq!(saying("a/src/b.rs", "// TODO later\n"), 1);
    assert_eq!(saying("Makefile", "# FIXME\n"), 1);
    assert_eq!(saying("a/src/b.rs", "fn b() { todo!() }\n"), 1);
    assert_eq!(saying("a/tests/b.rs", "#[test]\n#[ignore = \"slow\"]\nfn b() {}\n"), 1);
    assert_eq!(saying("a/src/b.rs", "/// Refuses `todo!()` and TODOS.\n"), 0);
}

#[test]
fn a_path_of_one_machine_is_seen() {
    assert_eq!(saying("docs/a.md", "see `/work/shared/x`\n"), 1);
    assert_eq!(saying("a/tests/b.rs", "let a = \"/tmp/target-x\";\n"), 1);
    assert_eq!(saying("docs/a.md", "see ./work/ and {root}/work/x\n"), 0);
}

#[test]
fn plan_talk_is_seen_outside_tests() {
    assert_eq!(saying("a/src/b.rs", "// as R017 wants\n"), 1);
    assert_eq!(saying("docs/a.md", "See issue 12 for more.\n"), 1);
    assert_eq!(saying("README.md", "The house (1 of 8)\n"), 1);
    assert_eq!(saying("a/tests/b.rs", "// R017\n"), 0);
    assert_eq!(saying("docs/requirements.json", "\"R017\": {}\n"), 0);
    assert_eq!(saying("a/src/b.rs", "#[cfg(test)]\nmod tests {\n    // R017\n}\n"), 0);
    assert_eq!(saying("a/src/b.rs", "// PR017, R17 and R2D2 (all of them)\n"), 0);
}

#[test]
fn a_registry_address_is_seen() {
    assert_eq!(saying("docs/a.md", "https://crates.io/crates/serde\n"), 1);
    assert_eq!(saying("docs/a.md", "https://docs.rs/serde\n"), 0);
}

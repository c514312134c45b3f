//! The focused suites.

use std::fs;

use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::suites::{SUITES, faults};
use pm_mcp_architecture::tree::{self, Source};

use crate::{made_up, members, sources};

fn of(table: &str, guide: &str) -> String {
    let sources = [
        Source::made_up("domain/x/src/hub/tests.rs", "#[test]\nfn it_holds() {}\n"),
        Source::made_up("domain/x/tests/servers/tasks.rs", "#[test]\nfn it_waits() {}\n"),
    ];
    listing(&faults(table, guide, &["hub"], &[made_up("pm-x", "domain/x", &[])], &sources))
}

#[test]
fn each_focused_suite_can_be_run_by_itself() {
    let read = |path: &str| fs::read_to_string(tree::root().join(path)).expect(path);
    let (table, guide) = (read("tests/suites.txt"), read("CONTRIBUTING.md"));
    assert_eq!(listing(&faults(&table, &guide, SUITES, &members(), &sources())), "");
}

#[test]
fn a_suite_of_what_is_there_is_fine() {
    for line in ["-p pm-x", "-p pm-x --lib hub", "-p pm-x --test servers", "-p pm-x --test servers tasks"] {
        assert_eq!(of(&format!("# t\n\nhub   {line}\n"), "run `hub`"), "", "{line}");
    }
}

#[test]
fn a_suite_of_nothing_is_seen() {
    for line in [
        "--lib hub",
        "-p pm-y",
        "-p pm-x --lib door",
        "-p pm-x --test server",
        "-p pm-x --test servers http",
        "-p pm-x --bin x",
    ] {
        assert_eq!(of(&format!("hub {line}\n"), "run `hub`").lines().count(), 1, "{line}");
    }
    let said = "hub: has no line in the table of suites\nhub: is not in the guide\nhubs: is no known suite\n";
    assert_eq!(of("hubs -p pm-x\n", "run `hubs`"), said);
}

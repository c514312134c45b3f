//! Purity of the inner crates.

use std::fs;

use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::purity::{INNER, NO_STD, feature_faults, reach_faults, root_faults};
use pm_mcp_architecture::refused;
use pm_mcp_architecture::tree::{self, Source};
use pm_mcp_architecture::{cargo, layout};

use crate::{folders, made_up, members, sources};

#[test]
fn inner_crates_draw_in_no_technology() {
    for package in INNER {
        let drawn_in = cargo::drawn_in(&tree::root(), package).expect("cargo tree runs offline");
        assert!(!drawn_in.is_empty(), "{package} seems to draw in nothing: the tree is not being read");
        assert_eq!(listing(&reach_faults(package, &drawn_in)), "");
    }
}

#[test]
fn a_distant_server_is_seen() {
    let faults = reach_faults("core", &["serde".to_owned(), "hyper".to_owned()]);
    assert_eq!(listing(&faults), "core: draws in hyper, which belongs to an adapter\n");
}

#[test]
fn inner_crates_take_no_feature_that_brings_a_machine() {
    assert_eq!(listing(&feature_faults(&members())), "");
}

#[test]
fn a_socket_feature_in_the_engine_is_seen() {
    let mut engine = made_up("pm-mcp-engine", "app/engine", &["tokio"]);
    engine.dependencies[0].features = vec!["rt".to_owned(), "net".to_owned()];
    let said = "pm-mcp-engine: takes tokio's `net`; only macros, rt, sync are allowed\n";
    assert_eq!(listing(&feature_faults(&[engine])), said);
}

#[test]
fn the_standard_library_in_the_domain_is_seen() {
    let mut domain = made_up("pm-mcp-domain", "domain/mcp", &["serde", "base64"]);
    domain.dependencies[0].default_features = true;
    domain.dependencies[1].features = vec!["std".to_owned()];
    assert_eq!(feature_faults(&[domain]).len(), 2);
}

#[test]
fn the_domain_says_that_it_is_pure() {
    for folder in NO_STD {
        let path = format!("{folder}/src/lib.rs");
        let text = fs::read_to_string(tree::root().join(&path)).expect("the domain has a root file");
        assert_eq!(listing(&root_faults(&path, &text)), "");
    }
}

#[test]
fn a_domain_that_only_talks_of_purity_is_seen() {
    let faults = root_faults("lib.rs", "//! #![no_std]\n#![forbid(unsafe_code)]\n");
    assert_eq!(listing(&faults), "lib.rs: lacks `#![no_std]`\n");
}

#[test]
fn clippy_refuses_what_each_crate_may_not_call() {
    assert_eq!(listing(&refused::faults(&folders(), &sources())), "");
}

#[test]
fn a_lost_clippy_entry_a_lost_reason_and_a_lost_setting_are_seen() {
    let root = Source::made_up(".clippy.toml", "allow-unwrap-in-tests = true\n");
    let own = "disallowed-methods = [\n    { path = \"std::time::Instant::now\", reason = \"\" },\n]\n";
    let own = Source::made_up("adapters/x/clippy.toml", own);
    let faults = refused::faults(&["adapters/x".to_owned()], &[root, own]);
    let said = "adapters/x/clippy.toml: does not refuse `std::time::SystemTime::now`\n\
                adapters/x/clippy.toml: refuses `std::time::Instant::now` without a reason\n\
                adapters/x/clippy.toml: does not repeat `allow-unwrap-in-tests = true` of the root file\n";
    assert_eq!(listing(&faults), said);
}

#[test]
fn a_pure_crate_without_a_clippy_file_is_seen() {
    let faults = refused::faults(&["domain/mcp".to_owned()], &[]);
    assert_eq!(faults.len(), refused::AMBIENT.len());
}

#[test]
fn every_manifest_takes_the_workspace_lints() {
    assert_eq!(listing(&layout::lint_faults(&folders(), &sources())), "");
}

#[test]
fn a_manifest_with_lints_of_its_own_is_seen() {
    let own = Source::made_up("a/Cargo.toml", "[lints.rust]\n[dependencies]\nx.workspace = true\n");
    let elsewhere = Source::made_up("b/Cargo.toml", "[lints]\n[dependencies]\nworkspace = true\n");
    let good = Source::made_up("c/Cargo.toml", "[package]\n\n[lints]\nworkspace = true\n");
    let members = ["a".to_owned(), "b".to_owned(), "c".to_owned()];
    assert_eq!(layout::lint_faults(&members, &[own, elsewhere, good]).len(), 2);
}

//! The house rules held against the tree, and each rule shown to bite on a deliberate violation.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

mod dependencies;
mod documents;
mod facade;
mod files;
mod inner;
mod legacy;
mod matrix;
mod pages;
mod publish;
mod ratchet;
mod revision;
mod suites;

use pm_mcp_architecture::cargo::{self, Dependency, Kind, Member};
use pm_mcp_architecture::tree::{self, Source};

/// The members of this workspace.
fn members() -> Vec<Member> {
    cargo::members(&tree::root()).expect("cargo metadata runs offline with the committed lock file")
}

/// Their folders.
fn folders() -> Vec<String> {
    members().into_iter().map(|member| member.folder).collect()
}

/// The texts of this tree.
fn sources() -> Vec<Source> {
    let sources = tree::sources(&tree::root()).expect("the tree is readable");
    assert!(sources.len() > 40, "only {} texts found: the tree is not being read", sources.len());
    sources
}

/// A member that exists only here, with normal dependencies and no features.
fn made_up(name: &str, folder: &str, uses: &[&str]) -> Member {
    let dependencies = uses.iter().map(|used| Dependency {
        name: (*used).to_owned(),
        kind: Kind::Normal,
        features: Vec::new(),
        default_features: false,
    });
    Member { name: name.to_owned(), folder: folder.to_owned(), dependencies: dependencies.collect() }
}

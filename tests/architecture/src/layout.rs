//! What may stand at the top of the tree, and what every manifest must say.

use crate::fault::Fault;
use crate::tree::Source;

/// The entries at the top, beside dotfiles.
pub const TOP_LEVEL: [&str; 13] = [
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "Makefile",
    "README.md",
    "adapters",
    "app",
    "deny.toml",
    "docs",
    "domain",
    "ports",
];

/// The folder of tests that belong to no single crate.
pub const TESTS: &str = "tests";

/// Entries that do not belong at the top, and those that are missing there.
#[must_use]
pub fn top_level_faults(names: &[String]) -> Vec<Fault> {
    let known = |name: &str| name.starts_with('.') || name == TESTS || TOP_LEVEL.contains(&name);
    let strays = names.iter().filter(|name| !known(name));
    let strays = strays.map(|name| Fault::new(name, "does not belong at the top of the tree"));
    let missing = TOP_LEVEL.iter().filter(|known| !names.iter().any(|name| name == *known));
    let missing = missing.map(|name| Fault::new(*name, "is missing at the top of the tree"));
    strays.chain(missing).collect()
}

/// Manifests of workspace members that do not take over the workspace's lints.
///
/// `members` are the folders of the members, as in `domain/mcp`.
#[must_use]
pub fn lint_faults(members: &[String], sources: &[Source]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for member in members {
        let path = format!("{member}/Cargo.toml");
        let manifest = sources.iter().find(|source| source.path == path);
        if !manifest.is_some_and(|manifest| takes_workspace_lints(&manifest.text)) {
            faults.push(Fault::new(path, "lacks `[lints]` with `workspace = true`"));
        }
    }
    faults
}

fn takes_workspace_lints(manifest: &str) -> bool {
    let lines = manifest.lines().map(str::trim).skip_while(|line| *line != "[lints]").skip(1);
    lines.take_while(|line| !line.starts_with('[')).any(|line| line == "workspace = true")
}

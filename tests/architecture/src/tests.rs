//! Which tests there are.
//!
//! A test is named `PLACE::NAME`. `PLACE` is a package or a path from the root of the tree; `NAME` is a test
//! function there (in a Rust file or package) or a word of the file (a scenario in a script). Modules may stand
//! between the two.

use std::collections::BTreeSet;

use crate::cargo::Member;
use crate::code::code_only;
use crate::tree::Source;

/// The tests of a tree, read once.
#[derive(Debug)]
pub struct Tests<'a> {
    members: &'a [Member],
    /// Path and names of each source.
    names: Vec<(&'a str, BTreeSet<String>)>,
}

impl<'a> Tests<'a> {
    /// Reads the names.
    #[must_use]
    pub fn of(members: &'a [Member], sources: &'a [Source]) -> Self {
        let names = sources.iter().map(|source| {
            let names = if source.is_rust() { test_functions(source) } else { words(source) };
            (source.path.as_str(), names)
        });
        Self { members, names: names.collect() }
    }

    /// Whether the test `PLACE::NAME` is there.
    #[must_use]
    pub fn has(&self, test: &str) -> bool {
        let (Some((place, _)), Some((_, name))) = (test.split_once("::"), test.rsplit_once("::")) else {
            return false;
        };
        let package = place.replace('_', "-");
        let member = self.members.iter().find(|member| member.name == package);
        let folder = member.map_or_else(|| place.trim_end_matches('/'), |member| member.folder.as_str());
        let below = format!("{folder}/");
        let mut here = self
            .names
            .iter()
            .filter(|(path, _)| path.starts_with(&below) || (member.is_none() && *path == place));
        here.any(|(_, names)| names.contains(name))
    }
}

fn words(source: &Source) -> BTreeSet<String> {
    let breaks = |next: char| !next.is_alphanumeric() && next != '_' && next != '-';
    source.text.split(breaks).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The functions of `source` that stand under an attribute that makes them tests.
fn test_functions(source: &Source) -> BTreeSet<String> {
    let code = code_only(&source.text);
    let mut names = BTreeSet::new();
    let mut is_test = false;
    for line in code.lines().map(str::trim) {
        let attribute = line.contains("#[test]") || line.contains("::test");
        is_test |= attribute;
        if let Some(name) = line.split_once("fn ").and_then(|(_, rest)| rest.split(['(', '<']).next()) {
            if is_test {
                names.insert(name.to_owned());
            }
            is_test = false;
        } else if !(line.is_empty() || line.starts_with("#[") || attribute) {
            is_test = false;
        }
    }
    names
}

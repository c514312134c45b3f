//! Uses of symbols, and what class each has.

use std::fmt;

use super::declaration::Declaration;
use crate::fault::Fault;
use crate::tree::Source;

/// What a use of a removed or deprecated symbol is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Code that serves the current revision: nothing may be there.
    Canonical,
    /// The adapter for earlier revisions, and its tests.
    Adapter,
    /// A page that tells how to move on, or a schema as it was published.
    Migration,
    /// A test that shows that it is refused.
    Control,
    /// A single line that was looked at.
    Line,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Canonical => "canonical source",
            Self::Adapter => "adapter for earlier revisions",
            Self::Migration => "migration document",
            Self::Control => "negative control",
            Self::Line => "single line",
        })
    }
}

/// One line that has a symbol.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    /// What it is.
    pub class: Class,
    /// The file, from the root of the tree.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The symbol.
    pub symbol: String,
}

/// Every use of a declared symbol in `sources`, in their order.
#[must_use]
pub fn inventory(declared: &Declaration, sources: &[Source]) -> Vec<Use> {
    let mut uses = Vec::new();
    for source in sources {
        let mut in_tests = !source.is_rust() || source.is_test();
        for (index, line) in source.text.lines().enumerate() {
            in_tests |= source.is_rust() && line.trim_start().starts_with("#[cfg(test)]");
            let lower = line.to_ascii_lowercase();
            for symbol in declared.symbols.iter().filter(|symbol| has(&lower, &symbol.text)) {
                let class = class_of(declared, &source.path, line, in_tests);
                let (path, symbol) = (source.path.clone(), symbol.text.clone());
                uses.push(Use { class, path, line: index + 1, symbol });
            }
        }
    }
    uses
}

/// What is wrong: uses in canonical source, declared places without a use, and single lines that are not single.
#[must_use]
pub fn faults(declared: &Declaration, sources: &[Source]) -> Vec<Fault> {
    let uses = inventory(declared, sources);
    let canonical = uses.iter().filter(|found| found.class == Class::Canonical);
    let mut faults: Vec<Fault> = canonical
        .map(|found| {
            let what = format!("uses `{}`, which the revision removed or deprecated", found.symbol);
            Fault::new(format!("{}:{}", found.path, found.line), what)
        })
        .collect();
    let lists = [
        (Class::Adapter, &declared.adapter_places),
        (Class::Migration, &declared.migration),
        (Class::Control, &declared.controls),
    ];
    for (class, places) in lists {
        for place in places {
            if !uses.iter().any(|found| found.class == class && lies_in(&found.path, place)) {
                faults.push(Fault::new(
                    place,
                    format!("is listed as {class} and has no use; take it off the list"),
                ));
            }
        }
    }
    for (path, wanted) in &declared.lines {
        let source = sources.iter().find(|source| source.path == *path);
        let count =
            source.map_or(0, |source| source.text.lines().filter(|line| line.trim() == wanted).count());
        if count != 1 {
            faults.push(Fault::new(path, format!("has the listed line {count} times, not once: {wanted}")));
        }
    }
    faults
}

fn class_of(declared: &Declaration, path: &str, line: &str, in_tests: bool) -> Class {
    let within = |places: &[String]| places.iter().any(|place| lies_in(path, place));
    if within(&declared.adapter_places) {
        Class::Adapter
    } else if within(&declared.migration) {
        Class::Migration
    } else if in_tests && within(&declared.controls) {
        Class::Control
    } else if declared.lines.iter().any(|(listed, text)| listed == path && text == line.trim()) {
        Class::Line
    } else {
        Class::Canonical
    }
}

fn lies_in(path: &str, place: &str) -> bool {
    path == place || (place.ends_with('/') && path.starts_with(place))
}

/// Whether `line`, in lower case, has `symbol` as a whole word, without regard to the symbol's case.
fn has(line: &str, symbol: &str) -> bool {
    let symbol = symbol.to_ascii_lowercase();
    let part = |next: Option<char>| next.is_some_and(|next| next.is_alphanumeric() || "_-/".contains(next));
    line.match_indices(&symbol).any(|(at, found)| {
        let before = line.get(..at).and_then(|before| before.chars().next_back());
        let after = line.get(at + found.len()..).and_then(|after| after.chars().next());
        !part(before) && !part(after)
    })
}

//! What the facade exports, read from its sources: the names that its `lib.rs` hands on, and what can be called on its own
//! types. Sources are formatted, so an item's place in its line tells what it belongs to; this is a scanner, not a
//! parser.

use std::collections::BTreeSet;

use crate::code::code_only;
use crate::tree::Source;

/// Where the facade lies.
const FACADE: &str = "app/sdk/src/";

/// One exported thing a line, sorted.
#[must_use]
pub fn exported(sources: &[Source]) -> String {
    let mut found = BTreeSet::new();
    for source in sources.iter().filter(|source| source.path.starts_with(FACADE)) {
        let code = code_only(&source.text);
        if source.path == "app/sdk/src/lib.rs" {
            found.extend(names(&code));
        } else {
            let code = code.split("#[cfg(test)]").next().unwrap_or_default();
            found.extend(methods(code));
        }
    }
    found.iter().map(|name| format!("{name}\n")).collect()
}

/// What `pub use` at the root hands on, with the crate it comes from.
fn names(code: &str) -> Vec<String> {
    let mut names = Vec::new();
    for statement in format!("\n{code}").split("\npub use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let statement: String = statement.split_whitespace().collect::<Vec<_>>().join(" ");
        let (from, list) = match statement.split_once("::{") {
            Some((from, list)) => (from, list.trim_end_matches('}')),
            None => statement.rsplit_once("::").unwrap_or(("", statement.as_str())),
        };
        let origin = from.split("::").next().unwrap_or_default();
        for name in list.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            let public = name.rsplit(" as ").next().unwrap_or(name);
            names.push(match origin {
                "" => format!("pm_mcp::{public}, a crate"),
                origin if origin.starts_with("pm_mcp_") => format!("pm_mcp::{public}, of {origin}"),
                origin if origin == origin.to_lowercase() && is_own(origin) => format!("pm_mcp::{public}"),
                origin => format!("pm_mcp::{public}, of {origin}"),
            });
        }
    }
    names
}

/// Crates of others that the facade hands single names of on.
fn is_own(origin: &str) -> bool {
    !["async_trait", "serde", "serde_json", "schemars"].contains(&origin)
}

/// `Type::function` for each public one in an `impl` without a trait.
fn methods(code: &str) -> Vec<String> {
    let mut owner = None;
    let mut methods = Vec::new();
    for line in code.lines() {
        if line.starts_with("impl") {
            owner = implemented(line);
        } else if let Some(rest) = line.strip_prefix("    pub ") {
            let function = rest.split_once("fn ").filter(|(before, _)| {
                before.split_whitespace().all(|word| word == "async" || word == "const")
            });
            let name = function.and_then(|(_, rest)| rest.split(['(', '<']).next());
            methods.extend(owner.as_ref().zip(name).map(|(owner, name)| format!("pm_mcp::{owner}::{name}")));
        }
    }
    methods
}

/// The type of an `impl` without a trait.
fn implemented(line: &str) -> Option<String> {
    let rest = line.strip_prefix("impl")?;
    let rest = match rest.strip_prefix('<') {
        Some(generics) => after_generics(generics)?,
        None => rest,
    };
    if rest.contains(" for ") {
        return None;
    }
    let name = rest.trim_start().split(['<', ' ', '{']).next()?;
    Some(name.to_owned())
}

/// What follows the `>` that closes generics which are open.
fn after_generics(text: &str) -> Option<&str> {
    let mut depth = 1_usize;
    let mut before = ' ';
    for (at, next) in text.char_indices() {
        match next {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return text.get(at + 1..);
        }
        before = next;
    }
    None
}

//! Methods that clippy refuses, crate by crate. The nearest `clippy.toml` wins, so each crate that needs more
//! than the root's settings has a whole one of its own.

use crate::fault::Fault;
use crate::tree::Source;

/// Clocks, sleeps, randomness, the environment and files: refused where decisions are made and carried out.
pub const AMBIENT: [&str; 14] = [
    "std::time::SystemTime::now",
    "std::time::Instant::now",
    "std::thread::sleep",
    "tokio::time::sleep",
    "tokio::time::timeout",
    "std::collections::hash_map::RandomState::new",
    "std::env::var",
    "std::env::var_os",
    "std::env::current_dir",
    "std::fs::read",
    "std::fs::read_to_string",
    "std::fs::write",
    "std::fs::File::open",
    "std::process::Command::new",
];

/// Clocks: refused in every adapter but the one that is the clock.
pub const CLOCKS: [&str; 2] = ["std::time::SystemTime::now", "std::time::Instant::now"];

/// The one crate that reads the system clock.
pub const CLOCK: &str = "adapters/clock-system";

/// Crates where nothing ambient may be asked.
pub const PURE: [&str; 6] =
    ["app/authorization", "app/engine", "domain/mcp", "domain/tracker", "ports/mcp", "ports/tracker"];

/// What clippy must refuse in the crate in `folder`.
#[must_use]
pub fn needed(folder: &str) -> &'static [&'static str] {
    if PURE.contains(&folder) {
        &AMBIENT
    } else if folder.starts_with("adapters/") && folder != CLOCK {
        &CLOCKS
    } else {
        &[]
    }
}

/// Needed entries that a member's `clippy.toml` lacks, entries without a reason, and settings of the root file
/// that a crate's own file forgot to repeat.
#[must_use]
pub fn faults(members: &[String], sources: &[Source]) -> Vec<Fault> {
    let text =
        |path: &str| sources.iter().find(|source| source.path == path).map(|source| source.text.as_str());
    let shared = text(".clippy.toml").unwrap_or_default();
    let mut faults = Vec::new();
    for folder in members {
        let path = format!("{folder}/clippy.toml");
        let own = text(&path);
        for method in needed(folder) {
            if !entries(own.unwrap_or_default()).any(|(listed, _)| listed == *method) {
                faults.push(Fault::new(&path, format!("does not refuse `{method}`")));
            }
        }
        let Some(own) = own else { continue };
        for (method, _) in entries(own).filter(|(_, reason)| reason.is_empty()) {
            faults.push(Fault::new(&path, format!("refuses `{method}` without a reason")));
        }
        let settings = shared.lines().filter(|line| line.contains('=') && !line.starts_with('#'));
        for setting in settings.filter(|setting| !own.lines().any(|line| line == *setting)) {
            faults.push(Fault::new(&path, format!("does not repeat `{setting}` of the root file")));
        }
    }
    faults
}

/// The refused methods of a `clippy.toml` with their reasons; one entry a line.
fn entries(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| {
        let method = quoted_after(line, "path = \"")?;
        Some((method, quoted_after(line, "reason = \"").unwrap_or_default()))
    })
}

fn quoted_after<'a>(line: &'a str, opening: &str) -> Option<&'a str> {
    line.split_once(opening)?.1.split('"').next()
}

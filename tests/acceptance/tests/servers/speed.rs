//! How fast a large workspace is served, and in how much memory.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{StdioServer, call};
use serde_json::json;

/// A figure of a process from the system's own account, in KiB, where the system keeps one that can be read.
pub(crate) fn memory_kib(process: u32, name: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn a_large_workspace_is_served_at_once_and_in_little_memory() {
    let Some(root) = std::env::var_os("PM_LARGE_WORKSPACE").map(PathBuf::from) else {
        eprintln!("SKIPPED speed on a large workspace: PM_LARGE_WORKSPACE names none");
        return;
    };
    let begun = Instant::now();
    let mut stdio = StdioServer::start(&root, &[]);
    let next = stdio.ask(&call(1, "pm_next", json!({})));
    let first = begun.elapsed();
    assert!(next["result"]["structuredContent"]["recommended"]["item"]["id"].is_string(), "{next}");

    let search = |words: &str| call(2, "pm_search", json!({"query": words}));
    stdio.ask(&search("history"));
    let mut searches: Vec<Duration> =
        ["validate lock", "search index", "claim", "merge conflict history", "test run"]
            .iter()
            .map(|words| {
                let begun = Instant::now();
                let found = stdio.ask(&search(words));
                let took = begun.elapsed();
                assert!(
                    !found["result"]["structuredContent"]["hits"].as_array().unwrap().is_empty(),
                    "{words}: {found}"
                );
                took
            })
            .collect();
    searches.sort_unstable();
    let middle = searches[searches.len() / 2];
    let resident = memory_kib(stdio.id(), "VmRSS");
    eprintln!(
        "large workspace: first pm_next after {first:?}, pm_search in {middle:?}, {resident:?} KiB resident"
    );
    assert!(resident.is_none_or(|resident| resident < 200 << 10), "{resident:?} KiB resident");
    if cfg!(debug_assertions) {
        // Unoptimised code says nothing of speed; that the answers are right was seen above.
        eprintln!(
            "measured in a debug build: the limits of time are held in release builds only (cargo test --release)"
        );
        return;
    }
    assert!(first < Duration::from_secs(1), "{first:?} to the first answer");
    assert!(middle < Duration::from_millis(50), "{searches:?} for searches");
}

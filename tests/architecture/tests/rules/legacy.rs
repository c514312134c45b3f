//! The earlier revisions stand in one place, and how they end is written down.

use std::fs;

use pm_mcp_architecture::code::code_only;
use pm_mcp_architecture::tree;

use crate::sources;

/// Where the earlier revisions are served, and the lines that switch that on.
const AT_HOME: [&str; 5] = [
    "app/engine/src/legacy/",
    "app/engine/src/lib.rs",
    "app/sdk/src/builder.rs",
    "app/sdk/src/lib.rs",
    "app/sdk/src/server.rs",
];

#[test]
fn nothing_but_the_switch_knows_the_earlier_era() {
    for source in sources().iter().filter(|source| source.is_rust() && !source.is_test()) {
        let inner = ["domain/mcp/", "ports/mcp/", "adapters/", "app/engine/", "app/sdk/src/"];
        if !inner.iter().any(|folder| source.path.starts_with(folder))
            || AT_HOME.iter().any(|home| source.path.starts_with(home))
        {
            continue;
        }
        for (index, line) in code_only(&source.text).lines().enumerate() {
            let words = line.to_lowercase();
            let named = words.contains("legacy") || words.contains("dual_era") || words.contains("dualera");
            assert!(!named, "{}:{}: {line}", source.path, index + 1);
        }
    }
    let declarations = fs::read_to_string(tree::root().join("app/engine/src/lib.rs")).unwrap();
    assert_eq!(
        declarations.lines().filter(|line| line.contains("legacy")).count(),
        1,
        "the line that declares the module, which is all that goes with it"
    );
}

#[test]
fn the_earlier_era_has_an_owner_and_an_end() {
    let text = fs::read_to_string(tree::root().join("docs/legacy.md")).unwrap();
    for said in [
        "| Owner |",
        "2025-11-25",
        "2025-06-18",
        "## Telemetry",
        "## Security",
        "## When it goes",
        "two release windows in a row",
        "not before 2027-07-28",
        "| Earliest removal | 2027-07-28 |",
    ] {
        assert!(text.contains(said), "docs/legacy.md does not say {said:?}");
    }
}

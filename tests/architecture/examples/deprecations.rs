//! Prints every use of a symbol that the revision removed or deprecated, by class, and fails on one in canonical source.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "what it prints is what it is for")]

use std::error::Error;
use std::fs;
use std::process::ExitCode;

use pm_mcp_architecture::ratchet::{Class, Declaration, faults, inventory};
use pm_mcp_architecture::tree;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let root = tree::root();
    let declared = Declaration::read(&fs::read_to_string(root.join("docs/deprecations.md"))?);
    let sources = tree::sources(&root)?;
    let mut uses = inventory(&declared, &sources);
    uses.sort_by_key(|found| found.class);
    for found in &uses {
        println!("{}\t{}:{}\t{}", found.class, found.path, found.line, found.symbol);
    }
    let faults = faults(&declared, &sources);
    for fault in &faults {
        eprintln!("{fault}");
    }
    let count = |class| uses.iter().filter(|found| found.class == class).count();
    println!(
        "deprecations: {} symbols, {} uses: {} adapter, {} migration, {} negative controls, {} single lines; {} passed, {} failed",
        declared.symbols.len(),
        uses.len(),
        count(Class::Adapter),
        count(Class::Migration),
        count(Class::Control),
        count(Class::Line),
        uses.len() - count(Class::Canonical),
        faults.len(),
    );
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

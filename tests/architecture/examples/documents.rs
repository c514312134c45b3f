//! Writes the pages that are generated. A test tells when that is needed.
#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

use std::fs;
use std::io;

use pm_mcp_architecture::{generated, tree};

fn main() -> io::Result<()> {
    let root = tree::root();
    for (path, text) in generated::pages(&root)? {
        let is_new = fs::read_to_string(root.join(path)).ok().as_deref() != Some(text.as_str());
        if is_new {
            fs::write(root.join(path), text)?;
        }
        println!("{path}: {}", if is_new { "written" } else { "as it was" });
    }
    Ok(())
}

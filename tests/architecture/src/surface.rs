//! `lib.rs` and `mod.rs` hold declarations and docs: what a crate or module offers is read in one place, listed
//! by name, with no logic in between.

use crate::code::code_only;
use crate::fault::Fault;
use crate::tree::Source;

/// Functions and glob re-exports in the declaring files of `sources`.
#[must_use]
pub fn faults(sources: &[Source]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for source in sources.iter().filter(|source| declares(&source.path)) {
        let code = code_only(&source.text);
        let mut before = "";
        for (index, line) in code.lines().enumerate() {
            let place = format!("{}:{}", source.path, index + 1);
            // The compiler wants the entry of a macro at the root of its crate.
            let is_macro = before.starts_with("#[proc_macro");
            before = line;
            if defines_function(line) && !is_macro {
                faults.push(Fault::new(&place, "has a function; move it into a file of its own"));
            }
            if line.trim_start().starts_with("pub") && line.contains("use ") && line.contains('*') {
                faults.push(Fault::new(&place, "re-exports a glob; list the names"));
            }
        }
    }
    faults
}

fn declares(path: &str) -> bool {
    matches!(path.rsplit('/').next(), Some("lib.rs" | "mod.rs"))
}

/// A function item or signature; a function pointer type (`fn(u8)`) is neither.
fn defines_function(line: &str) -> bool {
    line.split(|next: char| !next.is_alphanumeric() && next != '_' && next != '(').any(|word| word == "fn")
}

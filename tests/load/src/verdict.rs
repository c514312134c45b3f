//! What was promised, and whether it held.

use std::process::ExitCode;

/// Promises that were looked at, each with what was seen.
#[derive(Debug)]
pub(crate) struct Verdict {
    name: &'static str,
    kept: usize,
    broken: usize,
}

impl Verdict {
    pub(crate) fn of(name: &'static str) -> Self {
        Self { name, kept: 0, broken: 0 }
    }

    /// Looks at one promise and says what was seen.
    pub(crate) fn promise(&mut self, kept: bool, seen: &str) {
        if kept {
            self.kept += 1;
            println!("kept: {seen}");
        } else {
            self.broken += 1;
            println!("BROKEN: {seen}");
        }
    }

    /// The last line and the exit status.
    pub(crate) fn close(self) -> ExitCode {
        println!("load {}: {} promises kept, {} broken", self.name, self.kept, self.broken);
        if self.broken == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

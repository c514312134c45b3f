//! Drives load at the bundled HTTP server, holds it to its promises and prints figures.
//!
//! `load mixed` runs everything that clients do, good, bad and slow, for `PM_LOAD_SECONDS`; `load streams` opens
//! `PM_LOAD_STREAMS` streams, a tenth of which is not read; `load peers` measures good clients beside crowds of `PM_LOAD_PEERS`. What is promised and how it is
//! measured is in `docs/load.md`. The exit status is 0 only if every promise held.
#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a driver stops at the first surprise of its own, its numbers are small, and its output is what it is for"
)]

mod bad;
mod calls;
mod dice;
mod fan_out;
mod figures;
mod load;
mod messages;
mod mixed;
mod peers;
mod process;
mod slow;
mod streams;
mod tally;
mod tasks;
mod verdict;
mod wire;

use std::process::ExitCode;

use verdict::Verdict;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let run: fn() -> Verdict = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["mixed"] => mixed::run,
        ["peers"] => peers::run,
        ["streams"] => fan_out::run,
        _ => {
            println!("usage: load mixed | peers | streams");
            return ExitCode::from(2);
        }
    };
    run().close()
}

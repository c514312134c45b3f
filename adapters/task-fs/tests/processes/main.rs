//! Several processes on one folder, some of which are killed.
//!
//! `PM_TASK_FS_KILLS` says how many processes are killed (30 unless set), `PM_TASK_FS_TRANSITIONS` how many transitions
//! two processes share (2,000 unless set).
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::let_underscore_must_use,
    reason = "a test stops at the first surprise; the processes talk over their standard output"
)]

mod kill;
mod oracle;
mod shared;
mod work;

/// A test by name.
type Test = (&'static str, fn());

const TESTS: [Test; 2] = [
    ("a_killed_process_loses_nothing_acknowledged_and_tears_nothing", kill::run),
    ("two_processes_lose_no_update", shared::run),
];

fn main() {
    if work::is_child() {
        work::child();
        return;
    }
    let filters: Vec<String> = std::env::args().skip(1).filter(|word| word.contains('_')).collect();
    let mut passed = 0;
    for (name, test) in TESTS {
        if filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str())) {
            test();
            println!("test {name} ... ok");
            passed += 1;
        }
    }
    println!("\ntest result: ok. {passed} passed; 0 failed; 0 ignored");
}

/// A number from the environment.
fn count(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a whole number"))
}

/// Numbers that look random and are the same in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

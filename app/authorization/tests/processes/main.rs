//! Several processes that share one folder of credentials, against an authorization server over HTTP, which notices every
//! refresh token that is spent twice.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "a test stops at the first surprise; the processes talk over their standard output"
)]

mod client;
mod server;

use std::path::Path;
use std::process::{Child, Command, Stdio};

use pm_mcp_https::{HttpsClient, HttpsSettings};

use crate::server::Server;

/// Says to a process of this test what it does: port, how many refusals, and folder.
const TASK: &str = "PM_AUTHORIZATION_TASK";
/// How many refusals each process meets.
const REFUSALS: u32 = 25;

/// A test by name.
type Test = (&'static str, fn());

const TESTS: [Test; 2] = [
    ("two_processes_of_one_store_spend_no_refresh_token_twice", shared),
    ("a_process_that_is_killed_before_it_keeps_its_token_costs_one_consent", killed),
];

fn main() {
    if let Ok(task) = std::env::var(TASK) {
        return client::run(&task);
    }
    if HttpsClient::new(HttpsSettings::default()).is_err() {
        eprintln!("SKIPPED processes of one store: the system trusts no certificate authority");
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

fn start(server: &Server, refusals: u32, folder: &Path) -> Child {
    let task = format!("{} {refusals} {}", server.port(), folder.display());
    Command::new(std::env::current_exe().unwrap()).env(TASK, task).stdout(Stdio::null()).spawn().unwrap()
}

fn shared() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("credentials");
    let server = Server::start();
    let children = [0, 1].map(|_| start(&server, REFUSALS, &folder));
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let seen = server.seen();
    assert_eq!(seen.spent_twice, 0, "a refresh token was spent twice");
    assert_eq!(seen.consents, 1, "the user of the second process was asked too");
    assert!(seen.refreshes >= REFUSALS && seen.refreshes <= 2 * REFUSALS, "{} refreshes", seen.refreshes);
}

fn killed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("credentials");
    let server = Server::start();
    assert!(start(&server, 1, &folder).wait().unwrap().success());
    // The server takes the refresh token and never answers; the process dies with it.
    let asked = server.answer_no_refresh();
    let mut child = start(&server, 2, &folder);
    asked.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    server.answer_again();
    assert!(start(&server, 2, &folder).wait().unwrap().success(), "the folder is of no use after a crash");
    let seen = server.seen();
    assert_eq!(
        (seen.consents, seen.spent_twice),
        (2, 1),
        "a clean new login follows the token that was lost"
    );
}

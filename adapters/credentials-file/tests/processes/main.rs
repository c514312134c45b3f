//! Several processes that share a folder and spend refresh tokens, some of which are killed.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a test stops at the first surprise; the processes talk over their standard output"
)]

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use pm_mcp_credentials_file::FileCredentialStore;
use pm_mcp_domain::access::{Issuer, Resource};
use pm_mcp_domain::authorization::{
    ClientAuthentication, ClientRegistration, Credential, RegistrationOrigin, Secret, TokenSet,
};
use pm_mcp_ports::driven::CredentialStore;
use tokio::runtime::Runtime;

/// Says to a process of this test what it does: the folder, and how many tokens to spend or `hold`.
const TASK: &str = "PM_CREDENTIALS_TASK";
const KEY: [u8; 32] = [7; 32];
const SPENT_BY_EACH: u32 = 100;

/// A test by name.
type Test = (&'static str, fn());

const TESTS: [Test; 2] = [
    ("two_processes_never_spend_one_refresh_token_twice", spending),
    ("a_killed_process_holds_nothing", killed),
];

fn main() {
    if let Ok(task) = std::env::var(TASK) {
        let (work, folder) = task.split_once(' ').unwrap();
        return if work == "hold" { hold(folder) } else { spend(folder) };
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

fn start(work: &str, folder: &Path) -> Child {
    let task = format!("{work} {}", folder.display());
    Command::new(std::env::current_exe().unwrap()).env(TASK, task).stdout(Stdio::piped()).spawn().unwrap()
}

fn issuer() -> Issuer {
    Issuer::parse("https://as.example").unwrap()
}

fn resource() -> Resource {
    Resource::parse("https://h/mcp").unwrap()
}

fn credential(refresh_token: u32) -> Credential {
    let client = ClientRegistration {
        client_id: "c".to_owned(),
        authentication: ClientAuthentication::None,
        origin: RegistrationOrigin::Dynamic,
    };
    let tokens = TokenSet {
        access_token: Secret::new("a"),
        refresh_token: Some(Secret::new(&refresh_token.to_string())),
        scopes: None,
        expires: None,
    };
    Credential::of(client).with_tokens(&resource(), tokens)
}

/// Spends tokens as a client does: holds, reads again, spends, saves, lets go. What is spent is said aloud.
fn spend(folder: &str) {
    let store = FileCredentialStore::open(folder, &KEY).unwrap();
    Runtime::new().unwrap().block_on(async {
        for _ in 0..SPENT_BY_EACH {
            let _hold = store.hold(&issuer()).await.unwrap();
            let found = store.load(&issuer()).await.unwrap().unwrap();
            let token = found.credential.tokens(&resource()).unwrap().refresh_token.clone().unwrap();
            println!("{}", token.expose());
            let next = token.expose().parse::<u32>().unwrap() + 1;
            store.save(&issuer(), &credential(next), Some(found.revision)).await.unwrap();
        }
    });
}

fn hold(folder: &str) {
    let store = FileCredentialStore::open(folder, &KEY).unwrap();
    Runtime::new().unwrap().block_on(async {
        let _hold = store.hold(&issuer()).await.unwrap();
        println!("held");
        std::io::stdout().flush().unwrap();
        std::future::pending::<()>().await;
    });
}

fn spending() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("credentials");
    let store = FileCredentialStore::open(&folder, &KEY).unwrap();
    Runtime::new().unwrap().block_on(store.save(&issuer(), &credential(0), None)).unwrap();
    let mut children = [0, 1].map(|_| start("spend", &folder));
    let outputs = children.each_mut().map(|child| {
        let output = child.stdout.take().unwrap();
        std::thread::spawn(move || BufReader::new(output).lines().map(Result::unwrap).collect::<Vec<_>>())
    });
    let spent: Vec<String> = outputs.into_iter().flat_map(|output| output.join().unwrap()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let tokens: BTreeSet<u32> = spent.iter().map(|token| token.parse().unwrap()).collect();
    assert_eq!(spent.len(), tokens.len(), "a refresh token was spent twice");
    assert_eq!(tokens, (0..2 * SPENT_BY_EACH).collect(), "a refresh token was lost");
}

fn killed() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("credentials");
    let store = FileCredentialStore::open(&folder, &KEY).unwrap();
    let mut child = start("hold", &folder);
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "held\n");
    let runtime = Runtime::new().unwrap();
    let (sender, waiting) = std::sync::mpsc::channel();
    let taking = runtime.spawn(async move {
        let hold = store.hold(&issuer()).await;
        sender.send(()).unwrap();
        hold
    });
    assert!(
        waiting.recv_timeout(std::time::Duration::from_millis(300)).is_err(),
        "two processes hold one issuer"
    );
    child.kill().unwrap();
    child.wait().unwrap();
    runtime.block_on(taking).unwrap().unwrap();
}

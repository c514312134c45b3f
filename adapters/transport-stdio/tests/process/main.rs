//! The standard streams of a real process: pipes, sockets, files and a closed end.
//!
//! There is no test harness here, because it would write to the standard output: the program starts itself again as
//! the server that it talks to.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test stops at the first surprise and says on stderr what it did"
)]

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, Write};
use std::process::{Child, Command, Stdio as Stream};
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::{Answer, Channel, Inbound, McpDoor, McpService, Outbox, Served};
use pm_mcp_transport_stdio::Stdio;

const SERVE: &str = "--serve-stdio-of-this-process";

/// Answers each message with itself, the line `wait` never.
#[derive(Debug)]
struct Mirror;

#[async_trait]
impl McpDoor for Mirror {
    async fn serve(&self, inbound: Inbound<'_>, _: &mut dyn Outbox) -> Served {
        if inbound.bytes == b"wait" {
            std::future::pending::<()>().await;
        }
        Served::Answered(Answer::new(200, inbound.bytes.to_vec()))
    }

    fn close(&self) {}
}

impl McpService for Mirror {
    fn admission(&self) -> pm_mcp_ports::driving::Admission {
        pm_mcp_ports::driving::Admission::Local
    }

    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor> {
        assert_eq!(channel, Channel::Shared);
        self
    }
}

fn main() {
    if std::env::args().any(|argument| argument == SERVE) {
        return serve();
    }
    if std::env::args().any(|argument| argument == "--list") {
        return;
    }
    for (name, test) in [
        ("pipes_are_answered_before_the_input_ends", pipes as fn()),
        ("an_input_that_ends_at_once_is_a_clean_exit", empty),
        ("a_file_is_served_to_its_end", file),
        ("large_answers_pass_a_pipe_whole", large),
        ("a_request_that_never_ends_is_dropped_at_the_end_of_input", endless),
        #[cfg(unix)]
        ("a_pair_of_sockets_is_answered_before_the_input_ends", sockets),
    ] {
        test();
        eprintln!("{name} ... ok");
    }
}

fn serve() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let stdio = Stdio::inherit().unwrap();
        stdio.serve(Arc::new(Mirror), Principal::local("tester"), std::future::pending()).await.unwrap();
    });
}

fn start(input: impl Into<Stream>, output: impl Into<Stream>) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .arg(SERVE)
        .stdin(input)
        .stdout(output)
        .stderr(Stream::inherit())
        .spawn()
        .unwrap()
}

fn pipes() {
    let mut child = start(Stream::piped(), Stream::piped());
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for text in ["one\n", "two\n"] {
        input.write_all(text.as_bytes()).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert_eq!(line, text);
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

fn empty() {
    assert!(start(Stream::null(), Stream::piped()).wait().unwrap().success());
    let mut child = start(Stream::piped(), Stream::piped());
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

fn file() {
    let mut input = tempfile::tempfile().unwrap();
    input.write_all(b"one\r\n\ntwo").unwrap();
    input.rewind().unwrap();
    let output = tempfile::tempfile().unwrap();
    assert!(start(input, output.try_clone().unwrap()).wait().unwrap().success());
    assert_eq!(whole(output), "one\ntwo\n");
}

fn whole(mut file: File) -> String {
    let mut text = String::new();
    file.rewind().unwrap();
    file.read_to_string(&mut text).unwrap();
    text
}

fn large() {
    let mut child = start(Stream::piped(), Stream::piped());
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let text = "x".repeat(3 << 20) + "\n";
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let mut answer = String::new();
    output.read_to_string(&mut answer).unwrap();
    assert!(answer == text);
    assert!(child.wait().unwrap().success());
}

fn endless() {
    let mut child = start(Stream::piped(), Stream::piped());
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"wait\none\n").unwrap();
    drop(input);
    let mut answer = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    assert_eq!(answer, "one\n");
    assert!(child.wait().unwrap().success());
}

/// What Node.js gives its child processes.
#[cfg(unix)]
fn sockets() {
    use std::net::Shutdown;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let (near_input, far_input) = UnixStream::pair().unwrap();
    let (near_output, far_output) = UnixStream::pair().unwrap();
    let mut child = start(OwnedFd::from(far_input), OwnedFd::from(far_output));
    let (mut input, mut output) = (near_input, BufReader::new(near_output));
    input.write_all(b"one\n").unwrap();
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "one\n");
    input.shutdown(Shutdown::Both).unwrap();
    assert!(child.wait().unwrap().success());
}

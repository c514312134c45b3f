//! A server that is asked to end while it is busy: whoever was heard gets an answer, whoever was not is left without an
//! effect, and the next server goes on at once.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use pm_mcp_acceptance::{HttpServer, PATIENCE, Project, call, request};
use serde_json::{Value, json};

use crate::tasks::{long_histories, with_tasks};

const WRITERS: usize = 6;
const READERS: usize = 4;
const STREAMS: usize = 20;
const TASKS: usize = 4;

/// How many answers there are before the server is asked to end.
const ANSWERS: usize = 120;

/// How soon a new process answers; what is built for finding faults, and shares the machine, is slower.
const RESTART: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// A connection that stays open for as long as the server lets it.
struct Open(BufReader<TcpStream>);

impl Open {
    fn to(address: SocketAddr) -> Option<Self> {
        let stream = TcpStream::connect(address).ok()?;
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Some(Self(BufReader::new(stream)))
    }

    /// Whether the whole request could be handed to the system.
    fn send(&mut self, address: SocketAddr, message: &Value) -> bool {
        let (body, method) = (message.to_string(), message["method"].as_str().unwrap());
        let name = message["params"]["name"].as_str().map(|name| format!("Mcp-Name: {name}\r\n"));
        let whole = format!(
            "POST /mcp HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: {method}\r\n\
             {}Content-Length: {}\r\n\r\n{body}",
            name.unwrap_or_default(),
            body.len(),
        );
        self.0.get_mut().write_all(whole.as_bytes()).is_ok()
    }

    /// The answer, or nothing if the connection ended before its first byte. One that breaks off is a failure.
    fn answer(&mut self) -> Option<Value> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            match self.0.read_line(&mut head) {
                Ok(0) if head.is_empty() => return None,
                Err(error) if head.is_empty() && error.kind() == ErrorKind::ConnectionReset => return None,
                Ok(0) => panic!("an answer broke off in its head: {head}"),
                Ok(_) => {}
                Err(error) => panic!("{error} after {head}"),
            }
        }
        assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
        let length = head
            .lines()
            .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap_or_else(|| panic!("no length: {head}"))];
        self.0.read_exact(&mut body).unwrap_or_else(|error| panic!("an answer broke off: {error}"));
        Some(serde_json::from_slice(&body).unwrap())
    }
}

/// What one client did until the server was gone: the titles that were sent, and those that were acknowledged.
#[derive(Default)]
struct Told {
    sent: BTreeSet<String>,
    acknowledged: BTreeSet<String>,
    answers: usize,
}

/// Asks again and again, over connections that stay open, until the server takes no more.
fn client(address: SocketAddr, number: usize, answered: &Sender<()>) -> Told {
    let mut told = Told::default();
    let mut round = 0;
    while let Some(mut open) = Open::to(address) {
        let mut served = false;
        loop {
            let title = format!("under load {number} {round}");
            round += 1;
            let message = match number < WRITERS {
                true => call(round, "pm_create", json!({"title": title, "allowDuplicate": true})),
                false => call(round, "pm_next", json!({"limit": 3})),
            };
            if number < WRITERS {
                told.sent.insert(title.clone());
            }
            if !open.send(address, &message) {
                break;
            }
            let Some(answer) = open.answer() else { break };
            assert_eq!(
                (&answer["id"], &answer["result"]["isError"]),
                (&json!(round), &Value::Null),
                "{answer}"
            );
            if number < WRITERS {
                told.acknowledged.insert(title);
            }
            (served, told.answers) = (true, told.answers + 1);
            // The test has what it waits for.
            answered.send(()).ok();
        }
        if !served {
            break;
        }
    }
    told
}

/// Listens until the end of its stream; the last message has to be the result.
fn listen(address: SocketAddr, number: usize, ready: &Sender<()>) {
    let mut open = Open::to(address).unwrap();
    let id = format!("s{number}");
    let wanted = json!({"notifications": {"resourcesListChanged": true}});
    assert!(open.send(address, &request(id.clone(), "subscriptions/listen", wanted)));
    let mut last = Value::Null;
    loop {
        let mut line = String::new();
        if open.0.read_line(&mut line).unwrap() == 0 {
            break;
        }
        if let Some(data) = line.strip_prefix("data:") {
            if last.is_null() {
                ready.send(()).unwrap();
            }
            last = serde_json::from_str(data).unwrap();
        }
    }
    assert_eq!((&last["id"], &last["result"]["resultType"]), (&json!(id), &json!("complete")), "{last}");
}

fn titles(project: &Project) -> BTreeSet<String> {
    let files = fs::read_dir(project.file("tasks")).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let lines = texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    lines.filter_map(|line| Some(line.strip_prefix("title: ")?.trim_matches('"').to_owned())).collect()
}

#[test]
fn a_busy_server_that_is_asked_to_end_answers_whom_it_heard_and_the_next_one_goes_on() {
    let project = Project::paged();
    long_histories(&project);
    let settings = [("PM_MCP_TASK_STORE", "fs")];
    let server = HttpServer::start(project.root(), &settings);
    let address = server.address();
    let tasks: Vec<String> = (0..TASKS)
        .map(|_| {
            let begun = server.ask(&with_tasks(call(1, "pm_validate", json!({}))));
            begun["result"]["taskId"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned()
        })
        .collect();
    let (ready, streams_ready) = channel();
    let streams: Vec<_> = (0..STREAMS)
        .map(|number| {
            let ready = ready.clone();
            thread::spawn(move || listen(address, number, &ready))
        })
        .collect();
    for _ in 0..STREAMS {
        streams_ready.recv_timeout(PATIENCE).expect("a stream begins");
    }
    let (answered, answers) = channel();
    let clients: Vec<_> = (0..WRITERS + READERS)
        .map(|number| {
            let answered = answered.clone();
            thread::spawn(move || client(address, number, &answered))
        })
        .collect();
    for _ in 0..ANSWERS {
        answers.recv_timeout(PATIENCE).expect("an answer");
    }

    let asked = Instant::now();
    let ended = server.terminate();
    let took = asked.elapsed();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    for stream in streams {
        stream.join().expect("a stream ends with its result");
    }
    let (mut sent, mut acknowledged, mut all) = (BTreeSet::new(), BTreeSet::new(), 0);
    for client in clients {
        let told = client.join().expect("no answer breaks off");
        sent.extend(told.sent);
        acknowledged.extend(told.acknowledged);
        all += told.answers;
    }

    let made = titles(&project);
    let lost: Vec<_> = acknowledged.difference(&made).collect();
    assert!(lost.is_empty(), "acknowledged and not there: {lost:?}");
    let unanswered: Vec<_> =
        sent.intersection(&made).filter(|title| !acknowledged.contains(*title)).collect();
    assert!(unanswered.is_empty(), "done and not answered: {unanswered:?}");

    let begun = Instant::now();
    let next = HttpServer::start(project.root(), &settings);
    assert!(next.ask(&request(1, "tools/list", json!({})))["result"].is_object());
    let restarted = begun.elapsed();
    let mut ends = Vec::new();
    for task in tasks {
        let answer = next.ask(&with_tasks(request(9, "tasks/get", json!({"taskId": task}))));
        let found = &answer["result"];
        match found["status"].as_str() {
            Some("completed") => {}
            Some("failed") => {
                let message = found["error"]["message"].as_str().unwrap();
                assert!(message.contains("start"), "{message}");
            }
            _ => panic!("{answer}"),
        }
        ends.push(found["status"].as_str().unwrap().to_owned());
    }
    eprintln!(
        "{all} answers, {} writes sent and {} acknowledged, {STREAMS} streams ended with their result; it ended in \
         {took:.1?}, the next one answered after {restarted:.1?}, the tasks of the first: {ends:?}",
        sent.len(),
        acknowledged.len()
    );
    assert!(restarted < RESTART, "the next server answered after {restarted:?}");
}

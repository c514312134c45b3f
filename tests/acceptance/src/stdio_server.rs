//! `pm-mcp`, spoken to line by line.

use std::collections::HashMap;
use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Stdio};

use serde_json::Value;

use crate::binaries::Binary;
use crate::legacy_schema::{LEGACY_REVISIONS, legacy_schema};
use crate::process::{Ended, Lines, Reaped, ask_to_end, command, end_of};
use crate::project::Project;
use crate::wire_schema::wire_schema;

/// A running `pm-mcp`.
#[derive(Debug)]
pub struct StdioServer {
    child: Reaped,
    input: Option<ChildStdin>,
    output: Lines,
    errors: Lines,
    asked: HashMap<String, Asked>,
    /// The earlier revision that was agreed on last.
    agreed: Option<&'static str>,
    project: Option<Project>,
}

/// A request that waits for its answer.
#[derive(Debug)]
struct Asked {
    method: String,
    /// Whether it claims no version, so that its answer is one of an earlier revision.
    is_legacy: bool,
}

const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

impl StdioServer {
    /// Serves a project, which is kept for as long.
    pub fn of(project: &Project) -> Self {
        let mut server = Self::start(project.root(), &[]);
        server.project = Some(project.clone());
        server
    }

    /// Starts in `folder` with these settings and no others.
    pub fn start(folder: &Path, settings: &[(&str, &str)]) -> Self {
        let mut command = command(Binary::Stdio, folder, settings);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = Reaped(command.spawn().expect("the server starts"));
        let input = child.0.stdin.take();
        let output = Lines::of(child.0.stdout.take().expect("a piped stream"));
        let errors = Lines::of(child.0.stderr.take().expect("a piped stream"));
        Self { child, input, output, errors, asked: HashMap::new(), agreed: None, project: None }
    }

    /// The process's id.
    pub fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// Writes bytes as they are.
    pub fn write(&mut self, bytes: &[u8]) {
        if let Ok(message) = serde_json::from_slice::<Value>(bytes)
            && let Some(method) = message["method"].as_str()
            && let Some(id) = message.get("id")
        {
            let is_legacy = message["params"]["_meta"].get(VERSION).is_none();
            self.asked.insert(id.to_string(), Asked { method: method.to_owned(), is_legacy });
        }
        let input = self.input.as_mut().expect("the input is still open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server takes what is written");
    }

    /// Makes known what will be answered, for requests that were written several at a time.
    pub fn expect_answer(&mut self, id: impl Into<Value>, method: &str) {
        let asked = Asked { method: method.to_owned(), is_legacy: false };
        self.asked.insert(id.into().to_string(), asked);
    }

    /// Writes a message as a line.
    pub fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// The next line that the server writes, held against the schema.
    pub fn receive_line(&mut self) -> String {
        let line = self.output.next();
        let line = line.unwrap_or_else(|| panic!("the server ended; it said: {}", self.errors.rest()));
        self.checked(line)
    }

    /// The next message that the server writes.
    pub fn receive(&mut self) -> Value {
        serde_json::from_str(&self.receive_line()).expect("a line is JSON")
    }

    /// Sends a request and reads its answer, which has to be the next message.
    pub fn ask(&mut self, request: &Value) -> Value {
        self.send(request);
        let answer = self.receive();
        assert_eq!(answer["id"], request["id"], "{answer}");
        answer
    }

    /// What the server has written to standard error so far and nobody read.
    pub fn said(&self) -> String {
        String::from_utf8_lossy(&self.errors.waiting().concat()).into_owned()
    }

    /// Closes the input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Closes the input and waits for the server's end; every line still to come is held against the schema.
    pub fn finish(mut self) -> Ended {
        self.close_input();
        let mut rest = String::new();
        while let Some(line) = self.output.next() {
            rest.push_str(&self.checked(line));
        }
        let ended = end_of(&mut self.child.0, &self.output, &self.errors);
        Ended { stdout: rest, ..ended }
    }

    /// Asks the process to end, as an operator does, with its input still open, and waits until it has.
    pub fn terminate(mut self) -> Ended {
        ask_to_end(self.id());
        end_of(&mut self.child.0, &self.output, &self.errors)
    }

    fn checked(&mut self, line: Vec<u8>) -> String {
        let line = String::from_utf8(line).expect("a frame is UTF-8");
        let frame = line.strip_suffix('\n').unwrap_or_else(|| panic!("a frame without its end: {line}"));
        assert!(!frame.contains('\r'), "a raw CR in a frame: {frame}");
        let message: Value =
            serde_json::from_str(frame).unwrap_or_else(|error| panic!("not a frame: {error}: {frame}"));
        let asked = message.get("id").and_then(|id| self.asked.get(&id.to_string()));
        if let Err(faults) = self.check(&message, asked) {
            panic!("{faults}\nin {message}");
        }
        if asked.is_some_and(|asked| asked.is_legacy && asked.method == "initialize") {
            let agreed = &message["result"]["protocolVersion"];
            self.agreed = LEGACY_REVISIONS.into_iter().find(|known| agreed == known);
        }
        line
    }

    /// Holds a message against the schema of its era. Where no revision was agreed on, it has to fit both.
    fn check(&self, message: &Value, asked: Option<&Asked>) -> Result<(), String> {
        let method = asked.map(|asked| asked.method.as_str());
        let is_legacy = match asked {
            Some(asked) => asked.is_legacy,
            // Reports of progress are the same in all eras; other notifications name their subscription now.
            None => {
                let named = message["params"]["_meta"].get(SUBSCRIPTION).is_some();
                message.get("method").is_some_and(|method| method != "notifications/progress") && !named
            }
        };
        if !is_legacy {
            return wire_schema().map_or(Ok(()), |schema| schema.check(message, method));
        }
        let revisions =
            LEGACY_REVISIONS.into_iter().filter(|known| self.agreed.is_none_or(|agreed| agreed == *known));
        revisions.filter_map(legacy_schema).try_for_each(|schema| schema.check(message, method))
    }
}

impl Drop for StdioServer {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            for line in self.output.waiting() {
                self.checked(line);
            }
        }
    }
}

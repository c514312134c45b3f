//! One conversation with `pm-mcp`.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A program with these settings and no others.
pub(crate) fn command(program: &str, folder: &Path, settings: &[(&str, &str)]) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PM_") || name.to_string_lossy().starts_with("MCP_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder).envs(settings.iter().copied());
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A request as the revision wants it.
pub(crate) fn request(id: u64, method: &str, params: Value) -> Value {
    request_with(id, method, params, &json!({}))
}

/// A request of a client with these capabilities.
fn request_with(id: u64, method: &str, mut params: Value, capabilities: &Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
}

/// A sample project in a folder of its own.
pub(crate) fn project() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    pm_mcp_server::sample::create(folder.path()).unwrap();
    folder
}

/// A running `pm-mcp`.
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    asked: u64,
    /// Notifications that came while an answer was waited for.
    heard: VecDeque<Value>,
}

impl Session {
    pub(crate) fn start(folder: &Path, settings: &[(&str, &str)]) -> Self {
        let mut child = command(env!("CARGO_BIN_EXE_pm-mcp"), folder, settings).spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { child, input, output, asked: 0, heard: VecDeque::new() }
    }

    /// The whole answer to a request.
    pub(crate) fn answer(&mut self, method: &str, params: Value) -> Value {
        self.answer_with(method, params, json!({}))
    }

    /// The whole answer to a request of a client with these capabilities.
    pub(crate) fn answer_with(&mut self, method: &str, params: Value, capabilities: Value) -> Value {
        self.send_with(method, params, &capabilities);
        loop {
            let answer = self.message();
            if answer.get("method").is_some() {
                self.heard.push_back(answer);
                continue;
            }
            assert_eq!(answer["id"], self.asked, "{answer}");
            return answer;
        }
    }

    fn send(&mut self, method: &str, params: Value) {
        self.send_with(method, params, &json!({}));
    }

    fn send_with(&mut self, method: &str, params: Value, capabilities: &Value) {
        self.asked += 1;
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{}", request_with(self.asked, method, params, capabilities)).unwrap();
    }

    fn message(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line:?}: {error}"))
    }

    /// Subscribes, and waits for the acknowledgement.
    pub(crate) fn listen(&mut self, filter: Value) {
        self.send("subscriptions/listen", json!({"notifications": filter}));
        let acknowledged = self.notification();
        assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged", "{acknowledged}");
    }

    /// The next notification.
    pub(crate) fn notification(&mut self) -> Value {
        match self.heard.pop_front() {
            Some(heard) => heard,
            None => self.message(),
        }
    }

    /// The result of a request that succeeds.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.answer(method, params);
        assert!(answer["result"].is_object(), "{method}: {answer}");
        answer["result"].take()
    }

    /// The text of a resource, and the result around it.
    pub(crate) fn read(&mut self, uri: &str) -> (String, Value) {
        let result = self.ask("resources/read", json!({"uri": uri}));
        assert_eq!(result["contents"][0]["uri"], uri);
        (result["contents"][0]["text"].as_str().unwrap().to_owned(), result)
    }

    /// All URIs of `resources/list`, page by page.
    pub(crate) fn pages(&mut self) -> Vec<Vec<String>> {
        let (mut pages, mut params) = (Vec::new(), json!({}));
        loop {
            let page = self.ask("resources/list", params);
            let uris = page["resources"].as_array().unwrap().iter();
            pages.push(uris.map(|resource| resource["uri"].as_str().unwrap().to_owned()).collect());
            match page["nextCursor"].as_str() {
                Some(cursor) => params = json!({"cursor": cursor}),
                None => return pages,
            }
        }
    }

    /// Values that complete an argument.
    pub(crate) fn complete(&mut self, reference: &Value, argument: &str, typed: &str) -> Vec<String> {
        let params = json!({"ref": reference, "argument": {"name": argument, "value": typed}});
        let result = self.ask("completion/complete", params);
        let values = result["completion"]["values"].as_array().unwrap().iter();
        values.map(|value| value.as_str().unwrap().to_owned()).collect()
    }

    /// Ends the input; gives the exit status and standard error.
    pub(crate) fn end(mut self) -> (Option<i32>, String) {
        drop(self.input.take());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

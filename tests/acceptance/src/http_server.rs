//! `pm-mcp-http`, on a free port.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::Stdio;

use serde_json::Value;

use crate::binaries::Binary;
use crate::http_exchange::{HttpReply, HttpRequest};
use crate::process::{Ended, Lines, PATIENCE, Reaped, ask_to_end, command, end_of};
use crate::project::Project;

/// A running `pm-mcp-http`.
#[derive(Debug)]
pub struct HttpServer {
    child: Reaped,
    output: Lines,
    errors: Lines,
    address: SocketAddr,
    measures: Option<SocketAddr>,
    project: Option<Project>,
}

impl HttpServer {
    /// Serves a project, which is kept for as long.
    pub fn of(project: &Project) -> Self {
        let mut server = Self::start(project.root(), &[]);
        server.project = Some(project.clone());
        server
    }

    /// Starts in `folder` with these settings and no others, on a free port unless they name one, and waits until it
    /// listens.
    pub fn start(folder: &Path, settings: &[(&str, &str)]) -> Self {
        let mut command = command(Binary::Http, folder, settings);
        if !settings.iter().any(|(name, _)| *name == "PM_MCP_HTTP_PORT") {
            command.env("PM_MCP_HTTP_PORT", "0");
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = Reaped(command.spawn().expect("the server starts"));
        let output = Lines::of(child.0.stdout.take().expect("a piped stream"));
        let errors = Lines::of(child.0.stderr.take().expect("a piped stream"));
        let (mut said, mut measures) = (String::new(), None);
        let address = loop {
            let line = errors.next().unwrap_or_else(|| panic!("the server told no address; it said: {said}"));
            let line = String::from_utf8_lossy(&line).into_owned();
            match address_in(&line) {
                Some(address) if line.starts_with("measures") => measures = Some(address),
                Some(address) => break address,
                None => said.push_str(&line),
            }
        };
        Self { child, output, errors, address, measures, project: None }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// What Prometheus gets, of a server with `PM_MCP_METRICS_ADDR`.
    pub fn measures(&self) -> String {
        let address = self.measures.expect("a server that shows measures");
        let mut stream = TcpStream::connect(address).expect("the server takes connections");
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout above zero");
        write!(stream, "GET /metrics HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")
            .expect("the server reads");
        let mut page = String::new();
        stream.read_to_string(&mut page).expect("a page to its end");
        page
    }

    /// The process's id.
    pub fn id(&self) -> u32 {
        self.child.0.id()
    }

    /// Sends a request as the revision wants it.
    pub fn exchange(&self, message: &Value) -> HttpReply {
        HttpRequest::of(message).send(self.address)
    }

    /// Sends a request and gives the answer.
    pub fn ask(&self, message: &Value) -> Value {
        let answer = self.exchange(message).json();
        assert_eq!(answer["id"], message["id"], "{answer}");
        answer
    }

    /// Asks the process to end, as an operator does, and waits until it has.
    pub fn terminate(mut self) -> Ended {
        ask_to_end(self.id());
        end_of(&mut self.child.0, &self.output, &self.errors)
    }
}

fn address_in(line: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once("http://")?;
    rest.split('/').next()?.parse().ok()
}

//! A resource and its authorization server on one port, which rotate refresh tokens.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};

#[derive(Clone)]
pub(crate) struct Server {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    seen: Seen,
    last: u32,
    spent: BTreeSet<String>,
    /// Hears of the next refresh, which gets no answer.
    silent: Option<Sender<()>>,
}

/// What the server noticed.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Seen {
    pub(crate) consents: u32,
    pub(crate) refreshes: u32,
    pub(crate) spent_twice: u32,
}

impl Server {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let server = Self { port: listener.local_addr().unwrap().port(), state: Arc::default() };
        let serving = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let server = serving.clone();
                std::thread::spawn(move || server.serve(stream.unwrap()));
            }
        });
        server
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn seen(&self) -> Seen {
        self.state().seen
    }

    /// From now on refresh tokens are taken and not answered.
    pub(crate) fn answer_no_refresh(&self) -> Receiver<()> {
        let (sender, asked) = channel();
        self.state().silent = Some(sender);
        asked
    }

    pub(crate) fn answer_again(&self) {
        self.state().silent = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    fn serve(&self, stream: TcpStream) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let (mut target, mut length, mut line) = (String::new(), 0, String::new());
        while reader.read_line(&mut line).is_ok_and(|count| count > 2) {
            if target.is_empty() {
                target = line.split(' ').nth(1).unwrap().to_owned();
            }
            if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
                length = text.trim().parse().unwrap();
            }
            line.clear();
        }
        let mut form = vec![0; length];
        reader.read_exact(&mut form).unwrap();
        let Some((head, body)) = self.answer(&target, &String::from_utf8(form).unwrap()) else {
            // The connection stays open, so that nothing but its own end stops the process.
            return std::mem::forget(stream);
        };
        let answer =
            format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
        // A process that was killed hears no answer.
        (&stream).write_all(answer.as_bytes()).ok();
    }

    /// The first lines and the body of an answer; `None` for no answer at all.
    fn answer(&self, target: &str, form: &str) -> Option<(String, String)> {
        let own = format!("http://127.0.0.1:{}", self.port);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let document = |document: Value| Some(("200 OK".to_owned(), document.to_string()));
        match path {
            "/.well-known/oauth-protected-resource/mcp" => {
                document(json!({"resource": format!("{own}/mcp"), "authorization_servers": [own]}))
            }
            "/.well-known/oauth-authorization-server" => document(json!({
                "issuer": own,
                "authorization_endpoint": format!("{own}/authorize"),
                "token_endpoint": format!("{own}/token"),
                "client_id_metadata_document_supported": true,
                "code_challenge_methods_supported": ["S256"],
            })),
            "/authorize" => {
                self.state().seen.consents += 1;
                let state = query.split('&').find(|pair| pair.starts_with("state=")).unwrap();
                Some((format!("302 Found\r\nLocation: http://127.0.0.1:9/cb?code=c&{state}"), String::new()))
            }
            "/token" => self.tokens(form),
            _ => Some(("404 Not Found".to_owned(), String::new())),
        }
    }

    fn tokens(&self, form: &str) -> Option<(String, String)> {
        let mut state = self.state();
        if let Some(spent) = form.split('&').find_map(|pair| pair.strip_prefix("refresh_token=")) {
            state.seen.refreshes += 1;
            if !state.spent.insert(spent.to_owned()) {
                state.seen.spent_twice += 1;
                return Some(("400 Bad Request".to_owned(), r#"{"error":"invalid_grant"}"#.to_owned()));
            }
            if let Some(silent) = &state.silent {
                silent.send(()).unwrap();
                return None;
            }
        }
        state.last += 1;
        let number = state.last;
        let tokens = json!({
            "access_token": format!("access-{number}"),
            "refresh_token": format!("refresh-{number}"),
            "token_type": "Bearer",
        });
        Some(("200 OK".to_owned(), tokens.to_string()))
    }
}

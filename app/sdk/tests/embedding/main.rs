//! The endpoint without a socket, by its examples: they are started and called as any client would.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

#[allow(dead_code, unreachable_pub, reason = "the example's main is run by hand")]
#[path = "../../examples/embedded_in_hyper.rs"]
mod embedded_in_hyper;
#[allow(dead_code, unreachable_pub, reason = "the example's main is run by hand")]
#[path = "../../examples/embedded_in_warp.rs"]
mod embedded_in_warp;

mod endpoint;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};

use pm_mcp_acceptance::{HttpReply, HttpRequest, call, request};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::{oneshot, watch};

/// A server on a thread of its own.
struct Running {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: JoinHandle<()>,
}

impl Running {
    fn start<F>(serve: impl FnOnce(TcpListener, watch::Receiver<bool>) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Result<(), Box<dyn std::error::Error>>>,
    {
        let (stop, stopping) = watch::channel(false);
        let (tell, told) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
                tell.send(listener.local_addr().unwrap()).unwrap();
                serve(listener, stopping).await.unwrap();
            });
        });
        Self { address: told.blocking_recv().unwrap(), stop, thread }
    }

    fn post(&self, path: &str, message: &Value) -> HttpReply {
        HttpRequest::of(message).to(path).send(self.address)
    }

    fn end(self) {
        self.stop.send_replace(true);
        self.thread.join().unwrap();
    }
}

/// Opens a stream at `path`, ends the server, and gives all that the stream said.
fn stream_to_the_end(running: Running, path: &str) -> String {
    let body =
        request(1, "subscriptions/listen", json!({"notifications": {"toolsListChanged": true}})).to_string();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n\
         Mcp-Method: subscriptions/listen\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(running.address).unwrap();
    stream.write_all((head + &body).as_bytes()).unwrap();
    let mut said = Vec::new();
    let mut piece = [0; 4096];
    while !String::from_utf8_lossy(&said).contains("acknowledged") {
        let read = stream.read(&mut piece).unwrap();
        assert_ne!(read, 0, "{}", String::from_utf8_lossy(&said));
        said.extend_from_slice(&piece[..read]);
    }
    running.end();
    stream.read_to_end(&mut said).unwrap();
    String::from_utf8(said).unwrap()
}

fn tools(reply: &HttpReply) -> Vec<String> {
    let tools = reply.json()["result"]["tools"].as_array().unwrap().clone();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn two_endpoints_in_one_warp_server_have_their_own_catalogues_beside_other_routes() {
    let running = Running::start(embedded_in_warp::serve);
    for (path, tool, says) in
        [("/weather/mcp", "forecast", "Sun."), ("/library/mcp", "borrow", "Yours for a month.")]
    {
        let listed = running.post(path, &request(1, "tools/list", json!({})));
        assert_eq!(tools(&listed), [tool], "{path}");
        let called = running.post(path, &call(2, tool, json!({}))).json();
        assert_eq!(called["result"]["content"][0]["text"], says, "{path}");
    }
    let other = running.post("/weather/mcp", &call(3, "borrow", json!({})));
    assert_eq!(other.json()["error"]["code"], -32602);

    let mut page = TcpStream::connect(running.address).unwrap();
    page.write_all(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").unwrap();
    let mut read = String::new();
    page.read_to_string(&mut read).unwrap();
    assert!(read.ends_with("The page that was here before."), "{read}");
    running.end();
}

#[test]
fn an_endpoint_in_plain_hyper_answers_as_the_transport_does() {
    let running = Running::start(embedded_in_hyper::serve);
    let called = running.post("/mcp", &call(1, "hour", json!({}))).json();
    assert_eq!(called["result"]["content"][0]["text"], "Noon.");
    assert_eq!(running.post("/other", &request(2, "tools/list", json!({}))).status, 404);
    let foreign = HttpRequest::of(&request(3, "tools/list", json!({}))).with("Host", "evil.example");
    assert_eq!(foreign.send(running.address).status, 403);
    let token = HttpRequest::of(&request(4, "tools/list", json!({}))).to("/mcp?access_token=tok-ada");
    assert_eq!(token.send(running.address).status, 400);
    running.end();
}

#[test]
fn streams_of_an_embedded_server_end_with_their_results() {
    for (said, place) in [
        (stream_to_the_end(Running::start(embedded_in_warp::serve), "/library/mcp"), "warp"),
        (stream_to_the_end(Running::start(embedded_in_hyper::serve), "/mcp"), "hyper"),
    ] {
        assert!(said.contains("\"resultType\":\"complete\""), "{place}: {said}");
    }
}

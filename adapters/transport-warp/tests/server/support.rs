//! A service that does what the method of a message says, a server around it, and a client of raw bytes.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use pm_mcp_domain::http::HttpPolicy;
use pm_mcp_ports::driving::{Answer, Channel, Inbound, LimitCounts, McpDoor, McpService, Outbox, Served};
use pm_mcp_transport_warp::{Http, HttpLimits};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use crate::listening::Listening;

/// An origin that the server lets call.
pub(crate) const ORIGIN: &str = "https://app.example.com";

/// Methods: `echo` answers `params`; `status` answers with the status `params`; `wait` does so once a permit is there;
/// `say` first sends `params` messages; `pause` sends one, waits for a permit, sends another; `listen` leaves
/// a stream that says `params` messages, each but the first once a permit is there, and answers at the next; `panic` and
/// `late_panic` do; a message without id is accepted.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) calls: Semaphore,
    pub(crate) permits: Arc<Semaphore>,
    pub(crate) cancelled: Arc<Semaphore>,
    pub(crate) limit_counts: Arc<LimitCounts>,
    pub(crate) ready: AtomicBool,
}

/// Tells of a request that is dropped.
pub(crate) struct Cancelled(Arc<Semaphore>);

impl Drop for Cancelled {
    fn drop(&mut self) {
        self.0.add_permits(1);
    }
}

#[async_trait]
impl McpDoor for Script {
    async fn serve(&self, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        assert_eq!(inbound.principal.as_str(), "loopback");
        self.calls.add_permits(1);
        let Ok(message) = serde_json::from_slice::<Value>(inbound.bytes) else {
            return answered(400, &json!({"error": -32700}));
        };
        if message.get("id").is_none() {
            return Served::Accepted;
        }
        let params = &message["params"];
        let mut status = 200;
        match message["method"].as_str().unwrap() {
            "status" => status = u16::try_from(params.as_u64().unwrap()).unwrap(),
            "wait" => self.wait().await,
            "say" => {
                let guard = Cancelled(Arc::clone(&self.cancelled));
                for n in 0..params.as_u64().unwrap() {
                    outbox.send(json!({"said": n}).to_string().into_bytes()).await.unwrap();
                }
                std::mem::forget(guard);
            }
            "pause" => {
                outbox.send(b"{\"said\":\n\"before\"}".to_vec()).await.unwrap();
                self.wait().await;
                outbox.send(b"{\"said\":\"after\"}".to_vec()).await.unwrap();
            }
            "listen" if outbox.carries_streams() => {
                let cancelled = Cancelled(Arc::clone(&self.cancelled));
                let last = params.as_u64().unwrap();
                outbox.carry(Box::new(Listening::until(last, Arc::clone(&self.permits), cancelled)));
                return Served::HandedOver;
            }
            "panic" => panic!("as asked"),
            "late_panic" => {
                outbox.send(b"{}".to_vec()).await.unwrap();
                panic!("as asked")
            }
            _ => {}
        }
        answered(status, &json!({"id": message["id"], "result": params}))
    }

    fn close(&self) {}
}

#[async_trait]
impl McpService for Script {
    fn admission(&self) -> pm_mcp_ports::driving::Admission {
        pm_mcp_ports::driving::Admission::Local
    }

    fn limit_counts(&self) -> Arc<LimitCounts> {
        Arc::clone(&self.limit_counts)
    }

    async fn is_ready(&self) -> bool {
        self.ready.load(Ordering::Relaxed)
    }

    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor> {
        assert_eq!(channel, Channel::PerRequest);
        self
    }
}

impl Script {
    async fn wait(&self) {
        let guard = Cancelled(Arc::clone(&self.cancelled));
        self.permits.acquire().await.unwrap().forget();
        std::mem::forget(guard);
    }
}

fn answered(status: u16, body: &Value) -> Served {
    Served::Answered(Answer::new(status, body.to_string().into_bytes()))
}

pub(crate) struct Server {
    pub(crate) script: Arc<Script>,
    pub(crate) address: SocketAddr,
    pub(crate) stop: Option<oneshot::Sender<()>>,
    pub(crate) serving: JoinHandle<()>,
}

impl Server {
    pub(crate) async fn start() -> Self {
        Self::with(HttpLimits::default()).await
    }

    pub(crate) async fn with(limits: HttpLimits) -> Self {
        Self::on(Http::bind("127.0.0.1:0").limits(limits)).await
    }

    pub(crate) async fn on(http: Http) -> Self {
        let script = Arc::new(Script {
            calls: Semaphore::new(0),
            permits: Arc::new(Semaphore::new(0)),
            cancelled: Arc::new(Semaphore::new(0)),
            limit_counts: Arc::default(),
            ready: AtomicBool::new(true),
        });
        let policy = HttpPolicy { origins: vec![ORIGIN.to_owned()], ..HttpPolicy::loopback() };
        let bound = http.policy(policy).listen().await.unwrap();
        let address = bound.local_addr();
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(bound.serve(Arc::clone(&script) as _, async move {
            if stopped.await.is_err() {
                std::future::pending::<()>().await;
            }
        }));
        Self { script, address, stop: Some(stop), serving }
    }

    pub(crate) async fn connect(&self) -> Client {
        Client { tcp: TcpStream::connect(self.address).await.unwrap(), read: Vec::new() }
    }

    /// A client with room for some thousand unread bytes.
    pub(crate) async fn connect_narrow(&self) -> Client {
        let socket = TcpSocket::new_v4().unwrap();
        socket.set_recv_buffer_size(4_096).unwrap();
        Client { tcp: socket.connect(self.address).await.unwrap(), read: Vec::new() }
    }

    /// One request on a connection of its own.
    pub(crate) async fn post(&self, headers: &str, body: &str) -> Reply {
        let mut client = self.connect().await;
        client.post(headers, body).await;
        client.reply().await
    }

    pub(crate) async fn called(&self) {
        self.script.calls.acquire().await.unwrap().forget();
    }
}

pub(crate) fn call(method: &str, params: Value) -> String {
    json!({"id": 1, "method": method, "params": params}).to_string()
}

pub(crate) struct Client {
    pub(crate) tcp: TcpStream,
    read: Vec<u8>,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(held, _)| held.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The data of each event.
    pub(crate) fn events(&self) -> Vec<Value> {
        let data = self.body.split("\n\n").filter_map(|event| event.strip_prefix("data: "));
        data.map(|data| serde_json::from_str(data).unwrap()).collect()
    }
}

impl Client {
    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.tcp.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Sends a request in one piece; `headers` are added to the usual ones, each ended by CR LF.
    pub(crate) async fn post(&mut self, headers: &str, body: &str) {
        let length = body.len();
        self.send(format!(
            "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:1\r\nContent-Type: application/json\r\n{headers}\
             Content-Length: {length}\r\n\r\n{body}"
        ))
        .await;
    }

    /// Reads until `end` has come; what follows it stays for later. `None` when the connection closes before.
    pub(crate) async fn until(&mut self, end: &str) -> Option<String> {
        loop {
            if let Some(at) = self.read.windows(end.len()).position(|window| window == end.as_bytes()) {
                let rest = self.read.split_off(at + end.len());
                return Some(String::from_utf8(std::mem::replace(&mut self.read, rest)).unwrap());
            }
            match self.tcp.read_buf(&mut self.read).await {
                Ok(0) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    async fn exactly(&mut self, count: usize) -> String {
        while self.read.len() < count {
            assert_ne!(self.tcp.read_buf(&mut self.read).await.unwrap(), 0, "the body broke off");
        }
        let rest = self.read.split_off(count);
        String::from_utf8(std::mem::replace(&mut self.read, rest)).unwrap()
    }

    pub(crate) async fn head(&mut self) -> Reply {
        let head = self.until("\r\n\r\n").await.expect("the connection closed without an answer");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Reply { status, head, body: String::new() }
    }

    /// One chunk of a chunked body; empty at its end.
    pub(crate) async fn chunk(&mut self) -> String {
        let size = self.until("\r\n").await.expect("the stream broke off");
        let size = usize::from_str_radix(size.trim(), 16).unwrap();
        let chunk = self.exactly(size).await;
        assert_eq!(self.exactly(2).await, "\r\n");
        chunk
    }

    pub(crate) async fn reply(&mut self) -> Reply {
        let mut reply = self.head().await;
        if let Some(length) = reply.header("content-length") {
            let length = length.parse().unwrap();
            reply.body = self.exactly(length).await;
        } else if reply.header("transfer-encoding").is_some() {
            loop {
                let chunk = self.chunk().await;
                if chunk.is_empty() {
                    break;
                }
                reply.body.push_str(&chunk);
            }
        }
        reply
    }

    /// Waits until the server closes the connection, and says what it still sent.
    pub(crate) async fn closed(&mut self) -> String {
        while matches!(self.tcp.read_buf(&mut self.read).await, Ok(1..)) {}
        String::from_utf8(std::mem::take(&mut self.read)).unwrap()
    }
}

//! A service that does what the method of a message says, and a client that drives a session by hand.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use pm_mcp_domain::ident::Principal;
use pm_mcp_ports::driving::{Answer, Channel, Inbound, LimitCounts, McpDoor, McpService, Outbox, Served};
use pm_mcp_transport_stdio::{Stdio, StdioError, StdioLimits};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

/// Methods: `echo` answers `params`; `wait` does so once a permit is there; `say` first sends `params` messages;
/// `panic` and `late_panic` do; a message without id is accepted.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) permits: Semaphore,
    pub(crate) started: Semaphore,
    /// A permit for each notification.
    pub(crate) noted: Semaphore,
    /// How many messages of `say` were taken.
    pub(crate) said: AtomicUsize,
    pub(crate) dropped: Arc<AtomicUsize>,
    pub(crate) limit_counts: Arc<LimitCounts>,
}

struct Dropped(Arc<AtomicUsize>);

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[async_trait]
impl McpDoor for Script {
    async fn serve(&self, inbound: Inbound<'_>, outbox: &mut dyn Outbox) -> Served {
        assert_eq!(inbound.principal, &Principal::local("tester"));
        let text = match std::str::from_utf8(inbound.bytes) {
            Ok(text) => text.trim_start_matches('\u{feff}'),
            Err(_) => return answered(&json!({"error": -32700})),
        };
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            return answered(&json!({"error": -32700}));
        };
        if message.get("id").is_none() {
            self.noted.add_permits(1);
            return Served::Accepted;
        }
        let answer = json!({"id": message["id"], "result": message["params"]});
        match message["method"].as_str().unwrap() {
            "wait" => {
                self.started.add_permits(1);
                let guard = Dropped(Arc::clone(&self.dropped));
                self.permits.acquire().await.unwrap().forget();
                std::mem::forget(guard);
            }
            "say" => {
                for n in 0..message["params"].as_u64().unwrap() {
                    let said = json!({"said": n, "by": message["id"]}).to_string();
                    if outbox.send(said.into_bytes()).await.is_err() {
                        return Served::Accepted;
                    }
                    self.said.fetch_add(1, Ordering::SeqCst);
                }
            }
            "panic" => panic!("as asked"),
            "late_panic" => {
                tokio::task::yield_now().await;
                panic!("as asked")
            }
            _ => {}
        }
        answered(&answer)
    }

    fn close(&self) {}
}

impl McpService for Script {
    fn admission(&self) -> pm_mcp_ports::driving::Admission {
        pm_mcp_ports::driving::Admission::Local
    }

    fn limit_counts(&self) -> Arc<LimitCounts> {
        Arc::clone(&self.limit_counts)
    }

    fn open(self: Arc<Self>, channel: Channel) -> Arc<dyn McpDoor> {
        assert_eq!(channel, Channel::Shared);
        self
    }
}

fn answered(body: &Value) -> Served {
    Served::Answered(Answer::new(200, body.to_string().into_bytes()))
}

pub(crate) struct Client {
    pub(crate) script: Arc<Script>,
    pub(crate) input: Option<WriteHalf<DuplexStream>>,
    pub(crate) output: BufReader<ReadHalf<DuplexStream>>,
    pub(crate) stop: Option<oneshot::Sender<()>>,
    pub(crate) session: JoinHandle<Result<(), StdioError>>,
}

impl Client {
    pub(crate) fn start(limits: StdioLimits) -> Self {
        Self::start_with_pipe(limits, 64 << 10)
    }

    pub(crate) fn start_with_pipe(limits: StdioLimits, pipe: usize) -> Self {
        let script = Arc::new(Script {
            permits: Semaphore::new(0),
            started: Semaphore::new(0),
            noted: Semaphore::new(0),
            said: AtomicUsize::new(0),
            dropped: Arc::default(),
            limit_counts: Arc::default(),
        });
        let (near, far) = tokio::io::duplex(pipe);
        let (output, input) = tokio::io::split(near);
        let (reader, writer) = tokio::io::split(far);
        let (stop, stopped) = oneshot::channel::<()>();
        let service: Arc<dyn McpService> = Arc::clone(&script) as _;
        let session = tokio::spawn(Stdio::over(reader, writer).limits(limits).serve(
            service,
            Principal::local("tester"),
            async move {
                if stopped.await.is_err() {
                    std::future::pending::<()>().await;
                }
            },
        ));
        Self { script, input: Some(input), output: BufReader::new(output), stop: Some(stop), session }
    }

    pub(crate) async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.input.as_mut().unwrap().write_all(bytes.as_ref()).await.unwrap();
    }

    pub(crate) async fn request(&mut self, id: u64, method: &str, params: Value) {
        self.send(format!("{}\n", json!({"id": id, "method": method, "params": params}))).await;
    }

    /// Closes the input. Halves of one stream share it, so the write side is shut down by itself.
    pub(crate) async fn end(&mut self) {
        self.input.take().unwrap().shutdown().await.unwrap();
    }

    pub(crate) async fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).await.unwrap();
        line
    }

    pub(crate) async fn value(&mut self) -> Value {
        serde_json::from_str(&self.line().await).unwrap()
    }

    pub(crate) async fn id(&mut self) -> u64 {
        let value = self.value().await;
        value["id"].as_u64().unwrap_or_else(|| panic!("no answer: {value}"))
    }
}

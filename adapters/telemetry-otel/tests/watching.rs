//! Measures and spans of requests, and what neither holds.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::trace::{TraceContext, TraceParent};
use pm_mcp_ports::driven::{
    FetchError, FetchMethod, FetchRequest, FetchResponse, HttpFetch, ObservedRequest, RequestObserver as _,
    RequestOutcome,
};
use pm_mcp_ports::driving::{Admission, Channel, Figure, FigureKind, McpDoor, McpService};
use pm_mcp_telemetry_otel::{MetricsListener, Telemetry, TelemetryError, TraceExport};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Keeps what a collector would have been sent.
#[derive(Debug, Default)]
struct Collector(Mutex<Vec<(String, Vec<u8>)>>);

#[async_trait]
impl HttpFetch for Collector {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let FetchMethod::Post { content_type, body } = request.method else { panic!("spans are posted") };
        assert_eq!(content_type, "application/x-protobuf");
        self.0.lock().unwrap().push((request.url.as_str().to_owned(), body));
        Ok(FetchResponse { status: 200, headers: Vec::new(), body: Vec::new() })
    }
}

fn trace(parent: &str) -> TraceContext {
    TraceContext { parent: Some(TraceParent::parse(parent).unwrap()), ..TraceContext::default() }
}

fn serve(telemetry: &Telemetry, method: &'static str, trace: &TraceContext, outcome: Option<RequestOutcome>) {
    let watched = telemetry.begin(&ObservedRequest { method, binding: "http", trace });
    match outcome {
        Some(outcome) => watched.end(outcome),
        None => drop(watched),
    }
}

fn has(body: &[u8], part: &[u8]) -> bool {
    body.windows(part.len()).any(|window| window == part)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_is_the_child_of_the_trace_that_its_client_named() {
    let collector = Arc::new(Collector::default());
    let export = TraceExport::to("http://127.0.0.1:4318/", "tests", Arc::clone(&collector) as _);
    let telemetry = Telemetry::new().with_traces(export).unwrap();
    serve(&telemetry, "tools/call", &trace(PARENT), Some(RequestOutcome::Error(ErrorCode::INVALID_PARAMS)));
    serve(&telemetry, "tools/list", &TraceContext::default(), Some(RequestOutcome::Result));
    let unsampled = PARENT.replace("0af7", "1bf8").replace("-01", "-00");
    serve(&telemetry, "resources/read", &trace(&unsampled), Some(RequestOutcome::Result));
    let finishing = telemetry.clone();
    tokio::task::spawn_blocking(move || finishing.finish()).await.unwrap();
    let sent = collector.0.lock().unwrap();
    let bodies: Vec<u8> = sent.iter().flat_map(|(_, body)| body.clone()).collect();
    assert!(sent.iter().all(|(url, _)| url == "http://127.0.0.1:4318/v1/traces"), "{sent:?}");
    // The members of a span: its trace, and its parent.
    let trace_id =
        [0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80, 0x31, 0x9c];
    let parent_id = [0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31];
    assert!(has(&bodies, &[&[0x0a, 16], &trace_id[..]].concat()), "the trace goes on");
    assert!(has(&bodies, &[&[0x22, 8], &parent_id[..]].concat()), "the span has its parent");
    for text in ["tools/call", "tools/list", "tests", "rpc.jsonrpc.error_code"] {
        assert!(has(&bodies, text.as_bytes()), "{text} is sent");
    }
    assert!(!has(&bodies, b"resources/read"), "what its client does not sample is not sent");
}

#[test]
fn traces_need_a_runtime_to_be_sent_from() {
    let export = TraceExport::to("http://127.0.0.1:4318", "tests", Arc::new(Collector::default()));
    assert!(matches!(Telemetry::new().with_traces(export), Err(TelemetryError::NoRuntime)));
}

/// A service with two figures.
#[derive(Debug)]
struct Counting;

impl McpService for Counting {
    fn admission(&self) -> Admission {
        Admission::Local
    }

    fn figures(&self) -> Vec<Figure> {
        let kind = FigureKind::Counter;
        let limit = |name, value| Figure {
            name: "pm_mcp_limit_reached_total",
            meaning: "How often.",
            kind,
            label: Some(("limit", name)),
            value,
        };
        let open = Figure {
            name: "pm_mcp_streams_open",
            meaning: "Open.",
            kind: FigureKind::Gauge,
            label: None,
            value: 7,
        };
        vec![limit("requests", 3), limit("streams", 0), open]
    }

    fn open(self: Arc<Self>, _: Channel) -> Arc<dyn McpDoor> {
        unreachable!("nobody serves here")
    }
}

async fn get(address: std::net::SocketAddr, line: &str) -> String {
    let mut tcp = TcpStream::connect(address).await.unwrap();
    tcp.write_all(format!("{line} HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\r\n").as_bytes())
        .await
        .unwrap();
    let mut text = String::new();
    tcp.read_to_string(&mut text).await.unwrap();
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scrape_tells_what_was_served_and_nothing_of_whom() {
    let telemetry = Telemetry::new().with_metrics().unwrap();
    let none = TraceContext::default();
    for outcome in [Some(RequestOutcome::Result), Some(RequestOutcome::Result), None] {
        serve(&telemetry, "tools/call", &none, outcome);
    }
    serve(&telemetry, "tools/list", &none, Some(RequestOutcome::Error(ErrorCode::INTERNAL)));
    telemetry.refused(ErrorCode::PARSE);
    let listener = MetricsListener::bind("127.0.0.1:0".parse().unwrap()).await.unwrap();
    let address = listener.local_addr();
    let serving = tokio::spawn(listener.serve(telemetry, Arc::new(Counting)));
    let page = get(address, "GET /metrics").await;
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("content-type: text/plain"), "{page}");
    for line in [
        r#"pm_mcp_requests_total{binding="http",method="tools/call",outcome="result"} 2"#,
        r#"pm_mcp_requests_total{binding="http",method="tools/call",outcome="cancelled"} 1"#,
        r#"pm_mcp_requests_total{binding="http",method="tools/list",outcome="error"} 1"#,
        r#"pm_mcp_request_duration_seconds_count{method="tools/call"} 3"#,
        r#"pm_mcp_messages_refused_total{code="-32700"} 1"#,
        r#"pm_mcp_limit_reached_total{limit="requests"} 3"#,
        r#"pm_mcp_limit_reached_total{limit="streams"} 0"#,
        "pm_mcp_streams_open 7",
        "# TYPE pm_mcp_streams_open gauge",
        "# TYPE pm_mcp_limit_reached_total counter",
    ] {
        assert!(page.lines().any(|found| found == line), "{line} is missing:\n{page}");
    }
    assert!(get(address, "GET /").await.starts_with("HTTP/1.1 404"));
    assert!(get(address, "POST /metrics").await.starts_with("HTTP/1.1 405"));
    serving.abort();
}

//! A small HTTP server that is as wrong as it is told to be.

use std::sync::Arc;
use std::time::Duration;

use pm_mcp_doctor::{Level, Report, Settings, Target, examine};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

/// A request as the server sees it.
pub(crate) struct Asked {
    pub(crate) verb: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// Status, further headers, body.
pub(crate) type Told = (u16, Vec<(&'static str, String)>, String);

pub(crate) fn told(status: u16, body: &Value) -> Told {
    (status, vec![("content-type", "application/json".to_owned())], body.to_string())
}

fn fault(status: u16, id: &Value, code: i64) -> Told {
    told(status, &json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": "no"}}))
}

/// What a server that has nothing wrong with it answers.
pub(crate) fn sound(asked: &Asked) -> Told {
    let null = Value::Null;
    if asked.verb != "POST" {
        return (405, vec![], String::new());
    }
    let origin = asked.header("origin").is_some();
    if origin || asked.header("host").is_some_and(|host| host.contains("invalid")) {
        return (403, vec![], String::new());
    }
    if asked.header("content-type") != Some("application/json") {
        return (415, vec![], String::new());
    }
    let Ok(message) = serde_json::from_str::<Value>(&asked.body) else { return fault(400, &null, -32700) };
    if message.is_array() {
        return fault(400, &null, -32600);
    }
    let Some(id) = message.get("id") else { return (202, vec![], String::new()) };
    let version = message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].as_str();
    let method = message["method"].as_str().unwrap();
    let Some(version) = version else { return fault(400, id, -32602) };
    if asked.header("mcp-protocol-version") != Some(version)
        || asked.header("mcp-method") != Some(method)
        || message["params"]["name"].as_str() != asked.header("mcp-name")
    {
        return fault(400, id, -32020);
    }
    if version != "2026-07-28" {
        let data = json!({"supported": ["2026-07-28"], "requested": version});
        let error = json!({"code": -32022, "message": "no", "data": data});
        return told(400, &json!({"jsonrpc": "2.0", "id": id, "error": error}));
    }
    let mut result = json!({
        "resultType": "complete", "ttlMs": 1000, "cacheScope": "public",
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "by hand", "version": "1"}},
    });
    match method {
        "server/discover" => {
            result["supportedVersions"] = json!(["2026-07-28"]);
            result["capabilities"] = json!({"tools": {}});
            result["instructions"] = json!("Use it.");
        }
        "tools/list" => match message["params"]["cursor"].as_str() {
            None => {
                result["tools"] = json!([tool("first")]);
                result["nextCursor"] = json!("second");
            }
            Some("second") => result["tools"] = json!([tool("last")]),
            Some(_) => return fault(200, id, -32602),
        },
        "tools/call" => return fault(200, id, -32602),
        _ => return fault(404, id, -32601),
    }
    told(200, &json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

pub(crate) fn tool(name: &str) -> Value {
    json!({"name": name, "description": "Does it.", "inputSchema": {"type": "object"}})
}

/// Changes the result of one method of a sound server.
pub(crate) fn with_result(asked: &Asked, method: &str, change: impl FnOnce(&mut Value)) -> Told {
    let (status, headers, body) = sound(asked);
    if asked.header("mcp-method") != Some(method) {
        return (status, headers, body);
    }
    let mut message: Value = serde_json::from_str(&body).unwrap();
    if let Some(result) = message.get_mut("result") {
        change(result);
    }
    (status, headers, message.to_string())
}

/// Serves `answer` on a free port and gives what the doctor says.
pub(crate) async fn examined(answer: impl Fn(&Asked) -> Told + Send + Sync + 'static) -> Report {
    examined_at(move |_| Box::new(answer), None).await
}

pub(crate) type Answer = Box<dyn Fn(&Asked) -> Told + Send + Sync>;

pub(crate) async fn examined_at(make: impl FnOnce(&str) -> Answer, token: Option<&str>) -> Report {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let answer: Arc<Answer> = Arc::new(make(&base));
    let server = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            tokio::spawn(async move {
                let mut bytes = Vec::new();
                let (head, length) = loop {
                    let mut piece = [0; 4096];
                    let count = stream.read(&mut piece).await.unwrap_or_default();
                    if count == 0 {
                        return;
                    }
                    bytes.extend_from_slice(&piece[..count]);
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
                    let length = head
                        .lines()
                        .find_map(|line| {
                            line.to_lowercase()
                                .strip_prefix("content-length:")
                                .map(|n| n.trim().parse::<usize>().unwrap())
                        })
                        .unwrap_or_default();
                    if body.len() >= length {
                        break (head.to_owned(), length);
                    }
                };
                let text = String::from_utf8_lossy(&bytes).into_owned();
                let body = text.split_once("\r\n\r\n").unwrap().1[..length].to_owned();
                let mut lines = head.lines();
                let mut first = lines.next().unwrap().split(' ');
                let asked = Asked {
                    verb: first.next().unwrap().to_owned(),
                    path: first.next().unwrap().to_owned(),
                    headers: lines
                        .filter_map(|line| line.split_once(':'))
                        .map(|(name, value)| (name.to_lowercase(), value.trim().to_owned()))
                        .collect(),
                    body,
                };
                let (status, headers, body) = answer(&asked);
                let mut told =
                    format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
                for (name, value) in headers {
                    told.push_str(&format!("{name}: {value}\r\n"));
                }
                told.push_str(&format!("\r\n{body}"));
                let _peer_may_be_gone = stream.write_all(told.as_bytes()).await;
            });
        }
    });
    let target = Target::parse([format!("{base}/mcp")]).unwrap();
    let settings = Settings { patience: Duration::from_secs(20), token: token.map(str::to_owned) };
    let report = examine(&target, &settings).await;
    server.abort();
    report
}

/// The report says this of the server, and says what to change.
pub(crate) fn says(report: &Report, level: Level, words: &str) {
    let found = report.findings.iter().find(|finding| finding.level == level && finding.what.contains(words));
    let found = found.unwrap_or_else(|| panic!("nothing says {words:?}:\n{report}"));
    assert!(!found.change.is_empty(), "{found:?}");
}

//! Sends what the exporter hands over, by the server's own client.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use http::{Request, Response};
use opentelemetry_http::{Bytes, HttpClient, HttpError};
use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_ports::driven::{FetchMethod, FetchRequest, HttpFetch};
use tokio::runtime::Handle;

/// Collectors answer with a few bytes.
const LONGEST_ANSWER: usize = 64 << 10;

/// The exporter works on a thread of its own, where nothing can be sent from: sending is done on the runtime.
pub(crate) struct Sender {
    pub(crate) client: Arc<dyn HttpFetch>,
    pub(crate) runtime: Handle,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").field("client", &self.client).finish_non_exhaustive()
    }
}

#[async_trait]
impl HttpClient for Sender {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let url = HttpUrl::parse(&request.uri().to_string())?;
        let (head, body) = request.into_parts();
        let headers = head.headers.iter().filter(|(name, _)| *name != http::header::CONTENT_TYPE);
        let headers =
            headers.filter_map(|(name, value)| Some((name.to_string(), value.to_str().ok()?.to_owned())));
        let method = FetchMethod::Post { content_type: "application/x-protobuf", body: body.to_vec() };
        let request = FetchRequest { method, url, headers: headers.collect(), longest_body: LONGEST_ANSWER };
        let client = Arc::clone(&self.client);
        let sent = self.runtime.spawn(async move { client.fetch(request).await }).await?;
        match sent {
            Ok(answer) => Ok(Response::builder().status(answer.status).body(Bytes::from(answer.body))?),
            Err(fault) => {
                tracing::warn!(%fault, cause = fault_cause(&fault), "traces were not sent");
                Err(Box::new(fault))
            }
        }
    }
}

fn fault_cause(fault: &dyn std::error::Error) -> Option<String> {
    fault.source().map(ToString::to_string)
}

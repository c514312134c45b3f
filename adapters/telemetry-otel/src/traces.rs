//! Spans of requests.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use opentelemetry::trace::{
    Span as _, SpanBuilder, SpanContext, SpanId, SpanKind, Status, TraceContextExt as _, TraceFlags, TraceId,
    TraceState, Tracer as _, TracerProvider as _,
};
use opentelemetry::{Context, KeyValue};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracer, SdkTracerProvider, Span};
use pm_mcp_domain::trace::TraceContext;
use pm_mcp_ports::driven::{HttpFetch, ObservedRequest, RequestOutcome};
use tokio::runtime::Handle;

use crate::error::TelemetryError;
use crate::sender::Sender;

/// How long the end may wait for the last spans to be sent.
const LAST_CALL: Duration = Duration::from_secs(3);

/// Where traces go.
pub struct TraceExport {
    endpoint: String,
    service: String,
    client: Arc<dyn HttpFetch>,
}

impl TraceExport {
    /// To the collector at `endpoint`, a URL such as `http://localhost:4318`, to whose path `/v1/traces` is added, in the
    /// name of `service`. Plain HTTP is for collectors of this machine, as the client has it.
    pub fn to(endpoint: &str, service: &str, client: Arc<dyn HttpFetch>) -> Self {
        let endpoint = format!("{}/v1/traces", endpoint.trim_end_matches('/'));
        Self { endpoint, service: service.to_owned(), client }
    }
}

impl fmt::Debug for TraceExport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceExport")
            .field("endpoint", &self.endpoint)
            .field("service", &self.service)
            .finish_non_exhaustive()
    }
}

/// Makes spans and has them exported in the background, in batches of bounded number: what does not fit is dropped.
#[derive(Debug)]
pub(crate) struct Traces {
    provider: SdkTracerProvider,
    tracer: SdkTracer,
}

impl Traces {
    pub(crate) fn new(export: TraceExport) -> Result<Self, TelemetryError> {
        let TraceExport { endpoint, service, client } = export;
        let runtime = Handle::try_current().map_err(|_| TelemetryError::NoRuntime)?;
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Sender { client, runtime })
            .with_endpoint(&endpoint)
            .build()
            .map_err(|fault| TelemetryError::Traces { endpoint, source: Box::new(fault) })?;
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::AlwaysOn)))
            .with_resource(Resource::builder().with_service_name(service).build())
            .build();
        let tracer = provider.tracer("pm-mcp");
        Ok(Self { provider, tracer })
    }

    /// The span of a request that begins.
    pub(crate) fn begin(&self, request: &ObservedRequest<'_>) -> Span {
        let builder = SpanBuilder::from_name(request.method).with_kind(SpanKind::Server).with_attributes([
            KeyValue::new("mcp.method.name", request.method),
            KeyValue::new("network.transport", if request.binding == "stdio" { "pipe" } else { "tcp" }),
        ]);
        self.tracer.build_with_context(builder, &parent(request.trace))
    }

    /// Sends what is left. It waits, so it is not to be called where nothing may wait.
    pub(crate) fn finish(&self) {
        if let Err(fault) = self.provider.shutdown_with_timeout(LAST_CALL) {
            tracing::warn!(%fault, "the last traces were not sent");
        }
    }
}

/// The outcome of a request, on its span.
pub(crate) fn end(mut span: Span, outcome: RequestOutcome) {
    match outcome {
        RequestOutcome::Result => {}
        RequestOutcome::Error(code) => {
            span.set_attribute(KeyValue::new("rpc.jsonrpc.error_code", code.0));
            span.set_status(Status::error(""));
        }
        RequestOutcome::Cancelled => span.set_attribute(KeyValue::new("mcp.cancelled", true)),
    }
    span.end();
}

/// The context that the client named; none when it named none.
fn parent(trace: &TraceContext) -> Context {
    let Some(parent) = &trace.parent else { return Context::new() };
    let state = trace.state.as_ref().and_then(|state| state.as_str().parse().ok());
    let context = SpanContext::new(
        TraceId::from_bytes(*parent.trace_id()),
        SpanId::from_bytes(*parent.span_id()),
        if parent.is_sampled() { TraceFlags::SAMPLED } else { TraceFlags::default() },
        true,
        state.unwrap_or(TraceState::NONE),
    );
    Context::new().with_remote_span_context(context)
}

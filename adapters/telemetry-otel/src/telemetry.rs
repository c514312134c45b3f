//! The observer of requests.

use std::sync::Arc;

use opentelemetry_sdk::trace::Span;
use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_ports::driven::{ObservedRequest, RequestEnd, RequestObserver, RequestOutcome};
use pm_mcp_ports::driving::Figure;
use tokio::time::Instant;

use crate::error::TelemetryError;
use crate::measures::Measures;
use crate::page;
use crate::traces::{self, TraceExport, Traces};

/// Measures and traces requests, as far as it was asked to. A clone is the same.
#[derive(Clone, Default, Debug)]
pub struct Telemetry {
    measures: Option<Arc<Measures>>,
    traces: Option<Arc<Traces>>,
}

impl Telemetry {
    /// One that does neither yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts requests, their outcomes and how long they take.
    ///
    /// # Errors
    ///
    /// [`TelemetryError::Measures`] when they cannot be set up.
    pub fn with_metrics(self) -> Result<Self, TelemetryError> {
        Ok(Self { measures: Some(Arc::new(Measures::new()?)), ..self })
    }

    /// Exports a span of each request whose trace is sampled. To be called on the runtime that sends them.
    ///
    /// # Errors
    ///
    /// [`TelemetryError::Traces`] when the endpoint is none, [`TelemetryError::NoRuntime`] off a runtime.
    pub fn with_traces(self, export: TraceExport) -> Result<Self, TelemetryError> {
        Ok(Self { traces: Some(Arc::new(Traces::new(export)?)), ..self })
    }

    /// Whether it does anything.
    pub fn is_on(&self) -> bool {
        self.measures.is_some() || self.traces.is_some()
    }

    /// The measures, and the server's own `figures`, in the text form of Prometheus; `None` where nothing is measured.
    pub fn page(&self, figures: &[Figure]) -> Option<Vec<u8>> {
        let measures = self.measures.as_ref()?;
        page::page(measures, figures)
            .inspect_err(|fault| tracing::error!(%fault, "the measures cannot be written"))
            .ok()
    }

    /// Sends the spans that are left, and makes no more. It waits for seconds where the collector does not answer, so it is
    /// not to be called on a thread that serves.
    pub fn finish(&self) {
        if let Some(traces) = &self.traces {
            traces.finish();
        }
    }
}

impl RequestObserver for Telemetry {
    fn begin(&self, request: &ObservedRequest<'_>) -> Box<dyn RequestEnd> {
        Box::new(Watched {
            method: request.method,
            binding: request.binding,
            began: Instant::now(),
            measures: self.measures.clone(),
            span: self.traces.as_ref().map(|traces| traces.begin(request)),
            outcome: RequestOutcome::Cancelled,
        })
    }

    fn refused(&self, code: ErrorCode) {
        if let Some(measures) = &self.measures {
            measures.refused(code);
        }
    }
}

/// A request that is watched. Whoever drops it without a word has given the request up.
struct Watched {
    method: &'static str,
    binding: &'static str,
    began: Instant,
    measures: Option<Arc<Measures>>,
    span: Option<Span>,
    outcome: RequestOutcome,
}

impl RequestEnd for Watched {
    fn end(mut self: Box<Self>, outcome: RequestOutcome) {
        self.outcome = outcome;
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        if let Some(measures) = &self.measures {
            measures.ended(self.method, self.binding, self.outcome, self.began.elapsed());
        }
        if let Some(span) = self.span.take() {
            traces::end(span, self.outcome);
        }
    }
}

//! What is counted of requests.

use std::time::Duration;

use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_ports::driven::RequestOutcome;
use prometheus::{HistogramOpts, HistogramVec, IntCounterVec, Opts, Registry};

use crate::error::TelemetryError;

/// Bounds of the buckets of durations, in seconds.
const BUCKETS: [f64; 14] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 120.0];

/// The measures of requests.
#[derive(Debug)]
pub(crate) struct Measures {
    pub(crate) registry: Registry,
    requests: IntCounterVec,
    durations: HistogramVec,
    refused: IntCounterVec,
}

impl Measures {
    pub(crate) fn new() -> Result<Self, TelemetryError> {
        let failed = |fault: prometheus::Error| TelemetryError::Measures(Box::new(fault));
        let requests =
            Opts::new("pm_mcp_requests_total", "Requests that ended, by method, outcome and binding.");
        let durations = HistogramOpts::new(
            "pm_mcp_request_duration_seconds",
            "How long requests took from their dispatch to their answer, by method.",
        );
        let refused = Opts::new(
            "pm_mcp_messages_refused_total",
            "Messages that were refused before it was known what they ask for, by the code of the error.",
        );
        let measures = Self {
            registry: Registry::new(),
            requests: IntCounterVec::new(requests, &["method", "outcome", "binding"]).map_err(failed)?,
            durations: HistogramVec::new(durations.buckets(BUCKETS.to_vec()), &["method"]).map_err(failed)?,
            refused: IntCounterVec::new(refused, &["code"]).map_err(failed)?,
        };
        let Self { registry, requests, durations, refused } = &measures;
        registry.register(Box::new(requests.clone())).map_err(failed)?;
        registry.register(Box::new(durations.clone())).map_err(failed)?;
        registry.register(Box::new(refused.clone())).map_err(failed)?;
        Ok(measures)
    }

    pub(crate) fn ended(&self, method: &str, binding: &str, outcome: RequestOutcome, took: Duration) {
        let outcome = match outcome {
            RequestOutcome::Result => "result",
            RequestOutcome::Error(_) => "error",
            RequestOutcome::Cancelled => "cancelled",
        };
        self.requests.with_label_values(&[method, outcome, binding]).inc();
        self.durations.with_label_values(&[method]).observe(took.as_secs_f64());
    }

    /// The codes of what is refused before dispatch are those of a fixed table.
    pub(crate) fn refused(&self, code: ErrorCode) {
        self.refused.with_label_values(&[code.0.to_string().as_str()]).inc();
    }
}

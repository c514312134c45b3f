//! What operators see of a server: measures for [Prometheus](https://prometheus.io) and traces over
//! [OTLP](https://opentelemetry.io/docs/specs/otlp/), each off unless it is asked for.
//!
//! [`Telemetry`] watches requests by the port [`RequestObserver`](pm_mcp_ports::driven::RequestObserver).
//! [`MetricsListener`] shows the measures at `/metrics`, on an address of its own. Labels come from fixed lists, so that
//! nothing a peer sends makes another series: methods, outcomes, bindings, codes, names of limits, reasons and states.
//! Neither measures nor spans hold names of principals, arguments or results.
//!
//! A span of a request is the child of the trace that its client named
//! ([Trace Context](https://www.w3.org/TR/trace-context/)), and is exported unless that trace is not sampled.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use pm_mcp_ports::driven::HttpFetch;
//! use pm_mcp_telemetry_otel::{Telemetry, TraceExport};
//!
//! # fn watch(client: Arc<dyn HttpFetch>) -> Result<(), Box<dyn std::error::Error>> {
//! let telemetry = Telemetry::new()
//!     .with_metrics()?
//!     .with_traces(TraceExport::to("http://localhost:4318", "deployer", client))?;
//! # drop(telemetry);
//! # Ok(())
//! # }
//! ```

mod error;
mod listener;
mod measures;
mod page;
mod sender;
mod telemetry;
mod traces;

pub use error::TelemetryError;
pub use listener::MetricsListener;
pub use telemetry::Telemetry;
pub use traces::TraceExport;

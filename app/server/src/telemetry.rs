//! What operators see of the server: measures and traces, each off unless a setting asks for it.

use std::future::Future;
use std::sync::Arc;

use pm_mcp::Server;
use pm_mcp_https::{HttpsClient, HttpsSettings, Reach};
use pm_mcp_telemetry_otel::{MetricsListener, Telemetry, TraceExport};

use crate::settings::{METRICS_ADDR, OTLP_URL, TelemetryChoice, fault};
use crate::start::StartError;

/// The name of the service in traces.
const SERVICE: &str = "pm-mcp";

/// Measures and traces while a server serves.
#[derive(Debug)]
pub(crate) struct Watching {
    pub(crate) telemetry: Telemetry,
    listener: Option<MetricsListener>,
}

impl Watching {
    /// Begins what the settings ask for: nothing unless they do.
    ///
    /// # Errors
    ///
    /// [`StartError::Setting`] when the address cannot be listened on, or traces cannot be sent there.
    pub(crate) async fn begin(choice: &TelemetryChoice) -> Result<Self, StartError> {
        let mut watching = Self { telemetry: Telemetry::new(), listener: None };
        if let Some(address) = choice.metrics {
            let refused = |why: String| fault(&METRICS_ADDR, why);
            watching.telemetry =
                watching.telemetry.with_metrics().map_err(|error| refused(error.to_string()))?;
            let bound = MetricsListener::bind(address).await;
            let listener = bound.map_err(|error| refused(format!("{address} cannot be bound: {error}")))?;
            watching.listener = Some(listener);
        }
        if let Some(url) = &choice.traces {
            let refused = |why: String| fault(&OTLP_URL, why);
            // Whoever sets it says where, and nobody else does.
            let settings = HttpsSettings { reach: Reach::Everywhere, ..HttpsSettings::default() };
            let client = HttpsClient::new(settings).map_err(|error| refused(error.to_string()))?;
            let export = TraceExport::to(url.as_str(), SERVICE, Arc::new(client));
            watching.telemetry =
                watching.telemetry.with_traces(export).map_err(|error| refused(error.to_string()))?;
        }
        Ok(watching)
    }

    /// Where the measures are shown.
    pub(crate) fn metrics_url(&self) -> Option<String> {
        self.listener.as_ref().map(|listener| format!("http://{}/metrics", listener.local_addr()))
    }

    /// Shows the measures for as long as `serving` goes on, and sends the last traces after it.
    pub(crate) async fn around<T>(self, server: &Server, serving: impl Future<Output = T>) -> T {
        let Self { telemetry, listener } = self;
        let served = match listener {
            None => serving.await,
            Some(listener) => tokio::select! {
                served = serving => served,
                never = listener.serve(telemetry.clone(), server.service()) => match never {},
            },
        };
        if telemetry.is_on() {
            let finished = tokio::task::spawn_blocking(move || telemetry.finish()).await;
            if finished.is_err() {
                tracing::warn!("the last traces were not sent");
            }
        }
        served
    }
}

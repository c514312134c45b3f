//! Why nothing can be measured or traced.

use std::error::Error;

use thiserror::Error as ThisError;

/// Why nothing can be measured or traced.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum TelemetryError {
    /// The measures cannot be set up.
    #[error("the measures cannot be set up")]
    Measures(#[source] Box<dyn Error + Send + Sync>),
    /// The exporter of traces cannot be set up.
    #[error("traces cannot be exported to {endpoint}")]
    Traces {
        /// Where they were to go.
        endpoint: String,
        /// What is wrong.
        source: Box<dyn Error + Send + Sync>,
    },
    /// There is no runtime to send from: set traces up on one.
    #[error("traces are sent from a tokio runtime, and there is none here")]
    NoRuntime,
}

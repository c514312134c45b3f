//! Small documents over HTTPS, by hyper and rustls: the port [`HttpFetch`](pm_mcp_ports::driven::HttpFetch).
//!
//! [`HttpsClient`] opens one connection an exchange, so that every name is resolved anew and every address judged before
//! it is connected to. It follows no redirect, reads a bounded body, ends in bounded time, asks no proxy, and sends
//! nothing over plain HTTP except to this machine, where the settings allow that.
//!
//! ```no_run
//! use pm_mcp_https::{HttpsClient, HttpsSettings};
//!
//! # fn main() -> Result<(), pm_mcp_https::HttpsError> {
//! let client = HttpsClient::new(HttpsSettings::default())?;
//! # Ok(())
//! # }
//! ```

mod address;
mod client;
mod exchange;
mod settings;

pub use address::Reach;
pub use client::HttpsClient;
pub use settings::{HttpsError, HttpsSettings, Roots};

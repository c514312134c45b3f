//! What is shown to operators.

use std::net::{Ipv4Addr, SocketAddr};

use pm_mcp::HttpUrl;

use super::fault::{SettingFault, shown};
use super::read::Source;
use super::table::Setting;

pub(crate) const METRICS_ADDR: Setting = Setting::new(
    "PM_MCP_METRICS_ADDR",
    "An address of its own, or only its port on the loopback interface, where measures are shown to Prometheus at \
     `/metrics`. It asks for no token.",
    "none: nothing is measured",
    "127.0.0.1:9464",
)
.http_only();
pub(crate) const OTLP_URL: Setting = Setting::new(
    "PM_MCP_OTLP_URL",
    "The OTLP collector that spans of requests are sent to, over HTTP: `/v1/traces` is added to its path. Plain `http` is for \
     a collector on this machine.",
    "none: nothing is traced",
    "http://127.0.0.1:4318",
);

/// What is shown to operators; nothing unless asked for.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct TelemetryChoice {
    /// Where measures are shown.
    pub metrics: Option<SocketAddr>,
    /// Where spans are sent.
    pub traces: Option<HttpUrl>,
}

impl TelemetryChoice {
    pub(super) fn read(source: &Source<'_>) -> Result<Self, SettingFault> {
        Ok(Self {
            metrics: source.parsed(&METRICS_ADDR, address)?,
            traces: source.parsed(&OTLP_URL, |url| {
                HttpUrl::parse(url).map_err(|wrong| format!("{} is refused: {wrong}", shown(url)))
            })?,
        })
    }
}

fn address(value: &str) -> Result<SocketAddr, String> {
    let value = value.trim();
    let port = value.parse::<u16>().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    port.or_else(|_| value.parse()).map_err(|_| {
        format!("{} is no address with a port, such as 127.0.0.1:9464, and no port", shown(value))
    })
}

//! Progress ([Progress](https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/progress)).

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::request::ProgressToken;

/// A `notifications/progress` message.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProgressNotification<'a> {
    /// The token of the request, as it was sent.
    pub token: ProgressToken<'a>,
    /// How far the work is; a finite number.
    pub progress: f64,
    /// How far it will be at its end.
    pub total: Option<f64>,
    /// What is being done.
    pub message: Option<&'a str>,
}

impl Serialize for ProgressNotification<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Params<'a> {
            progress_token: &'a ProgressToken<'a>,
            progress: f64,
            #[serde(skip_serializing_if = "Option::is_none")]
            total: Option<f64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            message: Option<&'a str>,
        }
        let Self { token, progress, total, message } = self;
        let total = total.filter(|total| total.is_finite());
        let params = Params { progress_token: token, progress: *progress, total, message: *message };
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("jsonrpc", "2.0")?;
        map.serialize_entry("method", "notifications/progress")?;
        map.serialize_entry("params", &params)?;
        map.end()
    }
}

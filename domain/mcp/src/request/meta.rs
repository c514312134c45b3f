//! What a request says of itself in `params._meta`
//! ([`_meta`](https://modelcontextprotocol.io/specification/2026-07-28/basic#meta)).

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::mem::take;

use serde::Deserialize;
use serde::de::{IgnoredAny, MapAccess};
use serde_json::value::RawValue;

use super::capability::{ClientCapabilities, LooseCapabilities};
use super::client_info::{ClientInfo, LooseClientInfo};
use super::loose::{Draft, JsonKind, LooseText};
use crate::trace::TraceFields;

/// The token under which a request wants its progress reported: a string or a whole number, as it was sent.
pub type ProgressToken<'a> = crate::ident::RequestId<'a>;

/// The checked metadata of one request. It holds for that request alone.
#[derive(Clone, PartialEq, Debug)]
pub struct RequestMeta<'a> {
    /// The revision that the request claims, not yet compared with the supported ones.
    pub protocol_version: Cow<'a, str>,
    /// What the client can do.
    pub capabilities: ClientCapabilities,
    /// Who the client says it is.
    pub client_info: Option<ClientInfo<'a>>,
    /// Where progress is to be reported.
    pub progress_token: Option<ProgressToken<'a>>,
    /// Which trace it belongs to, not yet looked at.
    pub trace: TraceFields<'a>,
}

/// One thing that is wrong with a request's metadata.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MetaFault {
    /// `params` is not an object, or there is none.
    NoParams,
    /// `params._meta` is missing.
    Absent,
    /// `params._meta` is not an object.
    NotAnObject(JsonKind),
    /// A required member is missing.
    Missing(&'static str),
    /// A member has the wrong JSON type; `wanted` says which it needs.
    WrongType {
        /// The member's name.
        member: &'static str,
        /// The type it must have, in words.
        wanted: &'static str,
    },
    /// A member is given twice.
    Twice(&'static str),
}

impl fmt::Display for MetaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoParams => f.write_str("params must be an object that holds _meta"),
            Self::Absent => f.write_str("params._meta is missing"),
            Self::NotAnObject(kind) => write!(f, "params._meta must be an object, not {kind}"),
            Self::Missing(member) => write!(f, "params._meta[\"{member}\"] is missing"),
            Self::WrongType { member, wanted } => write!(f, "params._meta[\"{member}\"] must be {wanted}"),
            Self::Twice(member) => write!(f, "params._meta[\"{member}\"] is given twice"),
        }
    }
}

/// `io.modelcontextprotocol/protocolVersion`
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
const CLIENT_INFO: &str = "io.modelcontextprotocol/clientInfo";
const PROGRESS_TOKEN: &str = "progressToken";

/// The members of `_meta` as they came, each of whatever JSON type.
#[derive(Default, Debug)]
pub(super) struct MetaDraft<'a> {
    version: LooseText<'a>,
    capabilities: Option<LooseCapabilities>,
    client_info: Option<LooseClientInfo<'a>>,
    progress_token: Option<&'a RawValue>,
    trace: TraceFields<'a>,
    twice: Option<&'static str>,
}

impl<'a> MetaDraft<'a> {
    /// The claimed revision, if it is there as a string.
    pub(super) fn version(&self) -> Option<&str> {
        self.version.as_str()
    }

    /// Checks every member and reports all faults together.
    pub(super) fn check(&mut self) -> Result<RequestMeta<'a>, Vec<MetaFault>> {
        let mut faults = Vec::new();
        if let Some(member) = self.twice {
            faults.push(MetaFault::Twice(member));
        }
        let protocol_version = match take(&mut self.version) {
            LooseText::Text(text) => text,
            LooseText::Absent => {
                faults.push(MetaFault::Missing(VERSION));
                Cow::Borrowed("")
            }
            LooseText::Wrong(_) => {
                faults.push(MetaFault::WrongType { member: VERSION, wanted: "a string" });
                Cow::Borrowed("")
            }
        };
        let capabilities = match self.capabilities.take() {
            Some(LooseCapabilities::Object(found)) => {
                if let Some(member) = found.wrong_member() {
                    faults.push(MetaFault::WrongType {
                        member: CAPABILITIES,
                        wanted: match member {
                            "sampling" => "an object whose member sampling is an object",
                            "roots" => "an object whose member roots is an object",
                            _ => "an object whose member elicitation, and each mode in it, is an object",
                        },
                    });
                }
                found
            }
            Some(LooseCapabilities::Wrong(_)) => {
                faults.push(MetaFault::WrongType { member: CAPABILITIES, wanted: "an object" });
                ClientCapabilities::default()
            }
            None => {
                faults.push(MetaFault::Missing(CAPABILITIES));
                ClientCapabilities::default()
            }
        };
        let client_info = match self.client_info.take() {
            None => None,
            Some(found) => found.into_client().or_else(|| {
                let wanted = "an object with the strings name and version";
                faults.push(MetaFault::WrongType { member: CLIENT_INFO, wanted });
                None
            }),
        };
        let progress_token = match self.progress_token {
            None => None,
            Some(raw) => ProgressToken::parse(raw).or_else(|| {
                let wanted = "a string or a whole number";
                faults.push(MetaFault::WrongType { member: PROGRESS_TOKEN, wanted });
                None
            }),
        };
        if faults.is_empty() {
            let trace = take(&mut self.trace);
            Ok(RequestMeta { protocol_version, capabilities, client_info, progress_token, trace })
        } else {
            Err(faults)
        }
    }
}

#[derive(Deserialize)]
#[serde(field_identifier)]
enum Member {
    #[serde(rename = "io.modelcontextprotocol/protocolVersion")]
    Version,
    #[serde(rename = "io.modelcontextprotocol/clientCapabilities")]
    Capabilities,
    #[serde(rename = "io.modelcontextprotocol/clientInfo")]
    ClientInfo,
    #[serde(rename = "progressToken")]
    ProgressToken,
    #[serde(rename = "traceparent")]
    TraceParent,
    #[serde(rename = "tracestate")]
    TraceState,
    #[serde(rename = "baggage")]
    Baggage,
    #[serde(other)]
    Other,
}

impl<'de> Draft<'de> for MetaDraft<'de> {
    fn fill<A: MapAccess<'de>>(&mut self, mut map: A) -> Result<(), A::Error> {
        while let Some(member) = map.next_key::<Member>()? {
            let again = match member {
                Member::Version => {
                    let again = self.version != LooseText::Absent;
                    self.version = map.next_value()?;
                    again.then_some(VERSION)
                }
                Member::Capabilities => {
                    self.capabilities.replace(map.next_value()?).is_some().then_some(CAPABILITIES)
                }
                Member::ClientInfo => {
                    self.client_info.replace(map.next_value()?).is_some().then_some(CLIENT_INFO)
                }
                Member::ProgressToken => {
                    self.progress_token.replace(map.next_value()?).is_some().then_some(PROGRESS_TOKEN)
                }
                Member::TraceParent => {
                    self.trace.note_parent(map.next_value()?);
                    None
                }
                Member::TraceState => {
                    self.trace.note_state(map.next_value()?);
                    None
                }
                Member::Baggage => {
                    self.trace.note_baggage(map.next_value()?);
                    None
                }
                Member::Other => {
                    map.next_value::<IgnoredAny>()?;
                    None
                }
            };
            self.twice = self.twice.or(again);
        }
        Ok(())
    }
}

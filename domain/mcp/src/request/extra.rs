//! What extensions read of a message. The core passes over it, so it is read again, and only where an extension asks.

use serde::Deserialize;
use serde_json::value::RawValue;

/// The parts of a request that the protocol leaves to extensions.
#[derive(Clone, Copy, Default, Debug)]
pub struct ExtensionParts<'a> {
    /// `params`, as it was sent.
    pub params: Option<&'a RawValue>,
    /// `extensions` of the declared client capabilities, as it was sent.
    pub declared: Option<&'a RawValue>,
}

impl<'a> ExtensionParts<'a> {
    /// Reads the parts of a message that the ladder admitted. What is not there or cannot be read is left out.
    pub fn read(message: &'a str) -> Self {
        #[derive(Deserialize)]
        struct Message<'a> {
            #[serde(borrow)]
            params: Option<&'a RawValue>,
        }
        #[derive(Deserialize)]
        struct Params<'a> {
            #[serde(borrow, rename = "_meta")]
            meta: Option<Meta<'a>>,
        }
        #[derive(Deserialize)]
        struct Meta<'a> {
            #[serde(borrow, rename = "io.modelcontextprotocol/clientCapabilities")]
            capabilities: Option<Capabilities<'a>>,
        }
        #[derive(Deserialize)]
        struct Capabilities<'a> {
            #[serde(borrow)]
            extensions: Option<&'a RawValue>,
        }
        let text = message.strip_prefix('\u{feff}').unwrap_or(message);
        let params = serde_json::from_str::<Message<'a>>(text).ok().and_then(|message| message.params);
        let declared = params
            .and_then(|params| serde_json::from_str::<Params<'a>>(params.get()).ok())
            .and_then(|params| params.meta?.capabilities?.extensions);
        Self { params, declared }
    }
}

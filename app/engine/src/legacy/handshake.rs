//! `initialize`: what is agreed on, and who the client says it is. Nothing depends on it having been sent.

use pm_mcp_domain::fault::ErrorCode;
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::wire::ServerCapabilities;
use pm_mcp_ports::driving::Answer;
use serde_json::{Map, Value, json};

use super::answer;
use super::members::Members;
use super::revision::{LEGACY_PROTOCOL_VERSIONS, agreed};
use crate::core::Core;

/// How many characters of a client's name or version are kept.
const LABEL_LIMIT: usize = 256;

/// Who the client says it is, and the revision that was agreed on.
#[derive(Clone, Debug)]
pub(super) struct Peer {
    pub(super) revision: &'static str,
    /// The JSON text of its name and version, if it gave both.
    pub(super) client: Option<String>,
}

/// Answers `initialize`; gives what is to be remembered of the client unless it was refused.
pub(super) fn initialize(id: RequestId<'_>, params: &Members<'_>, core: &Core) -> (Answer, Option<Peer>) {
    let Some(requested) = params.text("protocolVersion") else {
        let supported = LEGACY_PROTOCOL_VERSIONS.join(", ");
        let message = format!("params.protocolVersion must be a string; supported: {supported}");
        let data = json!({"supported": LEGACY_PROTOCOL_VERSIONS});
        return (answer::error(id, ErrorCode::INVALID_PARAMS, &message, Some(data)), None);
    };
    let revision = agreed(&requested);
    // Tasks are negotiated by each request of the current revision; the earlier ones have nothing of the kind.
    let capabilities = ServerCapabilities { tasks: false, ..core.surface().capabilities };
    let mut result = Map::from_iter([
        ("protocolVersion".to_owned(), json!(revision)),
        ("capabilities".to_owned(), json!(capabilities)),
        ("serverInfo".to_owned(), json!(core.identity.implementation())),
    ]);
    if let Some(instructions) = &core.settings.instructions {
        result.insert("instructions".to_owned(), json!(instructions));
    }
    (answer::result(id, &Value::Object(result)), Some(Peer { revision, client: client(params) }))
}

fn client(params: &Members<'_>) -> Option<String> {
    let info = params.find("clientInfo").and_then(Members::of)?;
    let label = |name: &str| Some(info.text(name)?.chars().take(LABEL_LIMIT).collect::<String>());
    Some(json!({"name": label("name")?, "version": label("version")?}).to_string())
}

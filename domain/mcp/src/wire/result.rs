//! The envelope of a result: `resultType`, the server's identity and, where due, cache hints.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use thiserror::Error;

use super::discover::Implementation;
use crate::cache::CachePolicy;
use crate::ident::RequestId;

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// Who the server is, serialised once for all results.
#[derive(Clone, Debug)]
pub struct ServerIdentity {
    implementation: Implementation,
    /// `{"io.modelcontextprotocol/serverInfo":{…}}`
    meta: Box<RawValue>,
}

impl ServerIdentity {
    /// The identity of a server with this name and version.
    pub fn new(implementation: Implementation) -> Self {
        let meta = serde_json::to_string(&serde_json::json!({ SERVER_INFO: implementation }))
            .and_then(RawValue::from_string)
            .unwrap_or_else(|_| RawValue::NULL.to_owned());
        Self { implementation, meta }
    }

    /// The server's name and version.
    pub fn implementation(&self) -> &Implementation {
        &self.implementation
    }
}

/// The members that a kind of result has besides those of every result.
pub trait ResultBody {
    /// Which kind of result this is, in the words of the revision.
    const RESULT_TYPE: &'static str = "complete";

    /// Writes the members into the result object.
    ///
    /// # Errors
    ///
    /// The serializer's own error.
    fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;
}

/// Writes the cache hints of a result.
pub(super) fn write_cache_policy<M: SerializeMap>(map: &mut M, cache: CachePolicy) -> Result<(), M::Error> {
    map.serialize_entry("ttlMs", &cache.ttl.as_ms())?;
    map.serialize_entry("cacheScope", &cache.scope)
}

/// A result around its members.
#[derive(Clone, Copy, Debug)]
struct Whole<'a, B> {
    identity: &'a ServerIdentity,
    body: &'a B,
}

impl<B: ResultBody> Serialize for Whole<'_, B> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("resultType", B::RESULT_TYPE)?;
        map.serialize_entry("_meta", &self.identity.meta)?;
        self.body.write(&mut map)?;
        map.end()
    }
}

/// A whole result that was serialised before, to be sent again and again.
#[derive(Clone, Debug)]
pub struct Rendered(Box<RawValue>);

impl Rendered {
    /// Serialises a result once.
    ///
    /// # Errors
    ///
    /// When a member cannot be written as JSON.
    pub fn new(identity: &ServerIdentity, body: &impl ResultBody) -> Result<Self, serde_json::Error> {
        serde_json::to_string(&Whole { identity, body }).and_then(RawValue::from_string).map(Self)
    }

    /// The result's JSON text.
    pub fn as_json(&self) -> &str {
        self.0.get()
    }
}

/// The response to a request, with a result.
#[derive(Clone, Copy, Debug)]
pub struct ResultResponse<'a, R> {
    id: RequestId<'a>,
    result: R,
}

impl<'a> ResultResponse<'a, &'a RawValue> {
    /// A response with a result that was serialised before.
    pub fn rendered(id: RequestId<'a>, result: &'a Rendered) -> Self {
        Self { id, result: &result.0 }
    }
}

impl<'a> ResultResponse<'a, &'a Map<String, Value>> {
    /// A response with a whole result that a host composed; see [`complete_result`].
    pub fn composed(id: RequestId<'a>, result: &'a Map<String, Value>) -> Self {
        Self { id, result }
    }
}

impl<'a> ResultResponse<'a, ()> {
    /// A response with a result of these members, ready to be serialised.
    pub fn of<B: ResultBody>(
        id: RequestId<'a>,
        identity: &'a ServerIdentity,
        body: &'a B,
    ) -> ResultResponse<'a, impl Serialize + 'a> {
        ResultResponse { id, result: Whole { identity, body } }
    }
}

impl<R: Serialize> Serialize for ResultResponse<'_, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("jsonrpc", "2.0")?;
        map.serialize_entry("id", &self.id)?;
        map.serialize_entry("result", &self.result)?;
        map.end()
    }
}

/// A payload claims a `resultType` that is not `complete`.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("the result already claims resultType {0}; a complete result has no other")]
pub struct ClaimedResultType(pub String);

/// Wraps a plain object as a complete result, for hosts that compose results themselves: sets `resultType`, adds
/// the server's identity to `_meta` and keeps every other member.
///
/// # Errors
///
/// When the payload claims another `resultType`.
///
/// ```
/// use pm_mcp_domain::wire::{Implementation, ServerIdentity, complete_result};
/// let identity =
///     ServerIdentity::new(Implementation { name: "demo".into(), title: None, version: "1".into() });
/// let result = complete_result(&identity, serde_json::Map::new()).unwrap();
/// assert_eq!(result["resultType"], "complete");
/// assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "demo");
/// ```
pub fn complete_result(
    identity: &ServerIdentity,
    mut payload: Map<String, Value>,
) -> Result<Map<String, Value>, ClaimedResultType> {
    match payload.get("resultType") {
        None => {}
        Some(Value::String(claimed)) if claimed == "complete" => {}
        Some(claimed) => return Err(ClaimedResultType(claimed.to_string())),
    }
    payload.insert("resultType".to_string(), Value::from("complete"));
    let info = serde_json::to_value(identity.implementation()).unwrap_or_default();
    match payload.get_mut("_meta") {
        Some(Value::Object(meta)) => {
            meta.insert(SERVER_INFO.to_string(), info);
        }
        _ => {
            payload.insert("_meta".to_string(), serde_json::json!({ SERVER_INFO: info }));
        }
    }
    Ok(payload)
}

/// Attaches cache hints to a plain result object, for hosts that compose results themselves.
pub fn with_cache_policy(mut result: Map<String, Value>, cache: CachePolicy) -> Map<String, Value> {
    result.insert("ttlMs".to_string(), Value::from(cache.ttl.as_ms()));
    result.insert("cacheScope".to_string(), serde_json::to_value(cache.scope).unwrap_or_default());
    result
}

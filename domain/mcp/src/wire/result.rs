//! The envelope of a result: `resultType`, the server's identity and, where due, cache hints.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::{String, ToString};

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use thiserror::Error;

use super::discover::Implementation;
use super::sink::{JsonSink, Members};
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

    /// Writes the same members behind others. A body of which most is the same each time does better than this.
    ///
    /// # Errors
    ///
    /// The sink's own error.
    fn write_behind<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        self.write(&mut Members(sink))
    }
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

/// A result that can be written piece by piece.
pub trait WrittenResult: Serialize {
    /// How many bytes it may take; a good guess saves moving what is written.
    fn size_hint(&self) -> usize;

    /// Writes it.
    ///
    /// # Errors
    ///
    /// The sink's own error.
    fn write_to<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error>;
}

/// What the members of most results fit into.
const USUAL_BODY: usize = 256;

impl<B: ResultBody> WrittenResult for Whole<'_, B> {
    fn size_hint(&self) -> usize {
        self.identity.meta.get().len() + USUAL_BODY
    }

    fn write_to<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        for part in ["{\"resultType\":\"", B::RESULT_TYPE, "\",\"_meta\":", self.identity.meta.get()] {
            sink.text(part);
        }
        self.body.write_behind(sink)?;
        sink.text("}");
        Ok(())
    }
}

impl WrittenResult for &RawValue {
    fn size_hint(&self) -> usize {
        self.get().len()
    }

    fn write_to<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        sink.text(self.get());
        Ok(())
    }
}

impl WrittenResult for &Map<String, Value> {
    fn size_hint(&self) -> usize {
        USUAL_BODY
    }

    fn write_to<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        sink.value(self)
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
    ) -> ResultResponse<'a, impl WrittenResult + 'a> {
        ResultResponse { id, result: Whole { identity, body } }
    }
}

impl<R: WrittenResult> ResultResponse<'_, R> {
    /// How many bytes the response may take.
    pub fn size_hint(&self) -> usize {
        // The members around the result.
        const AROUND: usize = 32;
        AROUND + self.id.as_json().len() + self.result.size_hint()
    }

    /// Writes the response: the same text as its serialisation.
    ///
    /// # Errors
    ///
    /// The sink's own error.
    pub fn write_to<S: JsonSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        for part in ["{\"jsonrpc\":\"2.0\",\"id\":", self.id.as_json(), ",\"result\":"] {
            sink.text(part);
        }
        self.result.write_to(sink)?;
        sink.text("}");
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Annotations, CallToolResult, ContentBlock};

    struct Text(String);

    impl JsonSink for Text {
        type Error = serde_json::Error;

        fn text(&mut self, json: &str) {
            self.0.push_str(json);
        }

        fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), serde_json::Error> {
            self.0.push_str(&serde_json::to_string(value)?);
            Ok(())
        }
    }

    fn assert_same<R: WrittenResult>(response: &ResultResponse<'_, R>) {
        let mut text = Text(String::new());
        response.write_to(&mut text).unwrap();
        assert_eq!(text.0, serde_json::to_string(response).unwrap());
    }

    #[test]
    fn a_response_is_written_as_it_is_serialised() {
        let name = "a \"quoted\" name".to_owned();
        let identity = ServerIdentity::new(Implementation {
            name,
            title: Some("t".to_owned()),
            version: "1".to_owned(),
        });
        let noted = Annotations { priority: Some(0.5), ..Annotations::default() };
        let noted = ContentBlock::Text { text: "noted".to_owned(), annotations: Some(noted) };
        let body = CallToolResult {
            content: [ContentBlock::text("a \"text\"\n"), noted, ContentBlock::image("aGk=", "image/png")]
                .into(),
            structured_content: Some(Value::Null),
            is_error: true,
        };
        let rendered = Rendered::new(&identity, &body).unwrap();
        let composed = complete_result(&identity, Map::new()).unwrap();
        for id in ["1", "\"a\\\"b\""] {
            let raw = RawValue::from_string(id.to_owned()).unwrap();
            let id = RequestId::parse(&raw).unwrap();
            assert_same(&ResultResponse::of(id, &identity, &body));
            assert_same(&ResultResponse::of(id, &identity, &CallToolResult::default()));
            assert_same(&ResultResponse::rendered(id, &rendered));
            assert_same(&ResultResponse::composed(id, &composed));
        }
    }
}

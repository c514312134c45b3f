//! What one request declares.

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::id::ExtensionId;
use super::offer::Extensions;
use crate::request::{Expect, JsonKind, Loose};

/// What a request may do with an extension.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ExtensionUse<'a> {
    /// Nothing: it is not declared, or declared as something that is no object.
    Undeclared,
    /// It is declared, with these settings if it is an extension that has any.
    Declared(Option<&'a Map<String, Value>>),
    /// It is declared, and the server cannot use the settings: they do not count where the extension would only add
    /// something, and are refused with these words where it is used.
    Refused(&'a str),
}

/// The extensions that one request declares, of those that the server has. Cloning it is cheap, and where there are none
/// it holds nothing.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct DeclaredExtensions(Option<Arc<Vec<Declared>>>);

#[derive(Clone, PartialEq, Debug)]
struct Declared {
    id: ExtensionId,
    settings: Result<Map<String, Value>, String>,
}

impl DeclaredExtensions {
    /// Reads the JSON text of a request's `extensions`. Unknown extensions are ignored; a malformed declaration is
    /// none: it takes away the extension, never the request.
    ///
    /// `check` says whether the settings of an extension are of use and, if not, what would be.
    pub fn read(
        text: &RawValue,
        extensions: &Extensions,
        check: impl Fn(ExtensionId, &Map<String, Value>) -> Result<(), String>,
    ) -> Self {
        let Ok(Entries(entries)) = serde_json::from_str(text.get()) else { return Self::default() };
        let find = |id: ExtensionId| {
            // Of two entries with one name the last counts, as it does for every reader of JSON objects.
            let (_, raw) = entries.iter().rev().find(|(name, _)| name == id.as_str())?;
            let settings = serde_json::from_str::<Map<String, Value>>(raw.get()).ok()?;
            let settings = check(id, &settings).map(|()| settings);
            Some(Declared { id, settings })
        };
        let declared: Vec<Declared> = extensions.ids().filter_map(find).collect();
        Self((!declared.is_empty()).then(|| Arc::new(declared)))
    }

    /// What the request may do with an extension.
    #[must_use]
    pub fn find(&self, id: ExtensionId) -> ExtensionUse<'_> {
        let entry = self.0.iter().flat_map(|entries| entries.iter()).find(|entry| entry.id == id);
        match entry.map(|entry| &entry.settings) {
            None => ExtensionUse::Undeclared,
            Some(Ok(settings)) => ExtensionUse::Declared(Some(settings)),
            Some(Err(reason)) => ExtensionUse::Refused(reason),
        }
    }
}

/// The entries of an object, or none of whatever else.
struct Entries<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Entries<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesOnly;
        impl<'de> Expect<'de> for EntriesOnly {
            type Value = Entries<'de>;

            fn other(self, _: JsonKind) -> Self::Value {
                Entries(Vec::new())
            }

            fn object<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry::<Name<'de>, &'de RawValue>()? {
                    entries.push((entry.0.0, entry.1));
                }
                Ok(Entries(entries))
            }
        }
        deserializer.deserialize_any(Loose(EntriesOnly))
    }
}

/// A member's name, borrowed unless it holds escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;
    use std::borrow::ToOwned;
    use std::boxed::Box;
    use std::string::ToString;
    use std::vec;

    use crate::extension::{Declaration, ExtensionOffer};

    const AUDIT: ExtensionId = ExtensionId::new("com.example/audit");

    fn read(text: &str) -> DeclaredExtensions {
        let mut extensions = Extensions::new();
        let (settings, declaration) = (Map::new(), Declaration::Required);
        extensions.offer(ExtensionOffer { id: AUDIT, settings, declaration, methods: vec![] }).unwrap();
        let raw: Box<RawValue> = serde_json::from_str(text).unwrap();
        DeclaredExtensions::read(&raw, &extensions, |_, settings| match settings.get("level") {
            Some(Value::String(_)) | None => Ok(()),
            Some(other) => Err(["level must be a string, not ", &other.to_string()].concat()),
        })
    }

    #[test]
    fn a_request_declares_what_it_says_and_the_server_has() {
        for (text, wanted) in [
            (r#"{"com.example/audit":{}}"#, Some("")),
            (r#"{"com.example/audit":{"level":"all"}}"#, Some("all")),
            (r#"{"x/unknown":7,"com.example/audit":{"level":"all"},"also":null}"#, Some("all")),
            (r#"{"com.example\/audit":{"level":"all"}}"#, Some("all")),
            (r#"{"com.example/audit":{"level":"one"},"com.example/audit":{"level":"two"}}"#, Some("two")),
            (r#"{"com.example/audit":null}"#, None),
            (r#"{"com.example/audit":true}"#, None),
            (r#"{"com.example/audit":[{}]}"#, None),
            (r#"{"com.example/audit":"on"}"#, None),
            (r#"{"com.example/Audit":{}}"#, None),
            ("{}", None),
            ("[]", None),
            ("null", None),
            ("\"com.example/audit\"", None),
            ("7", None),
        ] {
            let declared = read(text);
            let level = match declared.find(AUDIT) {
                ExtensionUse::Declared(settings) => {
                    settings.map(|settings| settings.get("level").and_then(Value::as_str).unwrap_or_default())
                }
                ExtensionUse::Undeclared => None,
                ExtensionUse::Refused(reason) => panic!("{text}: {reason}"),
            };
            assert_eq!(level, wanted, "{text}");
            assert_eq!(declared.find(ExtensionId::SKILLS), ExtensionUse::Undeclared, "{text}");
        }
    }

    #[test]
    fn settings_that_are_of_no_use_keep_the_reason() {
        let declared = read(r#"{"com.example/audit":{"level":7}}"#);
        let reason = "level must be a string, not 7".to_owned();
        assert_eq!(declared.find(AUDIT), ExtensionUse::Refused(&reason));
    }
}

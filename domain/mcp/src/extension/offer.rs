//! The extensions of a server.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use serde::ser::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::declared::ExtensionUse;
use super::fault::ExtensionFault;
use super::id::ExtensionId;
use super::method::ExtensionMethod;
use crate::fault::Rejection;
use crate::request::{ClientCapabilities, ClientCapability, Method};

/// Who may use the methods of an extension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Declaration {
    /// Requests that declare the extension; others are refused before anything is looked up.
    #[default]
    Required,
    /// Every request. So for an extension that gives clients nothing to declare.
    Optional,
}

/// An extension as a server offers it.
#[derive(Clone, PartialEq, Debug)]
pub struct ExtensionOffer {
    /// What it is called.
    pub id: ExtensionId,
    /// What the server says of it in discovery; empty when there is nothing to say.
    pub settings: Map<String, Value>,
    /// Who may use its methods.
    pub declaration: Declaration,
    /// The methods that it adds, by their names on the wire.
    pub methods: Vec<&'static str>,
}

/// The extensions of a server. Written as JSON it is the map of discovery, ordered by identifier.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Extensions {
    offered: BTreeMap<ExtensionId, Offered>,
    methods: BTreeMap<&'static str, ExtensionMethod>,
}

#[derive(Clone, PartialEq, Debug)]
struct Offered {
    settings: Map<String, Value>,
    declaration: Declaration,
}

impl Extensions {
    /// None.
    #[must_use]
    pub const fn new() -> Self {
        Self { offered: BTreeMap::new(), methods: BTreeMap::new() }
    }

    /// Adds an extension.
    ///
    /// # Errors
    ///
    /// When it is there already, or a method has no usable name, one of the protocol's own or one that is taken.
    /// Nothing is added then.
    pub fn offer(&mut self, offer: ExtensionOffer) -> Result<(), ExtensionFault> {
        let ExtensionOffer { id, settings, declaration, methods } = offer;
        if self.offers(id) {
            return Err(ExtensionFault::Twice(id));
        }
        let mut added = BTreeMap::new();
        for name in methods {
            check_method(id, name)?;
            let taken = self.methods.get(name).map(|known| known.extension());
            let again = added.insert(name, ExtensionMethod::new(name, id)).map(ExtensionMethod::extension);
            if let Some(owner) = taken.or(again) {
                return Err(ExtensionFault::MethodTaken { extension: id, method: name, owner });
            }
        }
        self.methods.extend(added);
        self.offered.insert(id, Offered { settings, declaration });
        Ok(())
    }

    /// Whether the server has the extension.
    #[must_use]
    pub fn offers(&self, id: ExtensionId) -> bool {
        self.offered.contains_key(&id)
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.offered.is_empty()
    }

    /// The extensions, ordered by identifier.
    pub fn ids(&self) -> impl Iterator<Item = ExtensionId> {
        self.offered.keys().copied()
    }

    /// The method that some extension adds under this name, letter for letter.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<ExtensionMethod> {
        self.methods.get(name).copied()
    }

    /// Whether a request with these capabilities may use `method`, as far as extensions are concerned. Asked before
    /// anything that the request names is looked up.
    ///
    /// # Errors
    ///
    /// [`Rejection::MissingCapability`] when the method's extension is not declared,
    /// [`Rejection::ExtensionSettings`] when it is, with settings that are of no use.
    pub fn admit(&self, method: Method, capabilities: &ClientCapabilities) -> Result<(), Rejection> {
        let Some(id) = method.extension() else { return Ok(()) };
        let required = match self.offered.get(&id) {
            Some(offered) => offered.declaration == Declaration::Required,
            // Another rung says that there is no such method.
            None => false,
        };
        match capabilities.extension(id) {
            ExtensionUse::Undeclared if required => {
                Err(Rejection::MissingCapability(ClientCapability::Extension(id)))
            }
            ExtensionUse::Undeclared | ExtensionUse::Declared(_) => Ok(()),
            ExtensionUse::Refused(reason) => Err(Rejection::ExtensionSettings { id, reason: reason.into() }),
        }
    }
}

/// Whether what is marked as needing an extension may be used by a request with these capabilities.
impl ClientCapabilities {
    /// Goes on only if the request declares the extension with settings that are of use.
    ///
    /// # Errors
    ///
    /// [`Rejection::MissingCapability`] when it is not declared, [`Rejection::ExtensionSettings`] when its settings are
    /// of no use.
    pub fn need_extension(&self, id: ExtensionId) -> Result<(), Rejection> {
        match self.extension(id) {
            ExtensionUse::Declared(_) => Ok(()),
            ExtensionUse::Undeclared => Err(Rejection::MissingCapability(ClientCapability::Extension(id))),
            ExtensionUse::Refused(reason) => Err(Rejection::ExtensionSettings { id, reason: reason.into() }),
        }
    }
}

impl Serialize for Extensions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.offered.iter().map(|(id, offered)| (id.as_str(), &offered.settings)))
    }
}

fn check_method(extension: ExtensionId, method: &'static str) -> Result<(), ExtensionFault> {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/');
    if !(1..=128).contains(&method.len()) || !method.bytes().all(allowed) {
        return Err(ExtensionFault::MethodName { extension, method });
    }
    // Names under `notifications/` are never answered, those under `rpc.` are JSON-RPC's.
    let is_core =
        Method::parse(method).is_some() || method.starts_with("notifications/") || method.starts_with("rpc.");
    match is_core {
        true => Err(ExtensionFault::ShadowsCore { extension, method }),
        false => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec;

    const AUDIT: ExtensionId = ExtensionId::new("com.example/audit");
    const OTHER: ExtensionId = ExtensionId::new("com.example/Other");

    fn offer(id: ExtensionId, methods: &[&'static str]) -> ExtensionOffer {
        ExtensionOffer {
            id,
            settings: Map::new(),
            declaration: Declaration::Required,
            methods: methods.to_vec(),
        }
    }

    #[test]
    fn what_cannot_be_told_apart_is_refused_and_nothing_is_added() {
        let mut extensions = Extensions::new();
        extensions.offer(offer(AUDIT, &["audit/list", "audit/get"])).unwrap();
        let before = extensions.clone();
        let taken = |method, owner| ExtensionFault::MethodTaken { extension: OTHER, method, owner };
        for (second, fault) in [
            (offer(AUDIT, &[]), ExtensionFault::Twice(AUDIT)),
            (offer(OTHER, &["other/x", "audit/get"]), taken("audit/get", AUDIT)),
            (offer(OTHER, &["other/x", "other/x"]), taken("other/x", OTHER)),
        ] {
            assert_eq!(extensions.offer(second), Err(fault));
            assert_eq!(extensions, before);
        }
        assert_eq!(extensions.method("audit/list").map(ExtensionMethod::extension), Some(AUDIT));
        assert_eq!(extensions.method("audit/List"), None);
    }

    #[test]
    fn no_method_of_the_protocol_can_be_shadowed() {
        let core = Method::ALL.iter().map(|method| method.as_str());
        for method in core.chain(["notifications/cancelled", "rpc.discover"]) {
            let shadows = ExtensionFault::ShadowsCore { extension: AUDIT, method };
            assert_eq!(Extensions::new().offer(offer(AUDIT, &[method])), Err(shadows));
        }
        for method in ["", "a b", "ü", "a\n"] {
            let unusable = ExtensionFault::MethodName { extension: AUDIT, method };
            assert_eq!(Extensions::new().offer(offer(AUDIT, &[method])), Err(unusable));
        }
        Extensions::new().offer(offer(AUDIT, &["resources/directory/read", "Tools/call"])).unwrap();
    }

    #[test]
    fn discovery_says_the_same_in_whatever_order_extensions_were_added() {
        let settings = [("b".into(), Value::from(1)), ("a".into(), Value::from(true))].into_iter().collect();
        let first = ExtensionOffer { settings, ..offer(AUDIT, &[]) };
        let written = |offers: std::vec::Vec<ExtensionOffer>| {
            let mut extensions = Extensions::new();
            for offer in offers {
                extensions.offer(offer).unwrap();
            }
            serde_json::to_string(&extensions).unwrap()
        };
        let one_way = written(vec![first.clone(), offer(OTHER, &[]), offer(ExtensionId::TASKS, &[])]);
        assert_eq!(one_way, written(vec![offer(ExtensionId::TASKS, &[]), offer(OTHER, &[]), first]));
        assert!(one_way.starts_with(r#"{"com.example/Other":{},"com.example/audit":{"#), "{one_way}");
        assert!(one_way.ends_with(r#","io.modelcontextprotocol/tasks":{}}"#), "{one_way}");
    }
}

//! Which scopes every request of a method needs, whatever it names.

use alloc::collections::BTreeMap;

use super::scope::Scopes;
use crate::request::Method;

/// Which scopes every request of a method needs, whatever it names. What the request names can need more.
///
/// `server/discover` needs a good token and no scope: it says how to use the server, not what is in it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct MethodNeeds {
    base: Scopes,
    more: BTreeMap<&'static str, Scopes>,
}

impl MethodNeeds {
    /// Adds to what every method but `server/discover` needs.
    pub fn require(&mut self, scopes: &Scopes) {
        self.base.extend(scopes);
    }

    /// Adds to what one method needs.
    pub fn require_for(&mut self, method: Method, scopes: &Scopes) {
        self.more.entry(method.as_str()).or_default().extend(scopes);
    }

    /// What every method but `server/discover` needs.
    pub fn base(&self) -> &Scopes {
        &self.base
    }

    /// All that a request of this method needs.
    pub fn of(&self, method: Method) -> Scopes {
        let mut needs = match method {
            Method::Discover => Scopes::default(),
            Method::ListTools
            | Method::CallTool
            | Method::ListResources
            | Method::ListResourceTemplates
            | Method::ReadResource
            | Method::ListPrompts
            | Method::GetPrompt
            | Method::Complete
            | Method::Listen
            | Method::GetTask
            | Method::UpdateTask
            | Method::CancelTask
            | Method::Extension(_) => self.base.clone(),
        };
        if let Some(more) = self.more.get(method.as_str()) {
            needs.extend(more);
        }
        needs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_but_discovery_needs_the_base_scopes() {
        let mut needs = MethodNeeds::default();
        needs.require(&Scopes::parse("read").unwrap());
        needs.require_for(Method::Listen, &Scopes::parse("hear").unwrap());
        for method in Method::ALL {
            let wanted = match method.as_str() {
                "server/discover" => "",
                "subscriptions/listen" => "hear read",
                _ => "read",
            };
            assert_eq!(needs.of(*method), Scopes::parse(wanted).unwrap(), "{method:?}");
        }
    }
}

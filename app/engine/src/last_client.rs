//! What the client that called last says of itself.

use std::sync::{Arc, Mutex};

use pm_mcp_domain::request::ClientInfo;

/// A name and a version together that are longer than this are not kept.
const KEEP: usize = 256;

/// Calls in a row come from the same client more often than not, and say the same of it. They share one copy.
///
/// It is no memory of a client: each request is read as if it were the first.
#[derive(Default, Debug)]
pub(crate) struct LastClient(Mutex<Option<Arc<ClientInfo<'static>>>>);

impl LastClient {
    /// What a request says of its client, without borrowing from it.
    pub(crate) fn owned(&self, client: &ClientInfo<'_>) -> Arc<ClientInfo<'static>> {
        let copy = || Arc::new(client.clone().into_owned());
        if client.embedding.is_some() || client.name.len() + client.version.len() > KEEP {
            return copy();
        }
        // Whoever finds the lock taken is better off with a copy of its own.
        let Ok(mut last) = self.0.try_lock() else { return copy() };
        match &*last {
            Some(known) if **known == *client => Arc::clone(known),
            Some(_) | None => Arc::clone(last.insert(copy())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_say_the_same_share_it_and_others_do_not() {
        let client = |name, version| ClientInfo { name, version, embedding: None };
        let last = LastClient::default();
        let (name, other) = (String::from("shell"), String::from("editor"));
        let first = last.owned(&client(name.as_str().into(), "1".into()));
        assert!(Arc::ptr_eq(&first, &last.owned(&client(name.as_str().into(), "1".into()))));
        for (name, version) in [(&name, "2"), (&other, "1"), (&name, "1")] {
            let said = client(name.as_str().into(), version.into());
            let owned = last.owned(&said);
            assert!(!Arc::ptr_eq(&first, &owned), "{said:?}");
            assert_eq!(*owned, said);
        }
    }

    #[test]
    fn what_is_long_is_not_kept() {
        let long = "x".repeat(KEEP);
        let said = ClientInfo { name: long.as_str().into(), version: "1".into(), embedding: None };
        let last = LastClient::default();
        assert_eq!(*last.owned(&said), said);
        assert!(last.0.lock().is_ok_and(|last| last.is_none()));
    }
}

//! The messages of a subscription, spelled as the revision spells them.
//!
//! Texts are put together by hand, because the id keeps the very characters that the peer sent and the payload of a
//! change is written once for all streams. Strings are escaped by the JSON serialiser.

use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::change::Change;
use super::filter::Filter;
use crate::ident::RequestId;
use crate::wire::ServerIdentity;

const SUBSCRIPTION_ID: &str = "io.modelcontextprotocol/subscriptionId";
const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

/// A notification of `change` without the id of the subscription, and where in it the id belongs.
pub(super) fn change(change: &Change) -> (String, usize) {
    let (method, rest) = match change {
        Change::ToolsListChanged => ("notifications/tools/list_changed", String::new()),
        Change::PromptsListChanged => ("notifications/prompts/list_changed", String::new()),
        Change::ResourcesListChanged => ("notifications/resources/list_changed", String::new()),
        Change::ResourceUpdated { uri } => {
            ("notifications/resources/updated", format!(r#","uri":{}"#, json(&**uri)))
        }
        Change::TaskChanged { state, .. } => {
            let members = state.members();
            ("notifications/tasks", format!("{}{members}", if members.is_empty() { "" } else { "," }))
        }
    };
    let mut text = opening(method);
    let gap = text.len();
    text.reserve_exact(rest.len() + 3);
    text.push('}');
    text.push_str(&rest);
    text.push_str("}}");
    (text, gap)
}

/// The notification that a subscription is established, with what the server grants.
pub(super) fn acknowledgement(id: RequestId<'_>, accepted: &Filter) -> String {
    let opening = opening("notifications/subscriptions/acknowledged");
    format!(r#"{opening}{}}},"notifications":{}}}}}"#, id.as_json(), json(&Accepted(accepted)))
}

/// The response to the request that opened a subscription, sent when the server ends it.
pub(super) fn final_result(id: RequestId<'_>, identity: &ServerIdentity) -> String {
    let (id, server) = (id.as_json(), json(identity.implementation()));
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"resultType":"complete","_meta":{{"{SERVER_INFO}":{server},"{SUBSCRIPTION_ID}":{id}}}}}}}"#
    )
}

/// A notification up to the place of the id in its `_meta`.
fn opening(method: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","method":"{method}","params":{{"_meta":{{"{SUBSCRIPTION_ID}":"#)
}

/// Strings, booleans and maps of such can always be written.
fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).unwrap_or_else(|_| String::from("null"))
}

/// The filter as the acknowledgement repeats it: what is not granted is left out.
struct Accepted<'a>(&'a Filter);

impl Serialize for Accepted<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Filter { tools, prompts, resources, uris, tasks } = self.0;
        let mut map = serializer.serialize_map(None)?;
        for (name, granted) in [
            ("toolsListChanged", *tools),
            ("promptsListChanged", *prompts),
            ("resourcesListChanged", *resources),
        ] {
            if granted {
                map.serialize_entry(name, &true)?;
            }
        }
        for (name, entries) in [("resourceSubscriptions", uris), ("taskIds", tasks)] {
            if !entries.is_empty() {
                map.serialize_entry(name, &Texts(entries))?;
            }
        }
        map.end()
    }
}

struct Texts<'a>(&'a [Arc<str>]);

impl Serialize for Texts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|text| &**text))
    }
}

#[cfg(test)]
mod tests;

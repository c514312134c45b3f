//! `resources/read`.

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;

use pm_mcp_domain::cache::{CachePolicy, CacheScope};
use pm_mcp_domain::cursor::ParamsDigest;
use pm_mcp_domain::fault::Refusal;
use pm_mcp_domain::request::Retry;
use pm_mcp_ports::driving::{Outbox, Served};
use pm_mcp_ports::feature::{Context, HandlerFault, Offer, ResultMut};
use serde_json::json;

use crate::exchange::Request;
use crate::failure::Failure;
use crate::unwind::Guarded;

impl Request<'_> {
    /// A resource that was added wins over a template that stands for the same URI; among templates the first wins.
    pub(crate) async fn read_resource(
        &self,
        uri: &str,
        retry: &Retry<'_>,
        outbox: &mut dyn Outbox,
    ) -> Result<Served, Failure> {
        let catalogue = &self.surface.catalogue;
        let unknown = || Refusal::UnknownResource { uri: uri.to_owned() };
        if !self.shows(Offer::Resource(uri)) {
            return Err(unknown().into());
        }
        let (reader, needs, values) = match catalogue.resource_entries.get(uri) {
            Some(entry) => (&entry.reader, entry.needs, BTreeMap::new()),
            None => catalogue
                .template_entries
                .iter()
                .find_map(|entry| entry.pattern.matches(uri).map(|values| (entry, values)))
                .filter(|(entry, _)| self.shows(Offer::Template(entry.pattern.as_str())))
                .map(|(entry, values)| (&entry.reader, entry.needs, values))
                .ok_or_else(unknown)?,
        };
        if let Some(extension) = needs {
            self.caller.capabilities.need_extension(extension)?;
        }
        let digest = || ParamsDigest::of_request(&json!({"uri": uri}));
        let exchange = self.exchange(retry, digest).await?;
        let context = Context::new(Arc::clone(&exchange) as Arc<_>);
        let work = Guarded::begin("the handler", || reader.read(context, uri, values))?;
        let driven = self.drive(&exchange, pin!(work), outbox).await;
        // What came of answers is for this caller and this moment alone.
        let is_retry = exchange.is_retry();
        let is_for_all = self.class.is_none() && self.needs.is_empty();
        self.settle(&exchange, driven, digest, |result| {
            self.alter(ResultMut::Resource(result))?;
            if result.contents.is_empty() {
                return Err(HandlerFault::NotFound);
            }
            if is_retry {
                result.cache = CachePolicy::default();
            }
            if !is_for_all {
                result.cache.scope = CacheScope::Private;
            }
            Ok(())
        })
    }
}

//! `resources/read`.

use std::collections::BTreeMap;

use pm_mcp_domain::fault::Refusal;
use pm_mcp_domain::ident::RequestId;
use pm_mcp_domain::wire::ResultResponse;
use pm_mcp_ports::driving::Answer;
use pm_mcp_ports::feature::{Context, HandlerFault};

use crate::answer::answer;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::unwind::guard;

impl Engine {
    /// A resource that was added wins over a template that stands for the same URI; among templates the first wins.
    pub(crate) async fn read_resource(
        &self,
        id: RequestId<'_>,
        uri: &str,
        context: impl FnOnce() -> Context,
    ) -> Result<Answer, Failure> {
        let (reader, values) = match self.catalogue.resource_entries.get(uri) {
            Some(entry) => (&entry.reader, BTreeMap::new()),
            None => self
                .catalogue
                .template_entries
                .iter()
                .find_map(|entry| entry.pattern.matches(uri).map(|values| (&entry.reader, values)))
                .ok_or_else(|| Refusal::UnknownResource { uri: uri.to_owned() })?,
        };
        let result = guard(reader.read(context(), uri, values)).await?;
        if result.contents.is_empty() {
            return Err(HandlerFault::NotFound.into());
        }
        answer(&ResultResponse::complete(id, &self.identity, &result))
    }
}

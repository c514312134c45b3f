//! A user who consents to everything.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{HttpUrl, Secret};
use pm_mcp_ports::driven::{
    ConsentError, ConsentRequest, FetchRequest, HttpFetch, SuppliedClient, UserConsent,
};
use serde_json::Value;

/// Asks for the page and takes where it sends a browser as the place where the user came back to.
#[derive(Debug)]
pub(crate) struct Consenting {
    fetch: Arc<dyn HttpFetch>,
    knows: Option<SuppliedClient>,
}

impl Consenting {
    pub(crate) fn over(fetch: Arc<dyn HttpFetch>, context: &Value) -> Self {
        let text = |member: &str| context.get(member).and_then(Value::as_str);
        let knows = text("client_id").map(|client_id| SuppliedClient {
            client_id: client_id.to_owned(),
            secret: text("client_secret").map(Secret::new),
        });
        Self { fetch, knows }
    }
}

#[async_trait]
impl UserConsent for Consenting {
    async fn consent(&self, request: &ConsentRequest) -> Result<String, ConsentError> {
        let page =
            HttpUrl::parse(&request.url).map_err(|fault| ConsentError::Unavailable(Box::new(fault)))?;
        let response = self.fetch.fetch(FetchRequest::json(page, 1 << 20)).await;
        let response = response.map_err(|fault| ConsentError::Unavailable(Box::new(fault)))?;
        response.header("location").next().map(str::to_owned).ok_or(ConsentError::Declined)
    }

    async fn client_at(&self, _issuer: &Issuer) -> Result<Option<SuppliedClient>, ConsentError> {
        Ok(self.knows.clone())
    }
}

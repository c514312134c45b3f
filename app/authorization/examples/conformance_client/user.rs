//! A user who consents to everything.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_ports::driven::{
    ConsentError, ConsentRequest, FetchRequest, HttpFetch, SuppliedClient, UserConsent,
};

/// Asks for the page and takes where it sends a browser as the place where the user came back to.
#[derive(Debug)]
pub(crate) struct Consenting {
    fetch: Arc<dyn HttpFetch>,
}

impl Consenting {
    pub(crate) fn over(fetch: Arc<dyn HttpFetch>) -> Self {
        Self { fetch }
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
        Ok(None)
    }
}

//! Whoever vouches for the client: its platform, or the identity provider of an enterprise.

use std::error::Error;
use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_domain::access::{Issuer, Resource};
use pm_mcp_domain::authorization::{HttpUrl, Secret};
use pm_mcp_ports::driven::{AssertionSource, FetchRequest, HttpFetch};
use serde_json::Value;

/// Gives the assertion of the context, or asks the identity provider of the context for one.
#[derive(Debug)]
pub(crate) struct Vouching {
    fetch: Arc<dyn HttpFetch>,
    context: Value,
}

impl Vouching {
    pub(crate) fn over(fetch: Arc<dyn HttpFetch>, context: &Value) -> Self {
        Self { fetch, context: context.clone() }
    }

    fn text(&self, member: &str) -> Result<&str, String> {
        self.context.get(member).and_then(Value::as_str).ok_or_else(|| format!("the context has no {member}"))
    }
}

#[async_trait]
impl AssertionSource for Vouching {
    async fn assertion(
        &self,
        issuer: &Issuer,
        resource: &Resource,
    ) -> Result<Secret, Box<dyn Error + Send + Sync>> {
        if let Ok(given) = self.text("valid_jwt") {
            return Ok(Secret::new(given));
        }
        // The letters of tokens and the addresses of the suite need no more encoding than this.
        let encoded = |text: &str| text.replace('%', "%25").replace(':', "%3A").replace('/', "%2F");
        let form = [
            ("grant_type", encoded("urn:ietf:params:oauth:grant-type:token-exchange")),
            ("requested_token_type", encoded("urn:ietf:params:oauth:token-type:id-jag")),
            ("subject_token_type", encoded("urn:ietf:params:oauth:token-type:id_token")),
            ("subject_token", encoded(self.text("idp_id_token")?)),
            ("audience", encoded(issuer.as_str())),
            ("resource", encoded(resource.as_str())),
            ("client_id", encoded(self.text("idp_client_id")?)),
        ];
        let form = form.map(|(name, value)| format!("{name}={value}")).join("&");
        let endpoint = HttpUrl::parse(self.text("idp_token_endpoint")?)?;
        let response = self.fetch.fetch(FetchRequest::form(endpoint, form, 1 << 20)).await?;
        let answer: Value = serde_json::from_slice(&response.body)?;
        let assertion = answer.get("access_token").and_then(Value::as_str);
        Ok(Secret::new(assertion.ok_or("the identity provider gives no assertion")?))
    }
}

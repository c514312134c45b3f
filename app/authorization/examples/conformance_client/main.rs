//! A client for the official conformance suite of the protocol: what it does depends on the scenario that the suite names
//! in the environment. The last argument is the address of the suite's server.
//!
//! Its user is a program too: it consents to everything and follows no redirect but the one back to the client.

#![expect(clippy::indexing_slicing, reason = "members of JSON objects that are made here")]

mod mcp;
mod scenario;
mod user;
mod voucher;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;

use pm_mcp_authorization::{Authorizer, Ports};
use pm_mcp_clock_system::SystemClock;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{
    ClientDocumentUrl, ClientProfile, FlowSettings, GrantKind, HttpUrl, KnownClient, RedirectUri, Secret,
};
use pm_mcp_https::{HttpsClient, HttpsSettings, Reach};
use pm_mcp_memory::MemoryCredentialStore;
use pm_mcp_seal_ring::SystemEntropy;
use serde_json::Value;

use crate::mcp::Client;
use crate::user::Consenting;
use crate::voucher::Vouching;

#[tokio::main]
#[expect(clippy::print_stderr, reason = "the suite keeps what is said")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprint!("{fault}");
            let mut source = fault.source();
            while let Some(cause) = source {
                eprint!(": {cause}");
                source = cause.source();
            }
            eprintln!();
            ExitCode::FAILURE
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the suite says by arguments and environment what to do")]
async fn run() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().next_back().ok_or("the last argument is the address of the server")?;
    let scenario = std::env::var("MCP_CONFORMANCE_SCENARIO")?;
    let context = std::env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_else(|_| "{}".to_owned());
    let context: Value = serde_json::from_str(&context)?;
    let endpoint = HttpUrl::parse(&url)?;
    let grant = match scenario.as_str() {
        "auth/client-credentials-basic" => GrantKind::ClientCredentials,
        "auth/enterprise-managed-authorization" | "auth/wif-jwt-bearer" => GrantKind::Assertion,
        _ => GrantKind::Consent,
    };
    let settings = HttpsSettings { reach: Reach::PublicAndLoopback, ..HttpsSettings::default() };
    let https = Arc::new(HttpsClient::new(settings)?);
    let ports = Ports {
        fetch: https.clone(),
        store: Arc::new(MemoryCredentialStore::default()),
        assertions: Some(Arc::new(Vouching::over(https.clone(), &context))),
        consent: Arc::new(Consenting::over(https.clone(), &context)),
        entropy: Arc::new(SystemEntropy::default()),
        clock: Arc::new(SystemClock),
    };
    let authorizer = Authorizer::new(endpoint.clone(), settings_of(&context, grant)?, ports)?;
    scenario::play(&scenario, &context, &Client::new(endpoint, https, authorizer)).await
}

fn settings_of(context: &Value, grant: GrantKind) -> Result<FlowSettings, Box<dyn Error>> {
    let text = |member: &str| context.get(member).and_then(Value::as_str);
    let mut known = Vec::new();
    if let (Some(issuer), Some(client_id)) = (text("issuer"), text("client_id")) {
        known.push(KnownClient {
            issuer: Issuer::parse(issuer)?,
            client_id: client_id.to_owned(),
            secret: text("client_secret").map(Secret::new),
        });
    }
    let profile = ClientProfile {
        client_name: "pm-mcp conformance client".to_owned(),
        redirect_uri: RedirectUri::parse("http://localhost:3000/callback")?,
        known,
        document: Some(ClientDocumentUrl::parse("https://conformance-test.local/client-metadata.json")?),
        registers_itself: true,
    };
    Ok(FlowSettings { profile, grant, wants_refresh_tokens: true })
}

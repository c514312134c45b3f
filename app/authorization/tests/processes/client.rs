//! One process: a client whose tokens are refused again and again.

use std::sync::Arc;

use async_trait::async_trait;
use pm_mcp_authorization::{Authorizer, Ports, Refusal};
use pm_mcp_clock_system::SystemClock;
use pm_mcp_credentials_file::FileCredentialStore;
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{
    ClientDocumentUrl, ClientProfile, FlowSettings, GrantKind, HttpUrl, RedirectUri,
};
use pm_mcp_https::{HttpsClient, HttpsSettings, Reach};
use pm_mcp_ports::driven::{
    ConsentError, ConsentRequest, FetchRequest, HttpFetch, SuppliedClient, UserConsent,
};
use pm_mcp_seal_ring::SystemEntropy;

const KEY: [u8; 32] = [7; 32];

pub(crate) fn run(task: &str) {
    let [port, refusals, folder] = task.splitn(3, ' ').collect::<Vec<_>>().try_into().unwrap();
    let refusals: u32 = refusals.parse().unwrap();
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let authorizer = authorizer(port, folder);
        for _ in 0..refusals {
            let token = authorizer.token().await;
            let refusal = Refusal {
                status: 401,
                challenges: &["Bearer"],
                token: token.as_ref(),
                operation: "tools/list",
            };
            authorizer.refused(refusal).await.unwrap();
            assert!(authorizer.token().await.is_some());
            authorizer.succeeded("tools/list");
        }
    });
}

fn authorizer(port: &str, folder: &str) -> Authorizer {
    let settings = HttpsSettings { reach: Reach::PublicAndLoopback, ..HttpsSettings::default() };
    let https = Arc::new(HttpsClient::new(settings).unwrap());
    let ports = Ports {
        fetch: https.clone(),
        store: Arc::new(FileCredentialStore::open(folder, &KEY).unwrap()),
        assertions: None,
        consent: Arc::new(Consenting(https)),
        entropy: Arc::new(SystemEntropy::new()),
        clock: Arc::new(SystemClock),
    };
    let profile = ClientProfile {
        client_name: "A process".to_owned(),
        redirect_uri: RedirectUri::parse("http://127.0.0.1:9/cb").unwrap(),
        known: Vec::new(),
        document: Some(ClientDocumentUrl::parse("https://app.example/client.json").unwrap()),
        registers_itself: false,
    };
    let endpoint = HttpUrl::parse(&format!("http://127.0.0.1:{port}/mcp")).unwrap();
    Authorizer::new(
        endpoint,
        FlowSettings { profile, grant: GrantKind::Consent, wants_refresh_tokens: true },
        ports,
    )
    .unwrap()
}

/// A user who consents to everything.
#[derive(Debug)]
struct Consenting(Arc<HttpsClient>);

#[async_trait]
impl UserConsent for Consenting {
    async fn consent(&self, request: &ConsentRequest) -> Result<String, ConsentError> {
        let page = HttpUrl::parse(&request.url).unwrap();
        let response = self.0.fetch(FetchRequest::json(page, 1000)).await.unwrap();
        Ok(response.header("location").next().unwrap().to_owned())
    }

    async fn client_at(&self, _issuer: &Issuer) -> Result<Option<SuppliedClient>, ConsentError> {
        Ok(None)
    }
}

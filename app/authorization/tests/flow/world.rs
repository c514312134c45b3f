//! A protected server, its authorization server and a user, all of a script.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use pm_mcp_authorization::{AuthorizeError, Authorizer, Ports, Refusal};
use pm_mcp_contract::{ScriptedEntropy, VirtualClock};
use pm_mcp_domain::access::Issuer;
use pm_mcp_domain::authorization::{
    ClientDocumentUrl, ClientProfile, CodeVerifier, FlowSettings, GrantKind, HttpUrl, RedirectUri, Secret,
};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_memory::MemoryCredentialStore;
use pm_mcp_ports::driven::{
    ConsentError, ConsentRequest, FetchError, FetchMethod, FetchRequest, FetchResponse, HttpFetch,
    SuppliedClient, UserConsent,
};
use serde_json::{Value, json};

pub(crate) const ENDPOINT: &str = "https://mcp.example/mcp";
pub(crate) const ISSUER: &str = "https://as.example";
pub(crate) const PLACE: &str = "https://mcp.example/.well-known/oauth-protected-resource/mcp";
pub(crate) const METADATA: &str = "https://as.example/.well-known/oauth-authorization-server";
pub(crate) const TOKEN: &str = "https://as.example/token";
pub(crate) const REGISTER: &str = "https://as.example/register";
/// The challenge of a server that names no scope.
pub(crate) const BARE: &str =
    r#"Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource/mcp""#;

/// Everything outside the client.
#[derive(Clone, Debug, Default)]
pub(crate) struct World(Arc<Mutex<Script>>);

#[derive(Debug, Default)]
pub(crate) struct Script {
    /// What lies where; answered with 200.
    pub(crate) documents: BTreeMap<String, Value>,
    /// Answers that go before everything else, once each.
    pub(crate) answers: Vec<(String, u16, Value)>,
    /// Addresses that give no answer.
    pub(crate) down: Vec<String>,
    /// Every request, with its form or document.
    pub(crate) requests: Vec<(String, String)>,
    /// The values of `Authorization` that came along.
    pub(crate) authorizations: Vec<String>,
    /// Every visit of the user.
    pub(crate) visits: Vec<BTreeMap<String, String>>,
    /// What the user comes back with; the issuer and a code unless set.
    pub(crate) comes_back_with: Option<String>,
    /// Whether the user says no.
    pub(crate) declines: bool,
    /// Whether the user reads the page and does nothing yet.
    pub(crate) hesitates: bool,
    /// The id that the user tells.
    pub(crate) tells: Option<SuppliedClient>,
    /// Challenges of open codes.
    codes: BTreeMap<String, String>,
    /// The refresh token that is good.
    refresh_token: String,
    /// Counts what is given out.
    last: u32,
    /// Seconds that access tokens last.
    pub(crate) lasts: Option<u32>,
}

impl World {
    pub(crate) fn new() -> Self {
        let world = Self::default();
        let documents = [
            (PLACE, json!({"resource": ENDPOINT, "authorization_servers": [ISSUER]})),
            (METADATA, metadata(ISSUER)),
        ];
        world.script().documents = documents.map(|(url, document)| (url.to_owned(), document)).into();
        world
    }

    pub(crate) fn script(&self) -> MutexGuard<'_, Script> {
        self.0.lock().unwrap()
    }

    pub(crate) fn answer(&self, url: &str, status: u16, body: Value) {
        self.script().answers.push((url.to_owned(), status, body));
    }

    pub(crate) fn set(&self, url: &str, member: &str, value: Value) {
        self.script().documents.get_mut(url).unwrap()[member] = value;
    }

    /// The addresses that were asked, in their order.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.script().requests.iter().map(|(url, _)| url.clone()).collect()
    }

    /// The forms that were handed in at an address.
    pub(crate) fn forms(&self, url: &str) -> Vec<String> {
        let script = self.script();
        script.requests.iter().filter(|(asked, _)| asked == url).map(|(_, form)| form.clone()).collect()
    }

    pub(crate) fn visits(&self) -> usize {
        self.script().visits.len()
    }
}

/// Good metadata of an issuer that takes metadata documents and registrations.
pub(crate) fn metadata(issuer: &str) -> Value {
    json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/register"),
        "client_id_metadata_document_supported": true,
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic"],
    })
}

pub(crate) fn decoded(form: &str) -> BTreeMap<String, String> {
    let text = |text: &str| {
        let mut bytes = Vec::new();
        let mut rest = text.bytes();
        while let Some(byte) = rest.next() {
            bytes.push(match byte {
                b'%' => {
                    let digits = [rest.next().unwrap(), rest.next().unwrap()];
                    u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
                }
                b'+' => b' ',
                other => other,
            });
        }
        String::from_utf8(bytes).unwrap()
    };
    let pairs = form.split('&').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (text(name), text(value))).collect()
}

#[async_trait]
impl HttpFetch for World {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        // Others have their turn meanwhile.
        tokio::task::yield_now().await;
        let url = request.url.as_str().to_owned();
        let form = match &request.method {
            FetchMethod::Get => String::new(),
            FetchMethod::Post { body, .. } => String::from_utf8(body.clone()).unwrap(),
        };
        let mut script = self.script();
        script.requests.push((url.clone(), form.clone()));
        let authorization = request.headers.iter().find(|(name, _)| name == "Authorization");
        script.authorizations.extend(authorization.map(|(_, value)| value.clone()));
        if script.down.contains(&url) {
            return Err(FetchError::Unavailable("down".into()));
        }
        let (status, body) = if let Some(at) = script.answers.iter().position(|(at, ..)| *at == url) {
            let (_, status, body) = script.answers.remove(at);
            (status, body)
        } else if let Some(document) = script.documents.get(&url) {
            (200, document.clone())
        } else if url.ends_with("/register") {
            script.last += 1;
            (
                201,
                json!({"client_id": format!("registered-{}", script.last), "token_endpoint_auth_method": "none"}),
            )
        } else if url.ends_with("/token") {
            script.give_tokens(&decoded(&form))
        } else {
            (404, json!("not here"))
        };
        Ok(FetchResponse { status, headers: Vec::new(), body: body.to_string().into_bytes() })
    }
}

impl Script {
    fn give_tokens(&mut self, form: &BTreeMap<String, String>) -> (u16, Value) {
        let good = match form["grant_type"].as_str() {
            "authorization_code" => {
                let challenge = self.codes.remove(&form["code"]);
                challenge.is_some_and(|challenge| challenge == challenge_of(&form["code_verifier"]))
            }
            "refresh_token" => form["refresh_token"] == self.refresh_token,
            _ => false,
        };
        if !good || form["resource"] != ENDPOINT {
            return (400, json!({"error": "invalid_grant"}));
        }
        self.last += 1;
        self.refresh_token = format!("refresh-{}", self.last);
        let mut tokens = json!({"access_token": format!("access-{}", self.last), "token_type": "Bearer"});
        tokens["refresh_token"] = json!(self.refresh_token);
        if let Some(seconds) = self.lasts {
            tokens["expires_in"] = json!(seconds);
        }
        (200, tokens)
    }
}

/// By the very method of the client: that it is right is shown by the vectors of its standard.
fn challenge_of(verifier: &str) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut bits = 0_u32;
    let mut count = 0;
    let mut bytes = Vec::new();
    for character in verifier.bytes() {
        let sextet = alphabet.iter().position(|known| *known == character).unwrap();
        bits = bits << 6 | u32::try_from(sextet).unwrap();
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).unwrap());
        }
    }
    CodeVerifier::from_random(&bytes.try_into().unwrap()).challenge()
}

#[async_trait]
impl UserConsent for World {
    async fn consent(&self, request: &ConsentRequest) -> Result<String, ConsentError> {
        let (_, query) = request.url.split_once('?').unwrap();
        let visit = decoded(query);
        self.script().visits.push(visit.clone());
        tokio::task::yield_now().await;
        while self.script().hesitates {
            tokio::task::yield_now().await;
        }
        let mut script = self.script();
        if script.declines {
            return Err(ConsentError::Declined);
        }
        script.last += 1;
        let code = format!("code-{}", script.last);
        script.codes.insert(code.clone(), visit["code_challenge"].clone());
        let rest = match &script.comes_back_with {
            Some(rest) => rest.clone(),
            None => format!("code={code}"),
        };
        Ok(format!("{}?{rest}&state={}", visit["redirect_uri"], visit["state"]))
    }

    async fn client_at(&self, _issuer: &Issuer) -> Result<Option<SuppliedClient>, ConsentError> {
        Ok(self.script().tells.clone())
    }
}

/// A client in a world.
pub(crate) struct Client {
    pub(crate) world: World,
    pub(crate) clock: Arc<VirtualClock>,
    pub(crate) store: Arc<MemoryCredentialStore>,
    pub(crate) settings: FlowSettings,
    pub(crate) authorizer: Authorizer,
}

pub(crate) fn settings() -> FlowSettings {
    let profile = ClientProfile {
        client_name: "A test".to_owned(),
        redirect_uri: RedirectUri::parse("http://127.0.0.1:9/cb").unwrap(),
        known: Vec::new(),
        document: Some(ClientDocumentUrl::parse("https://app.example/client.json").unwrap()),
        registers_itself: true,
    };
    FlowSettings { profile, grant: GrantKind::Consent, wants_refresh_tokens: false }
}

impl Client {
    pub(crate) fn new(world: &World) -> Self {
        Self::with(world, settings(), Arc::default())
    }

    pub(crate) fn with(world: &World, settings: FlowSettings, store: Arc<MemoryCredentialStore>) -> Self {
        let clock = Arc::new(VirtualClock::at(Timestamp::from_unix_ms(0)));
        let ports = Ports {
            fetch: Arc::new(world.clone()),
            store: store.clone(),
            assertions: None,
            consent: Arc::new(world.clone()),
            entropy: Arc::new(ScriptedEntropy::seeded(7)),
            clock: clock.clone(),
        };
        let endpoint = HttpUrl::parse(ENDPOINT).unwrap();
        let authorizer = Authorizer::new(endpoint, settings.clone(), ports).unwrap();
        Self { world: world.clone(), clock, store, settings, authorizer }
    }

    /// The text of the token for the next request.
    pub(crate) async fn token(&self) -> Option<String> {
        self.authorizer.token().await.map(|token| token.expose().to_owned())
    }

    /// What comes of a refusal of the token that the client has.
    pub(crate) async fn refused(&self, status: u16, challenge: &str) -> Result<(), AuthorizeError> {
        let token = self.authorizer.token().await;
        self.refused_for(token, status, challenge, "tools/list").await
    }

    pub(crate) async fn refused_for(
        &self,
        token: Option<Secret>,
        status: u16,
        challenge: &str,
        operation: &str,
    ) -> Result<(), AuthorizeError> {
        let refusal = Refusal { status, challenges: &[challenge], token: token.as_ref(), operation };
        self.authorizer.refused(refusal).await
    }

    /// The whole text of the fault that a refusal ends with.
    pub(crate) async fn fails(&self, status: u16, challenge: &str) -> String {
        let fault = self.refused(status, challenge).await.unwrap_err();
        let mut text = fault.to_string();
        let mut source = fault.source();
        while let Some(cause) = source {
            text.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        text
    }
}

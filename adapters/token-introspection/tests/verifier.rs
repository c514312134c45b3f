//! The verifier against an authorization server that answers from a script.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::error::Error as _;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use pm_mcp_domain::access::{AccessPolicy, Issuer, PresentedToken, Resource, Scopes, authorize};
use pm_mcp_domain::authorization::HttpUrl;
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{
    FetchError, FetchMethod, FetchRequest, FetchResponse, HttpFetch, TokenVerifier, VerifyError,
};
use pm_mcp_token_introspection::{ClientAuthentication, ClientSecret, Endpoint, IntrospectionVerifier};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

const ISSUER: &str = "https://login.example";
const RESOURCE: &str = "https://tools.example/mcp";
const NOW: i64 = 1_800_000_000;

fn at(second: i64) -> Timestamp {
    Timestamp::from_unix_ms((NOW + second) * 1000)
}

/// Clones are one server.
#[derive(Clone, Debug)]
struct Server {
    state: Arc<Mutex<State>>,
    gate: Arc<Semaphore>,
}

#[derive(Debug)]
struct State {
    answer: Option<(u16, String)>,
    asked: Vec<String>,
    held: bool,
}

impl Server {
    fn answering(status: u16, body: &str) -> Self {
        let state = State { answer: Some((status, body.to_owned())), asked: Vec::new(), held: false };
        Self { state: Arc::new(Mutex::new(state)), gate: Arc::new(Semaphore::new(0)) }
    }

    fn saying(answer: &Value) -> Self {
        Self::answering(200, &answer.to_string())
    }

    fn says(&self, answer: &Value) {
        self.state.lock().unwrap().answer = Some((200, answer.to_string()));
    }

    fn is_down(&self) {
        self.state.lock().unwrap().answer = None;
    }

    fn is_held(&self) {
        self.state.lock().unwrap().held = true;
    }

    fn lets_go(&self) {
        self.state.lock().unwrap().held = false;
        self.gate.add_permits(1000);
    }

    fn asked(&self) -> usize {
        self.state.lock().unwrap().asked.len()
    }

    fn verifier(&self) -> IntrospectionVerifier {
        let client = ClientAuthentication::Basic { id: "tools".into(), secret: ClientSecret::new("s3cret") };
        let endpoint = Endpoint::new(HttpUrl::parse("https://login.example/introspect").unwrap(), client);
        IntrospectionVerifier::new(&Issuer::parse(ISSUER).unwrap(), endpoint, Arc::new(self.clone()))
    }
}

#[async_trait]
impl HttpFetch for Server {
    async fn fetch(&self, request: FetchRequest) -> Result<FetchResponse, FetchError> {
        let held = {
            let mut state = self.state.lock().unwrap();
            let FetchMethod::Post { body, .. } = &request.method else { panic!("a token is never in a URL") };
            assert_eq!(request.url.query(), None);
            state.asked.push(String::from_utf8(body.clone()).unwrap());
            state.held
        };
        if held {
            self.gate.acquire().await.unwrap().forget();
        }
        match self.state.lock().unwrap().answer.clone() {
            Some((status, body)) => {
                Ok(FetchResponse { status, headers: Vec::new(), body: body.into_bytes() })
            }
            None => Err(FetchError::Unavailable("connection refused".into())),
        }
    }
}

fn active() -> Value {
    json!({
        "active": true, "iss": ISSUER, "sub": "ada", "aud": RESOURCE, "scope": "pm:read", "client_id": "shell",
        "token_type": "Bearer", "exp": NOW + 600, "username": "Ada", "jti": "1",
    })
}

fn with(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn without(mut object: Value, name: &str) -> Value {
    object.as_object_mut().unwrap().remove(name);
    object
}

fn token(text: &str) -> PresentedToken {
    PresentedToken::parse(text).unwrap()
}

/// What the answer to a token is, as a caller of the server notices it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Good,
    Refused,
    Unavailable,
}

async fn answer(verifier: &IntrospectionVerifier, text: &str, second: i64) -> Answer {
    let policy = AccessPolicy::new(Resource::parse(RESOURCE).unwrap(), Issuer::parse(ISSUER).unwrap());
    match verifier.verify(&token(text), at(second)).await {
        Ok(grant) => match authorize(grant, &Scopes::parse("pm:read").unwrap(), &policy, at(second)) {
            Ok(_) => Answer::Good,
            Err(_) => Answer::Refused,
        },
        Err(VerifyError::Invalid(_) | VerifyError::Expired) => Answer::Refused,
        Err(VerifyError::Unavailable(_)) => Answer::Unavailable,
    }
}

#[tokio::test]
async fn an_active_token_gives_what_the_server_says_letter_for_letter() {
    let server = Server::saying(&with(active(), "aud", json!(["https://other", RESOURCE])));
    // Five parts with dots between: no business of a verifier that does not read tokens.
    let grant = server.verifier().verify(&token("a.b.c.d.e"), at(0)).await.unwrap();
    assert_eq!((grant.issuer.as_str(), grant.subject.as_str()), (ISSUER, "ada"));
    assert_eq!(grant.audiences, ["https://other", RESOURCE]);
    assert_eq!((grant.scopes.to_string().as_str(), grant.client.as_deref()), ("pm:read", Some("shell")));
    assert_eq!(grant.expires, Some(at(600)));
    assert_eq!(server.state.lock().unwrap().asked, ["token=a.b.c.d.e&token_type_hint=access_token"]);
}

#[tokio::test]
async fn what_a_server_says_decides() {
    for (said, expected) in [
        (active(), Answer::Good),
        (without(active(), "iss"), Answer::Good),
        (without(active(), "token_type"), Answer::Good),
        (without(active(), "exp"), Answer::Good),
        (with(active(), "active", json!(false)), Answer::Refused),
        (json!({"active": false}), Answer::Refused),
        (with(active(), "iss", json!("https://login.example/")), Answer::Refused),
        (with(active(), "aud", json!("https://other.example")), Answer::Refused),
        (without(active(), "aud"), Answer::Refused),
        (without(active(), "sub"), Answer::Refused),
        (with(active(), "scope", json!("pm:other")), Answer::Refused),
        (with(active(), "exp", json!(NOW - 40)), Answer::Refused),
        (with(active(), "nbf", json!(NOW + 40)), Answer::Refused),
        (with(active(), "token_type", json!("DPoP")), Answer::Refused),
        (with(active(), "cnf", json!({"jkt": "x"})), Answer::Refused),
        (json!({}), Answer::Unavailable),
        (json!([]), Answer::Unavailable),
        (json!({"active": "true"}), Answer::Unavailable),
        (json!({"active": 1}), Answer::Unavailable),
        (with(active(), "aud", json!(1)), Answer::Unavailable),
        (with(active(), "exp", json!("later")), Answer::Unavailable),
        (with(active(), "exp", json!(1e300)), Answer::Unavailable),
        (with(active(), "scope", json!("a \"b\"")), Answer::Unavailable),
    ] {
        assert_eq!(answer(&Server::saying(&said).verifier(), "t", 0).await, expected, "{said}");
    }
}

#[tokio::test]
async fn what_is_no_answer_is_an_outage() {
    for (status, body) in
        [(401, "{}"), (403, ""), (302, ""), (404, "<html>"), (500, ""), (200, ""), (200, "<html>"), (204, "")]
    {
        let server = Server::answering(status, body);
        assert_eq!(answer(&server.verifier(), "t", 0).await, Answer::Unavailable, "{status} {body}");
    }
    let twice = active().to_string().replace('{', r#"{"active":false,"#);
    assert_eq!(answer(&Server::answering(200, &twice).verifier(), "t", 0).await, Answer::Unavailable);
}

#[tokio::test]
async fn a_token_that_was_taken_back_is_believed_for_as_long_as_an_answer_is_kept() {
    let server = Server::saying(&active());
    let verifier = server.verifier();
    assert_eq!(answer(&verifier, "t", 0).await, Answer::Good);
    server.says(&json!({"active": false}));
    assert_eq!(answer(&verifier, "t", 29).await, Answer::Good);
    assert_eq!(answer(&verifier, "t", 30).await, Answer::Refused);
    assert_eq!(answer(&verifier, "t", 31).await, Answer::Refused);
    assert_eq!(server.asked(), 2);
}

#[tokio::test]
async fn an_answer_is_not_kept_beyond_the_end_of_its_token() {
    let server = Server::saying(&with(active(), "exp", json!(NOW + 10)));
    let verifier = server.verifier();
    assert_eq!(answer(&verifier, "t", 0).await, Answer::Good);
    server.says(&json!({"active": false}));
    assert_eq!(answer(&verifier, "t", 10).await, Answer::Refused);
}

#[tokio::test]
async fn tokens_do_not_share_answers() {
    let server = Server::saying(&active());
    let verifier = server.verifier();
    assert_eq!(answer(&verifier, "t", 0).await, Answer::Good);
    server.says(&json!({"active": false}));
    for other in ["T", "t=", "tt", "t."] {
        assert_eq!(answer(&verifier, other, 0).await, Answer::Refused, "{other}");
    }
}

#[tokio::test]
async fn a_server_that_is_down_is_an_outage_and_rests_a_moment() {
    let server = Server::saying(&active());
    let verifier = server.verifier();
    assert_eq!(answer(&verifier, "known", 0).await, Answer::Good);
    server.is_down();
    assert_eq!(answer(&verifier, "known", 20).await, Answer::Good, "what is known serves for its time");
    for number in 0..100 {
        assert_eq!(answer(&verifier, &format!("t{number}"), 20).await, Answer::Unavailable);
    }
    assert_eq!(server.asked(), 2);
    assert_eq!(answer(&verifier, "known", 30).await, Answer::Unavailable);
    server.says(&active());
    assert_eq!(answer(&verifier, "known", 31).await, Answer::Good);
}

#[tokio::test]
async fn a_thousand_who_present_one_token_share_one_question() {
    let server = Server::saying(&active());
    server.is_held();
    let verifier = Arc::new(server.verifier());
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..1000 {
        let verifier = Arc::clone(&verifier);
        waiting.spawn(async move { answer(&verifier, "t", 0).await });
    }
    while server.asked() == 0 {
        tokio::task::yield_now().await;
    }
    server.lets_go();
    while let Some(answered) = waiting.join_next().await {
        assert_eq!(answered.unwrap(), Answer::Good);
    }
    assert_eq!(server.asked(), 1);
}

#[tokio::test]
async fn questions_under_way_are_bounded() {
    let server = Server::saying(&active());
    server.is_held();
    let verifier = Arc::new(server.verifier());
    let mut waiting = tokio::task::JoinSet::new();
    for number in 0..200 {
        let verifier = Arc::clone(&verifier);
        waiting.spawn(async move { answer(&verifier, &format!("t{number}"), 0).await });
    }
    for _ in 0..1000 {
        tokio::task::yield_now().await;
    }
    assert_eq!(server.asked(), 32);
    server.lets_go();
    while let Some(answered) = waiting.join_next().await {
        assert_eq!(answered.unwrap(), Answer::Good);
    }
}

#[tokio::test]
async fn nothing_of_token_and_secret_shows_in_errors() {
    for server in [Server::answering(401, "s3cret sesame"), Server::saying(&json!({"active": false}))] {
        let verifier = server.verifier();
        let error = verifier.verify(&token("sesame"), at(0)).await.unwrap_err();
        let mut text = format!("{error} {error:?} {verifier:?}");
        let mut cause = error.source();
        while let Some(current) = cause {
            text.push_str(&format!(" {current} {current:?}"));
            cause = current.source();
        }
        assert!(!text.contains("sesame") && !text.contains("s3cret"), "{text}");
    }
}

#[test]
fn the_crate_has_nothing_to_log_a_token_with() {
    let manifest = include_str!("../Cargo.toml");
    let names = manifest.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    let loggers: Vec<&str> =
        names.filter(|name| name.starts_with("tracing") || name.starts_with("log")).collect();
    assert_eq!(loggers, Vec::<&str>::new());
}

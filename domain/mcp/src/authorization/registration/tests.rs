use super::*;
use crate::authorization::read_server_metadata;
use serde_json::Value;
use std::format;
use std::string::ToString;

fn issuer(text: &str) -> Issuer {
    Issuer::parse(text).unwrap()
}

fn server(more: &Value) -> ServerMetadata {
    let mut document = json!({
        "issuer": "https://as.example",
        "authorization_endpoint": "https://as.example/authorize",
        "token_endpoint": "https://as.example/token",
        "code_challenge_methods_supported": ["S256"],
    });
    for (member, value) in more.as_object().unwrap() {
        document[member] = value.clone();
    }
    read_server_metadata(document.to_string().as_bytes(), &issuer("https://as.example")).unwrap()
}

fn everything() -> ServerMetadata {
    server(&json!({
        "registration_endpoint": "https://as.example/register",
        "client_id_metadata_document_supported": true,
        "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
    }))
}

fn profile() -> ClientProfile {
    ClientProfile {
        client_name: "A client".into(),
        redirect_uri: RedirectUri::parse("http://127.0.0.1:9/cb").unwrap(),
        known: Vec::new(),
        document: ClientDocumentUrl::parse("https://app.example/client.json").ok(),
        registers_itself: true,
    }
}

fn known_at(place: &str, secret: Option<&str>) -> KnownClient {
    KnownClient { issuer: issuer(place), client_id: "given".into(), secret: secret.map(Secret::new) }
}

fn id(choice: Result<RegistrationChoice, RegistrationFault>) -> String {
    match choice.unwrap() {
        RegistrationChoice::Use(client) => format!("{} {:?}", client.client_id, client.origin),
        RegistrationChoice::Register(endpoint) => format!("register at {}", endpoint.as_str()),
        RegistrationChoice::AskUser => "ask".into(),
    }
}

#[test]
fn registrations_are_tried_in_the_order_of_the_specification() {
    let dynamic = dynamic("earlier".into(), ClientAuthentication::None);
    let mut profile = profile();
    profile.known =
        Vec::from([known_at("https://as.example", Some("s")), known_at("https://as.example/", None)]);
    assert_eq!(id(choose_registration(&profile, &everything(), Some(&dynamic), 0)), "given PreRegistered");
    // An id of another issuer, even if it differs by a slash only, is none.
    profile.known.remove(0);
    assert_eq!(id(choose_registration(&profile, &everything(), Some(&dynamic), 0)), "earlier Dynamic");
    let by_document = "https://app.example/client.json MetadataDocument";
    assert_eq!(id(choose_registration(&profile, &everything(), None, 0)), by_document);
    let registers = server(&json!({"registration_endpoint": "https://as.example/register"}));
    assert_eq!(
        id(choose_registration(&profile, &registers, None, 0)),
        "register at https://as.example/register"
    );
    profile.document = None;
    assert_eq!(
        id(choose_registration(&profile, &everything(), None, 1)),
        "register at https://as.example/register"
    );
    assert_eq!(id(choose_registration(&profile, &everything(), None, MOST_REGISTRATIONS)), "ask");
    assert_eq!(id(choose_registration(&profile, &server(&json!({})), None, 0)), "ask");
    profile.registers_itself = false;
    assert_eq!(id(choose_registration(&profile, &everything(), None, 0)), "ask");
}

#[test]
fn an_earlier_id_that_was_not_of_the_server_is_not_kept() {
    let mut profile = profile();
    profile.document = None;
    let mut earlier = dynamic("old".into(), ClientAuthentication::None);
    for origin in [RegistrationOrigin::PreRegistered, RegistrationOrigin::MetadataDocument] {
        earlier.origin = origin;
        let choice = choose_registration(&profile, &everything(), Some(&earlier), 0);
        assert_eq!(id(choice), "register at https://as.example/register");
    }
}

#[test]
fn a_client_of_one_issuer_is_nobody_at_another() {
    let known = known_at("https://other.example", None);
    assert_eq!(known.at(&everything(), RegistrationOrigin::PreRegistered), Err(RegistrationFault::Elsewhere));
}

#[test]
fn secrets_are_sent_in_a_way_that_the_server_lists() {
    let secret = Secret::new("s");
    for (methods, expected) in [
        (
            json!(["client_secret_post", "client_secret_basic"]),
            Some(ClientAuthentication::SecretBasic(secret.clone())),
        ),
        (json!(["client_secret_post"]), Some(ClientAuthentication::SecretPost(secret.clone()))),
        (json!(null), Some(ClientAuthentication::SecretBasic(secret.clone()))),
        (json!(["private_key_jwt", "none"]), None),
    ] {
        let server = server(&json!({"token_endpoint_auth_methods_supported": methods}));
        let chosen = ClientAuthentication::choose(Some(&secret), &server.token_endpoint_auth_methods);
        assert_eq!(chosen, expected, "{methods}");
    }
    assert_eq!(ClientAuthentication::choose(None, &[]), Some(ClientAuthentication::None));
}

#[test]
fn the_application_type_fits_the_redirect_uri() {
    let mut profile = profile();
    for (uri, kind) in [
        ("http://localhost:1/cb", "native"),
        ("com.example.app:/cb", "native"),
        ("https://app.example/cb", "web"),
    ] {
        profile.redirect_uri = RedirectUri::parse(uri).unwrap();
        let request: Value = serde_json::from_str(&registration_request(&profile, &everything())).unwrap();
        assert_eq!((&request["application_type"], &request["redirect_uris"]), (&json!(kind), &json!([uri])));
        assert_eq!(request["token_endpoint_auth_method"], "none");
        assert_eq!(request["grant_types"], json!(["authorization_code", "refresh_token"]));
    }
}

#[test]
fn answers_to_a_registration_are_read_strictly() {
    let read = |status: u16, body: &Value| {
        read_registration_response(status, body.to_string().as_bytes(), &profile(), &everything())
    };
    let secret = || ClientAuthentication::SecretPost(Secret::new("s"));
    for (body, expected) in [
        (json!({"client_id": "c"}), Ok(ClientAuthentication::None)),
        (
            json!({"client_id": "c", "token_endpoint_auth_method": "none", "client_secret": "s"}),
            Ok(ClientAuthentication::None),
        ),
        (json!({"client_id": "c", "client_secret": "s"}), Ok(secret())),
        (
            json!({"client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_post"}),
            Ok(secret()),
        ),
        (
            json!({"client_id": "c", "redirect_uris": ["http://127.0.0.1:9/cb"]}),
            Ok(ClientAuthentication::None),
        ),
        (
            json!({"client_id": "c", "token_endpoint_auth_method": "client_secret_post"}),
            Err(RegistrationFault::Authentication),
        ),
        (
            json!({"client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "private_key_jwt"}),
            Err(RegistrationFault::Authentication),
        ),
        (
            json!({"client_id": "c", "redirect_uris": ["https://evil.example/"]}),
            Err(RegistrationFault::RedirectUri),
        ),
        (json!({"client_id": ""}), Err(RegistrationFault::Malformed)),
        (json!({"client_id": 1}), Err(RegistrationFault::Malformed)),
        (json!({"client_id": "c".repeat(LONGEST_CLIENT_ID + 1)}), Err(RegistrationFault::Malformed)),
        (json!({}), Err(RegistrationFault::Malformed)),
        (json!([]), Err(RegistrationFault::Malformed)),
    ] {
        assert_eq!(read(201, &body).map(|client| client.authentication), expected, "{body:.100}");
    }
    let public = server(&json!({"token_endpoint_auth_methods_supported": ["none"]}));
    let needless = br#"{"client_id": "c", "client_secret": "s"}"#;
    let client = read_registration_response(201, needless, &profile(), &public).unwrap();
    assert_eq!(client.authentication, ClientAuthentication::None);
    let refused = json!({"error": "invalid_redirect_uri", "error_description": "only https\u{7}"});
    let fault =
        RegistrationFault::Refused { code: "invalid_redirect_uri".into(), description: "only https".into() };
    assert_eq!(read(400, &refused), Err(fault));
    assert_eq!(read(503, &json!("busy")), Err(RegistrationFault::Unavailable { status: 503 }));
    assert_eq!(read(302, &json!({"client_id": "c"})), Err(RegistrationFault::Unavailable { status: 302 }));
}

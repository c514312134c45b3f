use super::*;
use crate::authorization::{ClientAuthentication, RegistrationOrigin, read_server_metadata};
use std::format;

const ISSUER: &str = "https://as.example/t";

fn server() -> ServerMetadata {
    let document = format!(
        r#"{{"issuer":"{ISSUER}","authorization_endpoint":"https://as.example/authorize?tenant=t",
            "token_endpoint":"https://as.example/token","code_challenge_methods_supported":["S256"]}}"#
    );
    read_server_metadata(document.as_bytes(), &Issuer::parse(ISSUER).unwrap()).unwrap()
}

fn pending(response_names_issuer: bool) -> PendingAuthorization {
    PendingAuthorization {
        issuer: Issuer::parse(ISSUER).unwrap(),
        response_names_issuer,
        token_endpoint: HttpUrl::parse("https://as.example/token").unwrap(),
        client: ClientRegistration {
            client_id: "https://app.example/c".into(),
            authentication: ClientAuthentication::None,
            origin: RegistrationOrigin::MetadataDocument,
        },
        redirect_uri: RedirectUri::parse("http://127.0.0.1:9/cb").unwrap(),
        resource: Resource::parse("https://H/mcp/").unwrap(),
        scopes: Scopes::parse("b a").ok(),
        verifier: CodeVerifier::from_random(&[1; 32]),
        state: RequestState::from_random(&[2; 16]),
    }
}

#[test]
fn the_request_says_everything_that_the_response_is_checked_against() {
    let mut pending = pending(false);
    let challenge = pending.verifier.challenge();
    let expected = format!(
        "https://as.example/authorize?tenant=t&response_type=code&client_id=https%3A%2F%2Fapp.example%2Fc\
         &redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcb&code_challenge={challenge}&code_challenge_method=S256\
         &state=AgICAgICAgICAgICAgICAg&resource=https%3A%2F%2FH%2Fmcp%2F"
    );
    assert_eq!(pending.url(&server()), format!("{expected}&scope=a+b"));
    pending.scopes = None;
    assert_eq!(pending.url(&server()), expected);
    pending.scopes = Scopes::parse("offline_access").ok();
    assert_eq!(pending.url(&server()), format!("{expected}&scope=offline_access&prompt=consent"));
}

#[test]
fn the_table_of_the_specification_holds_for_good_and_bad_responses() {
    use AuthorizationResponseFault::{NoIssuer, OtherIssuer};
    let right = Some("https%3A%2F%2Fas.example%2Ft");
    for (announced, issuer, fault) in [
        (true, right, None),
        (true, None, Some(NoIssuer)),
        (false, right, None),
        (false, None, None),
        (true, Some("https%3A%2F%2Fas.example%2Ft%2F"), Some(OtherIssuer)),
        (false, Some("https%3A%2F%2Fas.example%2Ft%2F"), Some(OtherIssuer)),
        (true, Some("https%3A%2F%2FAS.example%2Ft"), Some(OtherIssuer)),
        (false, Some("https%3A%2F%2Fas.example%3A443%2Ft"), Some(OtherIssuer)),
        (false, Some("https%3A%2F%2Fas.example%2F%2574"), Some(OtherIssuer)),
        (true, Some("https%3A%2F%2Fattacker.example"), Some(OtherIssuer)),
        (true, Some(""), Some(OtherIssuer)),
    ] {
        let issuer = issuer.map(|issuer| format!("&iss={issuer}")).unwrap_or_default();
        let state = "state=AgICAgICAgICAgICAgICAg";
        let good =
            pending(announced).read_response(&format!("http://127.0.0.1:9/cb?code=c%2B1&{state}{issuer}"));
        let bad = pending(announced)
            .read_response(&format!("http://127.0.0.1:9/cb?error=e&error_description=<b>&{state}{issuer}"));
        let refused = AuthorizationResponseFault::Refused { code: "e".into(), description: "<b>".into() };
        assert_eq!(good, fault.clone().map_or(Ok(Secret::new("c+1")), Err), "{announced} {issuer}");
        // On a mismatch nothing of the error is shown.
        assert_eq!(bad, Err(fault.unwrap_or(refused)), "{announced} {issuer}");
    }
}

#[test]
fn a_response_to_another_request_is_not_read() {
    use AuthorizationResponseFault::{Malformed, OtherState};
    for (query, fault) in [
        ("code=c", OtherState),
        ("code=c&state=", OtherState),
        ("code=c&state=AgICAgICAgICAgICAgICAgICAg", OtherState),
        ("error=access_denied&state=x", OtherState),
        ("code=c&state=AgICAgICAgICAgICAgICAg&state=AgICAgICAgICAgICAgICAg", Malformed),
        ("code=c&code=d&state=AgICAgICAgICAgICAgICAg", Malformed),
        ("code=c&iss=a&iss=b&state=AgICAgICAgICAgICAgICAg", Malformed),
        ("code=%ff&state=AgICAgICAgICAgICAgICAg", Malformed),
        ("code=&state=AgICAgICAgICAgICAgICAg", Malformed),
        ("state=AgICAgICAgICAgICAgICAg", Malformed),
        ("#code=c&state=AgICAgICAgICAgICAgICAg", OtherState),
    ] {
        assert_eq!(
            pending(false).read_response(&format!("http://127.0.0.1:9/cb?{query}")),
            Err(fault),
            "{query}"
        );
    }
    assert_eq!(pending(false).read_response("http://127.0.0.1:9/cb"), Err(Malformed));
    let long = format!("http://127.0.0.1:9/cb?code={}", "c".repeat(LONGEST_RESPONSE));
    assert_eq!(pending(false).read_response(&long), Err(Malformed));
}

#[test]
fn nothing_secret_is_printed() {
    let shown = format!("{:?}", pending(true));
    assert!(!shown.contains("AgICAg") && !shown.contains(pending(true).verifier.expose()), "{shown}");
}

use super::*;
use crate::settings::{Environment, JwtChoice, Program, Settings};

const TOKEN: (&str, &str) = ("PM_MCP_HTTP_BEARER_TOKEN", "sesame-sesame");
const ISSUER: (&str, &str) = ("PM_MCP_HTTP_AUTH_ISSUER", "https://login.example");
const RESOURCE: (&str, &str) = ("PM_MCP_HTTP_RESOURCE", "https://pm.example/mcp");
const JWT: (&str, &str) = ("PM_MCP_HTTP_VERIFIER", "jwt");
const ASK: [(&str, &str); 4] = [
    ("PM_MCP_HTTP_VERIFIER", "introspection"),
    ("PM_MCP_HTTP_INTROSPECTION_URL", "https://login.example/introspect"),
    ("PM_MCP_HTTP_INTROSPECTION_CLIENT_ID", "pm-mcp"),
    ("PM_MCP_HTTP_INTROSPECTION_CLIENT_SECRET", "s3cret"),
];

fn read(pairs: &[(&str, &str)]) -> Result<Option<AccessChoice>, String> {
    let environment = Environment::new(pairs.iter().copied());
    Settings::read(&environment, Program::Http)
        .map(|settings| settings.http.access)
        .map_err(|fault| fault.to_string())
}

fn refused(pairs: &[(&str, &str)]) -> String {
    let line = read(pairs).unwrap_err();
    assert!(!line.contains("sesame") && !line.contains("s3cret") && !line.contains('\n'), "{line}");
    line
}

#[test]
fn nobody_is_asked_for_a_token_unless_all_of_it_is_set() {
    assert_eq!(read(&[]).unwrap(), None);
    let access = read(&[TOKEN, ISSUER, RESOURCE]).unwrap().unwrap();
    assert_eq!((access.issuer.as_str(), access.resource.as_str()), (ISSUER.1, RESOURCE.1));
    assert_eq!(access.scopes.to_string(), "pm:read pm:write");
    assert_eq!((access.leeway, access.private), (Duration::from_secs(30), false));
    assert!(matches!(&access.verifier, VerifierChoice::Deployment(token) if token.expose() == TOKEN.1));
    assert!(!format!("{access:?}").contains("sesame"));
}

#[test]
fn a_part_of_it_is_refused_also_on_loopback() {
    for (part, missing) in [
        (&[JWT][..], "PM_MCP_HTTP_AUTH_ISSUER and PM_MCP_HTTP_RESOURCE"),
        (&[JWT, ISSUER], "PM_MCP_HTTP_RESOURCE"),
        (&[JWT, RESOURCE], "PM_MCP_HTTP_AUTH_ISSUER"),
        (&[ISSUER, RESOURCE], "PM_MCP_HTTP_BEARER_TOKEN"),
        (&[("PM_MCP_HTTP_AUTH_PRIVATE", "yes")], "PM_MCP_HTTP_BEARER_TOKEN"),
        (&[("PM_MCP_HTTP_TOKEN_LEEWAY_MS", "5"), TOKEN], "PM_MCP_HTTP_AUTH_ISSUER"),
    ] {
        let line = refused(part);
        assert!(
            line.contains(missing) && line.contains("set them together, or none of them"),
            "{part:?}: {line}"
        );
    }
}

#[test]
fn each_wrong_value_of_authorization_has_its_line() {
    for (name, value, part) in [
        ("PM_MCP_HTTP_AUTH_ISSUER", "https://u:sesame@login.example", "must not hold a user name"),
        ("PM_MCP_HTTP_SCOPES", "a \"b\"", "is not usable"),
        ("PM_MCP_HTTP_VERIFIER", "Jwt", "\"Jwt\" is no verifier: static, jwt or introspection"),
    ] {
        let mut pairs = vec![TOKEN, ISSUER, RESOURCE];
        pairs.retain(|(known, _)| *known != name);
        pairs.push((name, value));
        let line = refused(&pairs);
        assert!(line.starts_with(&format!("{name}: ")) && line.contains(part), "{name}={value}: {line}");
    }
}

#[test]
fn signed_tokens_need_an_issuer_and_no_token() {
    let access = read(&[JWT, ISSUER, RESOURCE]).unwrap().unwrap();
    let usual =
        JwtChoice { jwks: None, fresh: Duration::from_secs(600), stale_limit: Duration::from_secs(3600) };
    assert_eq!(access.verifier, VerifierChoice::Jwt(usual));
    let keys = ("PM_MCP_HTTP_JWKS_URI", "https://login.example/keys");
    let access = read(&[JWT, ISSUER, RESOURCE, keys]).unwrap().unwrap();
    assert!(matches!(access.verifier, VerifierChoice::Jwt(JwtChoice { jwks: Some(_), .. })));
    assert!(refused(&[JWT, ISSUER, RESOURCE, TOKEN]).starts_with("PM_MCP_HTTP_VERIFIER: must be static"));
    assert!(refused(&[TOKEN, ISSUER, RESOURCE, keys]).starts_with("PM_MCP_HTTP_VERIFIER: must be jwt"));
    for (name, value, part) in [
        ("PM_MCP_HTTP_JWKS_URI", "http://login.example/keys", "must begin with https://"),
        ("PM_MCP_HTTP_JWKS_URI", "keys", "does not begin with https://"),
        ("PM_MCP_HTTP_KEYS_FRESH_MS", "0", "is no whole number"),
        ("PM_MCP_HTTP_KEYS_STALE_MS", "1000", "must not be less"),
        ("PM_MCP_HTTP_INTROSPECTION_URL", "https://login.example/x", "must be introspection"),
        ("PM_MCP_HTTP_TOKEN_LEEWAY_MS", "300001", "is no whole number from 1 to 300000"),
        ("PM_MCP_HTTP_AUTH_PRIVATE", "true", "is neither yes nor no"),
    ] {
        let line = refused(&[JWT, ISSUER, RESOURCE, (name, value)]);
        assert!(line.contains(part), "{name}={value}: {line}");
    }
}

#[test]
fn asking_about_tokens_needs_an_endpoint_and_a_client() {
    let whole = [&ASK[..], &[ISSUER, RESOURCE]].concat();
    let access = read(&whole).unwrap().unwrap();
    assert!(matches!(&access.verifier, VerifierChoice::Introspection(ask) if !ask.in_body));
    assert!(!format!("{access:?}").contains("s3cret"));
    for missing in &ASK[1..] {
        let rest: Vec<_> = whole.iter().copied().filter(|pair| pair != missing).collect();
        let line = refused(&rest);
        assert!(line.starts_with(&format!("{}: is not set", missing.0)), "{line}");
    }
    let post = ("PM_MCP_HTTP_INTROSPECTION_CLIENT_AUTH", "post");
    let access = read(&[&whole[..], &[post]].concat()).unwrap().unwrap();
    assert!(matches!(&access.verifier, VerifierChoice::Introspection(ask) if ask.in_body));
    let jwks = ("PM_MCP_HTTP_JWKS_URI", "https://login.example/keys");
    assert!(refused(&[&whole[..], &[jwks]].concat()).starts_with("PM_MCP_HTTP_VERIFIER: must be jwt"));
}

//! What a server that asks for a token tells clients about where to get one.

use serde_json::{Value, json};

use super::Door;
use crate::finding::Report;
use crate::message::request;
use crate::peer::{Headers, Heard, HttpPeer};
use crate::url::Url;

const AREA: &str = "authorization";

/// Looks whether a token is asked for, and at the way to one. [`Door::Closed`] if nothing more can be looked at.
pub(crate) async fn authorization(peer: &HttpPeer, report: &mut Report) -> Door {
    let text = request(50, "server/discover", json!({})).to_string();
    let Ok(bare) = peer.post(&text, Some(50), &Headers::default().without("authorization")).await else {
        // Discovery says it better.
        return Door::Open;
    };
    if bare.status != Some(401) {
        if !peer.url().is_loopback() && bare.result(50).is_some() {
            report.note(AREA, "everybody who reaches the server may use it: no token is asked for");
        }
        return Door::Open;
    }
    challenge(peer, &bare, report).await;
    made_up(peer, &text, report).await;
    if !peer.url().is_secure() && !peer.url().is_loopback() {
        report.wrong(
            AREA,
            "tokens are asked for over plain HTTP",
            "serve over HTTPS: everybody on the way reads them",
        );
    }
    if !peer.has_token() {
        report.note(
            AREA,
            "to look further, put an access token into the environment variable MCP_DOCTOR_TOKEN",
        );
        return Door::Closed;
    }
    match peer.post(&text, Some(50), &Headers::default()).await {
        Ok(heard) if matches!(heard.status, Some(401 | 403)) => {
            let words = heard.header("www-authenticate").unwrap_or("no reason").to_owned();
            report.wrong(
                AREA,
                format!("the given token is refused with HTTP {}: {words}", heard.status.unwrap_or_default()),
                "take a token whose audience is this server and whose scopes are enough",
            );
            Door::Closed
        }
        Ok(_) | Err(_) => Door::Open,
    }
}

async fn challenge(peer: &HttpPeer, refused: &Heard, report: &mut Report) {
    let Some(challenge) = refused.header("www-authenticate") else {
        return report.wrong(
            AREA,
            "a missing token is refused without WWW-Authenticate",
            "send `WWW-Authenticate: Bearer resource_metadata=\"…\"`: it is how clients find out where to get a token",
        );
    };
    if !challenge.to_ascii_lowercase().starts_with("bearer") {
        report.wrong(AREA, format!("the challenge is `{challenge}`"), "challenge with the scheme Bearer");
    }
    let named = parameter(challenge, "resource_metadata");
    let usual = format!(
        "{}/.well-known/oauth-protected-resource{}",
        peer.url().origin(),
        peer.url().path().trim_end_matches('/')
    );
    if named.is_none() {
        report.doubtful(
            AREA,
            "the challenge does not say where the metadata are (`resource_metadata`)",
            format!("add it; clients otherwise try {usual}"),
        );
    }
    let address = named.unwrap_or(usual);
    let Some(metadata) = document(peer, &address, "the metadata of the server", report).await else { return };
    let resource = metadata.get("resource").and_then(Value::as_str);
    let own = peer.url().to_string();
    match resource {
        Some(resource) if resource.trim_end_matches('/') == own.trim_end_matches('/') => {}
        Some(resource) if own.starts_with(resource.trim_end_matches('/')) => {
            report.note(AREA, format!("the metadata name {resource}, which this URL is a part of"));
        }
        Some(resource) => report.wrong(
            AREA,
            format!("the metadata are for {resource}, not for {own}"),
            "name the URL that clients use: they must refuse metadata of another resource",
        ),
        None => report.wrong(AREA, "the metadata have no `resource`", "name the URL of the server"),
    }
    let servers = metadata.get("authorization_servers").and_then(Value::as_array);
    let Some(issuer) = servers.and_then(|list| list.first()).and_then(Value::as_str) else {
        return report.wrong(
            AREA,
            "the metadata name no authorization server",
            "list at least one in `authorization_servers`",
        );
    };
    issuer_metadata(peer, issuer, report).await;
}

async fn issuer_metadata(peer: &HttpPeer, issuer: &str, report: &mut Report) {
    let Ok(url) = Url::parse(issuer) else {
        return report.wrong(
            AREA,
            format!("the authorization server `{issuer}` is no URL"),
            "name its issuer URL",
        );
    };
    let path = url.path().trim_end_matches('/');
    let origin = url.origin();
    let mut metadata = None;
    for address in [
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
        format!("{origin}{path}/.well-known/openid-configuration"),
    ] {
        if let Ok(at) = Url::parse(&address)
            && let Ok(found) = peer.fetch(&at).await
            && found.status == 200
            && let Ok(found @ Value::Object(_)) = serde_json::from_str::<Value>(&found.body)
        {
            metadata = Some(found);
            break;
        }
    }
    let Some(metadata) = metadata else {
        return report.wrong(
            AREA,
            format!("the authorization server {issuer} publishes no metadata"),
            "publish /.well-known/oauth-authorization-server (RFC 8414) or OpenID configuration there",
        );
    };
    if metadata.get("issuer").and_then(Value::as_str) != Some(issuer) {
        report.wrong(
            AREA,
            format!("the metadata of {issuer} name another issuer"),
            "both must be the same text: clients must refuse others",
        );
    }
    for member in ["authorization_endpoint", "token_endpoint"] {
        if metadata.get(member).and_then(Value::as_str).is_none() {
            report.wrong(AREA, format!("the metadata of {issuer} have no `{member}`"), "add it");
        }
    }
    let methods = metadata.get("code_challenge_methods_supported").and_then(Value::as_array);
    if !methods.is_some_and(|methods| methods.iter().any(|method| method == "S256")) {
        report.wrong(
            AREA,
            format!("the metadata of {issuer} do not say that S256 is supported"),
            "list S256 in `code_challenge_methods_supported`: clients must not go on without PKCE",
        );
    }
    let by_document = metadata.get("client_id_metadata_document_supported") == Some(&Value::Bool(true));
    if !by_document && metadata.get("registration_endpoint").is_none() {
        report.doubtful(
            AREA,
            format!("{issuer} knows neither client metadata documents nor registration"),
            "offer one of them, or users must register every client by hand",
        );
    }
    report.fine(AREA, format!("clients find the authorization server {issuer}"));
}

/// A token that nobody issued must be refused in a way that tells clients to get another.
async fn made_up(peer: &HttpPeer, text: &str, report: &mut Report) {
    let token = Headers::default().with("authorization", "Bearer made-up-by-the-doctor");
    match peer.post(text, Some(50), &token).await {
        Ok(heard) if heard.status == Some(401) => {
            let challenge = heard.header("www-authenticate").unwrap_or_default();
            if parameter(challenge, "error").as_deref() != Some("invalid_token") {
                report.doubtful(
                    AREA,
                    "a made-up token is refused without error=\"invalid_token\"",
                    "say so in WWW-Authenticate (RFC 6750), so that clients fetch a new one",
                );
            }
        }
        Ok(heard) if heard.result(50).is_some() => {
            report.wrong(
                AREA,
                "a made-up token is accepted",
                "verify tokens: signature, issuer, audience and time",
            );
        }
        Ok(heard) => report.wrong(
            AREA,
            format!("a made-up token gets HTTP {}", heard.status.unwrap_or_default()),
            "refuse it with status 401",
        ),
        Err(error) => report.wrong(
            AREA,
            format!("sent a made-up token, the server {error}"),
            "refuse it with status 401",
        ),
    }
}

async fn document(peer: &HttpPeer, address: &str, what: &str, report: &mut Report) -> Option<Value> {
    let url = match Url::parse(address) {
        Ok(url) => url,
        Err(detail) => {
            report.wrong(
                AREA,
                format!("{what} are said to be at `{address}`, and {detail}"),
                "name an absolute URL",
            );
            return None;
        }
    };
    let change = format!("serve them at {address} as JSON (RFC 9728)");
    match peer.fetch(&url).await {
        Ok(found) if found.status == 200 => match serde_json::from_str::<Value>(&found.body) {
            Ok(found @ Value::Object(_)) => Some(found),
            Ok(_) | Err(_) => {
                report.wrong(AREA, format!("{what} are no JSON object"), change);
                None
            }
        },
        Ok(found) => {
            report.wrong(AREA, format!("{what} get HTTP {}", found.status), change);
            None
        }
        Err(error) => {
            report.wrong(AREA, format!("asked for {what}, the server {error}"), change);
            None
        }
    }
}

/// A parameter of a challenge, quoted or not.
fn parameter(challenge: &str, name: &str) -> Option<String> {
    let lower = challenge.to_ascii_lowercase();
    let mut from = 0;
    while let Some(found) = lower.get(from..)?.find(name) {
        let start = from + found;
        let end = start + name.len();
        let alone = lower.get(..start)?.ends_with([' ', ',', '\t']);
        let rest = challenge.get(end..)?.trim_start();
        if alone && let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_start();
            return Some(match value.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or_default().to_owned(),
                None => value.split([',', ' ']).next().unwrap_or_default().to_owned(),
            });
        }
        from = end;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_of_challenges_are_read() {
        let challenge =
            r#"Bearer error="invalid_token", error_description="error=x", resource_metadata=https://a/b"#;
        assert_eq!(parameter(challenge, "error").as_deref(), Some("invalid_token"));
        assert_eq!(parameter(challenge, "resource_metadata").as_deref(), Some("https://a/b"));
        assert_eq!(parameter(challenge, "scope"), None);
    }
}

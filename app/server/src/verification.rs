//! Making verifiers that ask the issuer.

use std::sync::Arc;
use std::time::SystemTime;

use pm_mcp::{Timestamp, TokenVerifier};
use pm_mcp_https::{HttpsClient, HttpsSettings, Reach};
use pm_mcp_token_introspection::{
    Bounds, ClientAuthentication, ClientSecret, Endpoint, IntrospectionVerifier,
};
use pm_mcp_token_jwt::{IssuerKeys, JwtVerifier, KeyLocation, Schedule};

use crate::settings::{AccessChoice, IntrospectionChoice, JwtChoice, SettingFault};

/// How far the server may reach to ask the issuer. An issuer on this very machine is there for development.
fn client(access: &AccessChoice) -> Result<Arc<HttpsClient>, SettingFault> {
    let reach = match (access.private, access.issuer.is_loopback()) {
        (true, _) => Reach::Everywhere,
        (false, true) => Reach::PublicAndLoopback,
        (false, false) => Reach::Public,
    };
    HttpsClient::new(HttpsSettings { reach, ..HttpsSettings::default() }).map(Arc::new).map_err(|error| {
        SettingFault::new(
            "PM_MCP_HTTP_VERIFIER",
            format!("needs to ask the issuer, and {error}"),
            "mend that, or set a deployment token",
        )
    })
}

/// A verifier of signed tokens. Keys are looked for at once, in the background, so that what is wrong with the settings is
/// in the log before the first caller comes.
pub(crate) fn jwt(choice: &JwtChoice, access: &AccessChoice) -> Result<Arc<dyn TokenVerifier>, SettingFault> {
    let location = choice.jwks.clone().map_or(KeyLocation::Metadata, KeyLocation::At);
    let usual = Schedule::default();
    let schedule = Schedule {
        fresh: choice.fresh,
        stale_limit: choice.stale_limit,
        // A shorter freshness says that the issuer may be asked that often.
        cool_down: usual.cool_down.min(choice.fresh),
        ..usual
    };
    let keys = IssuerKeys::new(&access.issuer, location, client(access)?, schedule);
    keys.look(now());
    Ok(Arc::new(JwtVerifier::new(&access.issuer, keys)))
}

/// A verifier that asks about each token.
pub(crate) fn introspection(
    choice: &IntrospectionChoice,
    access: &AccessChoice,
) -> Result<Arc<dyn TokenVerifier>, SettingFault> {
    let (id, secret) = (choice.client_id.clone(), ClientSecret::new(choice.client_secret.clone()));
    let client_authentication = if choice.in_body {
        ClientAuthentication::Post { id, secret }
    } else {
        ClientAuthentication::Basic { id, secret }
    };
    let endpoint = Endpoint::new(choice.url.clone(), client_authentication);
    let bounds = Bounds { keep: choice.keep, ..Bounds::default() };
    Ok(Arc::new(IntrospectionVerifier::bounded(&access.issuer, endpoint, client(access)?, bounds)))
}

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Timestamp::from_unix_ms(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

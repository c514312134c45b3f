//! Asking callers for tokens.

use std::sync::Arc;

use pm_mcp::{ServerBuilder, TokenVerifier};
use pm_mcp_token_static::{StaticGrant, StaticTokenVerifier};

use crate::settings::{AccessChoice, SettingFault, VerifierChoice};
use crate::verification;

/// Whom the token of the deployment acts for.
const DEPLOYMENT: &str = "deployment";

/// Has the server ask for tokens, if the settings say so.
///
/// # Errors
///
/// When the verifier refuses its settings.
pub(crate) fn guard(
    builder: ServerBuilder,
    choice: Option<&AccessChoice>,
) -> Result<ServerBuilder, SettingFault> {
    let Some(choice) = choice else { return Ok(builder) };
    Ok(builder
        .token_verifier(verifier(choice)?)
        .resource_uri(choice.resource.as_str())
        .issuer(choice.issuer.as_str())
        .token_leeway(choice.leeway)
        .consent_scopes(&choice.scopes.to_string()))
}

/// The verifier that was chosen.
fn verifier(choice: &AccessChoice) -> Result<Arc<dyn TokenVerifier>, SettingFault> {
    match &choice.verifier {
        VerifierChoice::Deployment(token) => {
            let grant = StaticGrant {
                issuer: choice.issuer.clone(),
                resource: choice.resource.clone(),
                subject: DEPLOYMENT.to_owned(),
                scopes: choice.scopes.clone(),
            };
            let verifier = StaticTokenVerifier::new(token.expose(), grant).map_err(|fault| {
                SettingFault::new("PM_MCP_HTTP_BEARER_TOKEN", fault.to_string(), "give another one")
            })?;
            Ok(Arc::new(verifier))
        }
        VerifierChoice::Jwt(jwt) => verification::jwt(jwt, choice),
        VerifierChoice::Introspection(asking) => verification::introspection(asking, choice),
    }
}

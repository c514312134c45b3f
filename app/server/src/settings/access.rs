//! Who may call over HTTP.

use std::time::Duration;

use pm_mcp::{Issuer, PresentedToken, ResourceUri, Scopes};

use super::fault::SettingFault;
use super::read::{Source, fault};
use super::secret::DeploymentToken;
use super::table::{self, Setting};
use super::value::whole_number;
use super::verification::{self, VerifierChoice};

/// The longest leeway: clocks that differ by more than minutes want mending.
const LONGEST_LEEWAY_MS: u64 = 300_000;

/// What callers over HTTP have to show.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct AccessChoice {
    /// Who issues the tokens.
    pub issuer: Issuer,
    /// What they have to be for: this server.
    pub resource: ResourceUri,
    /// For which scopes clients may ask consent.
    pub scopes: Scopes,
    /// How far the clocks of issuer and server may differ.
    pub leeway: Duration,
    /// Whether the issuer may be asked in private networks.
    pub private: bool,
    /// Who verifies them.
    pub verifier: VerifierChoice,
}

/// The settings that only make sense together: without any of them nobody is asked for a token.
struct Given<'a> {
    setting: &'a Setting,
    is_set: bool,
}

impl AccessChoice {
    /// Reads the choice; `None` where nobody is asked for a token.
    ///
    /// # Errors
    ///
    /// When a setting is wrong, or some of those that belong together are not set. No fault holds a token.
    pub(super) fn read(source: &Source<'_>) -> Result<Option<Self>, SettingFault> {
        let issuer = source
            .parsed(&table::HTTP_AUTH_ISSUER, |url| Issuer::parse(url).map_err(|fault| fault.to_string()))?;
        let resource = source.parsed(&table::HTTP_RESOURCE, |uri| {
            ResourceUri::parse(uri).map_err(|fault| fault.to_string())
        })?;
        let scopes = source
            .parsed(&table::HTTP_SCOPES, |list| Scopes::parse(list).map_err(|fault| fault.to_string()))?;
        let leeway = source.parsed(&table::HTTP_TOKEN_LEEWAY_MS, |ms| whole_number(ms, LONGEST_LEEWAY_MS))?;
        let private = verification::allows_private(source)?;
        let verifier = VerifierChoice::read(source, deployment_token(source)?)?;
        let shown = match &verifier {
            None | Some(VerifierChoice::Deployment(_)) => &table::HTTP_BEARER_TOKEN,
            Some(VerifierChoice::Jwt(_) | VerifierChoice::Introspection(_)) => &table::HTTP_VERIFIER,
        };
        let given = [
            Given { setting: shown, is_set: verifier.is_some() },
            Given { setting: &table::HTTP_AUTH_ISSUER, is_set: issuer.is_some() },
            Given { setting: &table::HTTP_RESOURCE, is_set: resource.is_some() },
            Given { setting: &table::HTTP_SCOPES, is_set: scopes.is_some() },
            Given { setting: &table::HTTP_TOKEN_LEEWAY_MS, is_set: leeway.is_some() },
            Given { setting: &table::HTTP_AUTH_PRIVATE, is_set: private.is_some() },
        ];
        match (verifier, issuer, resource) {
            (Some(verifier), Some(issuer), Some(resource)) => {
                let scopes = match scopes {
                    Some(scopes) => scopes,
                    None => Scopes::parse(table::DEFAULT_SCOPES)
                        .map_err(|wrong| fault(&table::HTTP_SCOPES, wrong.to_string()))?,
                };
                let leeway = Duration::from_millis(leeway.unwrap_or(30_000));
                let private = private.unwrap_or(false);
                Ok(Some(Self { issuer, resource, scopes, leeway, private, verifier }))
            }
            (_, _, _) => match given.iter().find(|given| given.is_set) {
                None => Ok(None),
                Some(set) => Err(half(set.setting, &given)),
            },
        }
    }
}

fn deployment_token(source: &Source<'_>) -> Result<Option<DeploymentToken>, SettingFault> {
    source.parsed(&table::HTTP_BEARER_TOKEN, |token| {
        PresentedToken::parse(token).map_err(|fault| fault.to_string())?;
        Ok(DeploymentToken::new(token))
    })
}

/// Some of the settings would look like protection that is not there.
fn half(set: &Setting, given: &[Given<'_>]) -> SettingFault {
    // The others have a default.
    let needed =
        [table::HTTP_BEARER_TOKEN, table::HTTP_VERIFIER, table::HTTP_AUTH_ISSUER, table::HTTP_RESOURCE];
    let missing = given.iter().filter(|given| !given.is_set && needed.contains(given.setting));
    let names: Vec<_> = missing.map(|given| given.setting).collect();
    let first = names.first().copied().unwrap_or(&table::HTTP_AUTH_ISSUER);
    let named = |setting: &&Setting| match setting.name == table::HTTP_BEARER_TOKEN.name {
        true => format!("{} (or another {})", setting.name, table::HTTP_VERIFIER.name),
        false => setting.name.to_owned(),
    };
    let all = names.iter().map(named).collect::<Vec<_>>().join(" and ");
    let verb = if names.len() > 1 { "are" } else { "is" };
    let what = format!("is set for authorization, and {all} {verb} not; set them together, or none of them");
    let example = format!("a right one is {}={}", first.name, super::text::quoted(first.example));
    SettingFault::new(set.name, what, example)
}

#[cfg(test)]
mod tests;

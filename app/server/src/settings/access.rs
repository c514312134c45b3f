//! Who may call over HTTP.

use pm_mcp::{Issuer, PresentedToken, ResourceUri, Scopes};

use super::fault::SettingFault;
use super::read::{Source, fault};
use super::secret::DeploymentToken;
use super::table::{self, Setting};

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
    /// Who verifies them.
    pub verifier: VerifierChoice,
}

/// Who verifies tokens. Exactly one has to be chosen wherever tokens are asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "each verifier has to be made")]
pub enum VerifierChoice {
    /// The server itself: this one token is good for all scopes of the choice.
    Deployment(DeploymentToken),
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
        let verifier = verifier(source)?;
        let given = [
            Given { setting: &table::HTTP_BEARER_TOKEN, is_set: verifier.is_some() },
            Given { setting: &table::HTTP_AUTH_ISSUER, is_set: issuer.is_some() },
            Given { setting: &table::HTTP_RESOURCE, is_set: resource.is_some() },
            Given { setting: &table::HTTP_SCOPES, is_set: scopes.is_some() },
        ];
        match (verifier, issuer, resource) {
            (Some(verifier), Some(issuer), Some(resource)) => {
                let scopes = match scopes {
                    Some(scopes) => scopes,
                    None => Scopes::parse(table::DEFAULT_SCOPES)
                        .map_err(|wrong| fault(&table::HTTP_SCOPES, wrong.to_string()))?,
                };
                Ok(Some(Self { issuer, resource, scopes, verifier }))
            }
            (_, _, _) => match given.iter().find(|given| given.is_set) {
                None => Ok(None),
                Some(set) => Err(half(set.setting, &given)),
            },
        }
    }
}

/// The verifiers by their settings; a further kind has settings of its own and goes here.
fn verifier(source: &Source<'_>) -> Result<Option<VerifierChoice>, SettingFault> {
    source.parsed(&table::HTTP_BEARER_TOKEN, |token| {
        PresentedToken::parse(token).map_err(|fault| fault.to_string())?;
        Ok(VerifierChoice::Deployment(DeploymentToken::new(token)))
    })
}

/// Some of the settings would look like protection that is not there.
fn half(set: &Setting, given: &[Given<'_>]) -> SettingFault {
    // Scopes have a default.
    let missing = given.iter().filter(|given| !given.is_set && given.setting.name != table::HTTP_SCOPES.name);
    let names: Vec<_> = missing.map(|given| given.setting).collect();
    let first = names.first().copied().unwrap_or(&table::HTTP_AUTH_ISSUER);
    let all = names.iter().map(|setting| setting.name).collect::<Vec<_>>().join(" and ");
    let verb = if names.len() > 1 { "are" } else { "is" };
    let what = format!("is set for authorization, and {all} {verb} not; set them together, or none of them");
    let example = format!("a right one is {}={}", first.name, super::text::quoted(first.example));
    SettingFault::new(set.name, what, example)
}

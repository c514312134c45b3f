//! How tokens are verified.

use std::fmt;
use std::time::Duration;

use pm_mcp::HttpUrl;

use super::fault::{SettingFault, shown};
use super::read::{Source, fault};
use super::secret::DeploymentToken;
use super::table::{self, Setting};
use super::value::whole_number;

const MINUTE_MS: u64 = 60_000;
const HOUR_MS: u64 = 60 * MINUTE_MS;
const DAY_MS: u64 = 24 * HOUR_MS;

/// How tokens are verified.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::exhaustive_enums, reason = "each verifier has to be made")]
pub enum VerifierChoice {
    /// By comparing them with this one.
    Deployment(DeploymentToken),
    /// By the signature of the issuer.
    Jwt(JwtChoice),
    /// By asking the issuer.
    Introspection(IntrospectionChoice),
}

/// How signed tokens are verified.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct JwtChoice {
    /// Where the keys are, if not where the issuer's metadata says.
    pub jwks: Option<HttpUrl>,
    /// How long keys serve before they are looked at again.
    pub fresh: Duration,
    /// How long they serve while the issuer cannot be reached.
    pub stale_limit: Duration,
}

/// How tokens are asked about.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct IntrospectionChoice {
    /// The endpoint.
    pub url: HttpUrl,
    /// As which client.
    pub client_id: String,
    /// With which secret.
    pub client_secret: String,
    /// Whether the client says who it is in the body, not in the header.
    pub in_body: bool,
    /// How long an answer is kept.
    pub keep: Duration,
}

impl fmt::Debug for IntrospectionChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntrospectionChoice")
            .field("url", &self.url)
            .field("client_id", &self.client_id)
            .field("client_secret", &"<redacted>")
            .field("in_body", &self.in_body)
            .field("keep", &self.keep)
            .finish()
    }
}

/// The settings of one verifier, which would be passed over beside another one.
const OF_JWT: [Setting; 3] = [table::HTTP_JWKS_URI, table::HTTP_KEYS_FRESH_MS, table::HTTP_KEYS_STALE_MS];
const OF_INTROSPECTION: [Setting; 5] = [
    table::HTTP_INTROSPECTION_URL,
    table::HTTP_INTROSPECTION_CLIENT_ID,
    table::HTTP_INTROSPECTION_CLIENT_SECRET,
    table::HTTP_INTROSPECTION_CLIENT_AUTH,
    table::HTTP_INTROSPECTION_KEEP_MS,
];

impl VerifierChoice {
    /// The verifier that is named; `None` where none is and there is no token either.
    pub(super) fn read(
        source: &Source<'_>,
        token: Option<DeploymentToken>,
    ) -> Result<Option<Self>, SettingFault> {
        let name = source.text(&table::HTTP_VERIFIER)?.map_or("static", str::trim);
        match name {
            "static" => {
                refuse(source, &OF_JWT, "jwt")?;
                refuse(source, &OF_INTROSPECTION, "introspection")?;
                Ok(token.map(Self::Deployment))
            }
            "jwt" => {
                refuse(source, &[table::HTTP_BEARER_TOKEN], "static")?;
                refuse(source, &OF_INTROSPECTION, "introspection")?;
                JwtChoice::read(source).map(|choice| Some(Self::Jwt(choice)))
            }
            "introspection" => {
                refuse(source, &[table::HTTP_BEARER_TOKEN], "static")?;
                refuse(source, &OF_JWT, "jwt")?;
                IntrospectionChoice::read(source).map(|choice| Some(Self::Introspection(choice)))
            }
            other => Err(fault(
                &table::HTTP_VERIFIER,
                format!("{} is no verifier: static, jwt or introspection", shown(other)),
            )),
        }
    }
}

impl JwtChoice {
    fn read(source: &Source<'_>) -> Result<Self, SettingFault> {
        let fresh = millis(source, &table::HTTP_KEYS_FRESH_MS, DAY_MS, 10 * MINUTE_MS)?;
        let stale_limit = millis(source, &table::HTTP_KEYS_STALE_MS, 7 * DAY_MS, HOUR_MS)?;
        if stale_limit < fresh {
            let what = format!(
                "is {} and PM_MCP_HTTP_KEYS_FRESH_MS is {}; it must not be less",
                stale_limit.as_millis(),
                fresh.as_millis()
            );
            return Err(fault(&table::HTTP_KEYS_STALE_MS, what));
        }
        Ok(Self { jwks: source.parsed(&table::HTTP_JWKS_URI, protected_url)?, fresh, stale_limit })
    }
}

impl IntrospectionChoice {
    fn read(source: &Source<'_>) -> Result<Self, SettingFault> {
        let needed =
            |setting: &Setting| fault(setting, "is not set, and PM_MCP_HTTP_VERIFIER=introspection needs it");
        let text =
            |setting: &Setting| source.text(setting)?.map(str::to_owned).ok_or_else(|| needed(setting));
        let url = source.parsed(&table::HTTP_INTROSPECTION_URL, protected_url)?;
        Ok(Self {
            url: url.ok_or_else(|| needed(&table::HTTP_INTROSPECTION_URL))?,
            client_id: text(&table::HTTP_INTROSPECTION_CLIENT_ID)?,
            client_secret: text(&table::HTTP_INTROSPECTION_CLIENT_SECRET)?,
            in_body: source
                .parsed(&table::HTTP_INTROSPECTION_CLIENT_AUTH, |name| match name.trim() {
                    "basic" => Ok(false),
                    "post" => Ok(true),
                    other => Err(format!("{} is neither basic nor post", shown(other))),
                })?
                .unwrap_or(false),
            keep: millis(source, &table::HTTP_INTROSPECTION_KEEP_MS, HOUR_MS, 30_000)?,
        })
    }
}

/// Whether the issuer may lie in a private network.
pub(super) fn allows_private(source: &Source<'_>) -> Result<Option<bool>, SettingFault> {
    source.parsed(&table::HTTP_AUTH_PRIVATE, |word| match word.trim() {
        "yes" => Ok(true),
        "no" => Ok(false),
        other => Err(format!("{} is neither yes nor no", shown(other))),
    })
}

fn millis(
    source: &Source<'_>,
    setting: &Setting,
    highest: u64,
    default: u64,
) -> Result<Duration, SettingFault> {
    let ms = source.parsed(setting, |text| whole_number(text, highest))?;
    Ok(Duration::from_millis(ms.unwrap_or(default)))
}

fn refuse(source: &Source<'_>, settings: &[Setting], verifier: &str) -> Result<(), SettingFault> {
    for setting in settings {
        if source.text(setting)?.is_some() {
            let (name, other) = (table::HTTP_VERIFIER.name, setting.name);
            let what = format!("must be {verifier}, as {other} is set");
            return Err(SettingFault::new(name, what, format!("set {name}={verifier}, or unset {other}")));
        }
    }
    Ok(())
}

/// An address that is asked over HTTPS, or on this very machine. It is not repeated, since it may hold a password.
fn protected_url(text: &str) -> Result<HttpUrl, String> {
    let url = HttpUrl::parse(text.trim()).map_err(|fault| fault.to_string())?;
    if url.is_protected() {
        Ok(url)
    } else {
        Err("must begin with https://; http:// is for loopback hosts only".to_owned())
    }
}

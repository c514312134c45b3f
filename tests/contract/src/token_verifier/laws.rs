//! The laws, one function each.

use std::error::Error;
use std::fmt::Write as _;
use std::sync::Arc;

use pm_mcp_domain::access::{Grant, PresentedToken};
use pm_mcp_domain::time::Timestamp;
use pm_mcp_ports::driven::{TokenVerifier, VerifyError};

use crate::law::{Outcome, Violation, ensure};
use crate::secret::shows;

use super::harness::FreshVerifier;

const CALLERS: usize = 16;

/// How many characters of a long token are changed, spread over it.
const CHANGED: usize = 48;

async fn verify(
    verifier: &dyn TokenVerifier,
    token: &str,
    now: Timestamp,
) -> Result<Result<Grant, VerifyError>, Violation> {
    Ok(verifier.verify(&PresentedToken::parse(token)?, now).await)
}

async fn is_invalid(verifier: &dyn TokenVerifier, now: Timestamp, token: &str, what: &str) -> Outcome {
    match verify(verifier, token, now).await? {
        Err(VerifyError::Invalid(_)) => Ok(()),
        Ok(grant) => Err(Violation::new(format!("{what} gives a grant to {:?}", grant.subject))),
        Err(other) => Err(Violation::new(format!("{what} gives {other:?}"))),
    }
}

pub(super) async fn an_authentic_token_gives_its_grant(fresh: FreshVerifier) -> Outcome {
    for (token, wanted) in &fresh.samples.good {
        let grant = verify(&*fresh.verifier, token, fresh.samples.now).await??;
        ensure!(grant == *wanted, "a good token gives {grant:?}, and the issuer set {wanted:?}");
    }
    Ok(())
}

pub(super) async fn a_changed_token_is_invalid(fresh: FreshVerifier) -> Outcome {
    for (token, _) in &fresh.samples.good {
        let step = token.len().div_ceil(CHANGED).max(1);
        let mut changes = Vec::new();
        for (at, was) in token.char_indices().step_by(step) {
            let mut changed = token.clone();
            changed.replace_range(at..=at, if was == 'A' { "B" } else { "A" });
            changes.push((changed, format!("a token with another character at {at}")));
        }
        changes.push((format!("{token}A"), "a token with one more character".to_owned()));
        let cut = token.get(..token.len().saturating_sub(1)).unwrap_or_default();
        changes.push((cut.to_owned(), "a token without its last character".to_owned()));
        // What is no token by its grammar never reaches a verifier.
        let tokens = changes.iter().filter(|(changed, _)| PresentedToken::parse(changed).is_ok());
        for (changed, what) in tokens {
            is_invalid(&*fresh.verifier, fresh.samples.now, changed, what).await?;
        }
    }
    Ok(())
}

pub(super) async fn a_token_of_somebody_else_is_invalid(fresh: FreshVerifier) -> Outcome {
    for (number, token) in fresh.samples.invalid.iter().enumerate() {
        is_invalid(
            &*fresh.verifier,
            fresh.samples.now,
            token,
            &format!("token {number} of those that are not good"),
        )
        .await?;
    }
    Ok(())
}

pub(super) async fn a_token_that_ended_is_told_as_such(fresh: FreshVerifier) -> Outcome {
    let Some(token) = &fresh.samples.expired else { return Ok(()) };
    match verify(&*fresh.verifier, token, fresh.samples.now).await? {
        Err(VerifyError::Expired) => Ok(()),
        Ok(grant) if grant.expires.is_some_and(|expires| expires <= fresh.samples.now) => Ok(()),
        Ok(grant) => {
            Err(Violation::new(format!("a token that ended gives one that ends at {:?}", grant.expires)))
        }
        Err(other) => Err(Violation::new(format!("a token that ended gives {other:?}"))),
    }
}

pub(super) async fn an_outage_is_no_verdict(fresh: FreshVerifier) -> Outcome {
    let Some((verifier, samples)) = &fresh.cut_off else { return Ok(()) };
    for (token, _) in &samples.good {
        let told = verify(&**verifier, token, samples.now).await?;
        ensure!(
            matches!(told, Err(VerifyError::Unavailable(_))),
            "a good token gives {told:?} while the issuer cannot be reached"
        );
    }
    Ok(())
}

pub(super) async fn answers_depend_on_the_token_alone(fresh: FreshVerifier) -> Outcome {
    let now = fresh.samples.now;
    let good = fresh.samples.good.iter().map(|(token, grant)| (token.clone(), Some(grant.clone())));
    let invalid = fresh.samples.invalid.iter().map(|token| (token.clone(), None));
    let all: Vec<_> = good.chain(invalid).collect();
    let callers: Vec<_> = (0..CALLERS)
        .map(|first| {
            let (verifier, all) = (Arc::clone(&fresh.verifier), all.clone());
            tokio::spawn(async move {
                let (before, after) = all.split_at(first % all.len());
                for (token, wanted) in after.iter().chain(before) {
                    let told = verify(&*verifier, token, now).await?.ok();
                    ensure!(
                        told == *wanted,
                        "among others a token gives {told:?} in the place of {wanted:?}"
                    );
                }
                Ok(())
            })
        })
        .collect();
    for caller in callers {
        caller.await??;
    }
    Ok(())
}

pub(super) async fn nothing_of_a_token_shows(fresh: FreshVerifier) -> Outcome {
    let samples = &fresh.samples;
    let mut secrets: Vec<&str> = samples.secrets.iter().map(String::as_str).collect();
    let mut written = String::new();
    let tokens = samples.good.iter().map(|(token, _)| token).chain(&samples.invalid).chain(&samples.expired);
    for token in tokens {
        secrets.push(token);
        match verify(&*fresh.verifier, token, samples.now).await? {
            Ok(grant) => write!(written, "{grant:?} ")?,
            Err(error) => write_all(&mut written, &error)?,
        }
    }
    if let Some((verifier, samples)) = &fresh.cut_off {
        for (token, _) in &samples.good {
            if let Err(error) = verify(&**verifier, token, samples.now).await? {
                write_all(&mut written, &error)?;
            }
            secrets.push(token);
        }
        write!(written, "{verifier:?} ")?;
    }
    write!(written, "{:?} {:#?}", fresh.verifier, fresh.verifier)?;
    for secret in secrets {
        ensure!(!shows(written.as_bytes(), secret.as_bytes()), "a token or a key shows in: {written}");
    }
    Ok(())
}

fn write_all(written: &mut String, error: &VerifyError) -> std::fmt::Result {
    write!(written, "{error:?} ")?;
    let mut next: Option<&dyn Error> = Some(error);
    while let Some(cause) = next {
        write!(written, "{cause} ")?;
        next = cause.source();
    }
    Ok(())
}

//! Who signs a change.

use pm_mcp::Context;
use pm_tracker_domain::{Agent, AuthorSource, Settings, Signature};

use crate::failure::Failure;

/// Longest author that is written.
const LONGEST: usize = 128;

/// Where authors come from if neither the call nor a token names one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[expect(clippy::exhaustive_structs, reason = "plain settings")]
pub struct AuthorRules {
    /// The author that the operator names.
    pub configured: Option<String>,
}

/// The signature of a call. A verified token's subject is the author and nothing else may be named; otherwise the call,
/// the operator, the workspace and the client are asked in this order.
///
/// # Errors
///
/// [`Failure::InvalidArgument`] for an author that may not be named, or cannot be one.
pub(crate) fn signature(
    context: &Context,
    named: Option<&str>,
    rules: &AuthorRules,
    settings: &Settings,
) -> Result<Signature, Failure> {
    let caller = context.caller();
    let client = caller.client.as_ref();
    let agent =
        client.map(|client| Agent { name: printable(&client.name), version: printable(&client.version) });
    let named = named.map(str::trim).filter(|name| !name.is_empty());
    let (author, source) = match (caller.principal.subject(), named) {
        (Some(_), Some(_)) => {
            return Err(Failure::argument("author", "is taken from the access token here; leave it out"));
        }
        (Some(subject), None) => (printable(subject), AuthorSource::Asserted),
        (None, Some(named)) if printable(named) == named => (named.to_owned(), AuthorSource::Asserted),
        (None, Some(_)) => {
            let detail = format!("must be at most {LONGEST} bytes without control characters");
            return Err(Failure::argument("author", detail));
        }
        (None, None) => match (&rules.configured, settings.author_default.as_str(), client) {
            (Some(author), _, _) => (author.clone(), AuthorSource::Configured),
            (None, author, _) if !author.is_empty() => (author.to_owned(), AuthorSource::Configured),
            (None, _, Some(client)) => (format!("mcp:{}", printable(&client.name)), AuthorSource::Detected),
            (None, _, None) => ("unknown".to_owned(), AuthorSource::Unknown),
        },
    };
    Ok(Signature { author, source, agent })
}

/// A label without what would break a line, cut to a length that histories can bear.
fn printable(label: &str) -> String {
    let mut text: String = label.chars().filter(|c| !c.is_control()).collect();
    let mut end = LONGEST.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.truncate(end);
    text.trim().to_owned()
}

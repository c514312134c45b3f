//! What looks like a secret must not end in a repository.

use serde_json::Value;

use super::{Document, Refusal};
use crate::Enforcement;

/// Beginnings of well-known keys, how many letters follow at least, and what they are.
const KEYS: [(&str, usize, &str); 12] = [
    ("AKIA", 16, "AWS access key"),
    ("ASIA", 16, "AWS session key"),
    ("ghp_", 30, "GitHub token"),
    ("gho_", 30, "GitHub token"),
    ("ghs_", 30, "GitHub token"),
    ("github_pat_", 30, "GitHub token"),
    ("glpat-", 18, "GitLab token"),
    ("xoxb-", 20, "Slack token"),
    ("xoxp-", 20, "Slack token"),
    ("sk-", 32, "API key"),
    ("sk_live_", 20, "payment key"),
    ("AIza", 35, "Google API key"),
];

/// What a text seems to hold that should be kept secret.
#[must_use]
pub fn looks_secret(text: &str) -> Option<&'static str> {
    if text.contains("-----BEGIN ") && text.contains("PRIVATE KEY-----") {
        return Some("private key");
    }
    let apart = |c: char| {
        c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '=' | ',' | ';' | ':' | '(' | ')' | '<' | '>')
    };
    text.split(apart).find_map(|word| {
        let key = KEYS.iter().find(|(start, least, _)| {
            let rest = word.strip_prefix(start);
            rest.is_some_and(|rest| {
                rest.len() >= *least
                    && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
                    && rest.bytes().any(|byte| byte.is_ascii_digit())
            })
        });
        key.map(|(_, _, what)| *what).or_else(|| is_signed_token(word).then_some("signed token"))
    })
}

/// Three parts between dots, the first of which is the start of a JSON object in base64.
fn is_signed_token(word: &str) -> bool {
    let mut parts = word.split('.');
    let head = parts.next().is_some_and(|head| head.starts_with("eyJ") && head.len() >= 16);
    head && parts.next().is_some_and(|body| body.len() >= 16)
        && parts.next().is_some()
        && parts.next().is_none()
}

/// Looks at what a change writes; what was there before is not its fault.
pub(super) fn check(
    before: Option<&Document>,
    after: &Document,
    rule: Enforcement,
) -> Result<Vec<String>, Refusal> {
    if rule == Enforcement::Off {
        return Ok(Vec::new());
    }
    let mut warnings = Vec::new();
    let mut look = |field: &str, now: &Value, then: Option<&Value>| {
        if then == Some(now) {
            return Ok(());
        }
        match (find(now), rule) {
            (None, _) | (_, Enforcement::Off) => {}
            (Some(kind), _) if then.and_then(find) == Some(kind) => {}
            (Some(kind), Enforcement::Strict) => {
                return Err(Refusal::Secret { field: field.to_owned(), kind });
            }
            (Some(kind), Enforcement::Warn) => {
                warnings.push(format!("secret: `{field}` holds what looks like a secret ({kind})"));
            }
        }
        Ok(())
    };
    for (key, value) in &after.metadata {
        look(key, value, before.and_then(|before| before.metadata.get(key)))?;
    }
    let body = |document: &Document| Value::from(document.body.as_str());
    look("body", &body(after), before.map(body).as_ref())?;
    Ok(warnings)
}

fn find(value: &Value) -> Option<&'static str> {
    match value {
        Value::String(text) => looks_secret(text),
        Value::Array(list) => list.iter().find_map(find),
        Value::Object(members) => members.values().find_map(find),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_seen_and_plain_words_are_not() {
        for (text, wanted) in [
            ("use AKIAIOSFODNN7EXAMPLE here", Some("AWS access key")),
            ("token=ghp_0123456789abcdefghijABCDEFGHIJ0123", Some("GitHub token")),
            ("-----BEGIN RSA PRIVATE KEY-----\nMII", Some("private key")),
            ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3.SflKxwRJSMeKKF2Q", Some("signed token")),
            ("sk-learn and sk-image are libraries", None),
            ("AKIA is a prefix; ghp_ too", None),
            ("a long-hyphenated-word-that-goes-on-and-on-for-a-while", None),
        ] {
            assert_eq!(looks_secret(text), wanted, "{text}");
        }
    }
}

//! What each setting's value must be.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

use pm_mcp::BaggageKeys;
use pm_tracker::writing::Confirmation;

use super::fault::shown;

const LONGEST_NAME: usize = 64;
const LONGEST_AUTHOR: usize = 128;
const LONGEST_WAIT_MS: u64 = 3_600_000;

/// `name=path` pairs.
pub(super) fn workspaces(value: &str) -> Result<Vec<(String, PathBuf)>, String> {
    let mut names = BTreeSet::new();
    let mut pairs = Vec::new();
    for pair in value.split(';') {
        let Some((name, path)) = pair.split_once('=') else {
            return Err(format!("{} is no name=path pair", shown(pair)));
        };
        let (name, path) = (name.trim(), path.trim());
        if !is_workspace_name(name) {
            return Err(format!(
                "{} is no workspace name, which has 1 to {LONGEST_NAME} of A-Z a-z 0-9 . _ -",
                shown(name)
            ));
        }
        if path.is_empty() {
            return Err(format!("workspace {name:?} has no path"));
        }
        if !names.insert(name) {
            return Err(format!("workspace {name:?} is named twice"));
        }
        pairs.push((name.to_owned(), PathBuf::from(path)));
    }
    Ok(pairs)
}

/// Names stand in URIs and headers, so they hold nothing that would need an escape there.
fn is_workspace_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(plain)
}

/// The author of history.
pub(super) fn author(value: &str) -> Result<String, String> {
    let author = value.trim();
    match author.len() <= LONGEST_AUTHOR && !author.chars().any(char::is_control) {
        true => Ok(author.to_owned()),
        false => Err(format!("must have at most {LONGEST_AUTHOR} bytes and no control characters")),
    }
}

/// Yes or no.
pub(super) fn flag(value: &str) -> Result<bool, String> {
    match value.trim() {
        "1" => Ok(true),
        "0" => Ok(false),
        other => Err(format!("{} is neither 0 nor 1", shown(other))),
    }
}

/// When batches are shown before they are made.
pub(super) fn confirmation(value: &str) -> Result<Confirmation, String> {
    Confirmation::parse(value)
        .ok_or_else(|| format!("{} is none of destructive, always, never", shown(value)))
}

/// How long a write waits, at most an hour.
pub(super) fn wait(value: &str) -> Result<Duration, String> {
    let milliseconds = value.trim().parse().ok().filter(|ms| *ms <= LONGEST_WAIT_MS);
    milliseconds
        .map(Duration::from_millis)
        .ok_or_else(|| format!("{} is no whole number from 0 to {LONGEST_WAIT_MS}", shown(value)))
}

/// An address: one of the loopback interface unless `guarded`.
pub(super) fn host(value: &str, guarded: bool) -> Result<IpAddr, String> {
    if value == "localhost" {
        return Ok(Ipv4Addr::LOCALHOST.into());
    }
    let bare = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(value);
    let address: IpAddr = bare.parse().map_err(|_| format!("{} is no IP address", shown(value)))?;
    match guarded || address.is_loopback() {
        true => Ok(address),
        false => Err(format!(
            "{address} is not a loopback address, and others need authorization: PM_MCP_HTTP_BEARER_TOKEN \
             (or another PM_MCP_HTTP_VERIFIER), PM_MCP_HTTP_AUTH_ISSUER and PM_MCP_HTTP_RESOURCE"
        )),
    }
}

pub(super) fn port(value: &str) -> Result<u16, String> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let port = if digits { value.parse().ok() } else { None };
    port.ok_or_else(|| format!("{} is no port, a whole number from 0 to 65535", shown(value)))
}

/// A whole number from 1 to `highest`.
pub(super) fn whole_number(value: &str, highest: u64) -> Result<u64, String> {
    number_between(value, 1, highest)
}

/// A whole number from `lowest` to `highest`.
pub(super) fn number_between(value: &str, lowest: u64, highest: u64) -> Result<u64, String> {
    let digits = value.bytes().all(|byte| byte.is_ascii_digit());
    let number = if digits { value.parse().ok() } else { None };
    number
        .filter(|number| (lowest..=highest).contains(number))
        .ok_or_else(|| format!("{} is no whole number from {lowest} to {highest}", shown(value)))
}

/// A key with enough bytes. Keys are listed with commas between them, so none has one.
pub(super) fn state_key(value: &str) -> Result<String, String> {
    match value.len() {
        0..32 => Err(format!("has a key of {} bytes, and each needs at least 32", value.len())),
        _ if value.contains(',') => Err("has a comma, which stands between keys".to_owned()),
        _ => Ok(value.to_owned()),
    }
}

/// Keys of baggage members.
pub(super) fn baggage_keys(value: &str) -> Result<BaggageKeys, String> {
    BaggageKeys::new(value.split(',').map(str::trim)).map_err(|fault| fault.to_string())
}

/// Origins, which are compared letter for letter, so only the form that browsers send can ever match.
pub(super) fn origins(value: &str) -> Result<Vec<String>, String> {
    value
        .split(',')
        .map(|origin| {
            let origin = origin.trim();
            is_origin(origin).map(|()| origin.to_owned()).map_err(|why| format!("{} {why}", shown(origin)))
        })
        .collect()
}

fn is_origin(origin: &str) -> Result<(), &'static str> {
    const NO_ORIGIN: &str = "is no origin, which is scheme://host or scheme://host:port";
    if origin == "*" || origin.eq_ignore_ascii_case("null") {
        return Err("is not allowed: name each origin");
    }
    let (scheme, authority) = origin.split_once("://").ok_or(NO_ORIGIN)?;
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        || !scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    {
        return Err(NO_ORIGIN);
    }
    if authority.contains(['/', '?', '#']) {
        return Err(
            "has a path, which origins have not; leave out everything after the host and port, also a `/`",
        );
    }
    let (host, port) = match authority.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        Some((host, "")) => (host, None),
        Some((host, rest)) => (host, Some(rest.strip_prefix(':').ok_or(NO_ORIGIN)?)),
        None => authority.split_once(':').map_or((authority, None), |(host, port)| (host, Some(port))),
    };
    let in_host = |c: char| c.is_ascii_alphanumeric() || "-._~:".contains(c);
    if host.is_empty() || !host.chars().all(in_host) {
        return Err(NO_ORIGIN);
    }
    if port.is_some_and(|port| !port.bytes().all(|b| b.is_ascii_digit()) || port.parse::<u16>().is_err()) {
        return Err(NO_ORIGIN);
    }
    if origin.chars().any(|c| c.is_ascii_uppercase()) {
        return Err("has capital letters; browsers send origins in lower case");
    }
    match (scheme, port) {
        ("http", Some("80")) | ("https", Some("443")) => {
            Err("names its scheme's own port, which browsers leave out")
        }
        (_, Some(_) | None) => Ok(()),
    }
}

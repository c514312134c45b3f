//! A request with its headers: lines `name: value`, an empty line, the body.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_domain::request::{Binding, Verdict, judge};
use serde_json::Value;

fuzz_target!(|bytes: &[u8]| {
    let cut = bytes.windows(2).position(|pair| pair == b"\n\n").unwrap_or(bytes.len());
    let (head, body) = bytes.split_at(cut);
    let lines = head.split(|byte| *byte == b'\n');
    let headers: Vec<(&str, &[u8])> = lines
        .filter_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            Some((std::str::from_utf8(&line[..colon]).ok()?, line[colon + 1..].trim_ascii()))
        })
        .collect();
    let headers = headers.as_slice();
    if let Verdict::Request(_) = judge(body, Binding::Http(&headers)) {
        let body: Value = serde_json::from_slice(body.trim_ascii_start()).unwrap_or_default();
        let named = headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("mcp-method"));
        let named = named.map(|(_, value)| String::from_utf8_lossy(value).into_owned());
        if let Some(method) = body["method"].as_str() {
            assert_eq!(named.as_deref(), Some(method), "admitted without its header");
        }
    }
});

//! Settings of the environment, lines `NAME=value`: a wrong one is told and its secret is not.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_server::settings::{Environment, Program, Settings};

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let pairs: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('=')).collect();
    let secrets: Vec<&str> = pairs
        .iter()
        .filter(|(name, value)| (name.contains("KEY") || name.contains("TOKEN")) && value.len() > 8)
        .map(|(_, value)| *value)
        .collect();
    for program in [Program::Stdio, Program::Http] {
        let environment = Environment::new(pairs.iter().copied());
        if let Err(fault) = Settings::read(&environment, program) {
            let told = fault.to_string();
            assert!(!secrets.iter().any(|secret| told.contains(secret)), "a secret is told: {told}");
        }
    }
});

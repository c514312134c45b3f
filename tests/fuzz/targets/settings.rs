//! Settings of the environment, lines `NAME=value`: a wrong one is told and no secret is.
#![no_main]

use libfuzzer_sys::fuzz_target;
use pm_mcp_server::settings::{Environment, Program, SETTINGS, Settings};

/// What is told of these variables; `None` if they are right.
fn told<'a>(pairs: impl Iterator<Item = (&'a str, String)>, program: Program) -> Option<String> {
    Settings::read(&Environment::new(pairs), program).err().map(|fault| fault.to_string())
}

/// Another value of the same kind: letters for letters, digits for digits, all else as it was.
fn another(value: &str) -> String {
    let next = |letter: char| match letter {
        'z' => 'a',
        'Z' => 'A',
        '9' => '0',
        'a'..='y' | 'A'..='Y' | '0'..='8' => char::from(letter as u8 + 1),
        other => other,
    };
    value.chars().map(next).collect()
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let pairs: Vec<(&str, &str)> = text.lines().filter_map(|line| line.split_once('=')).collect();
    for program in [Program::Stdio, Program::Http] {
        let Some(words) = told(pairs.iter().map(|(name, value)| (*name, (*value).to_owned())), program) else { continue };
        for secret in SETTINGS.iter().filter(|setting| setting.secret) {
            let Some((_, value)) = pairs.iter().rev().find(|(name, _)| *name == secret.name) else { continue };
            if value.len() <= 8 || !words.contains(value) {
                continue;
            }
            // It may stand there by chance, as part of the words or of another setting's value: then it stays.
            let changed = pairs.iter().map(|(name, value)| {
                (*name, if *name == secret.name { another(value) } else { (*value).to_owned() })
            });
            assert_eq!(told(changed, program).as_deref(), Some(&*words), "{} is told", secret.name);
        }
    }
});

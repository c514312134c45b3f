//! Where the servers are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::Value;

/// One of the bundled servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    /// `pm-mcp`.
    Stdio,
    /// `pm-mcp-http`.
    Http,
}

impl Binary {
    const fn name(self) -> &'static str {
        match self {
            Self::Stdio => "pm-mcp",
            Self::Http => "pm-mcp-http",
        }
    }
}

/// The executable: the one in the folder that `PM_TEST_BINARIES` names, else built in the profile of the tests the first
/// time that it is asked for.
pub fn path_of(binary: Binary) -> &'static Path {
    static BUILT: OnceLock<BTreeMap<String, PathBuf>> = OnceLock::new();
    let built = BUILT.get_or_init(|| match std::env::var_os("PM_TEST_BINARIES") {
        Some(folder) => [Binary::Stdio, Binary::Http]
            .map(|binary| (binary.name().to_owned(), Path::new(&folder).join(binary.name())))
            .into(),
        None => build(),
    });
    built.get(binary.name()).unwrap_or_else(|| panic!("cargo built no {}", binary.name()))
}

fn build() -> BTreeMap<String, PathBuf> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--locked", "--package", "pm-mcp-server", "--bins", "--message-format", "json"]);
    if !cfg!(debug_assertions) {
        cargo.arg("--release");
    }
    let output = cargo
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "the servers do not build");
    let told = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    let artifacts = told.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    artifacts
        .filter_map(|artifact| {
            let name = artifact["target"]["name"].as_str()?.to_owned();
            Some((name, PathBuf::from(artifact["executable"].as_str()?)))
        })
        .collect()
}

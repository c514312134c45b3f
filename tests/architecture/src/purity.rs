//! The inner crates stay free of technology: what they may draw in, with which features, and what the domain
//! says of itself.

use crate::cargo::{Kind, Member};
use crate::code::code_only;
use crate::fault::Fault;

/// Crates that no inner crate may draw in, however far down: sockets, servers, files, clocks, randomness.
pub const OUTER: [&str; 18] = [
    "chrono",
    "getrandom",
    "h2",
    "http",
    "hyper",
    "hyper-util",
    "jiff",
    "jsonschema",
    "mio",
    "rand",
    "reqwest",
    "ring",
    "signal-hook-registry",
    "socket2",
    "tempfile",
    "time",
    "tracing-subscriber",
    "warp",
];

/// The crates that this holds for.
pub const INNER: [&str; 6] = [
    "pm-mcp-authorization",
    "pm-mcp-domain",
    "pm-mcp-engine",
    "pm-mcp-ports",
    "pm-tracker-domain",
    "pm-tracker-ports",
];

/// What the engine may use of tokio: tasks, channels and `select!`; no sockets, files or timers.
pub const ENGINE_TOKIO: [&str; 3] = ["macros", "rt", "sync"];

/// The inner crates that must build without the standard library.
pub const NO_STD: [&str; 1] = ["domain/mcp"];

/// Packages among `drawn_in` that `package` may not draw in.
#[must_use]
pub fn reach_faults(package: &str, drawn_in: &[String]) -> Vec<Fault> {
    let outer = drawn_in.iter().filter(|name| OUTER.contains(&name.as_str()));
    outer.map(|name| Fault::new(package, format!("draws in {name}, which belongs to an adapter"))).collect()
}

/// Features of direct dependencies that would bring a machine into an inner crate.
#[must_use]
pub fn feature_faults(members: &[Member]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for member in members.iter().filter(|member| INNER.contains(&member.name.as_str())) {
        let no_std = NO_STD.contains(&member.folder.as_str());
        for dependency in member.dependencies.iter().filter(|dependency| dependency.kind == Kind::Normal) {
            if no_std && (dependency.default_features || dependency.features.iter().any(|name| name == "std"))
            {
                let what =
                    format!("takes {} with the standard library; default features off", dependency.name);
                faults.push(Fault::new(&member.name, what));
            }
            if dependency.name != "tokio" {
                continue;
            }
            let extra = dependency.features.iter().filter(|name| !ENGINE_TOKIO.contains(&name.as_str()));
            for feature in extra.map(String::as_str).chain(dependency.default_features.then_some("default")) {
                let what = format!("takes tokio's `{feature}`; only {} are allowed", ENGINE_TOKIO.join(", "));
                faults.push(Fault::new(&member.name, what));
            }
        }
    }
    faults
}

/// What the root file of a pure domain crate fails to say.
#[must_use]
pub fn root_faults(path: &str, text: &str) -> Vec<Fault> {
    let code = code_only(text);
    let wanted = ["#![no_std]", "#![forbid(unsafe_code)]"];
    let missing = wanted.iter().filter(|wanted| !code.lines().any(|line| line.trim() == **wanted));
    missing.map(|wanted| Fault::new(path, format!("lacks `{wanted}`"))).collect()
}

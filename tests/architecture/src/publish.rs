//! What members must say so that they can be published, and that those which are not meant to be say so.
//!
//! A member that tests of another one use is named there by its path alone: cargo leaves it out of the package, so that
//! a circle through tests (the contract kit and what it tries) does not stop the first release.

use serde_json::Value;

use crate::fault::Fault;

/// What lies in the folder of tests and is for others all the same: they try adapters of their own with it.
const FOR_OTHERS: &str = "pm-mcp-contract";

/// Whether a package stays here, by where its manifest lies.
#[must_use]
pub fn stays(package: &Value) -> bool {
    text(package, "manifest_path").contains("/tests/") && text(package, "name") != FOR_OTHERS
}

/// What a package says of itself, beside its name and version.
const SAID: [&str; 5] = ["description", "license", "readme", "repository", "rust_version"];

/// What stands in the way of a release, by what `cargo metadata --no-deps` printed.
#[must_use]
pub fn faults(metadata: &Value) -> Vec<Fault> {
    let packages = metadata.get("packages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let version = packages.first().map_or("", |first| text(first, "version"));
    packages.iter().flat_map(|package| package_faults(package, packages, version)).collect()
}

fn package_faults(package: &Value, members: &[Value], version: &str) -> Vec<Fault> {
    let name = text(package, "name");
    let kept = package.get("publish").and_then(Value::as_array).is_some_and(Vec::is_empty);
    let mut said = Vec::new();
    if kept != stays(package) {
        said.push(
            if kept { "is kept back by `publish = false`" } else { "lacks `publish = false`" }.to_owned(),
        );
    }
    if text(package, "version") != version {
        said.push(format!("has version {}, others have {version}", text(package, "version")));
    }
    if !kept {
        said.extend(
            SAID.iter().filter(|key| text(package, key).is_empty()).map(|key| format!("says no `{key}`")),
        );
        let used = package.get("dependencies").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        said.extend(used.iter().filter_map(|used| dependency_fault(used, members, version)));
    }
    said.into_iter().map(|what| Fault::new(name, what)).collect()
}

fn dependency_fault(used: &Value, members: &[Value], version: &str) -> Option<String> {
    let name = text(used, "name");
    let Some(member) = members.iter().find(|member| text(member, "name") == name) else {
        return (text(used, "req") == "*").then(|| format!("takes any version of `{name}`"));
    };
    let for_tests = text(used, "kind") == "dev";
    match text(used, "req") {
        "*" if for_tests => None,
        _ if for_tests => Some(format!("names the version of `{name}` for its tests; name the path alone")),
        _ if stays(member) => Some(format!("uses `{name}`, which is not published")),
        asked if asked == format!("^{version}") => None,
        asked => Some(format!("asks for `{name}` {asked}; it has to be {version} beside the path")),
    }
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

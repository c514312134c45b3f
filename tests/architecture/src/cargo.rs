//! What cargo knows: the members, their declared dependencies, and what those draw in.

use std::io;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// When a dependency is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// By the crate itself.
    Normal,
    /// By its tests, examples and benches.
    Dev,
    /// By its build script.
    Build,
}

/// A dependency that a member's manifest declares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// Name of the package depended on.
    pub name: String,
    /// When it is used.
    pub kind: Kind,
    /// Features asked for.
    pub features: Vec<String>,
    /// Whether its default features are taken too.
    pub default_features: bool,
}

/// A member of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Package name.
    pub name: String,
    /// Folder from the root of the tree, as in `domain/mcp`.
    pub folder: String,
    /// Declared dependencies of every kind.
    pub dependencies: Vec<Dependency>,
}

/// The members of the workspace at `root`. Reads manifests only, so it needs no network.
///
/// # Errors
///
/// When cargo cannot be run, refuses (a lock file out of step among the reasons) or prints no JSON.
pub fn members(root: &Path) -> io::Result<Vec<Member>> {
    let metadata = metadata(root)?;
    Ok(list(&metadata, "packages").iter().map(|package| member(&metadata, package)).collect())
}

/// What cargo prints of the members at `root`, as it prints it.
///
/// # Errors
///
/// As [`members`].
pub fn metadata(root: &Path) -> io::Result<Value> {
    let printed = run(root, &["metadata", "--format-version", "1", "--no-deps", "--offline", "--locked"])?;
    Ok(serde_json::from_str(&printed)?)
}

/// Names of the packages that `package` draws in when it is built alone, itself left out.
///
/// # Errors
///
/// When cargo cannot be run or refuses.
pub fn drawn_in(root: &Path, package: &str) -> io::Result<Vec<String>> {
    let arguments =
        ["tree", "--offline", "--locked", "-e", "normal", "--prefix", "none", "-f", "{p}", "-p", package];
    let printed = run(root, &arguments)?;
    let names = printed.lines().filter_map(|line| line.split(' ').next());
    let mut names: Vec<String> = names.filter(|name| *name != package).map(str::to_owned).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

fn run(root: &Path, arguments: &[&str]) -> io::Result<String> {
    let cargo = option_env!("CARGO").unwrap_or("cargo");
    let output = Command::new(cargo).args(arguments).current_dir(root).output()?;
    if output.status.success() {
        return String::from_utf8(output.stdout).map_err(io::Error::other);
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("cargo {} failed: {reason}", arguments.join(" "))))
}

fn member(metadata: &Value, package: &Value) -> Member {
    let folder = text(package, "manifest_path");
    let folder = folder.strip_prefix(&text(metadata, "workspace_root")).unwrap_or(&folder);
    let folder = folder.trim_end_matches("Cargo.toml").trim_matches(['/', '\\']);
    Member {
        name: text(package, "name"),
        folder: folder.replace('\\', "/"),
        dependencies: list(package, "dependencies").iter().map(dependency).collect(),
    }
}

fn dependency(declared: &Value) -> Dependency {
    Dependency {
        name: text(declared, "name"),
        kind: match declared.get("kind").and_then(Value::as_str) {
            Some("dev") => Kind::Dev,
            Some("build") => Kind::Build,
            Some(_) | None => Kind::Normal,
        },
        features: list(declared, "features").iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        default_features: declared.get("uses_default_features").and_then(Value::as_bool).unwrap_or(true),
    }
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

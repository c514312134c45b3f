//! What a release needs of the manifests, and that the version stands in one place.

use std::fs;
use std::path::Path;

use pm_mcp_architecture::cargo;
use pm_mcp_architecture::fault::listing;
use pm_mcp_architecture::publish::{faults, stays};
use pm_mcp_architecture::tree;
use serde_json::{Value, json};

use crate::members;

fn package(name: &str, dependencies: &Value) -> Value {
    json!({
        "manifest_path": if name == "kept" { "/x/tests/kept/Cargo.toml" } else { "/x/app/Cargo.toml" },
        "name": name, "version": "1.2.3", "publish": null, "description": "d", "license": "MIT", "readme": "r",
        "repository": "u", "rust_version": "1.95", "dependencies": dependencies,
    })
}

fn said(packages: &Value) -> String {
    listing(&faults(&json!({"packages": packages})))
}

#[test]
fn every_member_can_be_published_or_is_kept_back() {
    let metadata = cargo::metadata(&tree::root()).expect("cargo metadata runs offline");
    assert_eq!(listing(&faults(&metadata)), "");
}

#[test]
fn every_package_carries_the_licence() {
    let root = tree::root();
    let licence = fs::read(root.join("LICENSE")).expect("the licence is there");
    let metadata = cargo::metadata(&root).expect("cargo metadata runs offline");
    for package in metadata["packages"].as_array().unwrap().iter().filter(|package| !stays(package)) {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap());
        let carried = fs::read(manifest.with_file_name("LICENSE")).unwrap_or_default();
        assert_eq!(carried, licence, "{}: link LICENSE to the tree's", package["name"]);
    }
}

#[test]
fn the_version_stands_in_one_manifest() {
    let root = tree::root();
    for member in members() {
        let manifest = fs::read_to_string(root.join(&member.folder).join("Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("\nversion.workspace = true\n"), "{}", member.folder);
        assert!(manifest.contains("\nrust-version.workspace = true\n"), "{}", member.folder);
    }
}

#[test]
fn what_could_not_be_published_is_seen() {
    let uses = |req: &str, kind: Value| json!([{"name": "b", "req": req, "kind": kind}]);
    let of = |used: &Value| said(&json!([package("a", used), package("b", &json!([]))]));
    assert_eq!(of(&uses("^1.2.3", Value::Null)), "");
    assert_eq!(of(&uses("*", json!("dev"))), "");
    assert_eq!(of(&uses("*", Value::Null)), "a: asks for `b` *; it has to be 1.2.3 beside the path\n");
    assert_eq!(
        of(&uses("^1.2.2", json!("build"))),
        "a: asks for `b` ^1.2.2; it has to be 1.2.3 beside the path\n"
    );
    let versioned = "a: names the version of `b` for its tests; name the path alone\n";
    assert_eq!(of(&uses("^1.2.3", json!("dev"))), versioned);
    let outside = json!([{"name": "other", "req": "*", "kind": null}]);
    assert_eq!(said(&json!([package("a", &outside)])), "a: takes any version of `other`\n");
}

#[test]
fn what_is_published_by_mistake_is_seen() {
    let mut kept = package("kept", &json!([]));
    assert_eq!(said(&json!([kept.clone()])), "kept: lacks `publish = false`\n");
    kept["publish"] = json!([]);
    assert_eq!(said(&json!([kept.clone()])), "");
    let user = package("a", &json!([{"name": "kept", "req": "^1.2.3", "kind": null}]));
    assert_eq!(said(&json!([user, kept])), "a: uses `kept`, which is not published\n");
    let mut bare = package("a", &json!([]));
    bare["readme"] = Value::Null;
    bare["publish"] = json!([]);
    assert_eq!(said(&json!([bare.clone()])), "a: is kept back by `publish = false`\n");
    bare["publish"] = Value::Null;
    assert_eq!(said(&json!([bare])), "a: says no `readme`\n");
}

#!/usr/bin/env python3
"""Looks into the packed crates and lays them out as a registry beside the vendored crates of others.

    pack.py METADATA PACKED REGISTRY EVIDENCE

METADATA is what `cargo metadata --no-deps` printed, PACKED the folder with the .crate files, REGISTRY a directory source
of cargo, to which the unpacked crates are added; EVIDENCE gets names, versions and checksums as JSON.

Prints `ok: ...` or `FAILED: ...` for each thing that was looked at.
"""

import hashlib
import io
import json
import os
import re
import shutil
import sys
import tarfile
import tomllib
from pathlib import Path

WANTED = ["Cargo.toml", "LICENSE", "README.md", "src/lib.rs"]
DESCRIBED = ["description", "license", "readme", "repository", "rust-version"]
# Suites and what they read stay with the source; a package is what is needed to build and to understand it.
STRAY = re.compile(r"^(tests|benches|target)/|(^|/)(corpus|corpora|golden|fixtures)/|\.(crate|rlib|log|rej)$")


def files(packed: bytes) -> dict[str, bytes]:
    """The files of a .crate by path, without its top folder."""
    found = {}
    with tarfile.open(fileobj=io.BytesIO(packed), mode="r:gz") as tar:
        for member in tar.getmembers():
            top, _, path = member.name.partition("/")
            if not member.isfile() or not path or path.startswith("/") or ".." in path.split("/"):
                raise ValueError(f"{member.name} is no plain file inside of its folder")
            found[path] = tar.extractfile(member).read()
    return found


def dependencies(manifest: dict):
    """Tables of dependencies of every kind and target."""
    for place in [manifest, *manifest.get("target", {}).values()]:
        for kind in ["dependencies", "build-dependencies", "dev-dependencies"]:
            yield from ((kind, name, spec) for name, spec in place.get(kind, {}).items())


def faults(name: str, version: str, held: dict[str, bytes], licence: bytes, places: list[str]) -> list[str]:
    """What is wrong with one packed crate."""
    found = [f"lacks {path}" for path in WANTED if path not in held]
    found += [f"holds {path}" for path in held if STRAY.search(path)]
    if held.get("LICENSE") not in (None, licence):
        found.append("holds another licence than the tree")
    for path, data in held.items():
        text = data.decode(errors="replace")
        found += [f"{path} names the place {place}" for place in places if place in text]
    manifest = tomllib.loads(held.get("Cargo.toml", b"").decode())
    package = manifest.get("package", {})
    found += [f"says no {key}" for key in DESCRIBED if not package.get(key)]
    if package.get("version") != version:
        found.append(f"has version {package.get('version')}, the workspace has {version}")
    for kind, used, spec in dependencies(manifest):
        if isinstance(spec, str):
            continue
        if "path" in spec or "git" in spec or not spec.get("version"):
            found.append(f"{kind}: {used} is not taken from the registry by its version")
    return found


def main() -> int:
    metadata, packed, registry, evidence = map(Path, sys.argv[1:])
    metadata = json.loads(metadata.read_text())
    root = Path(metadata["workspace_root"])
    version = tomllib.loads((root / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    licence = (root / "LICENSE").read_bytes()
    places = [str(root), os.environ.get("PM_RELEASE_HOME", str(Path.home())) + "/"]
    bad = 0

    def say(what: str, wrong: list[str]) -> None:
        nonlocal bad
        bad += bool(wrong)
        print(f"FAILED: {what}: {'; '.join(wrong)}" if wrong else f"ok: {what}")

    rows = []
    kept = []
    for package in sorted(metadata["packages"], key=lambda package: package["name"]):
        name = package["name"]
        if package["publish"] == []:
            kept.append(name)
            continue
        crate = packed / f"{name}-{package['version']}.crate"
        if not crate.exists():
            say(f"{name} packs", ["cargo made no package of it"])
            continue
        data = crate.read_bytes()
        held = files(data)
        say(f"{name} packs: {len(held)} files, {len(data)} bytes", faults(name, version, held, licence, places))
        checksum = hashlib.sha256(data).hexdigest()
        place = registry / f"{name}-{package['version']}"
        shutil.rmtree(place, ignore_errors=True)
        for path, content in held.items():
            (place / path).parent.mkdir(parents=True, exist_ok=True)
            (place / path).write_bytes(content)
        (place / ".cargo-checksum.json").write_text(json.dumps({"files": {}, "package": checksum}))
        rows.append({"name": name, "version": package["version"], "sha256": checksum})

    inside = {package["name"]: package["manifest_path"] for package in metadata["packages"]}
    suites = sorted(name for name, path in inside.items() if path.startswith(f"{root}/tests/"))
    public = [row["name"] for row in rows if row["name"] in suites and row["name"] != "pm-mcp-contract"]
    say(f"{len(kept)} members are not for publishing: {', '.join(kept)}", [f"{name} is" for name in public])

    # What the checks above would miss if they looked at nothing.
    planted = {
        "Cargo.toml": b'[package]\nname = "x"\nversion = "0.0.0"\n[dependencies.y]\npath = "../y"\n',
        "src/lib.rs": f"const HOME: &str = \"{root}\";".encode(),
        "tests/corpus/a.json": b"{}",
        "LICENSE": b"another",
    }
    seen = " | ".join(faults("x", version, planted, licence, places))
    wanted = ["lacks README.md", "holds tests/corpus", "another licence", "names the place", "says no license",
              "has version 0.0.0", "y is not taken"]
    missed = [f"`{what}` was not seen" for what in wanted if what not in seen]
    say("control: a package with every fault is refused", missed)

    evidence.write_text(json.dumps(rows))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

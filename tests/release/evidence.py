#!/usr/bin/env python3
"""Writes down what was proven of which revision of what, each told apart from the others.

    evidence.py HOW PACKAGES LOCK PROGRAMS EVIDENCE

HOW is `packed` or `published`; PACKAGES what pack.py wrote, LOCK the consumer's lock file, PROGRAMS what probe.py wrote.

A tag counts only if it names this very commit, and a package only if its checksum is what the consumer resolved.
"""

import hashlib
import json
import subprocess
import sys
import tomllib
from pathlib import Path


def git(*words):
    """What git prints, or nothing."""
    done = subprocess.run(["git", *words], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else None


def main():
    how = sys.argv[1]
    packages, lock, programs, place = map(Path, sys.argv[2:])
    packages, programs = json.loads(packages.read_text()), json.loads(programs.read_text())
    resolved = tomllib.loads(lock.read_text())["package"]
    ours = [package for package in resolved if package["name"].startswith(("pm-mcp", "pm-tracker"))]
    packed = {package["name"]: package["sha256"] for package in packages}
    faults = [f"{package['name']} is not from a registry" for package in ours if "checksum" not in package]
    if how == "packed":
        faults += [f"{package['name']} is not the packed one" for package in ours
                   if package.get("checksum") != packed.get(package["name"])]
    if not ours:
        faults.append("the consumer uses no package of ours")
    evidence = {
        "protocol": programs["revision"],
        "source": {"commit": git("rev-parse", "HEAD"), "changed since": bool(git("status", "--porcelain"))},
        "tag": git("describe", "--tags", "--exact-match", "HEAD"),
        "packages": packages,
        "consumer": {
            "from": how,
            "lock sha256": hashlib.sha256(lock.read_bytes()).hexdigest(),
            "resolved": {package["name"]: package["version"] for package in ours},
            "greeter sha256": programs["sha256"],
        },
        "installed": programs["programs"],
        "published": "verified" if how == "published" else "not looked at; tests/release/run.sh published does",
    }
    place.write_text(json.dumps(evidence, indent=1) + "\n")
    print("FAILED: the consumer resolved what was packed: " + "; ".join(faults) if faults else
          f"ok: the consumer resolved {len(ours)} packages by their checksums")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env bash
# Proof of a release: what would be published is packed, and used from the packages alone.
#
#   tests/release/run.sh              packs this tree, lays the packages out as a registry and uses them from there
#   tests/release/run.sh published    uses the packages of the version of this tree that the public registry has
#
# A crate outside of the workspace is built from the packages and tried over standard input and output and over HTTP; the
# server is installed with its own lock file into an empty folder, its programs are found by its manifest and tried through
# symbolic links. No settings, credentials or registry of whoever runs this have a part in it: cargo gets a home of its own
# and no network but for what fetches the crates of others. Debug builds, because what is proven does not depend on how well
# it is optimised.
#
# PM_RELEASE_CACHE   crates of others and build output (default: ~/.cache/pm-mcp-release)
# Needs bash, cargo, git and Python 3.11 or newer.
#
# Last lines: the evidence, which tells source, packages, tag and consumer apart, and 'release-proof: N passed, M failed'.
# Exit status: 0 only if none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

how=${1:-packed}
case $how in packed | published) ;; *) echo "release-proof: unknown argument $how" >&2; exit 2 ;; esac
here=$PWD/tests/release
cache=${PM_RELEASE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pm-mcp-release}
mkdir -p "$cache"
# Two runs at once would take each other's packages away.
exec 9>"$cache/lock"
flock 9
export PYTHONDONTWRITEBYTECODE=1
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pm-mcp-release.XXXXXX")
trap 'rm -rf "$scratch"' EXIT
log=$scratch/log
registry=$cache/registry
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
echo '[]' >"$scratch/packages.json"

say() { echo "$1: $2" | tee -a "$log"; }

# told NAME COMMAND...: a step that passes or fails as a whole, and shows what it said only if it failed.
told() {
  local name=$1 started=$SECONDS
  shift
  if "$@" >"$scratch/step" 2>&1; then
    say ok "$name ($((SECONDS - started)) s)"
  else
    cat "$scratch/step"
    say FAILED "$name"
    return 1
  fi
}

# looked COMMAND...: one that says for itself what passed and what failed.
looked() {
  local status=0 before
  before=$(grep -c '^FAILED: ' "$log" || true)
  "$@" | tee -a "$log" || status=$?
  if [ "$status" -ne 0 ] && [ "$(grep -c '^FAILED: ' "$log" || true)" = "$before" ]; then
    say FAILED "$(basename "$2") ended with status $status"
  fi
}

fetch_others() {
  local stamp
  stamp=$(cksum <Cargo.lock)
  if [ "$(cat "$registry/.stamp" 2>/dev/null)" != "$stamp" ]; then
    rm -rf "$registry"
    cargo vendor --locked --versioned-dirs "$registry" && echo "$stamp" >"$registry/.stamp"
  fi
}

pack() {
  local kept
  kept=$(python3 -c 'import json, sys
for package in json.load(sys.stdin)["packages"]:
    if package["publish"] == []: print("--exclude", package["name"])' <"$scratch/metadata.json")
  # What others publish is at hand already; asking for news of it once a package would take most of the time.
  # shellcheck disable=SC2086
  CARGO_TARGET_DIR=$cache/pack cargo package --workspace $kept --offline --locked --no-verify --allow-dirty
}

# outside COMMAND...: cargo as somebody else has it.
outside() {
  (
    cd "$scratch/greeter"
    env -i PATH="$PATH" HOME="$scratch/nobody" RUSTUP_HOME="${RUSTUP_HOME:-$HOME/.rustup}" \
      RUSTUP_TOOLCHAIN="${RUSTUP_TOOLCHAIN:-}" CARGO_HOME="$scratch/cargo" CARGO_TARGET_DIR="$cache/target" \
      CARGO_PROFILE_DEV_DEBUG=0 CARGO_TERM_COLOR=never "$@"
  )
}

rm -rf "$cache/pack/package" "$registry"/pm-mcp-* "$registry"/pm-tracker-*
# Cargo takes a version of a registry for what never changes, and would use what an earlier run built of these packages.
mkdir -p "$cache/target"
find "$cache/target" -type d -path '*/.fingerprint/*' \( -name 'pm-*' -o -name 'greeter-*' \) -prune -exec rm -rf {} +
cargo metadata --no-deps --format-version 1 --locked >"$scratch/metadata.json"
mkdir -p "$scratch/cargo" "$scratch/nobody" "$scratch/proof"
cp -r "$here/consumer" "$scratch/greeter"
if [ "$how" = packed ]; then
  told "crates of others are at hand" fetch_others
  told "cargo packs every crate that is for publishing" pack || true
  looked python3 "$here/pack.py" "$scratch/metadata.json" "$cache/pack/package" "$registry" "$scratch/packages.json"
  printf '[source.crates-io]\nreplace-with = "packed"\n\n[source.packed]\ndirectory = "%s"\n\n[net]\noffline = true\n' \
    "$registry" >"$scratch/cargo/config.toml"
fi

built=no
if told "a crate outside builds from the $how ones" outside cargo build; then built=yes; fi
if told "cargo install puts the servers into an empty folder" \
  outside cargo install pm-mcp-server --version "=$version" --locked --debug --root "$scratch/root"; then :; else built=no; fi
if [ "$built" = yes ]; then
  server=$(find "$registry" "$scratch/cargo/registry/src" -maxdepth 2 -type d -name "pm-mcp-server-$version" 2>/dev/null | head -n 1 || true)
  outside cargo metadata --no-deps --format-version 1 --manifest-path "$server/Cargo.toml" >"$scratch/server.json"
  looked python3 "$here/probe.py" "$scratch/server.json" "$scratch/root/bin" "$cache/target/debug/greeter" \
    "$(dirname "$server")" "$scratch/proof" "$scratch/programs.json"
  looked python3 "$here/evidence.py" "$how" "$scratch/packages.json" "$scratch/greeter/Cargo.lock" \
    "$scratch/programs.json" "$cache/evidence.json"
  printf '\n%s:\n' "$cache/evidence.json"
  cat "$cache/evidence.json"
fi

passed=$(grep -c '^ok: ' "$log" || true)
failed=$(grep -c '^FAILED: ' "$log" || true)
printf '\nrelease-proof: %d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]

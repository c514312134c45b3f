#!/usr/bin/env bash
# What a dependency may bring along, dependencies that nobody uses, spelling, and the compiler that the manifest names.
#
#   tests/habits/run.sh            looks; what is missing for it is said and counted as skipped
#   tests/habits/run.sh install    brings what is missing first: two programs are built, which takes minutes once
#
# deny.toml has the rules for dependencies with their reasons, .codespellrc those of the spelling.
#
# PM_CI_CACHE   where the tools are installed and found (default: ~/.cache/pm-mcp-ci); those on the path serve too
#
# Last line: 'habits: N passed, M failed', and ', K skipped' behind it. Exit status: 0 if nothing failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

cache=$(realpath -m "${PM_CI_CACHE:-$HOME/.cache/pm-mcp-ci}")
tools=$cache/tools
PATH=$tools/bin:$tools/spelling/bin:$PATH
deny_version=0.20.2
machete_version=0.9.2
spelling_version=2.4.1
log=$(mktemp "${TMPDIR:-/tmp}/pm-mcp-habits.XXXXXX")
trap 'rm -f "$log"' EXIT
passed=0
failed=0
skipped=0

# built NAME VERSION: a program of cargo's registry. Little optimised, because it runs for seconds.
built() {
  [ "$("$1" --version 2>/dev/null | awk '{ print $NF }')" = "$2" ] && return
  echo "installing $1 $2"
  CARGO_TARGET_DIR=$cache/target-tools CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_LTO=off \
    nice -n 10 cargo install --locked --version "$2" --root "$tools" "$1"
}

if [ "${1:-}" = install ]; then
  built cargo-machete "$machete_version"
  built cargo-deny "$deny_version"
  if [ "$(codespell --version 2>/dev/null)" != "$spelling_version" ]; then
    echo "installing codespell $spelling_version"
    python3 -m venv "$tools/spelling"
    "$tools/spelling/bin/pip" install -q "codespell==$spelling_version"
  fi
fi

# habit WHAT PROGRAM COMMAND...
habit() {
  local what=$1 program=$2
  shift 2
  if ! command -v "$program" >/dev/null; then
    skipped=$((skipped + 1))
    echo "SKIPPED $what: $program is missing; \`bash tests/habits/run.sh install\` brings it"
  elif "$@" >"$log" 2>&1; then
    passed=$((passed + 1))
    echo "ok: $what"
  else
    failed=$((failed + 1))
    cat "$log"
    echo "FAILED: $what"
  fi
}

# The compiler in use is the oldest that the manifest allows, so every other step here builds with it.
oldest_compiler() {
  local wanted here
  wanted=$(sed -n '/^\[workspace.package\]/,/^\[/s/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
  here=$(rustc --version | awk '{ print $2 }')
  [ "${here%.*}" = "$wanted" ] && return
  echo "rust-version is $wanted, the compiler in use is $here; this builds with the former: "
  rustup run "$wanted" cargo check --locked --workspace
}

habit "the workspace builds with the rust-version of its manifest" rustc oldest_compiler
habit "licences, sources and bans of dependencies" cargo-deny cargo-deny --locked --offline check --hide-inclusion-graph bans licenses sources
# What lies outside of the workspace is not at hand without its packages.
habit "every dependency is used" cargo-machete cargo-machete --with-metadata adapters app domain ports tests/acceptance tests/architecture tests/contract
habit "spelling" codespell codespell
printf 'habits: %d passed, %d failed' "$passed" "$failed"
[ "$skipped" -eq 0 ] || printf ', %d skipped' "$skipped"
echo
[ "$failed" -eq 0 ]

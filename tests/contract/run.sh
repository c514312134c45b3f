#!/usr/bin/env bash
# The contract kit: its own tests, the contract tests of every adapter, and a store from outside of the workspace.
#
#   tests/contract/run.sh
#
# Laws that do not apply to an adapter are listed with the reason; they count as skipped, not as passed.
#
# Last line: 'contract: L laws passed, S skipped, U mutants caught; N passed, M failed' (N and M of all tests).
# Exit status: 0 only if nothing failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

log=$(mktemp "${TMPDIR:-/tmp}/pm-mcp-contract.XXXXXX")
trap 'rm -f "$log"' EXIT

# Whoever is tried by the kit depends on it for tests.
packages=(-p pm-mcp-contract)
for manifest in adapters/*/Cargo.toml; do
  if grep -q '^pm-mcp-contract' "$manifest"; then
    packages+=(-p "$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)")
  fi
done

status=0
cargo test --locked --no-fail-fast "${packages[@]}" -- --show-output 2>&1 | tee "$log" || status=$?

# Outside of the workspace the same versions are used, so that nothing else has to be fetched.
outside=tests/contract/example-outside
cp Cargo.lock "$outside/Cargo.lock"
cargo test --manifest-path "$outside/Cargo.toml" --no-fail-fast -- --show-output 2>&1 | tee -a "$log" || status=$?

skips=$(grep -E '^SKIPPED [A-Z]{2}-[0-9]{2}: ' "$log" | sort | uniq -c || true)
[ -z "$skips" ] || printf '\nLaws that do not apply, with the number of adapters:\n%s\n' "$skips"

awk -v status="$status" '
  /^SKIPPED [A-Z][A-Z]-[0-9][0-9]: / { skipped++ }
  /^test .*[a-z][a-z]_[0-9][0-9]_catches_.* \.\.\. ok$/ { mutants++; next }
  /^test (.*::)?[a-z][a-z]_[0-9][0-9]_.* \.\.\. ok$/ { laws++ }
  /^test result: / {
    for (i = 1; i < NF; i++) {
      if ($(i + 1) == "passed;") passed += $i
      if ($(i + 1) == "failed;") failed += $i
    }
  }
  END {
    if (status != 0 && failed == 0) failed = 1
    printf "\ncontract: %d laws passed, %d skipped, %d mutants caught; %d passed, %d failed\n",
      laws - skipped, skipped, mutants, passed - skipped, failed
    exit failed > 0
  }' "$log"

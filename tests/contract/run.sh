#!/usr/bin/env bash
# The contract kit: its own tests, every adapter against the laws of its ports, and stores from outside of the workspace.
#
#   tests/contract/run.sh
#
# Laws that do not apply to an adapter are listed with the reason; they count as skipped, not as passed.
#
# Last line: 'contract: L laws passed, S skipped, U mutants caught; N passed, M failed' (N and M of all tests), and
# ', K skipped' behind it when K adapters were not tried because this machine lacks what they need.
# Exit status: 0 only if nothing failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

log=$(mktemp "${TMPDIR:-/tmp}/pm-mcp-contract.XXXXXX")
trap 'rm -f "$log"' EXIT

# Whoever is tried by the kit depends on it for tests.
adapters=()
for manifest in adapters/*/Cargo.toml; do
  if grep -q '^pm-mcp-contract' "$manifest"; then
    adapters+=(-p "$(sed -n 's/^name = "\(.*\)"/\1/p' "$manifest" | head -n 1)")
  fi
done
# Tests of laws are named after them; what else an adapter tries is left to `make test`.
laws=(ts_0 ts_1 rg_0 wl_0 ss_0 cs_0 cl_0 en_0 cb_0 cr_0 cr_1 ks_0 sk_0 tv_0)

status=0
cargo test --locked --no-fail-fast -p pm-mcp-contract -- --show-output 2>&1 | tee "$log" || status=$?
cargo test --locked --no-fail-fast --tests "${adapters[@]}" -- --show-output "${laws[@]}" 2>&1 |
  tee -a "$log" || status=$?

# Outside of the workspace the same versions are used, so that little else has to be fetched.
for outside in tests/contract/example-outside app/sdk/examples/custom_task_store; do
  cp Cargo.lock "$outside/Cargo.lock"
  if ! cargo fetch --manifest-path "$outside/Cargo.toml"; then
    echo "SKIPPED $outside: cargo cannot fetch what it needs" | tee -a "$log"
    continue
  fi
  cargo test --manifest-path "$outside/Cargo.toml" --no-fail-fast -- --show-output 2>&1 | tee -a "$log" || status=$?
done

skips=$(grep -E '^SKIPPED [A-Z]{2}-[0-9]{2}: ' "$log" | sort | uniq -c || true)
[ -z "$skips" ] || printf '\nLaws that do not apply, with the number of adapters:\n%s\n' "$skips"

missing=$(grep -E '^SKIPPED ' "$log" | grep -Ev '^SKIPPED [A-Z]{2}-[0-9]{2}: ' | sort || true)
[ -z "$missing" ] || printf '\nNot tried here:\n%s\n' "$missing"

awk -v status="$status" '
  /^SKIPPED / && !/^SKIPPED [A-Z][A-Z]-[0-9][0-9]: / { missing++ }
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
    printf "\ncontract: %d laws passed, %d skipped, %d mutants caught; %d passed, %d failed",
      laws - skipped, skipped, mutants, passed - skipped - missing, failed
    if (missing) printf ", %d skipped", missing
    print ""
    exit failed > 0
  }' "$log"

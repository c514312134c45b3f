#!/usr/bin/env bash
# Runs the tests of the whole workspace and sums them up.
#
#   tests/run.sh [CARGO_TEST_ARGUMENTS...]      such as -p pm-mcp-domain
#
# A law of the contract kit that does not apply to an adapter prints 'SKIPPED <law>: <why>', as in 'SKIPPED TS-08: ...'.
# It is taken out of the passed ones and listed apart, because nothing is missing.
#
# A test that needs something this machine lacks prints 'SKIPPED <what>: <why>' and returns. The test harness
# counts it as passed; here it is taken out of the passed ones, listed, and counted as skipped.
#
# Last line: 'test: N passed, M failed, K skipped'. Exit status: 0 only if cargo succeeded and no test failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

log=$(mktemp "${TMPDIR:-/tmp}/pm-mcp-test.XXXXXX")
trap 'rm -f "$log"' EXIT
lean=
if [ $# -eq 0 ]; then
  set -- --workspace
  lean=yes
fi

status=0
# --show-output prints what passed tests wrote, each test's lines together and after the run.
cargo test --locked --no-fail-fast "$@" -- --show-output 2>&1 | tee "$log" || status=$?
# What a server is that is built without the features of the facade.
if [ -n "$lean" ]; then
  cargo test --locked -p pm-mcp-schema-jsonschema --no-default-features 2>&1 | tee -a "$log" || status=$?
fi

laws=$(grep -E '^SKIPPED [A-Z]{2}-[0-9]{2}: ' "$log" | sort || true)
inapplicable=0
if [ -n "$laws" ]; then
  inapplicable=$(wc -l <<<"$laws")
  printf '\nLaws that do not apply:\n'
  uniq -c <<<"$laws"
fi

skips=$(grep -E '^SKIPPED ' "$log" | grep -Ev '^SKIPPED [A-Z]{2}-[0-9]{2}: ' | sort || true)
skipped=0
if [ -n "$skips" ]; then
  skipped=$(wc -l <<<"$skips")
  printf '\nSkipped here:\n%s\n' "$skips"
fi

awk -v skipped="$skipped" -v inapplicable="$inapplicable" -v status="$status" '
  /^test result: / {
    for (i = 1; i < NF; i++) {
      if ($(i + 1) == "passed;") passed += $i
      if ($(i + 1) == "failed;") failed += $i
      if ($(i + 1) == "ignored;") ignored += $i
    }
    binaries++
  }
  /^test .* \.\.\. FAILED$/ { if (!told++) print "\nFailed:"; print "  " $2 }
  END {
    if (status != 0 && failed == 0) {
      print "\ntest: cargo stopped with status " status " after " binaries + 0 " test binaries; its message is above"
      failed = 1
    }
    printf "\ntest: %d passed, %d failed, %d skipped\n", passed - skipped - inapplicable, failed, skipped + ignored
    exit failed > 0
  }' "$log"

#!/usr/bin/env bash
# Runs the official conformance suite of the revision against the example client of pm-mcp-authorization.
#
#   tests/conformance/run-client.sh
#
# Warnings (missed SHOULDs) count as failures. Every scenario for clients is run; those of optional extensions that the
# client does not have are listed below, and what they say does not count. Needs bash, Node with npm, and the suite's
# runner:
#
# PM_SHARED           the folder that holds conformance/run-client.sh (default: ../shared beside this tree)
# CARGO_TARGET_DIR    where cargo builds, as everywhere
#
# Last line: 'conformance: N passed, M failed' of checks. Exit status: 0 if none failed, 1 if any did, 2 if the
# suite is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Clients that sign, and tokens bound to a key.
extensions='auth/(client-credentials-jwt|dpop|dpop-nonce)'

runner=${PM_SHARED:-../shared}/conformance/run-client.sh
if [ ! -f "$runner" ]; then
  echo "conformance: the suite's runner is missing at $runner; set PM_SHARED to the folder that holds it" >&2
  exit 2
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/pm-mcp-conformance.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

cargo build --locked -p pm-mcp-authorization --example conformance_client
client=${CARGO_TARGET_DIR:-target}/debug/examples/conformance_client
export CONFORMANCE_STRICT=1
CONFORMANCE_OUT=$scratch/results bash "$runner" "$(realpath "$client")" 2>&1 | tee "$scratch/said.txt" || true

passed=$(sed -nE 's/^([0-9]+) passed, [0-9]+ failed.*/\1/p' "$scratch/said.txt" | tail -n 1)
failed=$(sed -n '/^Failing checks:/,/^$/p' "$scratch/said.txt" | grep -E '^  ' | grep -cvE "^  $extensions:" || true)
if [ -z "$passed" ]; then
  echo "conformance: the suite gave no sums" >&2
  exit 1
fi
echo "conformance: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

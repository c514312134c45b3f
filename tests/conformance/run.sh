#!/usr/bin/env bash
# Runs the official conformance suite of the revision against the example server of the facade.
#
#   tests/conformance/run.sh [SCENARIO_FILTER]
#
#   SCENARIO_FILTER  scenario names or quoted patterns with commas between, instead of every scenario for servers
#
# Warnings (missed SHOULDs) count as failures. The one scenario that may be skipped is the one that no client of the
# suite can drive, tasks-status-notifications. Needs bash, Node with npm, and the suite's runner:
#
# PM_SHARED                the folder that holds conformance/run.sh (default: ../shared beside this tree)
# CONFORMANCE_SCENARIOS    scenarios to run, with commas between (default: all)
# CARGO_TARGET_DIR         where cargo builds, as everywhere
#
# Last line: 'conformance: N passed, M failed' of checks. Exit status: 0 if none failed, 1 if any did, 2 if the
# suite is missing or the server did not start.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

runner=${PM_SHARED:-../shared}/conformance/run.sh
if [ ! -f "$runner" ]; then
  echo "conformance: the suite's runner is missing at $runner; set PM_SHARED to the folder that holds it" >&2
  exit 2
fi

filter=${1:-${CONFORMANCE_SCENARIOS:-}}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pm-mcp-conformance.XXXXXX")
server=
stop() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$scratch"
}
trap stop EXIT

cargo build --locked -p pm-mcp --example conformance_server
"${CARGO_TARGET_DIR:-target}/debug/examples/conformance_server" --port 0 >"$scratch/out" 2>"$scratch/err" &
server=$!

url=
for _ in $(seq 1 100); do
  url=$(head -n 1 "$scratch/out")
  [ -z "$url" ] || break
  kill -0 "$server" 2>/dev/null || break
  sleep 0.1
done
if [ -z "$url" ]; then
  echo "conformance: the example server printed no address; it said:" >&2
  cat "$scratch/err" >&2
  exit 2
fi

export CONFORMANCE_STRICT=1
status=0
CONFORMANCE_OUT=$scratch/results bash "$runner" "$url" ${filter:+"$filter"} 2>&1 | tee "$scratch/said.txt" || status=1

# The suite's last line of sums; a run without one is a failure.
sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$scratch/said.txt" | tail -n 1 || true)
if [[ $sums =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
  passed=${BASH_REMATCH[1]}
  failed=${BASH_REMATCH[2]}
else
  passed=0
  failed=1
fi
if [ "$status" -ne 0 ] && [ "$failed" -eq 0 ]; then
  echo "conformance: every check passed and still the suite is not content; see above" >&2
  failed=1
fi

echo
echo "conformance: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

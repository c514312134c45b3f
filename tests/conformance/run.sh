#!/usr/bin/env bash
# Runs the official conformance suite of the revision against the example server of the facade.
#
#   tests/conformance/run.sh [SCENARIO_FILTER]
#
#   SCENARIO_FILTER  scenario names or quoted patterns with commas between, instead of the list below
#
# Warnings (missed SHOULDs) count as failures. Needs bash, Node with npm, and the suite's runner:
#
# PM_SHARED                the folder that holds conformance/run.sh (default: ../shared beside this tree)
# CONFORMANCE_SCENARIOS    scenarios to run, with commas between (default: the list below)
# CARGO_TARGET_DIR         where cargo builds, as everywhere
#
# Last line: 'conformance: N passed, M failed' of checks. Exit status: 0 if none failed, 1 if any did, 2 if the
# suite is missing or the server did not start.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

# Scenarios in reach of the methods that the server has.
scenarios=(
  tools-list
  tools-call-simple-text
  tools-call-image
  tools-call-audio
  tools-call-embedded-resource
  tools-call-mixed-content
  tools-call-error
  tools-call-with-progress
  server-sse-multiple-streams
  resources-list
  resources-read-text
  resources-read-binary
  resources-templates-read
  sep-2164-resource-not-found
  prompts-list
  prompts-get-simple
  prompts-get-with-args
  prompts-get-embedded-resource
  prompts-get-with-image
  completion-complete
  caching
  dns-rebinding-protection
  json-schema-2020-12
  http-header-validation
  http-custom-header-server-validation
)

# The scenario that probes everything at once, and its checks that only change subscriptions can pass. A check
# that fails and is not here is a failure; one that is here and does not fail any more is one too, so that the
# list cannot outlive its reason.
whole=server-stateless
unmet=(
  sep-2575-server-sends-subscription-ack
  sep-2575-server-tags-subscription-id
  sep-2575-server-honors-notification-filter
  sep-2575-server-sends-prompts-list-changed-on-subscription
  sep-2575-server-sends-tools-list-changed-on-subscription
)

runner=${PM_SHARED:-../shared}/conformance/run.sh
if [ ! -f "$runner" ]; then
  echo "conformance: the suite's runner is missing at $runner; set PM_SHARED to the folder that holds it" >&2
  exit 2
fi

filter=${1:-${CONFORMANCE_SCENARIOS:-$(IFS=,; echo "${scenarios[*]}")}}
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
passed=0
failed=0

# count FILE: adds the suite's last line of checks; a run without one is a failure.
count() {
  local sums
  sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$1" | tail -n 1 || true)
  if [[ $sums =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
  else
    failed=$((failed + 1))
  fi
}

echo "conformance: scenarios ${filter//,/, }"
CONFORMANCE_OUT=$scratch/listed bash "$runner" "$url" "$filter" 2>&1 | tee "$scratch/listed.txt" || true
count "$scratch/listed.txt"

if [ $# -eq 0 ] && [ -z "${CONFORMANCE_SCENARIOS:-}" ]; then
  echo
  echo "conformance: scenario $whole, of which ${#unmet[@]} checks need change subscriptions"
  CONFORMANCE_OUT=$scratch/whole bash "$runner" "$url" "$whole" 2>&1 | tee "$scratch/whole.txt" || true
  count "$scratch/whole.txt"
  # Failing checks stand as '  SCENARIO:CHECK  why'.
  mapfile -t seen < <(sed -nE "s/^  $whole:([^ ]+)  .*/\\1/p" "$scratch/whole.txt" | sort)
  for check in "${unmet[@]}"; do
    times=$(printf '%s\n' "${seen[@]}" | grep -cFx -- "$check" || true)
    if [ "$times" -gt 0 ]; then
      failed=$((failed - times))
      echo "not yet met: $check"
    else
      failed=$((failed + 1))
      echo "met by now: $check; take it off the list in tests/conformance/run.sh"
    fi
  done
fi

echo
echo "conformance: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

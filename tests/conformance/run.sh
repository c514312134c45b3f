#!/usr/bin/env bash
# Runs the official conformance suite of the revision: every scenario for servers against the example server of the
# facade, and those of the skills extension (sep-2640-*) against it and against the bundled HTTP server.
#
#   tests/conformance/run.sh [SCENARIO_FILTER]
#
#   SCENARIO_FILTER  scenario names or quoted patterns with commas between, instead of all that; the bundled server is
#                    asked for those of the skills extension among them
#
# Warnings (missed SHOULDs) count as failures. The one scenario that may be skipped is the one that no client of the
# suite can drive, tasks-status-notifications. Needs bash, Node with npm, and the suite's runner:
#
# PM_SHARED                the folder that holds conformance/run.sh (default: ../shared beside this tree)
# CONFORMANCE_SCENARIOS    scenarios to run, with commas between (default: all)
# CARGO_TARGET_DIR         where cargo builds, as everywhere
#
# Last line: 'conformance: N passed, M failed' of checks. Exit status: 0 if none failed, 1 if any did, 2 if the
# suite is missing or a server did not start.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

runner=${PM_SHARED:-../shared}/conformance/run.sh
if [ ! -f "$runner" ]; then
  echo "conformance: the suite's runner is missing at $runner; set PM_SHARED to the folder that holds it" >&2
  exit 2
fi
runner=$(cd "$(dirname "$runner")" && pwd)/run.sh

filter=${1:-${CONFORMANCE_SCENARIOS:-}}
skills='sep-2640-*'
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pm-mcp-conformance.XXXXXX")
servers=()
stop() {
  for server in "${servers[@]}"; do
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  done
  rm -rf "$scratch"
}
trap stop EXIT

cargo build --locked -p pm-mcp --example conformance_server
cargo build --locked -p pm-mcp-server --bin pm-mcp-http
built=$(cd "${CARGO_TARGET_DIR:-target}/debug" && pwd)

# address NAME FILE PID: waits for the address that the server writes into FILE.
address() {
  local line=
  for _ in $(seq 1 150); do
    line=$(head -n 1 "$2" 2>/dev/null || true)
    [ -z "$line" ] || break
    kill -0 "$3" 2>/dev/null || break
    sleep 0.1
  done
  if [ -z "$line" ]; then
    echo "conformance: the $1 server told no address; it said:" >&2
    cat "$scratch/$1.err" >&2
    exit 2
  fi
  echo "$line"
}

"$built/examples/conformance_server" --port 0 >"$scratch/example.url" 2>"$scratch/example.err" &
servers+=($!)
example=$(address example "$scratch/example.url" $!)

# In a folder without a workspace near, so that it serves its sample.
mkdir "$scratch/nowhere"
(
  cd "$scratch/nowhere"
  exec env PM_MCP_HTTP_PORT=0 PM_MCP_HTTP_ADDRESS_FILE="$scratch/bundled.url" "$built/pm-mcp-http" \
    >/dev/null 2>"$scratch/bundled.err"
) &
servers+=($!)
bundled=$(address bundled "$scratch/bundled.url" $!)

export CONFORMANCE_STRICT=1
passed=0
failed=0

# run NAME URL [FILTER]: runs scenarios and adds to the sums. A run without a line of sums is a failure.
run() {
  local status=0 sums
  echo "conformance: the $1 server${3:+, $3}"
  CONFORMANCE_OUT=$scratch/results.$1.$RANDOM bash "$runner" "$2" ${3:+"$3"} 2>&1 | tee "$scratch/said.txt" || status=1
  sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$scratch/said.txt" | tail -n 1 || true)
  if [[ $sums =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
    if [ "$status" -ne 0 ] && [ "${BASH_REMATCH[2]}" -eq 0 ]; then
      echo "conformance: every check passed and still the suite is not content; see above" >&2
      failed=$((failed + 1))
    fi
  else
    failed=$((failed + 1))
  fi
  # An extension that a server forgot to name is skipped by the suite, scenario by scenario.
  if [[ ${3:-} == "$skills" ]] && ! [[ $sums =~ ^[1-9] && ! $sums =~ skipped ]]; then
    echo "conformance: checks of the skills extension were skipped on the $1 server" >&2
    failed=$((failed + 1))
  fi
}

if [ -z "$filter" ]; then
  run example "$example"
  run example "$example" "$skills"
  run bundled "$bundled" "$skills"
else
  run example "$example" "$filter"
  case $filter in *sep-2640*) run bundled "$bundled" "$filter" ;; esac
fi

echo
echo "conformance: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

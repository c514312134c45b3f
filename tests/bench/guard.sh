#!/usr/bin/env bash
# Counts the instructions of a request in the example server of the facade and compares them with tests/bench/guard.json.
#
#   tests/bench/guard.sh             compares; more than 3 % above a recorded figure fails and names what grew
#   tests/bench/guard.sh --record    writes the figures of this build; commit them with the change that moved them
#
# Needs valgrind and Python; the counts repeat on a busy machine.
#
# CARGO_TARGET_DIR  where cargo builds, as everywhere
#
# Exit status: 0 if nothing grew, 1 if something did, 2 if the figures could not be taken.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

if ! command -v valgrind >/dev/null; then
  echo "bench-guard: valgrind is missing; install it (apt-get install valgrind)" >&2
  exit 2
fi
cargo build --locked --release -p pm-mcp-bench
python3 tests/bench/guard.py "$@" "${CARGO_TARGET_DIR:-target}/release/bench_server"

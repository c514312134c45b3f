#!/usr/bin/env bash
# Measures the example server of the facade side by side with other servers and with ceilings, the bundled server's start, and
# what sealing and checking take; then writes the table of all that beside what is aimed at. One run, in turn, of one tree.
#
#   tests/bench/run.sh                         everything, about seven minutes once all is built
#   tests/bench/run.sh BENCH_ARGUMENTS...      the bench program alone, such as --quick or --instr
#
# The example is built as a host builds a server, by a package of its own, and without the features of the facade that it
# does not use (HTTP/2, schemas that are not plain); BENCH_FEATURES=default measures it with them.
#
# Needs bash, Python, valgrind, strip and the folder with the bench program; root, to run above all other processes:
#
# PM_SHARED         the folder that holds bench/bench.py (default: ../shared beside this tree)
# BENCH_BUILD       where the peers are built (default: what bench/build.sh says)
# BENCH_ROUNDS      alternations of a comparison (default: 7)
# CARGO_TARGET_DIR  where cargo builds, as everywhere
#
# Exit status: 0 if everything was measured, whatever came out; 2 if the bench program is missing, else that of what failed.
# Quote ratios, not seconds: the speed of a machine drifts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

bench=${PM_SHARED:-../shared}/bench
if [ ! -f "$bench/bench.py" ]; then
  echo "bench: $bench/bench.py is missing; set PM_SHARED to the folder that holds bench/" >&2
  exit 2
fi
bench=$(realpath "$bench")
features=()
[ "${BENCH_FEATURES:-}" != default ] || features=(--features pm-mcp/default)
cargo build --locked --release -p pm-mcp-bench "${features[@]}"
release=$(realpath "${CARGO_TARGET_DIR:-target}")/release
server=$release/bench_server
bash "$bench/build.sh" rust

# compared ARGUMENTS...: the bench program on the example server.
compared() {
  python3 "$bench/bench.py" "$@" --http "$server --http {addr}" --stdio "$server --stdio"
}

# first COMMAND...: runs it above all other processes where that is allowed.
first() {
  if chrt -r 1 true 2>/dev/null; then chrt -r 1 "$@"; else "$@"; fi
}

machine() {
  echo "bench: done, on $(date -u +%F), $(uname -srm), $(nproc) processors, load average $(cut -d' ' -f1 /proc/loadavg), $(rustc --version)"
}

if [ $# -gt 0 ]; then
  compared "$@"
  machine
  exit
fi

cargo build --locked --release -p pm-mcp-server --bin pm-mcp-http
cargo build --locked --release -p pm-mcp-seal-ring --example seal_cost
cargo build --locked --release -p pm-mcp-schema-jsonschema --example check_cost
kept=$(mktemp -d)
trap 'rm -rf "$kept"' EXIT
rounds=(--rounds "${BENCH_ROUNDS:-7}")

compared --instr --peers rmcp,hyper,line-raw --json "$kept/instructions.json"
compared "${rounds[@]}" --peers rmcp,hyper,line-raw --json "$kept/bench.json"
compared --only fanout --streams 10000 --peers hyper --json "$kept/streams.json"

for store in memory fs sled; do
  printf '\n== the bundled server on a small workspace, tasks in %s\n' "$store"
  cp -r tests/acceptance/workspace "$kept/workspace"
  # sled's threads spin until all of them are there, which above all other processes keeps them from coming.
  above=first
  [ "$store" != sled ] || above=
  PM_PATH=$kept/workspace PM_MCP_TASK_STORE=$store \
    $above python3 tests/bench/start.py --json "$kept/start-$store.json" "$release/pm-mcp-http"
  rm -rf "$kept/workspace"
done
printf '\n== the rounds of a conversation\n'
first python3 tests/bench/rounds.py --json "$kept/rounds.json" "$server"
printf '\n== sealing a state of 1 KiB\n'
first "$release/examples/seal_cost" | tee "$kept/seal.txt"
printf '\n== checking arguments\n'
first "$release/examples/check_cost" | tee "$kept/check.txt"
strip -s -o "$kept/bundled" "$release/pm-mcp-http"
stat -c %s "$kept/bundled" | awk '{ print $1 / 1048576 }' >"$kept/bundled.size"

printf '\n== beside what is aimed at\n'
python3 tests/bench/table.py "$kept"
machine

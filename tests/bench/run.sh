#!/usr/bin/env bash
# Measures the example server of the facade side by side with other servers and with ceilings, in one run.
#
#   tests/bench/run.sh [BENCH_ARGUMENTS...]      such as --quick or --instr; the default is the whole run
#
# The example is built without the features of the facade that it does not use (HTTP/2, schemas that are not plain);
# BENCH_FEATURES=default measures it with them.
#
# Needs bash, Python and the folder with the bench program:
#
# PM_SHARED         the folder that holds bench/bench.py (default: ../shared beside this tree)
# BENCH_BUILD       where the peers are built (default: what bench/build.sh says)
# CARGO_TARGET_DIR  where cargo builds, as everywhere
#
# Exit status: that of the bench program, 2 if it is missing. Quote ratios, not seconds: the speed of a machine drifts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

bench=${PM_SHARED:-../shared}/bench
if [ ! -f "$bench/bench.py" ]; then
  echo "bench: $bench/bench.py is missing; set PM_SHARED to the folder that holds bench/" >&2
  exit 2
fi
bench=$(realpath "$bench")
features=(--no-default-features)
[ "${BENCH_FEATURES:-}" != default ] || features=()
cargo build --locked --release -p pm-mcp --example bench_server "${features[@]}"
server=$(realpath "${CARGO_TARGET_DIR:-target}")/release/examples/bench_server
bash "$bench/build.sh" rust
python3 "$bench/bench.py" "$@" --http "$server --http {addr}" --stdio "$server --stdio"
echo "bench: done, on $(date -u +%F), $(uname -srm), $(rustc --version)"

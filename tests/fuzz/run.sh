#!/usr/bin/env bash
# Runs every fuzz target for a bounded time, from the corpus beside this script.
#
#   tests/fuzz/run.sh [TARGET...]       all targets, unless some are named
#
# PM_FUZZ_SECONDS   how long each target runs (default: 30)
# PM_FUZZ_JOBS      how many run at once (default: the number of processors)
# PM_CI_CACHE       where the fuzzer is installed and built, and new inputs are kept (default: ~/.cache/pm-mcp-ci)
#
# The toolchain is the stable one; RUSTC_BOOTSTRAP lets the flags of the sanitizer through, for this build alone.
# An input that breaks a target is kept below the cache and named; mend what it shows, and put it into the corpus.
# Last line: 'fuzz: N passed, M failed', of targets. Exit status: 0 only if none failed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

cache=$(realpath -m "${PM_CI_CACHE:-$HOME/.cache/pm-mcp-ci}")
seconds=${PM_FUZZ_SECONDS:-30}
jobs=${PM_FUZZ_JOBS:-$(nproc)}
export CARGO_TARGET_DIR=$cache/target-fuzz
export RUSTC_BOOTSTRAP=1
export PATH=$cache/tools/bin:$PATH
version=0.13.2
found=$cache/fuzz
mkdir -p "$found"

if [ "$(cargo fuzz --version 2>/dev/null)" != "cargo-fuzz $version" ]; then
  echo "installing cargo-fuzz $version"
  CARGO_TARGET_DIR=$cache/target-tools cargo install --locked --version "$version" --root "$cache/tools" cargo-fuzz
fi

targets=("$@")
[ ${#targets[@]} -gt 0 ] || mapfile -t targets < <(sed -n 's/^name = "\(.*\)"$/\1/p' Cargo.toml | tail -n +2)
# The versions that the project itself is built with.
cp ../../Cargo.lock Cargo.lock
cargo fuzz build --fuzz-dir .
build=$CARGO_TARGET_DIR/$(rustc -vV | sed -n 's/^host: //p')/release

# one TARGET: runs it over the committed corpus and what earlier runs found, and keeps what it finds.
one() {
  local target=$1 log=$found/$1.log
  mkdir -p "$found/$target" "$found/broken/$target"
  if "$build/$target" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="$found/broken/$target/" "$found/$target" "corpus/$target" >"$log" 2>&1; then
    echo "ok: $target, $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs"
  else
    echo "FAILED: $target; the input is in $found/broken/$target"
    grep -E 'panicked|ERROR|SUMMARY|Test unit written' -A 2 "$log" | cut -c1-400 || tail -n 20 "$log"
    return 1
  fi
}
export -f one
export found build seconds

failed=0
printf '%s\n' "${targets[@]}" | xargs -P "$jobs" -I{} bash -c 'one "$1" || { touch "$found/$1.failed"; true; }' one {}
for target in "${targets[@]}"; do
  if [ -e "$found/$target.failed" ]; then
    failed=$((failed + 1))
    rm -f "$found/$target.failed"
  fi
done
echo "fuzz: $((${#targets[@]} - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]

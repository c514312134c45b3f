#!/usr/bin/env bash
# Runs one focused suite, or several; tests/suites.txt says what belongs to each.
#
#   tests/suite.sh NAME...
#   tests/suite.sh             lists the names
#
# Last line: 'suite NAME: N passed, M failed'. Exit status: 0 only if no test failed and every line of a suite ran some.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

table() { grep -Ev '^(#|$)' tests/suites.txt; }
if [ $# -eq 0 ]; then
  table | awk '{ print $1 }' | uniq
  exit 0
fi

log=$(mktemp "${TMPDIR:-/tmp}/pm-mcp-suite.XXXXXX")
trap 'rm -f "$log"' EXIT
bad=0
for name in "$@"; do
  mapfile -t lines < <(table | awk -v name="$name" '$1 == name { $1 = ""; print }')
  if [ ${#lines[@]} -eq 0 ]; then
    echo "suite: there is no suite $name; there are $(table | awk '{ print $1 }' | uniq | paste -sd ' ')" >&2
    exit 2
  fi
  passed=0
  failed=0
  for line in "${lines[@]}"; do
    status=0
    # shellcheck disable=SC2086
    cargo test --locked --no-fail-fast $line 2>&1 | tee "$log" || status=$?
    read -r good wrong < <(awk '/^test result: / {
        for (i = 1; i < NF; i++) { if ($(i + 1) == "passed;") good += $i; if ($(i + 1) == "failed;") wrong += $i }
      } END { print good + 0, wrong + 0 }' "$log")
    if [ "$wrong" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$good" -eq 0 ]; }; then
      echo "suite $name: \`cargo test$line\` ended with status $status after $good tests"
      wrong=1
    fi
    passed=$((passed + good))
    failed=$((failed + wrong))
  done
  [ "$failed" -eq 0 ] || bad=1
  echo "suite $name: $passed passed, $failed failed"
done
exit "$bad"

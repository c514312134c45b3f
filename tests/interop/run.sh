#!/usr/bin/env bash
# The published clients of three languages against the bundled servers, on stdio and on HTTP, and those of the earlier
# revisions on stdio, once for each revision.
#
#   tests/interop/run.sh [CLIENT...]      typescript, story, python, rmcp, typescript_legacy, python_legacy; all of them
#                                         when none is named
#
# The workspace is a copy of tests/acceptance/workspace with sixty more items, so that lists have several pages.
# Needs bash, cargo, Node 20 or newer with npm, and Python 3.10 or newer with venv:
#
# PM_INTEROP_CACHE   where the clients are installed, outside the clone (default: ~/.cache/pm-mcp-interop)
# PM_INTEROP_STDIO   the stdio server to try (default: pm-mcp, built here)
# PM_INTEROP_HTTP    the HTTP server to try (default: pm-mcp-http, built here)
# CARGO_TARGET_DIR   where cargo builds, as everywhere
#
# Last line: 'interop: N passed, M failed', a pair of client and transport or revision being one. Exit status: 0 if none failed,
# 1 if any did, 2 if a server could not be built or started.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

here=$PWD/tests/interop
cache=${PM_INTEROP_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pm-mcp-interop}
target=${CARGO_TARGET_DIR:-$PWD/target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
seconds=60 # for one client on one transport
node_version=22.23.5
mkdir -p "$cache"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pm-mcp-interop.XXXXXX")
server=
stop() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$scratch"
}
trap stop EXIT

die() {
  echo "interop: $*" >&2
  exit 2
}

# stamped NAME FILE...: true if what was installed under NAME came from files with this content.
stamped() {
  local name=$1
  shift
  [ "$(cat "$cache/$name/.stamp" 2>/dev/null)" = "$(cat "$@" | cksum)" ]
}

stamp() {
  local name=$1
  shift
  cat "$@" | cksum >"$cache/$name/.stamp"
}

# Node 20 or newer, from the path or from the registry's package of it.
find_node() {
  node=$(command -v node || true)
  if [ -n "$node" ] && [ "$("$node" -p 'process.versions.node.split(".")[0] >= 20')" = true ]; then return; fi
  local arch
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) arch=linux-x64 ;;
    Linux-aarch64) arch=linux-arm64 ;;
    Darwin-arm64) arch=darwin-arm64 ;;
    *) echo "no Node 20 or newer on the path, and none known for $(uname -sm)"; return 1 ;;
  esac
  node=$cache/node/node_modules/node-$arch/bin/node
  [ -x "$node" ] || npm install --prefix "$cache/node" --no-save --no-audit --no-fund --loglevel=error \
    "node-$arch@$node_version"
}

# Each prepare_CLIENT installs what is missing and sets the command of that client.
prepare_typescript() {
  with_npm typescript
}

# The same package, with another script: one working day of an agent, on stdio and on a project of its own.
prepare_story() {
  with_npm typescript || return 1
  cp "$here/typescript/story.mjs" "$cache/typescript/" || return 1
  command=("$node" "$cache/typescript/story.mjs")
}

prepare_typescript_legacy() {
  with_npm typescript_legacy
}

with_npm() {
  local name=$1
  local files=("$here/$name/package.json" "$here/$name/package-lock.json")
  find_node || return 1
  if ! stamped "$name" "${files[@]}"; then
    rm -rf "${cache:?}/$name" && mkdir -p "$cache/$name" && cp "${files[@]}" "$cache/$name/" || return 1
    npm ci --prefix "$cache/$name" --ignore-scripts --no-audit --no-fund --loglevel=error || return 1
    stamp "$name" "${files[@]}"
  fi
  # Beside its packages, where Node looks for them.
  cp "$here/$name/client.mjs" "$cache/$name/" || return 1
  command=("$node" "$cache/$name/client.mjs")
}

prepare_python() {
  with_pip python
}

prepare_python_legacy() {
  with_pip python_legacy
}

with_pip() {
  local name=$1
  local wanted=$here/$name/requirements.txt
  if ! stamped "$name" "$wanted"; then
    rm -rf "${cache:?}/$name" && python3 -m venv "$cache/$name" || return 1
    "$cache/$name/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$wanted" || return 1
    stamp "$name" "$wanted"
  fi
  command=("$cache/$name/bin/python" -B "$here/$name/client.py")
}

prepare_rmcp() {
  CARGO_TARGET_DIR=$cache/rmcp cargo build --quiet --locked --manifest-path "$here/rmcp/Cargo.toml" || return 1
  command=("$cache/rmcp/debug/pm-mcp-interop-rmcp")
}

make_workspace() {
  workspace=$scratch/workspace
  cp -R tests/acceptance/workspace "$workspace"
  local number
  for number in $(seq 100 159); do
    cat >"$workspace/.agents/pm/tasks/demo-f$number.toon" <<EOF
id: demo-f$number
title: Filler $number
description: One of many.
type: Task
status: open
priority: 4
tags[1]: filler
created_at: "2026-03-01T08:00:00.000Z"
updated_at: "2026-03-01T08:00:00.000Z"
body: ""
EOF
  done
}

start_http() {
  local address=$scratch/address
  PM_PATH=$workspace PM_MCP_HTTP_PORT=0 PM_MCP_HTTP_ADDRESS_FILE=$address "$http" \
    >"$scratch/http.out" 2>"$scratch/http.err" </dev/null &
  server=$!
  for _ in $(seq 1 100); do
    if [ -s "$address" ]; then
      url=$(head -n 1 "$address")
      return
    fi
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
  done
  cat "$scratch/http.err" >&2
  die "the HTTP server told no address; what it said stands above"
}

if [ $# -eq 0 ]; then set -- typescript story python rmcp typescript_legacy python_legacy; fi
stdio=${PM_INTEROP_STDIO:-}
http=${PM_INTEROP_HTTP:-}
if [ -z "$stdio" ] || [ -z "$http" ]; then
  cargo build --locked -p pm-mcp-server || die "the servers do not build"
  stdio=${stdio:-$target/debug/pm-mcp}
  http=${http:-$target/debug/pm-mcp-http}
fi
make_workspace
start_http

passed=0
failed=0
# one CLIENT TRANSPORT COMMAND...: one line, and what the client said if it failed.
one() {
  local name=$1 transport=$2 status=0
  shift 2
  timeout "$seconds" "$@" >"$scratch/said" 2>&1 </dev/null || status=$?
  if [ "$status" -eq 0 ]; then
    passed=$((passed + 1))
    echo "ok: $name over $transport"
  else
    failed=$((failed + 1))
    echo "FAILED: $name over $transport, status $status"
    tail -n 40 "$scratch/said" | sed 's/^/    /'
  fi
}

for name in "$@"; do
  command=()
  if ! declare -F "prepare_$name" >/dev/null; then
    die "no client is called $name; there are typescript, story, python, rmcp, typescript_legacy, python_legacy"
  fi
  if ! "prepare_$name"; then
    failed=$((failed + 2))
    echo "FAILED: $name could not be installed"
    continue
  fi
  case $name in
    story)
      cp -R tests/acceptance/workspace "$scratch/story"
      one "$name" stdio "${command[@]}" "$stdio" "$scratch/story"
      continue
      ;;
    *_legacy)
      for revision in 2025-11-25 2025-06-18; do
        one "$name" "stdio, revision $revision" "${command[@]}" stdio "$stdio" "$workspace" "$revision"
      done
      continue
      ;;
  esac
  one "$name" stdio "${command[@]}" stdio "$stdio" "$workspace"
  one "$name" http "${command[@]}" http "$url"
done

echo "interop: $passed passed, $failed failed"
[ "$failed" -eq 0 ]

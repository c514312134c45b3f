#!/usr/bin/env bash
# The bundled HTTP server behind a real identity provider, with published clients and a real browser.
#
#   tests/authorization/run.sh [PART...]      scenarios, clients, browser; all of them when none is named
#
# scenarios  which token gets which status and challenge, keys that change, a provider that is down, opaque tokens
# clients    the published TypeScript and Python clients sign in by themselves, and step up to more scopes
# browser    which pages may call, in headless Chromium
#
# The workspace is a copy of tests/acceptance/workspace. Needs bash, cargo and Node 20 or newer with npm; clients also
# Python 3.10 or newer with venv, browser also Chromium. A part that lacks its own is skipped and says so.
#
# PM_AUTHORIZATION_CACHE     where packages are installed, outside the clone (default: ~/.cache/pm-mcp-authorization)
# PM_AUTHORIZATION_HTTP      the HTTP server to try (default: pm-mcp-http, built here)
# PM_AUTHORIZATION_CHROMIUM  the browser (default: chromium on the path)
# CARGO_TARGET_DIR           where cargo builds, as everywhere
#
# Last line: 'authorization: N passed, M failed', and ', K skipped' if any. Exit status: 0 if none failed, 1 if any did, 2
# if nothing could be tried.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

here=$PWD/tests/authorization
cache=${PM_AUTHORIZATION_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/pm-mcp-authorization}
target=${CARGO_TARGET_DIR:-$PWD/target}
case $target in /*) ;; *) target=$PWD/$target ;; esac
seconds=180 # for one part
mkdir -p "$cache"
scratch=$(mktemp -d "${TMPDIR:-/tmp}/pm-mcp-authorization.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

die() {
  echo "authorization: $*" >&2
  exit 2
}

node=$(command -v node || true)
if [ -z "$node" ] || [ "$("$node" -p 'process.versions.node.split(".")[0] >= 20')" != true ] || ! command -v npm >/dev/null; then
  echo "SKIPPED authorization: no Node 20 or newer with npm on the path"
  echo "authorization: 0 passed, 0 failed, 1 skipped"
  exit 0
fi

# stamped NAME FILE...: true if what was installed under NAME came from files with this content.
stamped() {
  local name=$1
  shift
  [ "$(cat "$cache/$name/.stamp" 2>/dev/null)" = "$(cat "$@" | cksum)" ]
}

packages=("$here/package.json" "$here/package-lock.json")
if ! stamped node "${packages[@]}"; then
  rm -rf "${cache:?}/node" && mkdir -p "$cache/node" && cp "${packages[@]}" "$cache/node/"
  npm ci --prefix "$cache/node" --ignore-scripts --no-audit --no-fund --loglevel=error || die "the packages cannot be installed"
  cat "${packages[@]}" | cksum >"$cache/node/.stamp"
fi
# Beside its packages, where Node looks for them.
cp "$here"/*.mjs "$here/client.py" "$cache/node/"

# The published Python client, of the same versions as in tests/interop.
find_python() {
  local wanted=tests/interop/python/requirements.txt
  command -v python3 >/dev/null && python3 -c 'import ensurepip, venv' 2>/dev/null || return 1
  if ! stamped python "$wanted"; then
    rm -rf "${cache:?}/python" && python3 -m venv "$cache/python" || return 1
    "$cache/python/bin/pip" install --quiet --disable-pip-version-check --no-deps --requirement "$wanted" || return 1
    cksum <"$wanted" >"$cache/python/.stamp"
  fi
  export PM_AUTHORIZATION_PYTHON=$cache/python/bin/python
}

find_chromium() {
  local name
  for name in ${PM_AUTHORIZATION_CHROMIUM:-chromium chromium-browser google-chrome}; do
    if command -v "$name" >/dev/null; then
      PM_AUTHORIZATION_CHROMIUM=$(command -v "$name")
      export PM_AUTHORIZATION_CHROMIUM
      return
    fi
  done
  return 1
}

if [ -z "${PM_AUTHORIZATION_HTTP:-}" ]; then
  cargo build --locked -p pm-mcp-server --bin pm-mcp-http || die "the server does not build"
  export PM_AUTHORIZATION_HTTP=$target/debug/pm-mcp-http
fi
export PM_AUTHORIZATION_WORKSPACE=$scratch/workspace
export NODE_NO_WARNINGS=1

passed=0
failed=0
skipped=0
if [ $# -eq 0 ]; then set -- scenarios clients browser; fi
for part in "$@"; do
  why=
  case $part in
    scenarios) ;;
    clients) find_python || why="no Python 3 with venv, or its packages cannot be installed" ;;
    browser) find_chromium || why="no Chromium on the path" ;;
    *) die "no part is called $part; there are scenarios, clients, browser" ;;
  esac
  if [ -n "$why" ]; then
    skipped=$((skipped + 1))
    echo "SKIPPED $part: $why"
    continue
  fi
  # Each part has the workspace to itself.
  rm -rf "$scratch/workspace" && cp -R tests/acceptance/workspace "$scratch/workspace"
  status=0
  timeout "$seconds" "$node" "$cache/node/$part.mjs" >"$scratch/said" 2>"$scratch/errors" </dev/null || status=$?
  cat "$scratch/said"
  sums=$(grep -Eo '^[0-9]+ passed, [0-9]+ failed$' "$scratch/said" || true)
  if [[ $sums =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
    passed=$((passed + BASH_REMATCH[1]))
    failed=$((failed + BASH_REMATCH[2]))
  else
    failed=$((failed + 1))
    echo "FAILED: $part, status $status"
  fi
  [ "$status" -eq 0 ] || tail -n 40 "$scratch/errors" | sed 's/^/    /'
done

if [ "$skipped" -gt 0 ]; then
  echo "authorization: $passed passed, $failed failed, $skipped skipped"
else
  echo "authorization: $passed passed, $failed failed"
fi
[ "$failed" -eq 0 ]

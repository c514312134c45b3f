"""Counts what one request costs in a server, by callgrind, and compares it with the recorded figures.

    guard.py [--record] SERVER

SERVER is run as `SERVER --http HOST:PORT` and `SERVER --stdio`. Each path is driven twice, with few and with many requests
of fixed bytes, one after the other; the difference, over the requests between, is the cost of one. Instructions in user
space are counted, not time, so other work on the machine does not matter. What the kernel does is not seen.
"""

import argparse
import json
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RECORD = Path(__file__).with_name("guard.json")
TOLERANCE = 0.03
FEW, MANY = 100, 1100
# Functions below this many instructions a request are not recorded.
NOTICED = 25
# How many functions a failure names.
NAMED = 8

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1.0.0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
# A client that can be asked.
ASKED = {**META, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}
CALL = ("tools/call", {"name": "echo", "arguments": {"text": 'hello "world" 1000000007'}})
LIST = ("tools/list", {})
ASK = ("prompts/get", {"name": "agree"})
ANSWERS = {"agree": {"action": "accept", "content": {"agreed": True}}}
ALLOCATORS = re.compile(r"^(malloc|calloc|realloc|posix_memalign|aligned_alloc)$")


def message(method, params, number=7, meta=META):
    """The bytes of one request."""
    request = {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": meta}}
    return json.dumps(request, separators=(",", ":")).encode()


def post(port, method, params, meta=META):
    """The bytes of one request over HTTP."""
    body = message(method, params, meta=meta)
    name = f"Mcp-Name: {params['name']}\r\n" if "name" in params else ""
    head = (
        f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUser-Agent: guard/1.0\r\nContent-Type: application/json\r\n"
        "Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2026-07-28\r\n"
        f"Mcp-Method: {method}\r\n{name}Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def exchange(peer, request):
    """The good answer to a request."""
    peer.sendall(request)
    answer = read_answer(peer)
    if b'"result"' not in answer or b'"isError":true' in answer:
        raise RuntimeError(f"answered with {answer[:300]!r}")
    return answer


def run_http(port, request, count):
    """Sends `count` requests on one connection and reads each answer to its end before the next."""
    bytes_of_one = post(port, *request)
    with connect(port) as peer:
        for _ in range(count):
            exchange(peer, bytes_of_one)


def run_first_rounds(port, request, count):
    """Begins `count` conversations and leaves them."""
    question = post(port, *request, meta=ASKED)
    with connect(port) as peer:
        for _ in range(count):
            if b'"requestState"' not in exchange(peer, question):
                raise RuntimeError("nothing was asked")


def run_both_rounds(port, request, count):
    """Begins `count` conversations, one after the other, and answers the question of each."""
    method, params = request
    question = post(port, method, params, ASKED)
    with connect(port) as peer:
        for _ in range(count):
            state = json.loads(exchange(peer, question))["result"]["requestState"]
            answer = {**params, "requestState": state, "inputResponses": ANSWERS}
            if b'"messages"' not in exchange(peer, post(port, method, answer, ASKED)):
                raise RuntimeError("the answer was not taken")


def connect(port):
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=60)
        except ConnectionRefusedError:
            time.sleep(0.1)
    raise RuntimeError("the server did not begin to listen within 60 s")


def read_answer(peer):
    got = b""
    while b"\r\n\r\n" not in got:
        got += receive(peer)
    head, body = got.split(b"\r\n\r\n", 1)
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"answered with {head[:100]!r}")
    length = int(re.search(rb"content-length: *(\d+)", head, re.IGNORECASE).group(1))
    while len(body) < length:
        body += receive(peer)
    return body


def receive(peer):
    piece = peer.recv(1 << 16)
    if not piece:
        raise RuntimeError("the server closed the connection")
    return piece


def run_stdio(server, request, count):
    """Writes one line at a time and reads its answer before the next."""
    for number in range(count):
        server.stdin.write(message(*request, 1000000000 + number) + b"\n")
        server.stdin.flush()
        answer = server.stdout.readline()
        if b'"result"' not in answer or b'"isError":true' in answer:
            raise RuntimeError(f"{request[0]} was answered with {answer[:300]!r}")


PATHS = {
    "HTTP tools/call": (run_http, CALL),
    "stdio tools/call": (run_stdio, CALL),
    "HTTP tools/list": (run_http, LIST),
    "HTTP prompts/get that asks": (run_first_rounds, ASK),
    "HTTP prompts/get that asks and is answered": (run_both_rounds, ASK),
}


def count(binary, run, request, requests):
    """(self, inclusive, calls), each by function, of a server that answered `requests` requests."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "callgrind.out"
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = ["valgrind", "--tool=callgrind", "--compress-strings=no", "--compress-pos=no"]
        command += [f"--callgrind-out-file={out}", binary]
        command += ["--stdio"] if run is run_stdio else ["--http", f"127.0.0.1:{port}"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            try:
                if run is run_stdio:
                    run(server, request, requests)
                    server.stdin.close()
                else:
                    run(port, request, requests)
                    server.send_signal(signal.SIGTERM)
                server.wait(60)
            finally:
                if server.poll() is None:
                    server.kill()
        return read_profile(out)


def read_profile(path):
    """The costs of a callgrind file. The line after `calls=` is what the call cost, every other is the function's own."""
    own, inclusive, calls = {}, {}, {}
    function, callee, called = None, None, False
    with open(path, errors="replace") as lines:
        for line in lines:
            if line.startswith("fn="):
                function = plain(line[3:])
            elif line.startswith("cfn="):
                callee = plain(line[4:])
            elif line.startswith("calls="):
                calls[callee] = calls.get(callee, 0) + int(line[6:].split()[0])
                called = True
            elif line[:1].isdigit() or line[:1] in "+-*":
                cost = int(line.split()[1])
                if not called:
                    own[function] = own.get(function, 0) + cost
                if not called or callee != function:
                    inclusive[function] = inclusive.get(function, 0) + cost
                called = False
    return own, inclusive, calls


def plain(name):
    """A function's name without what changes from build to build."""
    name = re.sub(r"::h[0-9a-f]{16}|\[[0-9a-f]{8,16}\]|'\d+$|\.llvm\.\d+", "", name.strip())
    return re.sub(r"\(below main\)|0x[0-9a-f]+", "outside", name)


def measure(binary, run, request):
    """What one request, or one conversation, costs: in all, and by function."""
    few, many = (count(binary, run, request, n) for n in (FEW, MANY))
    per = [
        {name: (cost - less.get(name, 0)) / (MANY - FEW) for name, cost in more.items()}
        for less, more in zip(few, many)
    ]
    own, inclusive, calls = per
    functions = {
        name: [round(own.get(name, 0)), round(cost)]
        for name, cost in inclusive.items()
        if round(cost) >= NOTICED
    }
    allocations = sum(n for name, n in calls.items() if ALLOCATORS.match(name))
    return {
        "instructions": round(sum(own.values())),
        "allocations": round(allocations, 1),
        "functions": dict(sorted(functions.items())),
    }


def tools():
    """What the figures depend on beside the sources."""
    first = lambda *command: subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")[0]
    return {"rustc": first("rustc", "--version"), "libc": first("ldd", "--version"), "valgrind": first("valgrind", "--version")}


def grown(before, now, column):
    """The functions whose cost grew most, with the growth and what they cost now."""
    rows = [
        (cost[column] - before.get(name, [0, 0])[column], cost[column], name)
        for name, cost in now.items()
    ]
    return [row for row in sorted(rows, reverse=True) if row[0] >= NOTICED][:NAMED]


def tell(before, now):
    for title, column in (("by their own instructions", 0), ("with all that they call", 1)):
        print(f"  functions that grew, {title}:")
        for growth, cost, name in grown(before["functions"], now["functions"], column):
            print(f"    +{growth:<6} to {cost:<6} {name}")


def write(record):
    """The record with one function a line, so that a change to it can be read."""
    paths = []
    for name, path in record["paths"].items():
        functions = ",\n".join(f"    {json.dumps(f)}: {json.dumps(c)}" for f, c in path["functions"].items())
        paths.append(
            f'  {json.dumps(name)}: {{"instructions": {path["instructions"]}, "allocations": {path["allocations"]}, '
            f'"functions": {{\n{functions}\n  }}}}'
        )
    body = ",\n".join(paths)
    RECORD.write_text(f'{{"tools": {json.dumps(record["tools"])}, "paths": {{\n{body}\n}}}}\n')


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--record", action="store_true", help="write the figures instead of comparing them")
    arguments.add_argument("server", help="the binary")
    arguments = arguments.parse_args()
    now = {"tools": tools(), "paths": {name: measure(arguments.server, *path) for name, path in PATHS.items()}}
    if arguments.record:
        for name, path in now["paths"].items():
            print(f"{name}: {path['instructions']} instructions, {path['allocations']} allocations a request")
        write(now)
        print(f"bench-guard: recorded in {RECORD.name}")
        return 0
    before = json.loads(RECORD.read_text())
    differing = [f"{tool}: recorded {was}, here {now['tools'][tool]}" for tool, was in before["tools"].items() if was != now["tools"][tool]]
    failed = 0
    for name, path in now["paths"].items():
        was = before["paths"][name]
        ratio = path["instructions"] / was["instructions"]
        more = path["allocations"] - was["allocations"]
        bad = ratio > 1 + TOLERANCE or more >= 1
        failed += bad
        print(
            f"{name}: {path['instructions']} instructions ({ratio - 1:+.1%}), "
            f"{path['allocations']} allocations ({more:+.1f}) a request: {'GREW' if bad else 'ok'}"
        )
        if bad:
            tell(was, path)
    for line in differing:
        print(f"bench-guard: {line}. Compilers and libraries move these figures: if no change of the sources explains "
              "a growth, record them anew with --record")
    print(f"bench-guard: {len(PATHS) - failed} paths held, {failed} grew")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (RuntimeError, OSError, subprocess.SubprocessError) as fault:
        print(f"bench-guard: cannot take the figures: {fault}", file=sys.stderr)
        sys.exit(2)

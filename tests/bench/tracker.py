#!/usr/bin/env python3
"""How fast pm-mcp serves a workspace, and in how much memory.

    tests/bench/tracker.py SERVER WORKSPACE [ROUNDS]

SERVER is a release build of pm-mcp. WORKSPACE is a project with .agents/pm in it; it is copied, and the copy is changed.
Prints one line a figure: the median of the rounds, the least and the most. Needs Python 3.9 and Linux's /proc.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

VERSION = "2026-07-28"


class Server:
    """A running pm-mcp, asked one request at a time."""

    def __init__(self, program, project):
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [program],
            cwd=project,
            env={**os.environ, "PM_MCP_FOREGROUND_LIMIT_MS": "600000"},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.asked = 0

    def ask(self, method, params):
        self.asked += 1
        params["_meta"] = {
            "io.modelcontextprotocol/protocolVersion": VERSION,
            "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        message = {"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == self.asked:
                return answer["result"]

    def call(self, tool, **arguments):
        """The answer of a tool, and how long it took in milliseconds."""
        began = time.perf_counter()
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})
        took = (time.perf_counter() - began) * 1000
        assert not result.get("isError"), result
        return result["structuredContent"], took

    def resident(self):
        """Resident memory in MiB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def end(self):
        self.process.stdin.close()
        self.process.wait(timeout=20)


def one_round(program, project, figures):
    """Measures everything once with a fresh process."""

    def note(name, value):
        figures.setdefault(name, []).append(value)

    server = Server(program, project)
    first, _ = server.call("pm_next")
    note("start to the first answer (pm_next), ms", (time.perf_counter() - server.began) * 1000)
    item = first["recommended"]["item"]["id"]
    _, took = server.call("pm_search", query="history")
    note("first pm_search, ms", took)
    for words in ["validate lock", "search index", "claim", "merge conflict history", "test run"]:
        _, took = server.call("pm_search", query=words)
        note("pm_search, ms", took)
    for _ in range(5):
        _, took = server.call("pm_next")
        note("pm_next, ms", took)
    for number in range(5):
        text = f"bench {time.time_ns()} {number}"
        _, took = server.call("pm_update", id=item, set={"goal": text}, force=True)
        note("one edit until durable (pm_update), ms", took)
        _, took = server.call("pm_next")
        note("pm_next right after an edit, ms", took)
        _, took = server.call("pm_search", query="bench")
        note("pm_search right after an edit, ms", took)
    _, took = server.call("pm_validate")
    note("first full validation (pm_validate), ms", took)
    _, took = server.call("pm_validate")
    note("full validation again, ms", took)
    note("resident memory, MiB", server.resident())
    server.end()


def main():
    program, workspace = sys.argv[1], Path(sys.argv[2])
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder) / "project"
        shutil.copytree(workspace, project, symlinks=True)
        for _ in range(rounds):
            one_round(str(Path(program).resolve()), project, figures)
    for name, values in figures.items():
        print(f"{name:45} {statistics.median(values):9.1f}   {min(values):9.1f} to {max(values):9.1f}")


if __name__ == "__main__":
    main()

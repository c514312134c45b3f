"""Real processes that speak the protocol, on standard input and output or by HTTP."""

import json
import os
import queue
import subprocess
import threading
import time
import urllib.error
import urllib.request

PATIENCE = 30  # seconds for one answer or one start


class Gone(Exception):
    """A program that could not be started, gave no answer or ended."""


def meta(revision, capabilities=None):
    """What every request says of itself."""
    return {
        "io.modelcontextprotocol/protocolVersion": revision,
        "io.modelcontextprotocol/clientInfo": {"name": "release-proof", "version": "1.0.0"},
        "io.modelcontextprotocol/clientCapabilities": capabilities or {},
    }


def request(number, method, params, about):
    """One request; without `_meta` if `about` is nothing."""
    if about is not None:
        params = {**params, "_meta": about}
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


class Peer:
    """A server behind one of its two bindings. `ask` gives the status (200 where there is none), headers and answer."""

    def __init__(self, command, folder, environment):
        self.kind = None
        self.headers = {}
        self.url = None
        self.lines = queue.Queue()
        address = os.path.join(folder, f"url-{time.monotonic_ns()}")
        environment = {**environment, "PM_MCP_HTTP_PORT": "0", "PM_MCP_HTTP_ADDRESS_FILE": address}
        self.errors = open(os.path.join(folder, "stderr"), "ab")
        try:
            self.process = subprocess.Popen(
                command, cwd=folder, env=environment, stderr=self.errors,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            )
        except OSError as fault:
            raise Gone(f"{command[0]} cannot be started: {fault.strerror}") from fault
        threading.Thread(target=self._read, daemon=True).start()
        self.address = address

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def find(self, first):
        """Learns which binding it is by the first request: a URL appears, or an answer on standard output."""
        self._write(first)
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if os.path.exists(self.address):
                with open(self.address) as file:
                    self.kind, self.url = "http", file.read().strip()
                return self.ask(first)
            try:
                line = self.lines.get(timeout=0.05)
            except queue.Empty:
                continue
            if line is None:
                raise Gone(f"it ended with status {self.process.wait()}")
            if line.startswith(b"http://"):
                self.kind, self.url = "http", line.decode().strip()
                return self.ask(first)
            self.kind = "stdio"
            return 200, {}, json.loads(line)
        raise Gone(f"it said nothing for {PATIENCE} s")

    def _write(self, message):
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError as fault:
            raise Gone("it reads no more") from fault

    def ask(self, message, **headers):
        """Sends one request; `headers` stand instead of those that belong to it, nothing takes one away."""
        if self.kind == "stdio":
            self._write(message)
            line = self.lines.get(timeout=PATIENCE)
            if line is None:
                raise Gone("it ended without an answer")
            return 200, {}, json.loads(line)
        params = message.get("params", {})
        revision = params.get("_meta", {}).get("io.modelcontextprotocol/protocolVersion")
        sent = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": revision,
            "Mcp-Method": message["method"],
            "Mcp-Name": params.get("name") or params.get("uri") or params.get("taskId"),
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        sent = {name: value for name, value in sent.items() if value is not None}
        call = urllib.request.Request(self.url, json.dumps(message).encode(), sent)
        try:
            with urllib.request.urlopen(call, timeout=PATIENCE) as reply:
                status, told, body = reply.status, reply.headers, reply.read()
        except urllib.error.HTTPError as reply:
            status, told, body = reply.code, reply.headers, reply.read()
        told = {name.lower(): value for name, value in told.items()}
        if told.get("content-type", "").startswith("text/event-stream"):
            events = [line[5:] for line in body.splitlines() if line.startswith(b"data:")]
            body = events[-1]
        return status, told, json.loads(body)

    def end(self):
        """Ends it as an orderly client does, and gives its exit status."""
        try:
            self.process.stdin.close()
        except OSError:
            pass
        if self.kind == "http":
            self.process.terminate()
        try:
            status = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self.errors.close()
        return status

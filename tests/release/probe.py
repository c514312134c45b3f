#!/usr/bin/env python3
"""Verifies installed servers and a consumer of the packed crates, by starting them.

    probe.py METADATA BIN CONSUMER REGISTRY SCRATCH EVIDENCE

METADATA is what `cargo metadata` printed of the packed server crate, which says what programs there are; BIN the folder
into which they were installed; CONSUMER the program of the crate outside; REGISTRY where the crates were unpacked; EVIDENCE
gets what each program said of itself, as JSON.

Prints `ok: ...` or `FAILED: ...` for each thing that was looked at.
"""

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from peer import Gone, Peer, meta, request
from refusals import handshake, refusals

SERVER = "io.modelcontextprotocol/serverInfo"
CONTRACT = "pm_context"  # a tool without arguments, so that what it promises can be held against what it gives


def constant(registry):
    """The one place in the sources that says which revisions there are."""
    text = next(registry.glob("pm-mcp-domain-*/src/version.rs")).read_text()
    return re.search(r'PROTOCOL_VERSION: &str = "([^"]+)"', text)[1]


def discovery_faults(answer, revision, version):
    """What is wrong with an answer to `server/discover`."""
    faults = []
    if set(answer) != {"jsonrpc", "id", "result"} or answer["jsonrpc"] != "2.0" or answer["id"] != 1:
        return [f"the envelope is {json.dumps(answer)[:300]}"]
    result = answer["result"]
    if result.get("resultType") != "complete":
        faults.append(f"resultType is {result.get('resultType')}")
    if result.get("supportedVersions") != [revision]:
        faults.append(f"supportedVersions is {result.get('supportedVersions')}, the sources say {revision}")
    identity = result.get("_meta", {}).get(SERVER, {})
    if not identity.get("name") or identity.get("version") != version:
        faults.append(f"{SERVER} is {identity}, the package has version {version}")
    if not isinstance(result.get("capabilities"), dict):
        faults.append("there are no capabilities")
    return faults


def contract_faults(peer, about, tool):
    """What is wrong with a call of `tool`, held against what the list of tools promises."""
    _, _, listed = peer.ask(request(2, "tools/list", {}, about))
    found = [entry for entry in listed.get("result", {}).get("tools", []) if entry["name"] == tool]
    if not found:
        return [f"{tool} is not listed"]
    promised = found[0].get("outputSchema", {})
    _, _, answer = peer.ask(request(3, "tools/call", {"name": tool, "arguments": {}}, about))
    if "result" not in answer:
        return [f"{tool} was refused: {answer.get('error')}"]
    result = answer["result"]
    given = result.get("structuredContent")
    if result.get("resultType") != "complete" or result.get("isError") or not isinstance(given, dict):
        return [f"{tool} gave {json.dumps(result)[:300]}"]
    faults = [f"{tool} gave no `{name}`" for name in promised.get("required", []) if name not in given]
    if not promised.get("required"):
        faults.append(f"{tool} promises nothing")
    return faults


def verify(program, folder, environment, revision, version, tool=CONTRACT):
    """Starts one installed program, lets it tell what it is, and has it work. What is wrong, and its binding."""
    peer = None
    try:
        peer = Peer([str(program)], folder, environment)
        about = meta(revision)
        _, _, answer = peer.find(request(1, "server/discover", {}, about))
        faults = discovery_faults(answer, revision, version)
        faults += contract_faults(peer, about, tool)
        kind, status = peer.kind, peer.end()
        if status != 0:
            faults.append(f"it ended with status {status}")
        return faults, kind
    except Gone as fault:
        if peer:
            peer.end()
        return [str(fault)], None


class Report:
    """Counts what was looked at."""

    def __init__(self):
        self.bad = 0

    def say(self, what, wrong):
        """`wrong` is empty if all is well."""
        self.bad += bool(wrong)
        print(f"FAILED: {what}: {wrong}" if wrong else f"ok: {what}", flush=True)


def programs(metadata):
    """The programs of the server package, by its manifest."""
    package = next(package for package in metadata["packages"] if package["name"] == "pm-mcp-server")
    return sorted(target["name"] for target in package["targets"] if "bin" in target["kind"]), package["version"]


def installed(report, metadata, folder, shims, environment, revision):
    """The programs, each through a symbolic link. Rows for the evidence."""
    names, version = programs(metadata)
    report.say(f"the manifest names {', '.join(names)}", "" if len(names) == 2 else "there should be two")
    rows, kinds = [], set()
    for name in names:
        program = folder / name
        link = shims / name
        link.symlink_to(program)
        faults, kind = verify(link, str(shims), environment, revision, version)
        kinds.add(kind)
        report.say(f"{name} through a link over {kind}: discovery, {CONTRACT}, orderly end", "; ".join(faults))
        if kind is None:
            continue
        line = subprocess.run([link, "--version"], env=environment, capture_output=True, text=True).stdout.strip()
        right = line.split(" ")[:2] == [name, version] and revision in line
        report.say(f"{name} --version: {line}", "" if right else f"should say {version} and {revision}")
        peer = Peer([str(link)], str(shims), environment)
        peer.find(request(1, "server/discover", {}, meta(revision)))
        for what, wrong in refusals(peer, revision):
            report.say(f"{name} refuses {what}", wrong)
        _, told, answer = peer.ask(request(1, "server/discover", {}, meta(revision)))
        report.say(f"{name} goes on after all that", "; ".join(discovery_faults(answer, revision, version)))
        peer.end()
        rows.append({"name": name, "binding": kind, "version": line,
                     "sha256": hashlib.sha256(program.read_bytes()).hexdigest()})
    report.say("both bindings were tried", "" if kinds == {"stdio", "http"} else f"only {kinds}")
    return rows, version


def controls(report, metadata, folder, shims, environment, revision):
    """What the verifier has to refuse, so that its yes means something."""
    names, version = programs(metadata)
    started = folder / names[0]
    missing, _ = verify(folder / "pm-mcp-missing", str(shims), environment, revision, version)
    report.say(f"control: a missing program fails ({'; '.join(missing)})", "" if missing else "it passed")
    for name in names:
        faults, _ = verify(folder / name, str(shims), environment, revision, version, tool="pm_missing")
        right = faults == ["pm_missing is not listed"]
        report.say(f"control: a missing command of {name} fails", "" if right else str(faults))
        command = subprocess.run([folder / name, "missing"], env=environment, capture_output=True, text=True)
        report.say(f"control: `{name} missing` ends with status {command.returncode}",
                   "" if command.returncode == 2 and "unknown argument" in command.stderr else command.stderr)
    peer = Peer([str(started)], str(shims), environment)
    _, _, good = peer.find(request(1, "server/discover", {}, meta(revision)))
    peer.end()
    without = {**good, "result": {key: value for key, value in good["result"].items() if key != "resultType"}}
    identity = {**good, "result": {**good["result"], "_meta": {}}}
    others = {**good, "result": {**good["result"], "supportedVersions": [revision, "2025-11-25"]}}
    envelope = {**good, "session": "s"}
    for what, planted in [("resultType", without), (SERVER, identity), ("supportedVersions", others), ("envelope", envelope)]:
        seen = any(what in fault for fault in discovery_faults(planted, revision, version))
        report.say(f"control: a wrong {what} fails", "" if seen else "it passed")
    old = discovery_faults(good, revision, "0.0.0")
    report.say("control: another version than the package's fails", "" if old else "it passed")


def consumer(report, program, folder, environment, revision):
    """The crate outside: constants, the service itself, both bindings and the adapter for earlier revisions agree."""
    run = lambda word, **more: subprocess.run([program, word], env=environment, capture_output=True, text=True, timeout=60, **more)
    said = run("constants").stdout.split()
    report.say(f"the library says {' '.join(said)}", "" if said == [revision, revision] else f"the sources say {revision}")
    ask = request(1, "server/discover", {}, meta(revision))
    seen = {"service": json.loads(run("dispatch", input=json.dumps(ask)).stdout)}
    opening = handshake(7)
    opened = {}
    for word in ["stdio", "http", "legacy"]:
        peer = Peer([str(program), word], folder, environment)
        # Nothing precedes it, so nothing depends on a handshake.
        _, told, seen[word] = peer.find(ask)
        hello = peer.ask(request(2, "tools/call", {"name": "greet", "arguments": {"name": "Ada"}}, meta(revision)))[2]
        text = hello.get("result", {}).get("content", [{}])[0].get("text")
        report.say(f"the consumer greets over {word}", "" if text == "Hello, Ada!" else json.dumps(hello))
        _, told_too, opened[word] = peer.ask(opening)
        again = peer.ask(ask)[2]
        report.say(f"a handshake changes nothing for {word}", "" if again == seen[word] else json.dumps(again)[:300])
        session = [name for headers in (told, told_too) for name in headers if "session" in name]
        report.say(f"no session over {word}", "; ".join(session))
        peer.end()
    faults = discovery_faults(seen["service"], revision, "1.0.0")
    report.say("the service itself answers discovery without a transport", "; ".join(faults))
    for word in ["stdio", "http", "legacy"]:
        report.say(f"the service and {word} agree on discovery", "" if seen[word] == seen["service"] else json.dumps(seen[word])[:300])
    for word in ["stdio", "http"]:
        report.say(f"without the adapter, {word} refuses a handshake", "" if "error" in opened[word] else "it was taken")
    taken = opened["legacy"].get("result", {})
    report.say("a rollback brings back the adapter alone: a handshake of 2025-11-25 is answered",
               "" if taken.get("protocolVersion") == "2025-11-25" and "session" not in json.dumps(taken).lower() else json.dumps(opened["legacy"]))


def main():
    metadata, folder, program, registry, scratch, evidence = (Path(given).resolve() for given in sys.argv[1:])
    metadata = json.loads(metadata.read_text())
    revision = constant(registry)
    home, shims = scratch / "home", scratch / "shims"
    for place in (home, shims):
        place.mkdir(parents=True, exist_ok=True)
    # Settings and credentials of whoever runs this have no part in it.
    environment = {"HOME": str(home), "PATH": "/usr/bin:/bin", "TMPDIR": str(scratch), "USER": "nobody"}
    report = Report()
    rows, _ = installed(report, metadata, folder, shims, environment, revision)
    controls(report, metadata, folder, shims, environment, revision)
    consumer(report, program, str(shims), environment, revision)
    evidence.write_text(json.dumps({"revision": revision, "programs": rows,
                                    "sha256": hashlib.sha256(program.read_bytes()).hexdigest()}))
    return 1 if report.bad else 0


if __name__ == "__main__":
    sys.exit(main())

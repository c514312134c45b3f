"""Writes the table of what was measured beside what is aimed at, from one run of `tests/bench/run.sh`.

    table.py FOLDER

FOLDER holds what the parts of the run left: `instructions.json`, `bench.json` and `streams.json` of the bench program,
`start-STORE.json`, `rounds.json`, `seal.txt`, `check.txt` and `bundled.size`. A part that is missing ends this with an error.

Ratios are medians of ratios taken round by round. An aim counts as reached up to 5 % above it where it is about time,
processor time or memory, because builds that are alike differ as much; counts of instructions and allocations repeat and have
no such room.
"""

import json
import re
import statistics
import sys
from pathlib import Path

OWN, PEER, FLOOR, LINES = "SUT", "rmcp", "hyper", "line-raw"
# What two builds of the same differ by.
ALIKE = 1.05
UNITS = {"ns": 0.001, "µs": 1.0, "ms": 1000.0}


class Run:
    """What the parts of one run left in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.counts = self.read("instructions.json")["instr"]
        self.bench = self.read("bench.json")
        self.many = self.read("streams.json")

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def rounds(self, title, results=None):
        """The rounds of the part whose title begins so, by server."""
        results = results or self.bench
        return next(part for name, part in results.items() if name.startswith(title))

    def ratio(self, title, name, base, key):
        part = self.rounds(title)
        return statistics.median(own[key] / other[key] for own, other in zip(part[name], part[base]))

    def median(self, title, name, key, results=None):
        return statistics.median(measured[key] for measured in self.rounds(title, results)[name])

    def microseconds(self, name, pattern):
        """The times that a pattern finds in the words of an example, in microseconds."""
        found = re.findall(pattern + r" ([\d.]+)(ns|µs|ms)", (self.folder / name).read_text())
        if not found:
            raise ValueError(f"{name} tells nothing of {pattern}")
        return [float(value) * UNITS[unit] for value, unit in found]


class Row:
    """One line: values as they are told, and whether each of them is within its aim."""

    def __init__(self, what, own, aims, unit="", peer="", floor=(), exact=False, digits=2, base=""):
        self.what, self.own, self.aims, self.unit, self.peer = what, own, aims, unit, peer
        self.floor, self.exact, self.digits, self.base = floor, exact, digits, base

    def told(self, values):
        words = " and ".join(f"{value:,.{self.digits}f}" for value in values)
        return f"{words}{self.unit}{self.base}" if words else "–"

    def reached(self):
        room = 1.0 if self.exact else ALIKE
        verdicts = []
        for place, (own, aim) in enumerate(zip(self.own, self.aims)):
            if own <= aim:
                verdicts.append("yes")
            elif own <= aim * room:
                verdicts.append("within 5 %")
            elif len(self.floor) > place and self.floor[place] > aim:
                verdicts.append("no, nor is the floor")
            else:
                verdicts.append("no")
        return verdicts[0] if len(set(verdicts)) == 1 else ", ".join(verdicts)

    def line(self):
        return f"| {self.what} | {self.told(self.own)} | {self.peer} | {self.told(self.floor)} | {self.told(self.aims)} | {self.reached()} |"


def call_rows(run):
    own, peer, floor, lines = (run.counts[name] for name in (OWN, PEER, FLOOR, LINES))
    one, sixteen, crowd = (f"HTTP tools/call, {n} connection{'s' if n > 1 else ''}, server" for n in (1, 16, 64))
    listing = "HTTP tools/list"
    of_peer = lambda title, key="cpu_us", name=OWN: run.ratio(title, name, PEER, key)
    yield Row("HTTP `tools/call`: instructions", [own["http"]], [34_000], peer=f"{peer['http']:,.0f}", floor=[floor["http"]], exact=True, digits=0)
    yield Row("HTTP `tools/call`: allocations", [own["http_allocs"]], [32], peer=f"{peer['http_allocs']:.0f}", floor=[floor["http_allocs"]], exact=True, digits=0)
    yield Row("HTTP `tools/call`, 16 and 64 connections: CPU", [of_peer(sixteen), of_peer(crowd)], [0.33, 0.28], peer="1",
              floor=[of_peer(sixteen, name=FLOOR), of_peer(crowd, name=FLOOR)])
    yield Row("HTTP `tools/call`, 1 connection: p50 and p99", [of_peer(one, "p50_us"), of_peer(one, "p99_us")], [0.45, 0.45], peer="1",
              floor=[of_peer(one, "p50_us", FLOOR), of_peer(one, "p99_us", FLOOR)])
    yield Row("HTTP `tools/list`, 22 tools: CPU", [of_peer(listing)], [0.24], peer="1", floor=[of_peer(listing, name=FLOOR)])
    yield Row("stdio `tools/call`: instructions", [own["stdio"]], [16_000], peer=f"{peer['stdio']:,.0f}", floor=[lines["stdio"]], exact=True, digits=0)
    yield Row("stdio `tools/call`: allocations", [own["stdio_allocs"]], [14], peer=f"{peer['stdio_allocs']:.0f}", floor=[lines["stdio_allocs"]], exact=True, digits=0)
    alone, window = "stdio tools/call, 1 in", "stdio tools/call, 64 in"
    yield Row("stdio `tools/call`, 1 and 64 in flight: CPU", [of_peer(alone), of_peer(window)], [0.30, 0.12], peer="1",
              floor=[of_peer(alone, name=LINES), of_peer(window, name=LINES)])


def stream_rows(run):
    part = "subscriptions/listen"
    room = lambda name: run.median(part, name, "rss_kb_per_stream")
    yield Row("1,000 streams: memory a stream", [room(OWN)], [14], " KiB", f"{room(PEER):.1f} KiB", [room(FLOOR)], digits=1)
    total = lambda name: run.median(part, name, "peak_kb", run.many) / 1024
    yield Row("10,000 streams: memory in all", [total(OWN)], [160], " MiB", "not measured", [total(FLOOR)], digits=0)
    event = run.ratio(part, OWN, FLOOR, "cpu_us_per_event")
    yield Row("one change to 1,000 streams: CPU an event", [event], [1.15], "", f"{run.ratio(part, PEER, FLOOR, 'cpu_us_per_event'):.2f}", [1.0], base=" of hyper")
    last = lambda name: run.ratio(part, name, PEER, "last_us")
    yield Row("the same: the last stream", [last(OWN)], [0.6], peer=f"1 ({run.median(part, PEER, 'last_us') / 1000:.1f} ms)", floor=[last(FLOOR)])


def process_rows(run):
    own, peer, floor = (run.bench["start"][name] for name in (OWN, PEER, FLOOR))
    yield Row("start to the first answer over HTTP", [own["http_ms"]], [peer["http_ms"]], " ms", f"{peer['http_ms']:.2f} ms", [floor["http_ms"]])
    bundled = {store: run.read(f"start-{store}.json") for store in ("memory", "fs", "sled")}
    for store in ("fs", "sled"):
        yield Row(f"the bundled server's, tasks in {store}", [bundled[store]["first_answer_ms"]], [15], " ms", digits=1)
    yield Row("resident after start", [own["idle_mib"]], [5], " MiB", f"{peer['idle_mib']:.1f} MiB", [floor["idle_mib"]], digits=1)
    yield Row("the bundled server's, small workspace, tasks in memory, fs and sled",
              [bundled[store]["resident_mib"] for store in ("memory", "fs", "sled")], [12, 12, 12], " MiB", digits=1)
    yield Row("stripped binary", [own["size_mib"]], [4], " MiB", f"{peer['size_mib']:.1f} MiB", [floor["size_mib"]], digits=1)


def library_rows(run):
    seal, opened = run.microseconds("seal.txt", "Encrypted: seal"), run.microseconds("seal.txt", "Encrypted: .* open")
    cipher = run.microseconds("seal.txt", "AES-256-GCM alone:")
    yield Row("sealed state of 1 KiB: seal and open", [seal[0], opened[0]], [1.5, 1.5], " µs", floor=cipher)
    rounds = run.read("rounds.json")
    yield Row("a second round: time", [rounds["second time"]], [1.1], base=" of a plain call")
    yield Row("the same: CPU", [rounds["second cpu"]], [1.1], base=" of a plain call")
    check = run.microseconds("check.txt", ", plain: check")
    yield Row("arguments checked: one text, and five members", check, [0.3] * len(check), " µs", digits=3)


def main(folder):
    run = Run(folder)
    print("| What | Own | rmcp 3.11, tuned | Floor | Aim | Reached |")
    print("| --- | --- | --- | --- | --- | --- |")
    for rows in (call_rows, stream_rows, process_rows, library_rows):
        for row in rows(run):
            print(row.line())
    print(f"\nThe bundled server's binary has {float(run.read('bundled.size')):.1f} MiB, stripped. CPU is processor time a request"
          " or event, of rmcp's unless said otherwise; the floor is bare hyper, on stdio a\nbare line loop, of a seal the cipher alone.")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except (OSError, ValueError, KeyError, StopIteration, IndexError) as fault:
        sys.exit(f"table: the run is not whole: {fault!r}")

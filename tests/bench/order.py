"""Writes app/server/start-order.ld: the functions that the bundled servers run as they start, for the linker to put together.

    order.py FOLDER

FOLDER holds `pm-mcp-http` and `pm-mcp`, release builds with their symbols. Each is started under callgrind on a small
workspace, once with each store that needs no server, answers one `server/discover`, and is left alone until what it does
beside that is done. The names are those of symbols without their hashes, so that they hold for any build; where instances
of a generic function that do not run would come along, they may be so much larger (WIDTH a function that runs).

Needs valgrind and binutils. Run it when much of the start has changed: `make bench` says what the servers hold in memory.
"""

import argparse
import collections
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from guard import message, post, read_answer
from start import connected, free_port

ROOT = Path(__file__).resolve().parents[2]
ORDER = ROOT / "app" / "server" / "start-order.ld"
# Bytes of functions that do not run which one that runs may bring along: less than the piece that it would have mapped.
WIDTH = 32 << 10
# Seconds until a server under callgrind has done what it does after its first answer.
SETTLED = 5


def started(program, store):
    """The symbols that run in a start."""
    with tempfile.TemporaryDirectory() as place:
        workspace, record = Path(place) / "workspace", Path(place) / "callgrind"
        shutil.copytree(ROOT / "tests" / "acceptance" / "workspace", workspace)
        port = free_port()
        environment = {
            **os.environ, "PM_PATH": str(workspace), "PM_MCP_TASK_STORE": store, "PM_MCP_HTTP_PORT": str(port),
        }
        command = ["valgrind", "--tool=callgrind", "--demangle=no", f"--callgrind-out-file={record}", str(program)]
        with subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            if program.name == "pm-mcp":
                server.stdin.write(message("server/discover", {}) + b"\n")
                server.stdin.flush()
                answer = server.stdout.readline()
            else:
                with connected(server, port) as peer:
                    peer.sendall(post(port, "server/discover", {}))
                    answer = read_answer(peer)
            if b'"supportedVersions"' not in answer:
                sys.exit(f"order: {program} did not answer server/discover")
            time.sleep(SETTLED)
            server.send_signal(signal.SIGTERM)
            server.stdin.close()
            server.wait()
        return set(re.findall(r"^c?fn=\(\d+\) ([^'\n]+)", record.read_text(), re.MULTILINE))


def sizes(program):
    """The bytes of each function."""
    listed = subprocess.run(["nm", "--print-size", "--defined-only", program], capture_output=True, text=True, check=True)
    rows = (line.split() for line in listed.stdout.splitlines())
    return {row[3]: int(row[1], 16) for row in rows if len(row) == 4 and row[2] in "tT"}


def stem(symbol):
    """What is the same of a symbol in any build."""
    legacy = re.match(r"(_ZN.*17h)[0-9a-f]{16}E", symbol)
    if legacy:
        return legacy[1] + "*"
    if symbol.startswith("_R"):
        return re.sub(r"Cs[0-9A-Za-z]+_", "Cs*_", symbol.partition(".")[0]) + "*"
    return symbol


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    stems = set()
    for program in (folder / "pm-mcp-http", folder / "pm-mcp"):
        size = sizes(program)
        run = set().union(*(started(program, store) for store in ("memory", "fs", "sled"))) & size.keys()
        all_of, running = collections.Counter(), collections.defaultdict(list)
        for symbol, length in size.items():
            all_of[stem(symbol)] += length
        for symbol in run:
            running[stem(symbol)].append(size[symbol])
        taken = {name for name, lengths in running.items() if all_of[name] - sum(lengths) <= WIDTH * len(lengths)}
        kib = sum(all_of[name] for name in taken) >> 10
        print(f"order: {program.name} runs {len(run)} functions, {sum(map(sum, running.values())) >> 10} KiB; put together: {kib} KiB")
        stems |= taken
    lines = "".join(f"    *(.text.{name} .text.unlikely.{name})\n" for name in sorted(stems))
    ORDER.write_text(
        "/* The functions that the servers run as they start; written by tests/bench/order.py. */\n"
        f"SECTIONS\n{{\n  .text.start :\n  {{\n{lines}  }}\n}}\nINSERT BEFORE .text;\n"
    )
    print(f"order: {len(stems)} names in {ORDER.relative_to(ROOT)}")


if __name__ == "__main__":
    main()

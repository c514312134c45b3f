"""Measures how long a server takes from its start to its first answer to `server/discover`, and what it then holds.

    start.py [--times N] [--json FILE] COMMAND...

COMMAND is started N times (default 21), one after the other, with a free port in `PM_MCP_HTTP_PORT`; `{port}` in it becomes
that port, too. Time runs from the start of the process to the last byte of the answer over HTTP; memory is the resident set
0.3 s later. Medians, with the least and the most.
"""

import argparse
import json
import os
import socket
import statistics
import subprocess
import sys
import time

from guard import post, read_answer


def start(command, port):
    """Milliseconds to the first answer, and resident KiB after it."""
    environment = {**os.environ, "PM_MCP_HTTP_PORT": str(port)}
    request = post(port, "server/discover", {})
    began = time.perf_counter()
    with subprocess.Popen(
        [part.replace("{port}", str(port)) for part in command],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    ) as server:
        try:
            with connected(server, port) as peer:
                peer.sendall(request)
                if b'"supportedVersions"' not in read_answer(peer):
                    raise RuntimeError("server/discover was not answered")
                taken = (time.perf_counter() - began) * 1000
            time.sleep(0.3)
            with open(f"/proc/{server.pid}/status") as status:
                resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        finally:
            server.terminate()
    return taken, resident


def connected(server, port):
    while server.poll() is None:
        try:
            return socket.create_connection(("127.0.0.1", port))
        except ConnectionRefusedError:
            time.sleep(0.0001)
    raise RuntimeError(f"the server ended with status {server.returncode}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--times", type=int, default=21, help="how many starts")
    arguments.add_argument("--json", help="write the medians here, too")
    arguments.add_argument("command", nargs="+", help="the server")
    arguments = arguments.parse_args()
    starts = [start(arguments.command, free_port()) for _ in range(arguments.times)]
    medians = {}
    for key, title, unit, values in (
        ("first_answer_ms", "first answer", "ms", [taken for taken, _ in starts]),
        ("resident_mib", "resident", "MiB", [resident / 1024 for _, resident in starts]),
    ):
        medians[key] = statistics.median(values)
        print(f"{title}: {medians[key]:.2f} {unit} ({min(values):.2f} to {max(values):.2f})")
    if arguments.json:
        with open(arguments.json, "w") as kept:
            json.dump(medians, kept)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError) as fault:
        sys.exit(f"start: {fault}")

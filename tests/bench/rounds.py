"""Measures what the rounds of a conversation cost beside a plain call, in processor time of the server.

    rounds.py [--rounds N] [--requests N] [--json FILE] SERVER

SERVER is run as `SERVER --http HOST:PORT`. In each round one connection sends plain calls of a tool, then begins as many
conversations, each of which is answered with a question, then answers all of them; every request waits for the answer to the
one before. The ratios are taken in each round; told are their medians with the least and the most.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path

from guard import ANSWERS, ASK, ASKED, CALL, connect, exchange, post
from start import free_port


def processor_time(process):
    """Nanoseconds that the threads of a process have run."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)


def cost(server, peer, requests):
    """Nanoseconds of the server for one of the requests, and the answers."""
    before = processor_time(server.pid)
    answers = [exchange(peer, request) for request in requests]
    return (processor_time(server.pid) - before) / len(requests), answers


def measure(server, port, count):
    """What a plain call, a first and a second round cost, in nanoseconds."""
    method, params = ASK
    with connect(port) as peer:
        plain, _ = cost(server, peer, [post(port, *CALL)] * count)
        first, questions = cost(server, peer, [post(port, method, params, ASKED)] * count)
        states = [json.loads(question)["result"]["requestState"] for question in questions]
        answers = [post(port, method, {**params, "requestState": s, "inputResponses": ANSWERS}, ASKED) for s in states]
        second, _ = cost(server, peer, answers)
    return plain, first, second


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=9, help="how many rounds")
    arguments.add_argument("--requests", type=int, default=3000, help="how many requests of each kind a round")
    arguments.add_argument("--json", help="write the medians here, too")
    arguments.add_argument("server", help="the binary")
    arguments = arguments.parse_args()
    port = free_port()
    command = [arguments.server, "--http", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            measure(server, port, arguments.requests)
            taken = [measure(server, port, arguments.requests) for _ in range(arguments.rounds)]
        finally:
            server.terminate()
    print(f"plain call: {statistics.median(plain for plain, _, _ in taken) / 1000:.1f} µs")
    medians = {}
    for title, place in (("first", 1), ("second", 2)):
        ratios = [costs[place] / costs[0] for costs in taken]
        medians[title] = statistics.median(ratios)
        print(f"{title} round: {medians[title]:.2f} of a plain call ({min(ratios):.2f} to {max(ratios):.2f})")
    if arguments.json:
        with open(arguments.json, "w") as kept:
            json.dump(medians, kept)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError) as fault:
        sys.exit(f"rounds: {fault}")

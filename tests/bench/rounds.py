"""Measures what the rounds of a conversation take beside a plain call: time for the client, processor time of the server.

    rounds.py [--rounds N] [--requests N] [--json FILE] SERVER

SERVER is run as `SERVER --http HOST:PORT`, on the first processor, and asked from the last. In each round one connection
sends plain calls of a tool, then begins as many conversations, each of which is answered with a question, then answers all of
them; every request waits for the answer to the one before. Rounds are short and many, because the speed of a machine drifts.
The ratios are taken in each round, those of time from the median of its requests; told are their medians and quartiles.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from guard import ANSWERS, ASK, ASKED, CALL, connect, exchange, post
from start import free_port


def processor_time(process):
    """Nanoseconds that the threads of a process have run."""
    threads = Path(f"/proc/{process}/task").iterdir()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads)


class Cost:
    """What one of the requests takes, in nanoseconds, and the answers."""

    def __init__(self, server, peer, requests):
        before = processor_time(server.pid)
        self.answers, times = [], []
        for request in requests:
            sent = time.perf_counter_ns()
            self.answers.append(exchange(peer, request))
            times.append(time.perf_counter_ns() - sent)
        self.time = statistics.median(times)
        self.cpu = (processor_time(server.pid) - before) / len(requests)


def measure(server, port, count):
    """What a plain call, a first and a second round cost."""
    method, params = ASK
    with connect(port) as peer:
        plain = Cost(server, peer, [post(port, *CALL)] * count)
        first = Cost(server, peer, [post(port, method, params, ASKED)] * count)
        states = [json.loads(question)["result"]["requestState"] for question in first.answers]
        answers = [post(port, method, {**params, "requestState": s, "inputResponses": ANSWERS}, ASKED) for s in states]
        return plain, first, Cost(server, peer, answers)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=45, help="how many rounds")
    arguments.add_argument("--requests", type=int, default=600, help="how many requests of each kind a round")
    arguments.add_argument("--json", help="write the medians here, too")
    arguments.add_argument("server", help="the binary")
    arguments = arguments.parse_args()
    port = free_port()
    command = [arguments.server, "--http", f"127.0.0.1:{port}"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            processors = sorted(os.sched_getaffinity(0))
            os.sched_setaffinity(server.pid, processors[:1])
            os.sched_setaffinity(0, processors[-1:])
            measure(server, port, arguments.requests)
            taken = [measure(server, port, arguments.requests) for _ in range(arguments.rounds)]
        finally:
            server.terminate()
    medians = {}
    for kind, name in (("time", "time"), ("cpu", "processor time")):
        plain = statistics.median(getattr(costs[0], kind) for costs in taken)
        print(f"{name} of a plain call: {plain / 1000:.1f} µs")
        for place, title in ((1, "first"), (2, "second")):
            ratios = [getattr(costs[place], kind) / getattr(costs[0], kind) for costs in taken]
            lower, median, upper = statistics.quantiles(ratios, n=4)
            medians[f"{title} {kind}"] = median
            print(f"  {title} round: {median:.2f} of a plain call ({lower:.2f} to {upper:.2f})")
    if arguments.json:
        with open(arguments.json, "w") as kept:
            json.dump(medians, kept)


if __name__ == "__main__":
    try:
        main()
    except (RuntimeError, OSError) as fault:
        sys.exit(f"rounds: {fault}")

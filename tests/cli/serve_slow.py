#!/usr/bin/env python3
# serve_slow.py - starts the web server for real and lets visitors hold its memory: what they may hold is bounded, and others are served.
# SPDX-License-Identifier: MIT
# usage: serve_slow.py QUEVEDO FOLDER FOLDER_OF_SLOW_VISITORS
import http.client
import json
import os
import re
import signal
import subprocess
import sys

quevedo, work, bench = sys.argv[1:]
sys.path.insert(0, bench)
import slow_visitors  # noqa: E402

MIB = 1 << 20
ADDRESS, SITE = 16 * MIB, 64 * MIB  # held_bytes.h
OUTPUT = 256 * 1024  # what the system keeps of one connection's output, at most
checks = failures = 0


def check(what, good, seen=None):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print(f"FAILED: {what}: {seen!r}"[:600], file=sys.stderr)


def get(port, path):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


class Attack(slow_visitors.Attack):
    """Also reads the server's own figures."""
    held = refused = 0

    def look(self):
        super().look()
        text = get(self.metrics, "/metrics")[1]
        self.held = max(self.held, int(re.search(r"^quevedo_connection_bytes (\d+)", text, re.M)[1]))
        found = re.search(r'^quevedo_refused_total\{limit="memory"\} (\d+)', text, re.M)
        self.refused = int(found[1]) if found else 0


class Server:
    def __init__(self, name, *options):
        data = os.path.join(work, name)
        os.mkdir(data, 0o700)
        self.process = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", data, "--trust-proxy", "127.0.0.9", "--metrics", "0", *options],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.url = re.search(r"http://\S+", self.process.stdout.readline())[0]
        self.port = int(self.url.rstrip("/").rsplit(":", 1)[1])
        while not (found := re.search(r"metrics port (\d+)", line := self.process.stdout.readline())):
            assert line, "the server has ended"
        self.metrics = int(found[1])

    def attack(self, kind, connections, addresses):
        attack = Attack(self.url, self.process.pid, kind, connections, addresses, 3)
        attack.metrics = self.metrics
        attack.run()
        check("others are served", get(self.port, "/api/v1/health")[0] == 200)
        return attack

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=60)
        check("it ends well", self.process.returncode == 0, self.process.returncode)


def hold(kind, connections, addresses, bound):
    """A server of its own: the bound is in bytes, and it was reached, so it is what has helped."""
    server = Server(f"{kind}-{addresses}")
    for _ in range(8):  # on a busy machine an attack may end before the bound is reached
        attack = server.attack(kind, connections, addresses)
        if attack.refused:
            break
    seen = (kind, addresses, attack.held, attack.queued, attack.refused, attack.closed)
    check("memory for connections", bound / 4 < attack.held <= bound, seen)
    check("output in the system", attack.queued < connections * OUTPUT, seen)
    check("the largest are ended", attack.refused > 0 and attack.closed >= attack.refused, seen)
    server.end()


hold("sockets", 35, "1", ADDRESS)
hold("sockets", 512, "512", SITE)
hold("bodies", 119, "119", SITE)
print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0)

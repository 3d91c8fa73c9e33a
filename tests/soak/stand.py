#!/usr/bin/env python3
"""stand.py - three servers on PostgreSQL behind HAProxy, for other tests to use and to break.
SPDX-License-Identifier: MIT
usage: stand.py BUILD [OPTION...]      BUILD: the folder of the programs; OPTION: more options of `quevedo serve`

Prints {"url", "servers", "matches"}, then obeys lines on its input and prints a line for each:
    owner GAME             the number of the server that has the game (0, 1, 2), or null
    kill N, start N        one server; it is killed as if its machine failed
    database down, up      PostgreSQL, likewise
    heal                   starts what is dead
    sql TEXT               the first column
It ends everything at the end of its input.
"""
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile

import cluster


def missing():
    """What must be installed for it, or None."""
    if not glob.glob("/usr/lib/postgresql/*/bin"):
        return "PostgreSQL"
    return None if shutil.which("haproxy") else "HAProxy"


class Stand:
    def __init__(self, build, options=(), count=cluster.SERVERS):
        self.folder, self.servers, self.proxy, self.rng = tempfile.mkdtemp(prefix="qv-stand-"), [], None, random.Random(1)
        self.postgres = cluster.Postgres(sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1])
        try:
            self.start(os.path.abspath(build), list(options), count)
        except BaseException:
            self.end()
            raise

    def start(self, build, options, count):
        proxy_port, *ports = cluster.free_ports(count + 1)
        self.matches = self.folder + "/matches"  # one folder for all, as on a shared disk
        os.mkdir(self.matches)
        secret = os.urandom(32)
        for i, port in enumerate(ports):
            self.servers.append(cluster.Server(i, build + "/quevedo", self.folder, port, proxy_port, self.postgres, secret,
                                               ["--matches", self.matches, *options]))
        # HAProxy's example names them from the last port to the first.
        with open(self.folder + "/haproxy.cfg", "w", encoding="utf-8") as file:
            file.write(cluster.proxy_settings(proxy_port, ports))
        with open(self.folder + "/haproxy.log", "w", encoding="utf-8") as log:
            self.proxy = subprocess.Popen(["haproxy", "-db", "-f", self.folder + "/haproxy.cfg"], stdout=log, stderr=log)
        cluster.wait_until("HAProxy", lambda: cluster.responds(proxy_port, "/api/v1/health/ready"))
        self.port, self.url = proxy_port, f"http://127.0.0.1:{proxy_port}"

    def owner(self, game):
        nodes = self.postgres.sql(f"SELECT node FROM play WHERE id = '{game}'")
        found = [i for i, server in enumerate(self.servers) if nodes and server.node == nodes[0]]
        return found[0] if found else None

    def database(self, is_up):
        if is_up:
            self.postgres.start()
        else:
            self.postgres.kill(self.rng)

    def heal(self):
        if self.postgres.process.poll() is not None:
            self.postgres.start()
        for server in self.servers:
            if server.process.poll() is not None:
                server.start()
        cluster.wait_until("HAProxy", lambda: cluster.responds(self.port, "/api/v1/health/ready"))

    def end(self):
        """Everything. Returns the servers that had ended by themselves or badly."""
        bad = []
        for server in self.servers:
            if server.process.poll() is None:
                server.process.terminate()
            if server.process.wait() not in (0, -signal.SIGKILL):
                with open(server.log, encoding="utf-8") as log:
                    bad.append(f"{server.name}: status {server.process.returncode}: {log.read()[-2000:]}")
        if self.proxy:
            self.proxy.kill()
            self.proxy.wait()
        self.postgres.end()
        shutil.rmtree(self.folder)
        return bad


def obey(stand, words):
    verb, what = words[0], words[1] if len(words) > 1 else ""
    if verb == "owner":
        return stand.owner(what)
    if verb == "kill":
        return stand.servers[int(what)].kill(None)
    if verb == "start":
        return stand.servers[int(what)].start()
    if verb == "heal":
        return stand.heal()
    if verb == "database":
        return stand.database(what == "up")
    return stand.postgres.sql(what)


def main():
    if missing():
        print(json.dumps({"missing": missing()}))
        return 0
    stand = Stand(sys.argv[1], sys.argv[2:])
    try:
        print(json.dumps({"url": stand.url, "matches": stand.matches,
                          "servers": [f"http://127.0.0.1:{server.port}" for server in stand.servers]}), flush=True)
        for line in sys.stdin:
            print(json.dumps(obey(stand, line.strip().split(" ", 1))), flush=True)
    finally:
        bad = stand.end()
    for line in bad:
        print(line, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

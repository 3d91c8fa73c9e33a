#!/usr/bin/env python3
"""cluster_workers.py - two servers that let three workers think, which are killed, stopped and ended at random moments.
SPDX-License-Identifier: MIT
usage: cluster_workers.py [--seconds N] [--seed S] [--keep] BUILD     BUILD: the folder of the programs

Clients ask for analyses, and some leave in the middle. One kill in eight is that of PostgreSQL, with the queue in its memory.
Exit status 1: an analysis that was not refused came to no end, a worker that was asked to end did not end well, a server ended
by itself, nothing was done by workers, or a job is left in the queue.
"""
import argparse
import glob
import http.client
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import cluster

SERVERS, WORKERS, CLIENTS = 2, 3, 6
GAMES = ("chess", "reversi", "connect4", "draughts")


class Worker:
    def __init__(self, number, quevedo, folder, postgres):
        self.command = [quevedo, "worker", "--store", postgres.place(), "--threads", "1", "--drain", "1"]
        self.log = f"{folder}/worker-{number}.log"
        self.start()

    def start(self):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=log)

    def end(self, rng):
        """Kills it, stops it for longer than its lease, or asks it to end. False: it did not end as it should."""
        kind = rng.randrange(3)
        if self.process.poll() is None and kind == 1:
            self.process.send_signal(signal.SIGSTOP)
            time.sleep(4)
            self.process.send_signal(signal.SIGCONT)
            return True
        self.process.send_signal(signal.SIGKILL if kind == 0 else signal.SIGTERM)
        status = self.process.wait(30)
        time.sleep(rng.uniform(0, 2))
        self.start()
        # It may have just begun, while PostgreSQL was away or before it catches signals.
        return kind == 0 or status in (0, 2, -signal.SIGTERM)


class Client(threading.Thread):
    """Asks for one analysis after the other, at any server."""

    def __init__(self, seed, ports, until):
        super().__init__()
        self.rng, self.ports, self.until = random.Random(seed), ports, until
        self.done, self.refused, self.faults = 0, 0, []

    def ask(self, ms, leave):
        connection = http.client.HTTPConnection("127.0.0.1", self.rng.choice(self.ports), timeout=120)
        body = json.dumps({"game": self.rng.choice(GAMES), "time": ms, "lines": self.rng.randrange(1, 4)})
        connection.request("POST", "/api/v1/analysis", body, {"Content-Type": "application/json"})
        response = connection.getresponse()
        text = response.read(10 if leave else None).decode()
        connection.close()
        if leave:
            return
        if response.status in (429, 503):
            self.refused += 1
        elif response.status == 200 and text and json.loads(text.strip().splitlines()[-1])["done"]:
            self.done += 1
        else:
            self.faults.append(f"{response.status} {text[-200:]}")

    def run(self):
        while time.monotonic() < self.until:
            try:
                self.ask(self.rng.randrange(100, 3000), False)
                if self.rng.random() < 0.3:
                    self.ask(20000, True)
            except (OSError, ValueError, http.client.HTTPException) as error:
                self.faults.append(repr(error))
            time.sleep(0.1)


def figure(port, name):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request("GET", "/metrics")
    lines = connection.getresponse().read().decode().splitlines()
    connection.close()
    return sum(int(line.split()[1]) for line in lines if line.startswith(name + " "))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("build")
    options = parser.parse_args()
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not programs:
        print("cluster_workers: skipped: PostgreSQL is not installed")
        return
    quevedo = os.path.abspath(options.build) + "/quevedo"
    rng = random.Random(options.seed)
    folder = tempfile.mkdtemp(prefix="qv-workers-")
    postgres = cluster.Postgres(programs[-1])
    ports = cluster.free_ports(2 * SERVERS)
    processes, faults, kills = [], [], 0
    try:
        servers = []
        for i in range(SERVERS):
            servers.append(cluster.Server(i, quevedo, folder, ports[i], ports[i], postgres, bytes(32), (
                "--think", "workers", "--per-address", "1000", "--metrics", str(ports[SERVERS + i]))))
            processes.append(servers[-1].process)
        workers = [Worker(i, quevedo, folder, postgres) for i in range(WORKERS)]
        until = time.monotonic() + options.seconds
        clients = [Client(options.seed * 100 + i, ports[:SERVERS], until) for i in range(CLIENTS)]
        for client in clients:
            client.start()
        while time.monotonic() < until:
            time.sleep(rng.uniform(0.5, 3))
            kills += 1
            if rng.random() < 1 / 8:
                postgres.kill(rng)
                time.sleep(rng.uniform(0, 1))
                postgres.start()
            elif not rng.choice(workers).end(rng):
                faults.append("a worker did not end well")
        for client in clients:
            client.join()
            faults += client.faults
        processes += [worker.process for worker in workers]
        cluster.wait_until("the end of all jobs", lambda: postgres.sql("SELECT count(*) FROM job") == ["0"], 30)
        results = sum(figure(port, "quevedo_worker_results_total") for port in ports[SERVERS:])
        returns = sum(figure(port, "quevedo_worker_returns_total") for port in ports[SERVERS:])
        faults += [f"{server.name} ended by itself" for server in servers if server.process.poll() is not None]
        if not results:
            faults.append("no worker has done anything")
        print(f"cluster_workers: {kills} kills, {sum(c.done for c in clients)} analyses, "
              f"{sum(c.refused for c in clients)} refused, {results} results of workers, {returns} came back, "
              f"{len(faults)} faults", flush=True)
    finally:
        for process in processes:
            process.kill()
            process.wait()
        postgres.process.kill()
        postgres.process.wait()
        if not options.keep:
            shutil.rmtree(folder)
            shutil.rmtree(postgres.folder)
    if faults:
        raise SystemExit("cluster_workers: " + "; ".join(sorted(set(faults)))[:2000])


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""cluster.py - three servers on PostgreSQL behind HAProxy, killed and restarted under load.
SPDX-License-Identifier: MIT
usage: cluster.py [--kills N] [--rounds N] [--seed S] [--games N] [--moves-per-second R] [--keep] BUILD
       BUILD: the folder of the programs

The load generator plays through HAProxy (examples/haproxy.cfg) with WebSockets. At random moments a server or (one time in
six) PostgreSQL is killed, and started again after a random pause. Then another generator plays while the servers are restarted as
docs/operate.md says: SIGTERM, and the next one when this one is ready again, --rounds times all three. At the end everything is
killed and started once more, so that all games come from the disk, and the generators' own log is compared with them: every
acknowledged move must be in its game, at its ply, once.

The time of a take-over counts from the kill of the server that has a game to the next acknowledged move in it. After SIGTERM a
server goes on for a while; so the longest time without a move counts, too, in every game, from the last move before SIGTERM to
the first one after the server is ready again. Exit status 1: a move was lost or made twice, a game stood still for ten seconds,
a process ended by itself, 5 % of the take-overs or of those times took more than three seconds, or after SIGTERM a server ended
late or with another status than 0. --keep leaves the logs.
"""
import argparse
import collections
import glob
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SERVERS = 3
TARGET_S = 3
DRAIN_S = 10  # as in docs/operate.md
ENDS_S = 2  # what a server may need after that, to write what is left
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []
EXAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/haproxy.cfg")


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in held]
    for s in held:
        s.close()
    return ports


def proxy_settings(proxy_port, ports):
    """The example without TLS and without a user of its own, on these ports."""
    with open(EXAMPLE, encoding="utf-8") as file:
        text = file.read()
    text = re.sub(r"(?m)^(global|backend certbot)\n( .*\n)+", "", text)
    text = re.sub(r"(?m)^ *(bind :::443|acl|http-request redirect|http-request set-header|use_backend|log global\b).*\n", "", text)
    text = re.sub(r"(?m)bind :::80 v4v6$", f"bind 127.0.0.1:{proxy_port}", text)
    left = list(ports)
    text = re.sub(r"(?m)^( *server \w+) .*$", lambda found: f"{found[1]} 127.0.0.1:{left.pop()}", text)
    assert not left, EXAMPLE
    return text


def wait_until(what, test, seconds=60):
    end = time.monotonic() + seconds
    while not test():
        if time.monotonic() > end:
            raise SystemExit(f"cluster: {what}: not within {seconds} s")
        time.sleep(0.05)


def responds(port, path):
    try:
        with socket.create_connection(("127.0.0.1", port), 2) as s:
            s.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
            return s.recv(100).startswith(b"HTTP/1.1 200")
    except OSError:
        return False


class Postgres:
    options = ()

    def __init__(self, programs, *options):
        # A short path that an ordinary user may enter.
        self.programs, self.options, self.folder = programs, options, tempfile.mkdtemp(prefix="qv-pg-", dir="/tmp")
        if AS_NOBODY:
            shutil.chown(self.folder, "nobody")
        self.run("initdb", "-D", self.folder + "/db", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
        self.start()

    def run(self, program, *args):
        return subprocess.run(AS_NOBODY + [f"{self.programs}/{program}", *args], check=False, cwd="/",
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def start(self):
        with open(self.folder + "/log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                AS_NOBODY + [self.programs + "/postgres", "-D", self.folder + "/db", "-k", self.folder, "-c",
                             "listen_addresses=", *self.options], stdout=log, stderr=log, cwd="/")
        wait_until("PostgreSQL", lambda: self.run("pg_isready", "-q", "-h", self.folder) == 0)

    def kill(self, rng):
        """As if the machine failed: the server and all its processes, at once; or its own emergency stop."""
        if rng.random() < 0.5:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
            return
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="utf-8") as file:
            children = [int(pid) for pid in file.read().split()]
        for pid in [self.process.pid] + children:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        for pid in children:
            wait_until("end of a process of PostgreSQL", lambda pid=pid: not is_running(pid))

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT)
            self.process.wait()
        shutil.rmtree(self.folder)

    def place(self):
        return f"postgres:///postgres?host={self.folder}&user=postgres"

    def sql(self, text):
        done = subprocess.run(["psql", "-XqAt", self.place(), "-c", text], check=True, stdout=subprocess.PIPE, text=True)
        return done.stdout.split()


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


class Server:
    def __init__(self, number, quevedo, folder, port, proxy_port, postgres, secret, options=()):
        self.name, self.port, self.postgres = f"server {number}", port, postgres
        data = f"{folder}/{number}"
        os.makedirs(data, mode=0o700)
        with open(os.open(data + "/secret", os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(secret)
        self.command = [quevedo, "serve", "--port", str(port), "--data", data, "--store", postgres.place(), "--workers", "1",
                        "--trust-proxy", "127.0.0.1", "--allow-host", f"http://127.0.0.1:{proxy_port}", *options]
        self.log = data + ".log"
        self.start()

    def start(self):
        before = set(self.postgres.sql("SELECT id FROM node")) if self.postgres.sql(
            "SELECT 1 FROM pg_tables WHERE tablename = 'node'") else set()
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=log)
        wait_until(self.name, lambda: responds(self.port, "/api/v1/health/ready") or self.process.poll() is not None)
        if self.process.poll() is not None:
            raise SystemExit(f"cluster: {self.name} does not start: see {self.log}")
        new = []
        wait_until(self.name + ": its row", lambda: new.extend(set(self.postgres.sql("SELECT id FROM node")) - before) or new)
        self.node = new[0]

    def kill(self, _):
        self.process.kill()
        self.process.wait()

    def games(self):
        return set(self.postgres.sql(f"SELECT id FROM play WHERE node = '{self.node}' AND going = 1"))


# games: those that the victim had; None: the victim is PostgreSQL, and ready again at ready_ms.
Kill = collections.namedtuple("Kill", "ms games ready_ms")


def run_kills(rng, servers, postgres, generator, count):
    kills, down = [], []  # down: (when to start it, the server)

    def wait(seconds):
        """Starts what is due meanwhile, and notices what has ended by itself."""
        end = time.monotonic() + seconds
        while time.monotonic() < end or (down and min(down)[0] < end):
            for due in sorted(down, key=lambda at: at[0])[:1]:
                if due[0] <= time.monotonic():
                    down.remove(due)
                    servers[due[1]].start()
            dead = [i for i, s in enumerate(servers) if i not in [d[1] for d in down] and s.process.poll() is not None]
            if dead or generator.poll() is not None:
                raise SystemExit("cluster: " + (f"{servers[dead[0]].name} ended by itself: see {servers[dead[0]].log}" if dead
                                                else "the load generator ended by itself"))
            time.sleep(0.02)

    wait(3)
    while len(kills) < count:
        up = [i for i in range(len(servers)) if i not in [d[1] for d in down]]
        if rng.random() < 1 / 6:
            killed_ms = time.monotonic() * 1000
            postgres.kill(rng)
            time.sleep(rng.uniform(0, 1.5))
            postgres.start()
            kills.append(Kill(killed_ms, None, time.monotonic() * 1000))
        elif len(up) > 1:
            victim = rng.choice(up)
            games = servers[victim].games()
            kills.append(Kill(time.monotonic() * 1000, games, 0))
            servers[victim].kill(rng)
            down.append((time.monotonic() + rng.uniform(0.2, 4), victim))
        if len(kills) % 50 == 0:
            print(f"cluster: {len(kills)} kills", flush=True)
        wait(rng.uniform(1.5, 4))
    wait(8)
    return kills


# games: those that the server had at the signal; ready_ms: when the server was ready again.
Restart = collections.namedtuple("Restart", "ms games ready_ms seconds status")


def run_restarts(rng, servers, generator, rounds):
    restarts = []
    time.sleep(3)
    for server in servers * rounds:
        games, ms = server.games(), time.monotonic() * 1000
        server.process.terminate()
        try:
            status = server.process.wait(DRAIN_S + ENDS_S)
        except subprocess.TimeoutExpired:
            status = "late"
            server.kill(rng)
        seconds = time.monotonic() - ms / 1000
        server.start()
        restarts.append(Restart(ms, games, time.monotonic() * 1000, seconds, status))
        if generator.poll() is not None:
            raise SystemExit("cluster: the load generator ended by itself")
        time.sleep(rng.uniform(0, 3))
    time.sleep(3)
    return restarts


def measure_restarts(restarts, log):
    """
    Seconds from each SIGTERM to the next move of each game that the server had, and the longest time without a move in each game
    until the server was ready again.
    """
    waits, pauses = [], []
    for restart in restarts:
        for game, lines in log.items():
            played = [ms for ms, kind in lines if kind == "acked"]
            before = [ms for ms in played if ms <= restart.ms]
            during = [ms for ms in played if restart.ms < ms < restart.ready_ms]
            after = [ms for ms in played if ms >= restart.ready_ms]
            times = before[-1:] + during + after[:1]
            if not before or len(times) < 2:
                continue
            pauses.append(max(b - a for a, b in zip(times, times[1:])) / 1000)
            if game in restart.games:
                waits.append((times[1] - restart.ms) / 1000)
    return sorted(waits), sorted(pauses)


def read_log(name):
    """For each game, its acknowledged moves and its end: [(ms, kind)]."""
    games = collections.defaultdict(list)
    with open(name, encoding="utf-8") as file:
        for line in file:
            words, ms = line.rstrip("\n").split("\t")
            kind, game, ply, _ = words.split(" ", 3)
            if kind != "sent" and (kind != "acked" or int(ply) > 0):
                games[game].append((int(ms), kind))
    return games


def measure(kills, log):
    """
    Seconds from each kill of a server to the next move of each game that it had, and from each return of PostgreSQL to the next
    move of each game. Where another kill hit it before, nothing is known.
    """
    waits, database, stalled, unknown = [], [], 0, 0
    for i, kill in enumerate(kills):
        for game in log if kill.games is None else kill.games & set(log):
            before = [kind for ms, kind in log[game] if ms <= kill.ms]
            after = [(ms, kind) for ms, kind in log[game] if ms > max(kill.ms, kill.ready_ms)]
            # The last move may be acknowledged after its game has been seen to end.
            if not before or set(before) != {"acked"}:
                continue
            next_ms = next((k.ms for k in kills[i + 1:] if k.games is None or game in k.games), float("inf"))
            if after and after[0][1] == "left":
                stalled += 1
            elif not after or (after[0][0] > next_ms and next_ms < kill.ms + TARGET_S * 1000):
                unknown += 1
            elif kill.games is None:
                database.append((after[0][0] - kill.ready_ms) / 1000)
            else:
                waits.append((after[0][0] - kill.ms) / 1000)
    return sorted(waits), sorted(database), stalled, unknown


def late_95(waits):
    return waits[len(waits) * 95 // 100] if waits else 0


def say(what, waits, measured="next move within"):
    if waits:
        print(f"cluster: {what}: {len(waits)} games, {measured} {waits[len(waits) // 2]:.2f} s (median), "
              f"{late_95(waits):.2f} s (95 %), {waits[-1]:.2f} s (all)")


def say_report(what, report):
    print(f"cluster: {what}; {report['moves']} moves, {report['moves_per_second']:.0f} a second, {report['disconnects']} disconnects, "
          f"{report['refused']} refused, {report['errors']} errors {report.get('first_error', '')}")


def run(options, folder, postgres, running):
    build = os.path.abspath(options.build)
    rng = random.Random(options.seed)
    quevedo, load = build + "/quevedo", build + "/bench/bench_load_server"
    proxy_port, *ports = free_ports(SERVERS + 1)
    secret = os.urandom(32)
    servers = []
    for i, port in enumerate(ports):
        servers.append(Server(i + 1, quevedo, folder, port, proxy_port, postgres, secret, ["--drain", str(DRAIN_S)]))
        running.append(servers[-1])
    with open(folder + "/haproxy.cfg", "w", encoding="utf-8") as file:
        file.write(proxy_settings(proxy_port, ports))
    with open(folder + "/haproxy.log", "w", encoding="utf-8") as log:
        running.append(subprocess.Popen(["haproxy", "-db", "-f", folder + "/haproxy.cfg"], stdout=log, stderr=log))
    wait_until("HAProxy", lambda: responds(proxy_port, "/api/v1/health/ready"))

    url, moves = f"http://127.0.0.1:{proxy_port}", folder + "/moves"

    def under_load(phase):
        generator = subprocess.Popen(
            [load, "--url", url, "--games", str(options.games), "--moves-per-second", str(options.moves_per_second), "--seconds",
             "1000000", "--warm-up", "0", "--reconnect", "--log", moves, "--json"], stdout=subprocess.PIPE, text=True)
        running.append(generator)
        result = phase(generator)
        generator.terminate()
        return result, json.loads(generator.communicate()[0])

    kills, report = under_load(lambda generator: run_kills(rng, servers, postgres, generator, options.kills))
    restarts, restart_report = under_load(lambda generator: run_restarts(rng, servers, generator, options.rounds))

    # Once more, so that every game comes from the disk.
    for server in servers:
        server.kill(rng)
    postgres.kill(rng)
    postgres.start()
    for server in servers:
        server.start()
    wait_until("HAProxy", lambda: responds(proxy_port, "/api/v1/health/ready"))
    verified = subprocess.run([load, "--url", url, "--verify", moves, "--json"], check=False, stdout=subprocess.PIPE, text=True)
    gaps = postgres.sql("SELECT play FROM event GROUP BY play HAVING count(*) <> max(number) + 1 OR min(number) <> 0")
    for server in servers:
        server.process.terminate()
    ended = [server.process.wait() for server in servers]

    log = read_log(moves)
    waits, database, stalled, unknown = measure(kills, log)
    after_signal, pauses = measure_restarts(restarts, log)
    say_report(f"{len(kills)} kills, {sum(k.games is None for k in kills)} of them of PostgreSQL", report)
    say_report(f"{len(restarts)} restarts, within {max((r.seconds for r in restarts), default=0):.2f} s of SIGTERM", restart_report)
    print(f"cluster: verified: {verified.stdout.strip()}; games with gaps {len(gaps)}")
    say("after a kill of a server", waits)
    say("after PostgreSQL was there again", database)
    say("after SIGTERM", after_signal)
    say("during a restart", pauses, "longest time without a move")
    print(f"cluster: games that stood still {stalled}, hit twice at once {unknown}; load average {os.getloadavg()[0]:.1f}")
    # A kill of a server interrupts some 19 games, and between two kills some 290 moves are made: without them nothing was tried.
    enough = sum(kill.games is not None for kill in kills)
    bad = [what for what, is_bad in (("moves lost or made twice", verified.returncode), ("gaps", gaps),
                                     ("too few moves", report["moves"] < 10 * len(kills)),
                                     ("too few take-overs measured", len(waits) < enough),
                                     ("games stood still", stalled or restart_report["stalled"]),
                                     ("errors", report["errors"] or restart_report["errors"]),
                                     ("a server did not end well", any(ended) or any(r.status for r in restarts)),
                                     ("too few games during restarts", len(after_signal) < len(restarts)),
                                     (f"a pause over {TARGET_S} s in a restart", late_95(pauses) > TARGET_S),
                                     (f"take-over over {TARGET_S} s", late_95(waits) > TARGET_S)) if is_bad]
    print("cluster:", "FAILED: " + ", ".join(bad) if bad else "nothing lost, nothing twice")
    return 1 if bad else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=random.randrange(1000000))
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--moves-per-second", type=float, default=100)
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("build")
    options = parser.parse_args()
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not programs or not shutil.which("haproxy"):
        print("cluster: skipped: no", "HAProxy" if programs else "PostgreSQL")
        return 0
    print(f"cluster: --kills {options.kills} --seed {options.seed}", flush=True)
    folder, running = tempfile.mkdtemp(prefix="qv-cluster-"), []
    postgres, status = Postgres(programs[-1]), 1
    try:
        status = run(options, folder, postgres, running)
    finally:
        for thing in running:
            process = getattr(thing, "process", thing)
            process.kill()
            process.wait()
        postgres.process.send_signal(signal.SIGQUIT)
        postgres.process.wait()
        if options.keep:
            print(f"cluster: logs are in {folder} and {postgres.folder}")
        else:
            shutil.rmtree(folder)
            shutil.rmtree(postgres.folder)
    return status


if __name__ == "__main__":
    sys.exit(main())

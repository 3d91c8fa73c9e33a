#!/usr/bin/env python3
"""cluster_kills.py - three servers on one PostgreSQL, killed at random while games are played through all of them.
SPDX-License-Identifier: MIT
usage: cluster_kills.py QUEVEDO FOLDER [KILLS]     exit status 1 if a move that was acknowledged is lost, or one is stored twice

Each client plays one game, each move through a server at random, and keeps count: a response of 200 is a move, no response or
503 may be one. At the end the game must have at least the moves that were acknowledged, and at most those and the doubtful ones.
Every fifth kill hits PostgreSQL itself. The longest wait for a move after each kill is the time of the take-over.
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
import threading
import time
import urllib.error
import urllib.request

SERVERS, GAMES = 3, 8
ORDINARY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.geteuid() == 0 else []


class Postgres:
    def __init__(self):
        found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        if not found:
            print("cluster_kills: skipped: no PostgreSQL")
            sys.exit(0)
        # A short path that an ordinary user may enter.
        self.programs, self.folder = found[-1], tempfile.mkdtemp(prefix="qv-pg-", dir="/tmp")
        if ORDINARY:
            shutil.chown(self.folder, "nobody")
        subprocess.run(ORDINARY + [self.programs + "/initdb", "-D", self.folder + "/db", "-U", "postgres", "-A", "trust"],
                       check=True, stdout=subprocess.DEVNULL, cwd="/")
        self.start()

    def start(self):
        self.server = subprocess.Popen(
            ORDINARY + [self.programs + "/postgres", "-D", self.folder + "/db", "-k", self.folder, "-c", "listen_addresses="],
            stderr=subprocess.DEVNULL, cwd="/", start_new_session=True)
        while subprocess.run([self.programs + "/pg_isready", "-q", "-h", self.folder], check=False).returncode:
            time.sleep(0.1)

    def kill(self):
        os.killpg(self.server.pid, signal.SIGKILL)
        self.server.wait()

    def place(self):
        return f"postgres:///postgres?host={self.folder}&user=postgres"


class Server:
    def __init__(self, quevedo, data, place):
        self.command = [quevedo, "serve", "--port", "0", "--data", data, "--store", place, "--per-address", "1000",
                        "--workers", "1"]
        self.log = data + ".log"
        self.start()

    def start(self):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=log, text=True)
        words = self.process.stdout.readline().split()
        self.url = next(word for word in words if word.startswith("http")).rstrip("/")

    def kill(self):
        self.process.kill()
        self.process.wait()


def ask(url, path, body=None, token=None):
    """The status and the JSON; status 0: no response."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = "Bearer " + token
    data = json.dumps(body).encode() if body is not None else None
    try:
        with urllib.request.urlopen(urllib.request.Request(url + path, data, headers), timeout=15) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())
    except OSError:
        return 0, None


class Game:
    def __init__(self, servers):
        status, made = ask(servers[0].url, "/api/v1/plays", {"game": "starchess:limit=5000", "seats": ["human"] * 4})
        assert status == 201, made
        self.id, self.token, self.servers = made["id"], made["seat_token"], servers
        self.good = self.doubtful = 0
        self.last = time.time()  # when a move was last acknowledged

    def play(self, stop):
        while not stop.is_set():
            server = random.choice(self.servers)
            status, _ = ask(server.url, f"/api/v1/plays/{self.id}/moves", {"move": "end"}, self.token)
            if status == 200:
                self.good += 1
                self.last = time.time()
            else:
                self.doubtful += status in (0, 503)
                time.sleep(0.1)
            time.sleep(0.1)

    def holds(self):
        status, play = ask(self.servers[0].url, "/api/v1/plays/" + self.id)
        stored = len(play["line"]) if status == 200 else -1
        holds = self.good <= stored <= self.good + self.doubtful
        print(f"{self.id}: {self.good} acknowledged, {self.doubtful} doubtful, {stored} stored{'' if holds else ': WRONG'}")
        return holds


def wait_for_moves(games, since):
    """How long it took each game to have a move again, at most 30 seconds."""
    while time.time() < since + 30 and any(game.last < since for game in games):
        time.sleep(0.05)
    return [(game.last if game.last >= since else time.time()) - since for game in games]


def run_kills(games, servers, postgres, kills):
    waits = []
    for kill in range(kills):
        time.sleep(random.uniform(0.5, 2))
        victim = postgres if kill % 5 == 4 else random.choice(servers)
        victim.kill()
        began = time.time()
        if victim is postgres:
            time.sleep(random.uniform(0, 0.5))
            victim.start()
        waited = wait_for_moves(games, began)
        if victim is not postgres:
            waits += waited
            victim.start()
    return sorted(waits)


def main():
    quevedo, folder = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    os.makedirs(folder, exist_ok=True)
    postgres = Postgres()
    secret = os.urandom(32)
    for i in range(SERVERS):
        os.makedirs(f"{folder}/{i}", mode=0o700)
        with open(os.open(f"{folder}/{i}/secret", os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(secret)
    servers = [Server(quevedo, f"{folder}/{i}", postgres.place()) for i in range(SERVERS)]
    time.sleep(1)  # until they know each other
    games, stop = [Game(servers) for _ in range(GAMES)], threading.Event()
    clients = [threading.Thread(target=game.play, args=(stop,)) for game in games]
    for client in clients:
        client.start()
    waits = run_kills(games, servers, postgres, kills)
    time.sleep(3)
    stop.set()
    for client in clients:
        client.join()
    good = all([game.holds() for game in games])
    if waits:
        print(f"after a kill a game had its next move within {waits[len(waits) // 2]:.1f} s (median), "
              f"{waits[len(waits) * 95 // 100]:.1f} s (95 %), {waits[-1]:.1f} s (all)")
    for server in servers:
        server.process.terminate()
        good &= server.process.wait() == 0
    postgres.kill()
    shutil.rmtree(postgres.folder)
    print("cluster_kills:", "nothing lost, nothing twice" if good else "FAILED")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

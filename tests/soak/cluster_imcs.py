#!/usr/bin/env python3
"""cluster_imcs.py - players of IMCS at three servers on PostgreSQL, where servers and the database are killed.
SPDX-License-Identifier: MIT
usage: cluster_imcs.py [--kills N] [--seed S] BUILD     BUILD: the folder of the programs

Half of the players offer games and half accept any, each at one of the servers. At the end every game must have ended once, no
offer and no game on the page may be left, and the ratings must be those that follow from the results: nearly, since a game that
ends while the database is away is rated by what its server knows. Exit status 1 otherwise.
"""
import argparse
import glob
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from cluster import Postgres, Server, free_ports, wait_until

SERVERS, PLAYERS = 3, 8
TOLERANCE = 3  # points; a game between equals is worth 16


def rate(own, other, score):
    return math.floor(32 * (score - 1 / (1 + 10 ** ((other - own) / 400))))


def expected_ratings(games):
    """Games of one player never overlap, and begin in the order of their numbers."""
    ratings = {}
    for white, black, result in games:
        first, second = ratings.setdefault(white, 1000), ratings.setdefault(black, 1000)
        if result != "draw" and "_wins" not in result:
            continue
        score = 0.5 if result == "draw" else 1 if result[0] == "W" else 0
        ratings[white] = first + rate(first, second, score)
        ratings[black] = second + rate(second, first, 1 - score)
    return ratings


def start_player(quevedo, folder, number, port):
    name = f"player{number}"
    with open(f"{folder}/{name}.pw", "w", encoding="utf-8") as file:
        file.write("secret\n")
    way = ["--accept", "any"] if number % 2 else ["--offer", "--time", "10"]
    player = "random" if number % 3 else "selective:depth=2"
    with open(f"{folder}/{name}.log", "w", encoding="utf-8") as log:
        return subprocess.Popen([quevedo, "imcs", "play", f"127.0.0.1:{port}", "--user", name, "--password-file",
                                 f"{folder}/{name}.pw", "--register", "--games", "100000", "--player", player, *way],
                                stdout=log, stderr=log)


def run_kills(rng, servers, postgres, count):
    for number in range(count):
        time.sleep(rng.uniform(2, 5))
        victim = postgres if number % 6 == 5 else rng.choice(servers)
        victim.kill(rng)
        time.sleep(rng.uniform(0.2, 4))
        victim.start()


def check(postgres):
    games = [row.split("|") for row in
             postgres.sql("SELECT white, black, replace(result, ' ', '_') FROM imcs_game ORDER BY id")]
    stored = {name: int(rating) for name, rating in
              (row.split("|") for row in postgres.sql("SELECT name, rating FROM imcs_user"))}
    faults = [f"{name}: {stored[name]}, not {rating}" for name, rating in expected_ratings(games).items()
              if abs(stored[name] - rating) > TOLERANCE]
    rated = sum(1 for game in games if game[2] == "draw" or "_wins" in game[2])
    print(f"imcs: {len(games)} games, {rated} with a result; wrong ratings: {faults or 'none'}", flush=True)
    return not faults and rated > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("build")
    options = parser.parse_args()
    quevedo, rng = os.path.abspath(options.build) + "/quevedo", random.Random(options.seed)
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if not programs:
        print("imcs: skipped: PostgreSQL is not installed")
        return 0
    folder, servers = tempfile.mkdtemp(prefix="qv-imcs-", dir="/tmp"), []
    postgres = Postgres(programs[-1])
    try:
        ports, imcs = free_ports(SERVERS), free_ports(SERVERS)
        servers = [Server(i, quevedo, folder, ports[i], 1, postgres, bytes(range(32)),
                          ("--imcs", str(imcs[i]), "--per-address", "100")) for i in range(SERVERS)]
        players = [start_player(quevedo, folder, i, imcs[i % SERVERS]) for i in range(PLAYERS)]
        run_kills(rng, servers, postgres, options.kills)
        time.sleep(5)
        for player in players:
            player.send_signal(signal.SIGINT)  # the game that is played now is the last one
        time.sleep(20)
        for player in players:
            player.kill()
            player.wait()
        for what, query in (("games", "SELECT 1 FROM imcs_game WHERE ended = 0"), ("offers", "SELECT 1 FROM imcs_entry"),
                            ("games on the page", "SELECT 1 FROM play WHERE going = 1")):
            wait_until(f"end of {what}", lambda query=query: not postgres.sql(query), 30)
        return 0 if check(postgres) else 1
    finally:
        for server in servers:
            server.kill(None)
        postgres.process.send_signal(signal.SIGQUIT)
        postgres.process.wait()
        shutil.rmtree(postgres.folder, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

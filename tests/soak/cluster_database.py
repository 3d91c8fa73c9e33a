#!/usr/bin/env python3
"""cluster_database.py - servers that reach PostgreSQL by other ways: through PgBouncer, and where a standby takes over.
SPDX-License-Identifier: MIT
usage: cluster_database.py BUILD     BUILD: the folder of the programs

Two servers play the same games through a pooler that works per session. One that works per transaction must be refused when the
server starts, since LISTEN does nothing there. Then a standby, with synchronous replication, takes over from a database that is
killed: every acknowledged move must be in its game, and play continues on the same server.
"""
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile

import cluster
from restore_moment import Player, Server, check, play

PLAYERS = 8


class Standby(cluster.Postgres):
    """Follows another server until it is promoted."""

    def __init__(self, primary):  # pylint: disable=super-init-not-called
        self.programs, self.folder = primary.programs, tempfile.mkdtemp(prefix="qv-pg-", dir="/tmp")
        if cluster.AS_NOBODY:
            shutil.chown(self.folder, "nobody")
        check("pg_basebackup", 0, self.run("pg_basebackup", "-h", primary.folder, "-U", "postgres", "-D", self.folder + "/db",
                                           "-R", "-c", "fast"))
        self.start()

    def promote(self):
        check("pg_ctl promote", 0, self.run("pg_ctl", "promote", "-w", "-D", self.folder + "/db"))


def new_postgres():
    return cluster.Postgres(os.path.dirname(sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))[-1]))


def start_pooler(postgres, folder, mode):
    port = cluster.free_ports(1)[0]
    settings = f"{folder}/{mode}.ini"
    with open(folder + "/users", "w", encoding="utf-8") as file:
        file.write('"postgres" ""\n')
    with open(settings, "w", encoding="utf-8") as file:
        file.write(f"[databases]\npostgres = host={postgres.folder}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n"
                   f"unix_socket_dir =\nauth_type = trust\nauth_file = {folder}/users\npool_mode = {mode}\n"
                   "max_prepared_statements = 1000\n")
    version = subprocess.run(["pgbouncer", "--version"], check=True, stdout=subprocess.PIPE, text=True).stdout.split()[1]
    if tuple(map(int, version.split(".")[:2])) < (1, 21):  # does not know that setting
        subprocess.run(["sed", "-i", "/^max_prepared/d", settings], check=True)
    process = subprocess.Popen(cluster.AS_NOBODY + ["pgbouncer", "-q", settings], stderr=subprocess.DEVNULL)
    place = f"postgres://postgres@127.0.0.1:{port}/postgres"
    cluster.wait_until("PgBouncer", lambda: subprocess.run(
        ["psql", "-XqAt", place, "-c", "SELECT 1"], check=False, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL).returncode == 0)
    return process, place


def poolers(quevedo, folder, rng):
    if not shutil.which("pgbouncer"):
        print("cluster_database: skipped: PgBouncer is not installed")
        return
    postgres = new_postgres()
    try:
        pooler, place = start_pooler(postgres, folder, "session")
        servers = [Server(quevedo, f"{folder}/data{i}", place) for i in range(2)]
        players = [Player(servers[0], rng) for _ in range(PLAYERS)]
        for i in range(6):
            play(servers[i % 2], players, 1)
        for player in players:
            for server in servers:
                check("through a pooler", player.moves, player.stored(server))
        for server in servers:
            server.end()
        pooler.kill()
        pooler.wait()
        pooler, place = start_pooler(postgres, folder, "transaction")
        refused = subprocess.run([quevedo, "serve", "--port", "0", "--data", folder + "/data0", "--store", place], check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60)
        pooler.kill()
        pooler.wait()
        check("a pooler that works per transaction", (2, ""), (refused.returncode, refused.stdout))
        assert "a pooler must work per session" in refused.stderr, refused.stderr
    finally:
        postgres.end()
    print(f"cluster_database: two servers, {sum(len(player.moves) for player in players)} moves through a pooler per session;"
          " one per transaction is refused")


def take_over(quevedo, folder, rng):
    first = new_postgres()
    second = Standby(first)
    try:
        first.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        first.sql("SELECT pg_reload_conf()")
        cluster.wait_until("synchronous replication", lambda: first.sql(
            "SELECT sync_state FROM pg_stat_replication") == ["sync"])
        server = Server(quevedo, folder + "/data2",
                        f"postgres:///postgres?host={first.folder},{second.folder}&user=postgres&target_session_attrs=read-write")
        players = [Player(server, rng) for _ in range(PLAYERS)]
        play(server, players, 4)
        first.kill(rng)
        second.sql("ALTER SYSTEM RESET synchronous_standby_names")
        second.promote()
        second.sql("SELECT pg_reload_conf()")
        cluster.wait_until("the server", lambda: cluster.responds(server.port, "/api/v1/health/ready"))
        for player in players:
            check("after the take-over", player.moves, player.stored(server))
        play(server, players, 4)
        for player in players:
            check("in the standby", player.moves, player.stored(server))
        server.end()
        moves = int(second.sql("SELECT count(*) FROM event WHERE line LIKE '%\"move\"%'")[0])
        check("moves in the standby", sum(len(player.moves) for player in players), moves)
    finally:
        first.end()
        second.end()
    print(f"cluster_database: a standby took over, {moves} moves")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    if not glob.glob("/usr/lib/postgresql/*/bin/initdb"):
        print("cluster_database: skipped: PostgreSQL is not installed")
        return
    quevedo = os.path.abspath(sys.argv[1]) + "/quevedo"
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        rng = random.Random(7)
        poolers(quevedo, folder, rng)
        take_over(quevedo, folder, rng)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""restore_moment.py - PostgreSQL restored to a moment, as docs/operate.md says, and SQLite from a copy made during play.
SPDX-License-Identifier: MIT
usage: restore_moment.py BUILD     BUILD: the folder of the programs

Players play both sides of games over HTTP. At some moment each has a list of acknowledged moves; then they play on, begin other
games, and the database is lost. PostgreSQL comes back from a base backup and the archived log, with recovery_target_time: each
game must have exactly the moves of that moment, none of the later games exists, and play continues. SQLite comes back from a
copy that was made while the server wrote: each game must have the moves acknowledged before the copy, none after it, and a copy
that was not finished, or is not a database, must change nothing.
"""
import glob
import http.client
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from cluster import AS_NOBODY, Postgres, wait_until

GAMES = ["reversi", "connect4", "noughts3d", "hexapawn"]
PLAYERS = 12
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/operate.md"), encoding="utf-8") as page:
    DOCUMENT = page.read()


class Archived(Postgres):
    """A server that archives its log, with the settings of docs/operate.md."""

    def settings(self, pattern):
        return "".join(line.replace("/backup/", self.folder + "/") + "\n" for line in re.findall(pattern, DOCUMENT))

    def start(self):
        for name in ("wal", "base"):
            os.makedirs(f"{self.folder}/{name}", exist_ok=True)
            if AS_NOBODY:
                shutil.chown(f"{self.folder}/{name}", "nobody")
        with open(self.folder + "/db/postgresql.auto.conf", "a", encoding="utf-8") as file:
            file.write(self.settings(r"(?m)^    (archive_\w+ = .*)$"))
        super().start()

    def lose_all(self):
        """The machine is gone, except for what was archived."""
        self.sql("SELECT pg_switch_wal()")
        last = self.sql("SELECT pg_walfile_name(pg_current_wal_lsn() - 1)")[0]
        wait_until("the archive", lambda: self.sql(f"SELECT last_archived_wal >= '{last}' FROM pg_stat_archiver") == ["t"])
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder + "/db")

    def restore(self, moment):
        subprocess.run(AS_NOBODY + ["cp", "-a", self.folder + "/base", self.folder + "/db"], check=True, cwd="/")
        os.chmod(self.folder + "/db", 0o700)
        with open(self.folder + "/db/postgresql.auto.conf", "a", encoding="utf-8") as file:
            file.write(self.settings("`(restore_command = [^`]*|recovery_target_action = [^`]*)`") +
                       f"recovery_target_time = '{moment}'\narchive_mode = off\n")
        signal = self.folder + "/db/recovery.signal"
        with open(signal, "w", encoding="utf-8"):
            pass
        if AS_NOBODY:
            shutil.chown(signal, "nobody")
        Postgres.start(self)
        wait_until("the end of the recovery", lambda: self.sql("SELECT pg_is_in_recovery()") == ["f"])


class Server:
    def __init__(self, quevedo, data, store=None):
        self.process = subprocess.Popen(
            [quevedo, "serve", "--port", "0", "--data", data, "--per-address", "1000", "--workers", "1"] +
            (["--store", store] if store else []), stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("quevedo: http://"):
            raise SystemExit(f"restore_moment: the server does not start: {line!r}")
        self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])

    def end(self):
        self.process.terminate()
        self.process.wait()


class Player:
    def __init__(self, server, rng):
        self.rng, self.token, self.moves = rng, None, []
        status, made = self.ask(server, "POST", "/api/v1/plays",
                                {"game": rng.choice(GAMES), "seats": ["human", "human"], "private": True})
        assert status == 201, made
        self.token, self.play = made["seat_token"], made["id"]

    def ask(self, server, method, path, body=None):
        headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{server.port}"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request(method, path, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text)

    def look(self, server):
        return self.ask(server, "GET", "/api/v1/plays/" + self.play)

    def step(self, server):
        """One move, if the game is not over."""
        status, play = self.look(server)
        assert status == 200, play
        legal = play["view"].get("moves") or []
        if not legal:
            return
        move = self.rng.choice(legal)
        move = move["move"] if isinstance(move, dict) else move
        status, answer = self.ask(server, "POST", f"/api/v1/plays/{self.play}/moves", {"move": move})
        assert status == 200, answer
        self.moves.append(move)

    def stored(self, server):
        status, play = self.look(server)
        return [move["move"] for move in play["line"]] if status == 200 else status


def play(server, players, rounds):
    for _ in range(rounds):
        for player in players:
            player.step(server)


def check(what, expected, found):
    if expected != found:
        raise SystemExit(f"restore_moment: {what}: expected {expected}, found {found}")


def postgres_moment(quevedo, folder, rng):
    programs = glob.glob("/usr/lib/postgresql/*/bin/initdb")
    if not programs or not shutil.which("psql"):
        print("restore_moment: skipped: PostgreSQL is not installed")
        return
    postgres = Archived(os.path.dirname(sorted(programs)[-1]))
    try:
        server = Server(quevedo, folder + "/data", postgres.place())
        players = [Player(server, rng) for _ in range(PLAYERS)]
        play(server, players, 3)
        os.rmdir(postgres.folder + "/base")
        check("pg_basebackup", 0, postgres.run("pg_basebackup", "-h", postgres.folder, "-U", "postgres", "-D",
                                               postgres.folder + "/base", "-X", "none", "-c", "fast"))
        play(server, players, 4)
        then = [list(player.moves) for player in players]
        time.sleep(0.2)
        moment = " ".join(postgres.sql("SELECT clock_timestamp()"))
        time.sleep(0.2)
        play(server, players, 4)
        late = [Player(server, rng) for _ in range(3)]
        play(server, late, 2)
        assert any(player.moves != moves for player, moves in zip(players, then))
        server.end()
        postgres.lose_all()
        postgres.restore(moment)
        server = Server(quevedo, folder + "/data", postgres.place())
        for player, moves in zip(players, then):
            check(player.play, moves, player.stored(server))
            player.moves = list(moves)
        for player in late:
            check("a later game", 404, player.stored(server))
        play(server, players, 3)
        for player in players:
            check("after the restore", player.moves, player.stored(server))
        server.end()
        check("quevedo server check", 0, subprocess.run(
            [quevedo, "server", "check", "--store", postgres.place()], stdout=subprocess.DEVNULL, check=False).returncode)
    finally:
        postgres.process.kill()
        postgres.process.wait()
        shutil.rmtree(postgres.folder, ignore_errors=True)
    print(f"restore_moment: {PLAYERS} games as they were at the moment, {sum(map(len, then))} moves")


def sqlite_copy(quevedo, folder, rng):
    data, copy = folder + "/file", folder + "/copy.db"
    server = Server(quevedo, data)
    players = [Player(server, rng) for _ in range(PLAYERS)]
    play(server, players, 5)
    before = [list(player.moves) for player in players]
    copying = subprocess.Popen([quevedo, "backup", copy, "--data", data], stdout=subprocess.DEVNULL)
    play(server, players, 1)
    check("quevedo backup", 0, copying.wait())
    after = [list(player.moves) for player in players]
    play(server, players, 4)
    refused = subprocess.run([quevedo, "restore", copy, "--data", data], check=False, stderr=subprocess.PIPE, text=True)
    assert refused.returncode == 2 and "in use" in refused.stderr, refused
    server.end()
    torn = folder + "/torn.db"
    with open(copy, "rb") as file, open(torn, "wb") as out:
        out.write(file.read()[: os.path.getsize(copy) // 2])
    check("a torn copy", 2, subprocess.run([quevedo, "restore", torn, "--data", data], check=False,
                                           stderr=subprocess.DEVNULL).returncode)
    subprocess.run([quevedo, "restore", copy, "--data", data], check=True, stdout=subprocess.DEVNULL)
    server = Server(quevedo, data)
    for player, least, most in zip(players, before, after):
        stored = player.stored(server)
        assert stored[: len(least)] == least and most[: len(stored)] == stored, (player.play, least, stored, most)
        player.moves = stored
    play(server, players, 2)
    for player in players:
        check("after the restore", player.moves, player.stored(server))
    server.end()
    print(f"restore_moment: {PLAYERS} games from a copy made during play")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    quevedo = os.path.abspath(sys.argv[1]) + "/quevedo"
    with tempfile.TemporaryDirectory() as folder:
        rng = random.Random(5)
        postgres_moment(quevedo, folder, rng)
        sqlite_copy(quevedo, folder, rng)


if __name__ == "__main__":
    main()

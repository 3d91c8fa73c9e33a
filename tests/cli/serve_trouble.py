#!/usr/bin/env python3
# serve_trouble.py - starts the web server for real and takes its disk away: files that may not grow, before the start or after it, a
# database that is removed, one that is replaced.
# SPDX-License-Identifier: MIT
# usage: serve_trouble.py QUEVEDO FOLDER
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time

quevedo, work = sys.argv[1:]
LINE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (error|warn) [ -~]+\Z")
HARD = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
checks = failures = 0


def check(what, good, seen=None):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print(f"FAILED: {what}: {seen!r}"[:600], file=sys.stderr)


class Server:
    def __init__(self, data, **how):
        # A file that may not grow is what a full disk is; Python ignores the signal, and so must the server.
        self.process = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", data, "--per-address", "100"],
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, restore_signals=False, **how)
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline()).group(1))

    def ask(self, method, path, body=None, token=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Content-Type": "application/json"} if body else {}
        if token:
            headers["Authorization"] = "Bearer " + token
        connection.request(method, "/api/v1/" + path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text)

    def make(self):
        status, made = self.ask("POST", "plays", {"game": "noughts", "seats": ["human", "human"]})
        check("a new game", status == 201, made)
        return made["id"], made["seat_token"]

    def move(self, game, text):
        return self.ask("POST", f"plays/{game[0]}/moves", {"move": text}, game[1])[0]

    def health(self, wanted):
        """Asks until the status is the wanted one, for a minute at most."""
        for _ in range(600):
            status, health = self.ask("GET", "health")
            if status == wanted:
                break
            time.sleep(0.1)
        check(f"health {wanted}", status == wanted, health)
        return health["store"]

    def end(self):
        """The lines of its log."""
        self.process.send_signal(signal.SIGTERM)
        lines = self.process.communicate(timeout=60)[1].splitlines()
        lines = [line for line in lines if "warn server: it runs as root" not in line]
        check("it ends well", self.process.returncode == 0, self.process.returncode)
        for line in lines:
            check("a line of the log", LINE.match(line), line)
        return lines


def folder(name):
    path = os.path.join(work, name)
    os.mkdir(path, 0o700)
    return path


def full_disk():
    server = Server(folder("full"))
    game = server.make()
    check("a move", server.move(game, "5") == 200)
    check("in health", server.health(200) == "ok")
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (4096, HARD))
    began = time.monotonic()
    for _ in range(5):
        check("a move that cannot be stored", server.move(game, "1") == 503)
    store = server.health(503)
    most = 1 + (time.monotonic() - began) // 10
    check("since when", re.fullmatch(r"failing since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", store), store)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (HARD, HARD))
    check("in health again", server.health(200) == "ok")
    check("a move after it", server.move(game, "1") == 200)
    lines = server.end()
    check("it fails", len([x for x in lines if " error store: cannot write: " in x]) == 1, lines)
    check("it works again", len([x for x in lines if " warn store: works again; " in x]) == 1, lines)
    failed = [x for x in lines if " error response: 503 " in x]
    check("answers are limited, to one in ten seconds", 1 <= len(failed) <= most, lines)
    ids = [re.search(r" id=(\S+)", x) for x in failed[:1] + [x for x in lines if " warn request: " in x]]
    check("of which request", all(ids) and ids[0][1] == ids[1][1], lines)


def full_from_the_start():
    """The log of the database is as long as a file may be. SQLite needs 32 KiB beside it to open the database at all."""
    data, least, limit = folder("started"), 4096, 36864
    server = Server(data)
    game = server.make()
    while os.path.getsize(data + "/quevedo.db-wal") <= limit:
        server.make()
    server.process.kill()
    server.process.communicate()
    refused = subprocess.run([quevedo, "serve", "--port", "0", "--data", data], capture_output=True, text=True, restore_signals=False,
                             preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (least, HARD)))
    check("no start", refused.returncode == 2 and re.fullmatch("quevedo: .*quevedo.db: .+\n", refused.stderr), refused)
    server = Server(data, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, HARD)))
    server.health(503)  # though nobody has asked for anything that would be written
    check("what is stored can be read", server.ask("GET", f"plays/{game[0]}")[0] == 200)
    check("a game that cannot be stored", server.ask("POST", "plays", {"game": "noughts"})[0] == 503)
    resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (HARD, HARD))
    check("in health again", server.health(200) == "ok")
    lines = server.end()
    check("it fails once", len([x for x in lines if " error store: cannot write: " in x]) == 1, lines)
    check("it works again once", len([x for x in lines if " warn store: works again; " in x]) == 1, lines)


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def no_descriptors():
    """Connections wait for descriptors; the server does not try again and again. They are served afterwards."""
    server = Server(folder("descriptors"))
    used = max(int(name) for name in os.listdir(f"/proc/{server.process.pid}/fd")) + 1
    before = resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (used, before[1]))
    waiting = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(used + 20)]
    began, spent = time.monotonic(), processor_seconds(server.process)
    time.sleep(3)
    spent = processor_seconds(server.process) - spent
    check("it rests while there are no descriptors", spent < 0.1 * (time.monotonic() - began), spent)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, before)
    for connection in waiting:
        connection.sendall(b"GET /api/v1/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    check("those that waited are served", all(c.recv(12) == b"HTTP/1.1 200" for c in waiting))
    for connection in waiting:
        connection.close()
    lines = server.end()
    check("it is logged once", len([x for x in lines if "no file descriptors are left" in x]) == 1, lines)


def database_removed():
    data = folder("removed")
    server = Server(data)
    game = server.make()
    check("a move", server.move(game, "5") == 200)
    for name in os.listdir(data):
        if name.startswith("quevedo.db"):
            os.unlink(os.path.join(data, name))
    check("a move into nothing", server.move(game, "1") == 503)
    server.health(503)
    lines = server.end()
    check("it is named", len([x for x in lines if "quevedo.db: was removed or replaced" in x]) == 1, lines)


def database_replaced():
    data = folder("replaced")
    server = Server(data)
    game = server.make()
    check("a move", server.move(game, "5") == 200)
    copy = os.path.join(work, "copy.db")
    made = subprocess.run([quevedo, "backup", copy, "--data", data], capture_output=True)
    check("a copy", made.returncode == 0, made.stderr)
    check("a move after the copy", server.move(game, "1") == 200)
    shutil.move(copy, os.path.join(data, "quevedo.db"))
    check("a game in the old database", server.ask("POST", "plays", {"game": "noughts"})[0] == 503)
    server.health(503)
    lines = server.end()
    check("it is named", len([x for x in lines if "quevedo.db: was removed or replaced" in x]) == 1, lines)
    server = Server(data)
    status, play = server.ask("GET", f"plays/{game[0]}")
    check("the copy, after a restart", status == 200 and len(play["line"]) == 1, play)
    check("in health", server.health(200) == "ok")
    check("nothing to say", server.end() == [])


full_disk()
full_from_the_start()
no_descriptors()
database_removed()
database_replaced()
print(f"{checks} checks, {failures} failures")
sys.exit(failures != 0)

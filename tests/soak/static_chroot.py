#!/usr/bin/env python3
# static_chroot.py - the static program in an empty folder: commands, what it refuses; and, with /dev/urandom, the page and a game
# over the WebSocket.
# SPDX-License-Identifier: MIT
# usage: static_chroot.py PROGRAM      PROGRAM: as `make static` builds it. Needs root.
import base64
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import urllib.request

PROGRAM = sys.argv[1]
PATIENCE = 60
root = tempfile.mkdtemp()
enter = ["chroot", root]


def fail(what):
    sys.exit(f"static_chroot: {what}")


def run(*words, status=0, **how):
    """What the program prints on both outputs, the empty folder being all it sees."""
    done = subprocess.run([*enter, "/quevedo", *words], capture_output=True, text=True, timeout=600, **how)
    if done.returncode != status:
        fail(f"{' '.join(words)}: status {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def refused(sentence, *words):
    text = run(*words, status=2)
    if sentence not in text or text.count("\n") != 1:
        fail(f"{' '.join(words)}: {text!r}")


def commands():
    headers = subprocess.run(["readelf", "-ld", PROGRAM], capture_output=True, text=True, check=True).stdout
    if "NEEDED" in headers or "INTERP" in headers:
        fail("the program is not static")
    if "chess" not in run("games"):
        fail("games does not list chess")
    if "nodes 8902" not in run("perft", "chess", "3"):
        fail("perft counts wrong")
    for game in ("connect4", "reversi", "chess"):
        if "move " not in run("best", game, "--player", "level:3"):
            fail(f"best {game} gives no move")
    if "score" not in run("analyse", "chess", "--player", "negascout:depth=5"):
        fail("analyse gives no score")
    if "games 2," not in run("match", "noughts", "--player", "a=level:2", "--player", "b=random", "--games", "2"):
        fail("match does not play two games")
    # Whoever tries every square has played the game to its end.
    if "over>" not in run("play", "noughts", "--level", "2", input="1\n2\n3\n4\n5\n6\n7\n8\n9\nquit\n"):
        fail("play does not end")


def left_out():
    """What a static program cannot do, it refuses in one line."""
    shutil.copy(PROGRAM, os.path.join(root, "plugin.so"))
    refused("this static program cannot load plug-ins", "games", "--plugin", "./plugin.so")
    refused("this static program cannot load plug-ins", "plugin", "check", "./plugin.so")
    os.unlink(os.path.join(root, "plugin.so"))
    refused("this build has no MPI", "match", "noughts", "--player", "a=random", "--player", "b=random", "--mpi")
    refused("this build has no libfathom", "analyse", "chess", "--syzygy", "/")


def get(port, path):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE) as answer:
        return answer.read()


class Client:
    """A WebSocket."""

    def __init__(self, port):
        self.file = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).makefile("rwb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ["GET /api/v1/ws HTTP/1.1", f"Host: 127.0.0.1:{port}", f"Origin: http://127.0.0.1:{port}", "Connection: Upgrade",
                 "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: quevedo", f"Sec-WebSocket-Key: {key}"]
        self.file.write("\r\n".join([*lines, "", ""]).encode())
        self.file.flush()
        if not (line := self.file.readline()).startswith(b"HTTP/1.1 101"):
            fail(f"the WebSocket is refused: {line}")
        while self.file.readline().strip():
            pass

    def send(self, **message):
        data = json.dumps(message).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else bytes([0x80 | 126]) + len(data).to_bytes(2, "big")
        self.file.write(b"\x81" + size + b"\0\0\0\0" + data)
        self.file.flush()

    def receive(self):
        size = self.file.read(2)[1]
        if size >= 126:
            size = int.from_bytes(self.file.read(2 if size == 126 else 8), "big")
        return json.loads(self.file.read(size))


def play(client):
    """Noughts against a level, to its end, with a stream that tells every change."""
    client.send(id=1, method="POST", path="/api/v1/plays", body={"game": "noughts", "seats": ["human", "level:1"]})
    made = client.receive()
    if made["status"] != 201:
        fail(f"no game: {made}")
    path = "/api/v1/plays/" + made["body"]["id"]
    client.send(id=2, method="GET", path=path + "/events")
    moved = []
    while True:
        answer = client.receive()
        if answer["status"] >= 400:
            fail(f"in the game: {answer}")
        view = answer["body"].get("view")
        if answer["id"] != 2 or not view:
            continue
        if view["over"]:
            return len(moved)
        if view["turn"] == 1 and view["position"] not in moved:
            moved.append(view["position"])
            client.send(id=2 + len(moved), method="POST", path=path + "/moves", body={"move": view["moves"][0]["move"]})


def serve():
    refused("/dev/urandom", "serve", "--port", "0", "--data", "/data")
    os.mkdir(os.path.join(root, "dev"))
    os.mknod(os.path.join(root, "dev/urandom"), 0o666 | stat.S_IFCHR, os.makedev(1, 9))
    refused("built without PostgreSQL", "serve", "--port", "0", "--data", "/other", "--store", "postgres:///quevedo")
    server = subprocess.Popen([*enter, "/quevedo", "serve", "--port", "0", "--data", "/data"], stdout=subprocess.PIPE, text=True)
    try:
        line = server.stdout.readline()
        if not line.startswith("quevedo: http"):
            fail(f"serve prints {line!r}")
        port = int(line.rstrip("/\n").rsplit(":", 1)[1])
        if b"<!doctype html>" not in get(port, "/").lower():
            fail("there is no page")
        if len(json.loads(get(port, "/api/v1/games"))) < 14:
            fail("games are missing")
        moves = play(Client(port))
        # It waits without work: a second of it takes next to no processor time.
        before = processor_time(server.pid)
        try:
            server.wait(1)
        except subprocess.TimeoutExpired:
            pass
        spent = processor_time(server.pid) - before
        if spent > 0.5:
            fail(f"an idle second took {spent} s of processor time")
    finally:
        server.terminate()
    if server.wait(PATIENCE) != 0:
        fail("serve did not end as it should")
    return moves


def processor_time(pid):
    """Of the program, which `chroot` has become."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if os.geteuid() != 0:
    print("static_chroot: left out, since it needs root")
    sys.exit(0)
try:
    shutil.copy(PROGRAM, os.path.join(root, "quevedo"))
    commands()
    left_out()
    print(f"static_chroot: passed, {serve()} moves over the WebSocket")
finally:
    shutil.rmtree(root)

#!/usr/bin/env python3
# imcs.py - the IMCS server and client on the network.
# SPDX-License-Identifier: MIT
# usage: imcs.py PROGRAM WORK_FOLDER GAMES     GAMES: of the client against the server
import atexit
import glob
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

PROGRAM, WORK, GAMES = sys.argv[1], sys.argv[2], int(sys.argv[3])
SCALE = int(os.environ.get("TEST_SCALE", "100"))
PATIENCE = 120  # seconds; generous, since nothing here is about speed
START = b"\r\n1 W\nkqbnr\nppppp\n.....\n.....\nPPPPP\nRNBQK\n\r\n? 05:00.000 05:00.000\r\n"
checks = failures = 0


def check(what, good, seen=""):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print(f"FAILED: {what}: {seen!r}"[:900], file=sys.stderr)


def write(name, text):
    path = os.path.join(WORK, name)
    with open(path, "w") as file:
        file.write(text)
    return path


PASSWORD = write("password", "pw\n")


class Server:
    """The program, on a port of its own choice."""

    def __init__(self, *words, name="data", command=("imcs", "serve", "--port", "0", "--per-address", "10")):
        line = [PROGRAM, *command, "--data", os.path.join(WORK, name), *words]
        self.process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        atexit.register(self.process.kill)
        said = b""
        while b"imcs " not in said:
            said = self.process.stdout.readline()
            if not said:
                sys.exit(f"the server did not begin: {self.process.stderr.read()!r}")
            if b"http" in said:
                self.url = said.split()[1].decode()
        self.port = int(said.decode().rsplit(":", 1)[1])

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        status = self.process.wait(timeout=PATIENCE)
        return status, self.process.stderr.read().decode()


class Guest:
    def __init__(self, server, address="127.0.0.1"):
        self.socket = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE, source_address=(address, 0))
        self.heard = b""
        self.hear(b"\r\n")

    def say(self, text):
        self.socket.sendall(text if isinstance(text, bytes) else text.encode() + b"\r\n")

    def hear(self, until):
        """What has come up to and with `until`."""
        while until not in self.heard:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError(self.heard)
            self.heard += more
        at = self.heard.index(until) + len(until)
        part, self.heard = self.heard[:at], self.heard[at:]
        return part

    def ask(self, text, until=b"\r\n"):
        self.say(text)
        return self.hear(until)

    def rest(self):
        while more := self.socket.recv(65536):
            self.heard += more
        part, self.heard = self.heard, b""
        return part

    def close(self):
        self.socket.close()


def until(what):
    """Whether it comes true, within a while."""
    end = time.monotonic() + PATIENCE
    while not (good := what()) and time.monotonic() < end:
        time.sleep(0.05)
    return good


def login(server, name):
    guest = Guest(server)
    answer = guest.ask(f"register {name} pw")
    if answer.startswith(b"402"):
        answer = guest.ask(f"me {name} pw")
    check("login", answer.startswith(b"20"), answer)
    return guest


def lasting():
    """Accounts, ratings, ids and logs outlive the server, also a killed one."""
    server = Server("--password-file", PASSWORD)
    ann, bob = login(server, "ann"), login(server, "bob")
    check("offer", ann.ask("offer W") == b"103 1 game waiting for offer acceptance\r\n")
    bob.ask("accept 1")
    ann.hear(START)
    ann.say("resign")
    check("result", ann.rest().endswith(b"232 B wins on opponent resignation\r\n"))
    bob.rest()
    # A game that is going on when the server is killed.
    ann, bob = login(server, "ann"), login(server, "bob")
    ann.ask("offer W")
    bob.ask("accept 2")
    ann.hear(START)
    ann.say("a2-a3")
    bob.hear(b"? ")
    logged = [PROGRAM, "imcs", "log", "--data", os.path.join(WORK, "data")]
    until(lambda: subprocess.run(logged, capture_output=True, text=True).stdout)  # it is on disk
    server.end(signal.SIGKILL)
    log = subprocess.run(logged, capture_output=True, text=True)
    check("games going on", log.stdout == "2 ann bob\n", log)
    log = subprocess.run([PROGRAM, "imcs", "log", "--data", os.path.join(WORK, "data"), "2"], capture_output=True, text=True)
    check("one that goes on", log.stdout == "2: ann(W) vs bob: going on, without a log\n", log)
    server = Server()
    guest = Guest(server)
    check("ratings", guest.ask("ratings", b".\r\n").endswith(b" bob 1016\r\n admin 1000\r\n ann 984\r\n.\r\n"))
    check("wrong password", guest.ask("me ann x") == b"401 wrong password\r\n")
    check("password", guest.ask("me ann pw") == b"201 hello ann\r\n")
    check("next id", guest.ask("offer") == b"103 3 game waiting for offer acceptance\r\n")
    guest.close()
    log = subprocess.run([PROGRAM, "imcs", "log", "--data", os.path.join(WORK, "data"), "1"], capture_output=True, text=True)
    check("log", log.stdout.startswith("1: ann(127.0.0.1:") and log.stdout.endswith("= B wins on opponent resignation\n"), log)
    log = subprocess.run([PROGRAM, "imcs", "log", "--json", "--data", os.path.join(WORK, "data"), "2"], capture_output=True, text=True)
    check("broken off", json.loads(log.stdout)[0]["result"] == "no result", log)
    log = subprocess.run([PROGRAM, "imcs", "log", "--data", os.path.join(WORK, "data"), "2"], capture_output=True, text=True)
    check("broken off, in words", log.stdout == "2: ann(W) vs bob: no result, without a log\n", log)
    log = subprocess.run([PROGRAM, "imcs", "log", "--data", os.path.join(WORK, "data"), "9"], capture_output=True, text=True)
    check("no such game", log.returncode == 2 and "no game 9" in log.stderr, log)
    # The admin ends it.
    admin = Guest(server)
    admin.ask("me admin pw")
    admin.say("stop")
    check("stop", admin.rest() == b"104 stopping server\r\n205 server stopped\r\n")
    check("ended", server.process.wait(timeout=PATIENCE) == 0)


def crowd(server):
    """Hundreds of connections at once, playing."""
    count = max(20, 300 * SCALE // 100) // 2 * 2
    guests = []
    for i in range(count):
        guests.append(Guest(server))
        guests[-1].say(f"register crowd{i} pw")
    for guest in guests:
        answer = guest.hear(b"\r\n")
        check("register", answer.startswith(b"202"), answer)
    ids = []
    for guest in guests[::2]:
        ids.append(int(guest.ask("offer W").split()[1]))
    for number, guest in zip(ids, guests[1::2]):
        check("accept", guest.ask(f"accept {number}").startswith(b"106"))
    watcher = Guest(server)
    check("list", watcher.ask("list", b"\r\n.\r\n").count(b"[in-progress]") == count // 2)
    for white, black in zip(guests[::2], guests[1::2]):
        white.say("b1-c3")
        black.say("d6-c4")
        white.say("resign")
    for guest in guests:
        check("end", guest.rest().endswith(b"232 B wins on opponent resignation\r\n"))
        guest.close()
    watcher.close()


def bytes_of_any_kind(server):
    """Whatever comes, others are served."""
    rng = random.Random(7)
    words = [b"me", b"register", b"offer", b"accept", b"list", b"ratings", b"password", b"clean", b"ann", b"pw", b"W", b"1", b"5:00",
             b"a2-a3", b"resign", b"\r", b"\n", b"\r\n", b"\x00", b" ", b"\xff", b"\xa0"]
    for round_number in range(max(4, 30 * SCALE // 100)):
        guest = Guest(server)
        if rng.random() < 0.5:
            data = rng.randbytes(rng.randrange(1, 20000))
        else:
            data = b" ".join(rng.choice(words) for _ in range(rng.randrange(1, 400)))
        try:
            guest.say(data + b"\n")
            if rng.random() < 0.3:
                guest.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        except OSError:
            pass
        guest.close()
    # One who asks without end and never listens.
    deaf = Guest(server)
    deaf.socket.settimeout(0.2)
    try:
        for _ in range(400):
            deaf.socket.sendall(b"help\r\n" * 1000)
    except OSError:
        pass
    guest = Guest(server)
    check("others are served", guest.ask("list", b".\r\n").startswith(b"211"))
    guest.close()
    deaf.close()
    # A long line, and a half of one with the connection's end.
    guest = Guest(server)
    check("a long line", guest.ask(b"x" * 200000 + b"\r\n") == b"501 unknown command\r\n")
    guest.say(b"list")
    guest.socket.shutdown(socket.SHUT_WR)
    check("the last line", guest.rest().endswith(b".\r\n"))
    guest.close()


def leaving(server):
    """No ghosts: whoever leaves has lost, and takes the offer along."""
    ann, bob = login(server, "ann"), login(server, "bob")
    number = int(ann.ask("offer W").split()[1])
    ann.close()
    check("no ghost", until(lambda: b"[offer]" not in bob.ask("list", b".\r\n")))
    check("nothing to accept", bob.ask(f"accept {number}") == b"408 no such game\r\n")
    ann = login(server, "ann")
    number = int(ann.ask("offer W").split()[1])
    bob.ask(f"accept {number}")
    ann.hear(START)
    bob.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
    bob.close()
    check("left", ann.rest() == b"= W wins on opponent disconnect\r\n231 W wins on opponent disconnect\r\n")


def client(*words, port, user, **more):
    where = ["127.0.0.1", "--port", str(port)] if user == "one" else [f"127.0.0.1:{port}"]
    command = [PROGRAM, "imcs", "play", *where, "--user", user, "--password-file", PASSWORD,
               "--player", "negascout:nodes=1", *words]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


def games(server):
    """The client against itself, by the server."""
    folder = os.path.join(WORK, "log")
    one = client("--register", "--offer", "--time", "600", "--games", str(GAMES), "--log", folder, port=server.port, user="one")
    two = client("--register", "--accept", "any", "--games", str(GAMES), "--json", port=server.port, user="two")
    out, err = one.communicate(timeout=PATIENCE * GAMES)
    out2, err2 = two.communicate(timeout=PATIENCE)
    check("both play them all", one.returncode == 0 and two.returncode == 0, (out, err, err2))
    lines = out.splitlines()
    check("summary", lines[-1].startswith(f"games {GAMES}: ") and "without a result" not in lines[-1], lines[-1:])
    ends = [line for line in lines if line.startswith("game ") and "begins" not in line]
    check("by the rules", len(ends) == GAMES and not any("time" in line or "disconnect" in line or "resign" in line for line in ends), ends)
    total = json.loads(out2.splitlines()[-1])
    check("sum", total["games"] == GAMES and total["won"] + total["drawn"] + total["lost"] == GAMES, total)
    records = sorted(glob.glob(folder + "/imcs-*.jsonl"))
    check("records", len(records) == GAMES, records)
    for path in records[:3]:
        moves = [json.loads(line)["move"] for line in open(path) if '"move"' in line]
        again = subprocess.run([PROGRAM, "replay", "minichess", "--moves", ", ".join(moves), "--json"], capture_output=True, text=True)
        check("the record is a whole game", '"result":null' not in again.stdout.replace(" ", "") and again.returncode == 0, again)
    listing = client("--list", "--json", port=server.port, user="one")
    out, err = listing.communicate(timeout=PATIENCE)
    check("list as JSON", json.loads(out.splitlines()[0]) == {"event": "listed", "line": "211 0 available games"}, (out, err))
    listing = client("--list", port=server.port, user="one")
    out, err = listing.communicate(timeout=PATIENCE)
    check("list", out.startswith("211 0 available games\n"), (out, err))


# ---- A server that misbehaves ----

HELLO = b"100 imcs 2.5\r\n"


class Stage:
    """A server that says what it is told, in order: bytes are sent, a text is waited for."""

    def __init__(self, *acts):
        self.acts = acts
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.heard = []
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self):
        for act in self.acts:
            conn, _ = self.listener.accept()
            conn.settimeout(PATIENCE)
            stream = conn.makefile("rb")
            try:
                for step in act:
                    if isinstance(step, bytes):
                        conn.sendall(step)
                    elif step == "*":
                        self.heard.append(stream.readline().decode().strip())
                    elif step == "reset":
                        conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            except OSError:
                pass
            stream.close()
            conn.close()


def board(number, side, rows):
    return f"\r\n{number} {side}\n{rows}\n".replace("/", "\n").encode() + b"\r\n"


def stages():
    begin = [HELLO, "*", b"201 hello x\r\n", "*", b"103 5 game waiting for offer acceptance\r\n105 W 5:00 5:00 game starts\r\n", START, "*"]
    # What the original sends when the opponent closes: diagnostics, a result, X.
    stage = Stage([*begin, b"B report result code failed: <socket: 5>: commitBuffer: resource vanished (Broken pipe)\r\n",
                   b"= W wins on opponent disconnect\r\n231 W wins on opponent disconnect\r\nX fatal IO error: exiting\r\n"])
    run = client("--offer", port=stage.port, user="x")
    out, err = run.communicate(timeout=PATIENCE)
    check("strays", out.endswith("game 5: W wins on opponent disconnect (won)\ngames 1: won 1, drawn 0, lost 0\n"), (out, err, stage.heard))
    check("what it said", stage.heard[:2] == ["me x pw", "offer"], stage.heard)
    # ... when the opponent leaves in our turn: no result at all.
    stage = Stage([*begin, b"B send move request failed: <socket: 5>\r\nX fatal IO error: exiting\r\n"])
    out, err = client("--offer=W", port=stage.port, user="x").communicate(timeout=PATIENCE)
    check("no result", out.endswith("game 5: no result (unknown)\ngames 1: won 0, drawn 0, lost 0, without a result 1\n"), (out, err))
    check("colour", stage.heard[1] == "offer W", stage.heard)
    # A result without its code, and the end; a reset without anything.
    stage = Stage([*begin, b"= B wins on opponent time\r\n"], [*begin, "reset"])
    out, err = client("--offer", "--games", "2", port=stage.port, user="x").communicate(timeout=PATIENCE)
    check("half a result", "game 5: B wins on opponent time (lost)" in out and out.endswith("lost 1, without a result 1\n"), (out, err))
    # It refuses legal moves: others are tried, and at last the game is given up.
    refuse = []
    for _ in range(7):
        refuse += [b"- illegal move\r\n", START, "*"]
    stage = Stage([*begin, *refuse, b"= B wins on opponent resignation\r\n232 B wins on opponent resignation\r\n"])
    out, err = client("--offer", port=stage.port, user="x").communicate(timeout=PATIENCE)
    check("refused", len(set(stage.heard[2:9])) == 7 and stage.heard[9] == "resign", stage.heard)
    # Its board is believed, wherever it comes from; bare line ends too.
    odd = board(12, "W", "k..../...../...../...../...../R...K").replace(b"\r\n", b"\n") + b"? 04:00.000 04:00.000\n"
    stage = Stage([*begin[:4], b"103 5 x\n105 W 5:00 5:00 game starts\n", odd, "*", b"! e4-e5\n", b"garbage \xff\xfe\x00\n", b"= W wins\n231 W wins\n"])
    out, err = client("--offer", port=stage.port, user="x").communicate(timeout=PATIENCE)
    check("its board", "W wins (won)" in out and stage.heard[2][:2] in ("a1", "e1"), (out, err, stage.heard))
    # Lines without end, and then no more.
    stage = Stage([HELLO + b"x" * 100000], [HELLO, "*", b"401 wrong password\r\n"])
    run = client("--offer", port=stage.port, user="x")
    out, err = run.communicate(timeout=PATIENCE)
    check("wrong password", run.returncode == 2 and "401 wrong password" in err, (out, err))
    check("it came again", "again in 1 s" in out, out)


def interrupted(server):
    """Ctrl-C while an offer waits ends it at once; nobody there is waited for."""
    run = client("--register", "--offer", "--games", "5", port=server.port, user="three")
    run.stdout.readline()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=PATIENCE)
    check("Ctrl-C", run.returncode == 1 and out == "games 0: won 0, drawn 0, lost 0\n", (run.returncode, out, err))
    # The original keeps the offer of a client that has left: it is withdrawn by another connection.
    # It waits three seconds for each answer: where they come later, once more.
    for _ in range(4):
        stage = Stage([HELLO, "*", b"201 hello x\r\n", "*", b"103 7 game waiting for offer acceptance\r\n", "*"],
                      [HELLO, "*", b"211 2 available games\r\n 6 x ? 5:00 5:00 1100 [offer]\r\n 7 x ? 5:00 5:00 1100 [offer]\r\n.\r\n",
                       "*", b"201 hello x\r\n", "*", b"204 2 games cleaned\r\n", "*"])
        run = client("--offer", port=stage.port, user="x")
        run.stdout.readline()
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=PATIENCE)
        stage.thread.join(5)
        if stage.heard[-1] == "" and "clean" in stage.heard:
            break
    check("the offer is withdrawn", run.returncode == 1 and stage.heard == ["me x pw", "offer", "", "list", "me x pw", "clean", ""],
          (run.returncode, out, err, stage.heard))
    # Twice in a game: what was played is kept, without a result.
    guest = login(server, "four")
    guest.ask("offer W")
    logs = os.path.join(WORK, "left")
    run = client("--register", "--accept", "any", "--log", logs, port=server.port, user="three")
    guest.hear(START)
    guest.say("b1-c3")
    guest.hear(b"? ")  # it has moved, and waits
    run.stdout.readline()
    until = time.time() + PATIENCE
    while run.poll() is None and time.time() < until:
        run.send_signal(signal.SIGINT)
        time.sleep(0.5)
    out, err = run.communicate(timeout=PATIENCE)
    check("Ctrl-C twice", run.returncode == 1, (run.returncode, out, err))
    kept = [open(name).read().splitlines() for name in glob.glob(os.path.join(logs, "*.jsonl"))]
    check("the game left", len(kept) == 1 and json.loads(kept[0][-1]) == {"result": "none", "reason": "no result"}, kept)
    check("the other has won", guest.rest().endswith(b"231 W wins on opponent disconnect\r\n"))
    # Who only looks does not look for ever, nor for a host without an address.
    for words in (["127.0.0.1", "--port", "1", "--list"], ["no-such-host.invalid", "--offer"]):
        run = subprocess.run([PROGRAM, "imcs", "play", *words, "--user", "x", "--password-file", PASSWORD], capture_output=True, text=True,
                             timeout=PATIENCE)
        check("nobody there", run.returncode == 2 and not run.stdout and run.stderr.count("\n") == 1, run)
    refused = subprocess.run([PROGRAM, "imcs", "play", "127.0.0.1"], capture_output=True, text=True)
    check("who", refused.returncode == 2 and "--user" in refused.stderr, refused)


def page():
    """In the web's process: a game is a play that anybody can look at, and nobody else can move in."""
    server = Server("--password-file", PASSWORD, name="web", command=("serve", "--port", "0", "--imcs", "0", "--workers", "1"))

    def get(path):
        with urllib.request.urlopen(server.url + "api/v1/" + path, timeout=PATIENCE) as answer:
            return json.load(answer)

    ann, bob = login(server, "ann"), login(server, "bob")
    ann.ask("offer W")
    bob.ask("accept 1")
    ann.hear(START)
    ann.say("b1-c3")
    bob.hear(b"? ")
    going = until(lambda: get("lobby")["going"])
    check("in the lobby", len(going) == 1 and going[0]["game"] == "minichess", going)
    path = "plays/" + going[0]["id"]
    play = get(path)
    check("names", [seat.get("name") for seat in play["seats"]] == ["ann", "bob"], play["seats"])
    check("moves", "b1-c3" in json.dumps(play), play)
    request = urllib.request.Request(server.url + f"api/v1/{path}/moves", b'{"move":"d6-c4"}', {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request, timeout=PATIENCE)
        check("a stranger's move", False)
    except urllib.error.HTTPError as error:
        check("a stranger's move", error.code == 403, error.code)
    bob.close()
    ann.rest()
    result = until(lambda: get(path).get("result"))
    check("result", result == "win 1", result)
    check("not in the lobby", until(lambda: get("lobby")["going"] == []))
    # Its admin stops IMCS; the web goes on.
    ann = login(server, "ann")
    ann.ask("offer")
    admin = Guest(server)
    admin.ask("me admin pw")
    admin.say("stop")
    check("stop", admin.rest().endswith(b"205 server stopped\r\n"))
    check("the offer ends with the server", ann.rest() == b"421 offer countermanded\r\n")
    check("the web goes on", get("health")["version"])
    status, err = server.end()
    check("it ends", status == 0, (status, err))
    # A game that goes on when the server ends, or is killed, has no result.
    for number in (signal.SIGTERM, signal.SIGKILL):
        server = Server(name="web", command=("serve", "--port", "0", "--imcs", "0", "--workers", "1"))
        ann, bob = login(server, "ann"), login(server, "bob")
        bob.ask(f"accept {int(ann.ask('offer W').split()[1])}")
        ann.hear(START)
        ann.say("b1-c3")
        bob.hear(b"? ")
        play = until(lambda: get("lobby")["going"])[0]["id"]
        shown = [PROGRAM, "server", "games", "show", play, "--data", os.path.join(WORK, "web")]
        until(lambda: "b1-c3" in subprocess.run(shown, capture_output=True, text=True).stdout)  # it is on disk
        path = "plays/" + play
        server.end(number)
        server = Server(name="web", command=("serve", "--port", "0", "--imcs", "0", "--workers", "1"))
        play = get(path)
        check("broken off", (play["result"], play["reason"]) == ("none", "server stopped"), play)
        check("broken off as the view says", play["view"]["over"] and play["view"]["result"] == "none", play["view"])
        check("none goes on", get("lobby")["going"] == [])
        with urllib.request.urlopen(server.url + f"api/v1/{path}/record?format=pgn", timeout=PATIENCE) as answer:
            pgn = answer.read().decode()
        check("broken off as PGN says", '[Result "*"]' in pgn and pgn.rstrip().endswith("*"), pgn)
        server.end()


def guesses():
    """Passwords are tried rarely, by name and by address; whoever has logged in from here before is not locked out by others."""
    server = Server("--password-file", PASSWORD, name="guesses", command=("imcs", "serve", "--port", "0"))
    refused = b"503 too many attempts, come back later\r\n"
    # The waits begin with a second: where the right password comes later than that, once more, from other addresses.
    for i in range(1, 250, 2):
        first = f"127.0.1.{i}"
        stranger = Guest(server, first)
        tries = [stranger.ask("me admin wrong") for _ in range(15)]
        answers = [stranger.ask("me admin pw"), Guest(server, first).ask("me admin pw")]
        if answers == [refused] * 2:
            break
    check("a name", tries[:5] == [b"401 wrong password\r\n"] * 5 and tries[5:].count(refused) > 2, tries)
    check("the right one, too; on another connection, too", answers == [refused] * 2, answers)
    login(server, "ann")
    check("another name", stranger.ask("me ann pw") == b"201 hello ann\r\n")
    for i in range(1, 250, 2):
        other = Guest(server, f"127.0.2.{i}")
        tries = [other.ask("me ann wrong") for _ in range(10)]
        answer = Guest(server, f"127.0.2.{i + 1}").ask("me ann pw")
        if answer == refused:
            break
    check("strangers guess at it", refused in tries, tries)
    check("and lock out strangers", answer == refused, answer)
    check("but not who was there before", Guest(server, first).ask("me ann pw") == b"201 hello ann\r\n")
    tries = []
    while refused not in tries and len(tries) < 500:
        tries.append(stranger.ask(f"me nobody{len(tries)} wrong"))
    check("an address", refused in tries and set(tries) <= {refused, b"400 no such username: please use register command\r\n"}, tries)
    connections = []
    for _ in range(80):
        connections.append(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE))
    taken = 0
    for connection in connections:
        try:
            taken += connection.recv(100) != b""
        except ConnectionError:
            pass
    check("connections of an address", 50 < taken <= 64, taken)
    for connection in connections:
        connection.close()
    server.end()


lasting()
guesses()
everyone = Server(name="crowd")
crowd(everyone)
bytes_of_any_kind(everyone)
leaving(everyone)
games(everyone)
interrupted(everyone)
ended, said = everyone.end()
check("it ends well", ended == 0, (ended, said))
stages()
page()
print(f"imcs: {checks} checks, {failures} failures")
sys.exit(1 if failures else 0)

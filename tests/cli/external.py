#!/usr/bin/env python3
# external.py - the program as an external player of GNU Backgammon, and external players as opponents of the program. The
# peers are scripts: one sends what GNU Backgammon sends, the other answers as it does.
# SPDX-License-Identifier: MIT
# usage: external.py PROGRAM WORK_FOLDER
#        external.py --gnubg: read commands as `gnubg -t -q` does, and serve the socket that `external` names
import atexit
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading

OPENING = ("board:zero:one:0:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:-1:5:2:5:2:1:1:1:0:1:-1:0:25:0:0:0:0"
           ":0:0:0:1")
CLOSED = ("board:zero:one:0:0:0:-1:2:2:2:2:2:2:0:0:0:0:0:-5:3:0:0:0:-4:0:-5:0:0:0:0:0:0:-1:6:6:6:6:1:1:1:0:1:-1:0:25:0:0:0:0"
          ":0:0:0:1")
WON = ("board:zero:one:0:0:0:0:1:0:0:0:0:0:0:0:0:0:0:-5:0:0:0:0:-3:0:-5:0:0:0:0:0:0:1:0:0:0:0:1:1:1:0:1:-1:0:25:14:2:0:0:0:0"
       ":0:1")
PATIENCE = 60 # seconds for anything


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


class Lines:
    """A connection, line by line."""

    def __init__(self, sock):
        self.sock, self.buffer = sock, b""
        sock.settimeout(PATIENCE)

    def send(self, data):
        self.sock.sendall(data)

    def line(self):
        """The next line; None at the end."""
        while b"\n" not in self.buffer:
            data = self.sock.recv(4096)
            if not data:
                return None
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.decode()


# ---- A peer as GNU Backgammon serves it ----

class Answers:
    """What the scripted server answers: legal moves, which the program lists, in GNU Backgammon's notation."""

    def __init__(self, program):
        self.rules = subprocess.Popen([program, "engine", "backgammon", "--protocol", "qgp"], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True, bufsize=1)
        self.asked = 0

    def tell(self, line):
        self.rules.stdin.write(line + "\n")
        lines = []
        while True:
            lines.append(self.rules.stdout.readline().rstrip("\n"))
            check(not lines[-1].startswith("error"), f"{line}: {lines[-1]}")
            if lines[-1] == "ok":
                return lines

    def move(self, line):
        """A legal move on this board."""
        fields = [int(field) for field in line.split(" ")[0].split(":")[3:]]
        check(len(fields) == 50, f"50 numbers: {line}")
        check(len(line) < 255, "the line fits into GNU Backgammon's buffer")
        points, turn, dice = fields[3:29], fields[29], fields[30:32]
        if not dice[0]:
            self.asked += 1
            return ("take", "drop", "beaver")[self.asked % 3] if fields[37] else ("roll", "double")[self.asked % 2]
        men = [[f"{p}:{points[p]}" for p in range(24, 0, -1) if points[p] > 0],
               [f"{25 - p}:{-points[p]}" for p in range(1, 25) if points[p] < 0]]
        for seat, bar in ((0, points[25]), (1, -points[0])):
            if bar:
                men[seat].insert(0, f"bar:{bar}")
            if fields[42 + seat]:
                men[seat].append(f"off:{fields[42 + seat]}")
        roll = f"{max(dice)}{min(dice)}"
        self.tell(f"position {','.join(men[0])} {','.join(men[1])} {1 if turn > 0 else 2} {roll}")
        moves = [text for text in self.tell("show") if text.startswith("moves ")][0][6:].split(", ")
        self.asked += 1
        return moves[self.asked % len(moves)]


def plain(move):
    """As GNU Backgammon writes moves to its peers: an empty line for a pass, 25 for the bar, 0 for off."""
    return "" if move == "pass" else move.replace("bar", "25").replace("off", "0") + " "


def serve(sock, answer):
    """Answers one connection; one line at a time, what comes with it is dropped."""
    peer, boards = sock.accept()[0], 0
    peer.settimeout(PATIENCE)
    while True:
        data = peer.recv(4096)
        if not data or data.startswith(b"exit"):
            break
        line = data.split(b"\n")[0].decode()
        check(data.count(b"\n") == 1, f"one line at a time: {data}")
        if line == "version":
            peer.sendall(b"Interface: 2\nRFBF: 0\nEngine: 1.00\nSoftware: scripted\n")
        else:
            boards += 1
            reply = answer(line, boards)
            if reply is None:
                break
            peer.sendall(reply.encode() + b"\n")
    peer.close()
    return boards


def fake_gnubg():
    """The commands of `gnubg -t -q` that matter here; settings must come before `external`."""
    plies, beavers = None, None
    for line in sys.stdin:
        words = line.split()
        if line.startswith("set evaluation chequerplay evaluation plies"):
            plies = words[-1]
        if words[:2] == ["set", "beavers"]:
            beavers = words[2]
        if words and words[0] == "external":
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(words[1])
            listener.listen(1)
            print(f"Waiting for a connection from {words[1]}...", flush=True)
            answers = Answers(os.environ["FAKE_PROGRAM"])
            serve(listener, lambda board, count: plain(answers.move(board)))
            with open(os.environ["FAKE_LOG"], "a", encoding="ascii") as log:
                log.write(f"plies {plies}, beavers {beavers}, asked {answers.asked}\n")
            return


# ---- The program as a player of a scripted peer ----

def play(program, spec, games=2, game="backgammon"):
    done = subprocess.run([program, "match", game, "--player", "us=random", "--player", "peer=" + spec, "--games", str(games),
                           "--jobs", "1", "--json", "--no-times"], capture_output=True, text=True, timeout=10 * PATIENCE)
    check(done.returncode == 0, f"match against {spec}: {done.stderr}")
    return next(player for player in json.loads(done.stdout)["players"] if player["name"] == "peer")


def test_external_player(program, work):
    answers = Answers(program)
    for family, address in ((socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_UNIX, work + "/peer")):
        listener = socket.socket(family)
        listener.bind(address)
        listener.listen(1)
        name = address if family == socket.AF_UNIX else f"localhost:{listener.getsockname()[1]}"
        boards = []
        thread = threading.Thread(target=lambda at=listener, to=boards: to.append(
            serve(at, lambda board, count: plain(answers.move(board)))))
        thread.start()
        peer = play(program, "external:" + name)
        thread.join(PATIENCE)
        check(peer["games"] == 2 and not peer["crashes"] + peer["timeouts"] + peer["illegal"], f"two games with {name}: {peer}")
        check(boards and boards[0] > 20, f"the peer at {name} was asked for its moves")
        listener.close()


def test_cube(program, work):
    """A match with random doubles on both sides."""
    answers = Answers(program)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(work + "/cube")
    listener.listen(1)
    asked = []

    def reply(board, count):
        asked.append(board)
        return plain(answers.move(board))

    thread = threading.Thread(target=serve, args=(listener, reply))
    thread.start()
    peer = play(program, f"external:{work}/cube", 4, "backgammon:match=5")
    thread.join(PATIENCE)
    listener.close()
    check(peer["games"] == 4 and not peer["crashes"] + peer["timeouts"] + peer["illegal"], f"four matches: {peer}")
    boards = [board.split(" ")[0].split(":") for board in asked]
    check({"0", "1"} == {board[40] for board in boards}, "it was asked to double and to answer doubles")
    check(all(board[3] == "5" for board in boards) and {"1", "2"} <= {board[37] for board in boards}, "match and cube are sent")


def test_bad_peers(program, work):
    """A peer that ends, refuses or plays an illegal move loses its game; the next game connects again."""
    replies = {"crashes": lambda board, count: None, "illegal": lambda board, count: "24/1",
               "faults": lambda board, count: "Error: badly formed board"}
    for fault, reply in replies.items():
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(work + "/" + fault)
        listener.listen(2)
        thread = threading.Thread(target=lambda at=listener, how=reply: [serve(at, how) for _ in range(2)])
        thread.start()
        peer = play(program, f"external:{work}/{fault}")
        thread.join(PATIENCE)
        check(peer["games"] == 2 and peer["losses"] == 2, f"a peer with {fault} loses: {peer}")
        check(fault == "faults" or peer[fault] == 2, f"its fault is counted: {peer}")
        listener.close()


def test_started_player(program, work):
    os.environ.update(FAKE_PROGRAM=program, FAKE_LOG=work + "/log", TMPDIR=work)
    peer = play(program, f"gnubg:plies=2,cmd={sys.executable} {os.path.abspath(__file__)} --gnubg")
    check(peer["games"] == 2 and not peer["crashes"] + peer["timeouts"] + peer["illegal"], f"two games with gnubg: {peer}")
    with open(work + "/log", encoding="ascii") as log:
        check(re.fullmatch(r"plies 2, beavers 0, asked \d\d+\n", log.read()), "one process plays both games with its settings")
    check(not [name for name in os.listdir(work) if name.startswith("quevedo-")], "the folder of the socket is removed")


def test_specs(program, work):
    for game, spec, why in (("chess", "external:localhost:1", "only backgammon fits"),
                            ("backgammon", "external:", "address is missing"),
                            ("backgammon:cube=1,beavers=1", "external:localhost:1", "cannot represent beavers"),
                            ("backgammon", "external:option.a=b,cmd=localhost:1", "no options"),
                            ("backgammon", "qgp:plies=2,cmd=x", "plies are for gnubg"),
                            ("backgammon", "gnubg:plies=8,cmd=x", "plies"),
                            ("backgammon", f"external:{work}/none", "could not be started"),
                            ("backgammon", "external:localhost:nowhere", "could not be started")):
        done = subprocess.run([program, "best", game, *(["--moves", "roll 31"] if game != "chess" else []), "--player", spec],
                              capture_output=True, text=True, timeout=PATIENCE)
        check(done.returncode == 2 and why in done.stderr and done.stderr.count("\n") == 1, f"{spec}: {done.stderr}")


# ---- The program as an external player ----

class Server:
    def __init__(self, program, address, player):
        self.process = subprocess.Popen([program, "engine", "backgammon", "--protocol", "external", "--player", player, "--listen",
                                         address], stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        line = self.process.stdout.readline()
        check(line.startswith("listening on "), f"the server at {address}: {line}")
        self.address = line.split(" ")[2].strip()

    def connect(self):
        if "/" in self.address:
            sock = socket.socket(socket.AF_UNIX)
            sock.connect(self.address)
        else:
            host, port = self.address.rsplit(":", 1)
            sock = socket.create_connection((host, int(port)), PATIENCE)
        return Lines(sock)

    def end(self, number=signal.SIGTERM):
        check(self.process.poll() is None, "the server runs on")
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        check(status == (-number if number == signal.SIGKILL else 0), f"the server's status: {status}")
        self.process.stdout.close()


def test_socket_file(program, work):
    """The file of the socket is removed at the end, with or without a connection, but no other file in its place."""
    path = work + "/file"
    for number in (signal.SIGTERM, signal.SIGINT):
        for connected in (False, True):
            server = Server(program, path, "equity:0")
            peer = server.connect() if connected else None
            server.end(number)
            check(not os.path.lexists(path), f"the socket is removed after signal {number}")
            if peer:
                peer.sock.close()
    server = Server(program, path, "equity:0")
    os.remove(path)
    with open(path, "w", encoding="ascii") as other:
        other.write("mine")
    server.end()
    check(os.path.exists(path), "another file stays")
    os.remove(path)
    server = Server(program, path, "equity:0")
    os.rename(path, path + "-away")
    other = socket.socket(socket.AF_UNIX)
    other.bind(path)
    server.end()
    check(os.path.exists(path), "another socket stays")
    other.close()


def test_server(program, work):
    for address, last in (("127.0.0.1:0", signal.SIGTERM), (work + "/served", signal.SIGKILL), # which leaves the socket behind
                          (work + "/served", signal.SIGTERM)):
        server = Server(program, address, "equity:0")
        for _ in range(3):
            peer = server.connect()
            # A NUL follows each line of GNU Backgammon.
            for line in (OPENING, OPENING + " jacobyrule on beavers off"):
                peer.send(line.encode() + b"\n\0")
                check(re.fullmatch(r"\d+/\d+ \d+/\d+|24/17|13/6|13/8/6", peer.line()), "a move for the opening roll")
            peer.send(CLOSED.encode() + b"\n\0")
            check(peer.line() == "", "an empty line for a pass")
            unrolled = OPENING.replace(":5:2:5:2:", ":0:0:0:0:")
            for what, line, words in (("a decision before the roll", unrolled, ("roll", "double")),
                                      ("the opponent owns the cube", unrolled.replace(":1:1:1:0:1:-1:", ":2:1:0:0:1:-1:"), ("roll",)),
                                      ("an answer", unrolled.replace(":1:1:1:0:1:-1:", ":1:1:1:1:1:-1:"), ("take", "drop")),
                                      ("a Crawford game", unrolled.replace("one:0:0:0:", "one:5:4:0:")[:-1] + "0", ("roll",))):
                peer.send(line.encode() + b"\n\0")
                answer = peer.line()
                check(answer in words, f"{what}: {answer}")
            for resignation, word in ((1, "reject"), (3, "accept")):
                peer.send(f"{OPENING} resignation {resignation}\n".encode())
                check(peer.line() == word, "the answer to a resignation")
            for bad in ("", "hello", "board:", "board:a:b:1", OPENING + ":1", OPENING + " plies 2", OPENING.replace(":5:0:3", ":9:9:9"),
                        OPENING.replace(":5:2:5:2:", ":5:7:5:7:"), "x" * 100000, "\x01", "y" * (1 << 21)):
                peer.send(bad.encode() + b"\n")
                check(peer.line().startswith("Error: "), f"an error for '{bad[:200]}'")
            values = []
            for line, options in ((OPENING, ""), (OPENING, " cubeful plies 0"), (OPENING.replace("one:0:0:0:", "one:5:0:3:"), " cubeless"),
                                  (WON, " noise 0 jacobyrule off")):
                peer.send(f"evaluation fibsboard {line}{options}\n".encode())
                values.append([float(number) for number in peer.line().split(" ")])
                check(len(values[-1]) == 6 and all(0 <= number <= 1 for number in values[-1][:5]), f"chances: {values[-1]}")
            win, gammon, backgammon, lost, lost_twice, equity = values[0]
            check(abs(2 * win - 1 + gammon + backgammon - lost - lost_twice - equity) < 1e-5, f"cubeless equity: {values[0]}")
            check(0.4 < win < 0.65 and values[2][5] < 0.5, f"a start position, and a match at 0-3: {values}")
            check(values[3][0] > 0.9 and values[3][5] > 0.9, f"a game that is won: {values[3]}")
            for bad in (OPENING + " plies 2", OPENING + " noise 1", "board:", ""):
                peer.send(f"evaluation fibsboard {bad}\n".encode())
                check(peer.line().startswith("Error: "), f"an error for the evaluation of '{bad}'")
            peer.send(b"version\n")
            check([peer.line().split(":")[0] for _ in range(4)] == ["Interface", "RFBF", "Engine", "Software"], "the version")
            peer.send(OPENING.encode() + b"\n" + OPENING.encode() + b"\n") # lines that wait are answered in order
            check(peer.line() == peer.line(), "the same answer twice")
            peer.send(b"exit\n")
            check(peer.line() is None, "`exit` ends the connection")
            peer.sock.close()
            # A peer that goes away in the middle of a line, or of a search.
            for rest in (OPENING.encode()[:50], OPENING.encode() + b"\n"):
                gone = server.connect()
                gone.send(rest)
                gone.sock.close()
        server.end(last)
    for address in (work + "/", "127.0.0.1:port", "/no/such/folder/socket", work + "/" + "x" * 200):
        done = subprocess.run([program, "engine", "backgammon", "--protocol", "external", "--listen", address], capture_output=True,
                              text=True, timeout=PATIENCE)
        check(done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout, f"--listen {address}: {done.stderr}")


def test_both(program, work):
    """The program plays itself through its own socket."""
    server = Server(program, work + "/both", "equity:0")
    peer = play(program, "external:" + server.address, 4)
    check(peer["wins"] == 4 and not peer["crashes"] + peer["timeouts"] + peer["illegal"], f"it beats random: {peer}")
    server.end()


def main():
    if sys.argv[1] == "--gnubg":
        fake_gnubg()
        return
    program, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    for test in (test_specs, test_external_player, test_cube, test_bad_peers, test_started_player, test_server, test_socket_file, test_both):
        test(program, work)
    print("external players: all as expected")


main()

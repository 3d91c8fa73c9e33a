#!/usr/bin/env python3
# engine_races.py - UCI and XBoard with lines that come at the wrong moments: every search is answered, before the input ends, and
# every ping and isready, once and in order.
# SPDX-License-Identifier: MIT
# usage: engine_races.py PROGRAM SECONDS [SEED]
import random
import subprocess
import sys
import threading
import time

PROGRAM, SECONDS = sys.argv[1], float(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PATIENCE = 60
PLACE = "setboard 7k/8/8/8/8/8/8/K5Q1 w - - 0 1"
XBOARD = ["go", "force", "usermove e2e4", "?", "ping", "undo", "remove", "analyze", "exit", ".", "hint", "pause", "resume", "new",
          PLACE, "playother", "result *", "time 50", "draw", "bk", "option UCI_LimitStrength=1", "memory 2", "exclude e2e4"]


class Engine:
    """The program, what it was told, and what it has said so far."""

    def __init__(self, protocol):
        self.process = subprocess.Popen([PROGRAM, "engine", "chess", "--protocol", protocol, "--hash", "1"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1)
        self.told, self.said, self.complaints = [], [], []
        self.readers = [threading.Thread(target=self.read, args=pair) for pair in
                        ((self.process.stdout, self.said), (self.process.stderr, self.complaints))]
        for reader in self.readers:
            reader.start()

    @staticmethod
    def read(stream, lines):
        for line in stream:
            lines.append(line.rstrip("\n"))

    def tell(self, line):
        self.told.append(line)
        self.process.stdin.write(line + "\n")
        if random.random() < 0.4:
            time.sleep(random.random() * 0.008)

    def count(self, word):
        return sum(line.startswith(word) for line in list(self.said))

    def wait(self, word, number):
        until = time.monotonic() + PATIENCE
        while self.count(word) < number and time.monotonic() < until and self.process.poll() is None:
            time.sleep(0.002)

    def end(self, *checks):
        """Ends the input; each check is what should be equal."""
        self.process.stdin.close()
        for reader in self.readers:
            reader.join()
        status = self.process.wait()
        if status or self.complaints or any(a != b for a, b in checks):
            print(f"engine_races: status {status}, {checks}, told:", *self.told, *self.complaints, sep="\n", file=sys.stderr)
            sys.exit(1)


def uci():
    engine, searches, asked = Engine("uci"), 0, 0
    for _ in range(15):
        limit, then = random.choice([("infinite", "stop"), ("ponder wtime 200 btime 200", "stop"), ("ponder movetime 5", "ponderhit"),
                                     ("depth 3", None), ("nodes 500", None), ("movetime 4", None)])
        for line, chance in (("position startpos moves e2e4 e7e5", 0.3), ("isready", 0.2), ("go " + limit, 1), ("isready", 0.3),
                             (then, 1), (f"setoption name Hash value {random.choice([1, 2])}", 0.2), ("ucinewgame", 0.2)):
            if line and random.random() < chance:
                engine.tell(line)
                asked += line == "isready"
        searches += 1
    engine.tell("isready")
    engine.wait("bestmove", searches)
    engine.wait("readyok", asked + 1)
    engine.end((engine.count("bestmove"), searches), (engine.count("readyok"), asked + 1))


def xboard():
    engine, pings = Engine("xboard"), 0
    for line in ("new", "st 0.02", random.choice(["post", "nopost"]), random.choice(["hard", "easy"])):
        engine.tell(line)
    for _ in range(25):
        line = random.choice(XBOARD)
        pings += line == "ping"
        engine.tell(f"ping {pings}" if line == "ping" else line)
    engine.tell(f"ping {pings + 1}")
    engine.wait("pong", pings + 1)
    engine.end(([line for line in engine.said if line.startswith("pong")], [f"pong {n + 1}" for n in range(pings + 1)]))


random.seed(SEED)
end, rounds = time.monotonic() + SECONDS, 0
while time.monotonic() < end:
    uci()
    xboard()
    rounds += 1
print(f"engine_races: {rounds} rounds of UCI and of XBoard, no answer lost")

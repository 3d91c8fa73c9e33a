#!/usr/bin/env python3
"""An engine that plays any game at random without implementing its rules.

It speaks qgp (docs/protocol.md) and requests the list of legal moves. Try:

    quevedo play race --seat "2=qgp:python3 examples/random_engine.py"

SPDX-License-Identifier: MIT
"""
import random
import sys


class Engine:
    def __init__(self):
        self.seed = 1
        self.random = random.Random(self.seed)
        self.legal = []

    # One method per command. It returns the lines of the reply; the last one ends it.

    def qgp(self, version):
        if version != "1":
            return ["error version only version 1 is supported"]
        return ["name Random, in Python", "games *", f"option seed number {self.seed} 0 1000000", "wants moves", "ok"]

    def set(self, rest):
        name, _, value = rest.partition(" ")
        if name != "seed" or not value.isdecimal() or int(value) > 1000000:
            return ["error option the only option is seed, a number from 0 to 1000000"]
        self.seed = int(value)
        self.random.seed(self.seed)
        return ["ok"]

    def newgame(self, game):
        self.random.seed(self.seed)
        self.legal = []
        return ["ok"]

    def position(self, text):
        self.legal = []
        return ["ok"]

    def play(self, moves):
        self.legal = []
        return ["ok"]

    def moves(self, rest):
        self.legal = [move.strip() for move in rest.split(",")]
        return ["ok"]

    def go(self, limits):
        if not self.legal:
            return ["error syntax send the moves first"]
        return ["bestmove " + self.random.choice(self.legal)]

    def stop(self, rest):
        return ["ok"]

    def ping(self, rest):
        return [("pong " + rest).rstrip()]


def main():
    engine = Engine()
    commands = ("qgp", "set", "newgame", "position", "play", "moves", "go", "stop", "ping")
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            break
        if not word or word.startswith("#"):
            continue
        answer = getattr(engine, word)(rest.strip()) if word in commands else ["error unknown no such command"]
        print("\n".join(answer), flush=True)


if __name__ == "__main__":
    main()

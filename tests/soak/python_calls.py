#!/usr/bin/env python3
"""Calls everything in the Python package with random and mostly wrong arguments: it may refuse, never crash.

usage: python_calls.py SECONDS [SEED]      PYTHONPATH and QUEVEDO_LIBRARY say which package and library

SPDX-License-Identifier: MIT
"""
import faulthandler
import random
import sys
import time

import quevedo
import quevedo.env
import quevedo.observe
import quevedo.spiel

# What a call may raise. Attributes that do not exist are Python's own business, as are the errors of callbacks.
EXPECTED = (quevedo.QuevedoError, TypeError, AttributeError, ZeroDivisionError)
VALUES = [
    None, True, -1, 0, 1, 2, 3, 5, 64, 255, 1 << 15, 1 << 31, 1 << 63, 1 << 64, -(1 << 64), 0.0, -0.5, 1e300,
    float("nan"), "", "a", "e2e4", "pass", "roll 6", "1", "\0", "\ud800", "x" * 5000, b"z", [], {}, (), object(),
    "level:1", "random", "alphabeta:depth=2", "mcts:playouts=5", "uci:/no/such", "perfect:nodes=50", "text", "json",
    "own", "proof", "chess", "gomoku:size=9", "start", lambda *_: None, lambda *_: False, lambda *_: 1 // 0,
    quevedo.StopFlag(), quevedo.Random(1), quevedo.Listener(),
]  # fmt: skip
NAMES = [
    "depth", "nodes", "evals", "time", "aim", "only", "stop", "callback", "listener", "history", "lines", "distance",
    "margin", "method", "threads", "hash_mb", "form", "max_nodes", "max_ply", "seed", "games", "pairs", "gauntlet",
    "max_plies", "jobs", "seconds", "random_plies", "seat", "opponent", "actions", "evaluation", "counts", "player",
]  # fmt: skip
# These would take long, or are given what keeps them short.
LEFT_OUT = {"conform", "load_plugin", "library_path", "sample", "audit"}


class Caller:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.games = [quevedo.Game(name) for name in quevedo.games()]

    def position(self) -> quevedo.Position:
        numbers = quevedo.Random(self.random.randrange(1000))
        return self.random.choice(self.games).start().playout(numbers, self.random.randrange(60))

    def value(self) -> object:
        kind = self.random.random()
        if kind < 0.3:
            return self.position()
        return self.random.choice(self.games if kind < 0.4 else VALUES)

    def thing(self) -> object:
        game = self.random.choice(self.games)
        return self.random.choice(
            (
                self.position,
                lambda: game,
                lambda: quevedo.Player(self.random.choice(("random", "level:1", "alphabeta:depth=2")), hash_mb=1),
                lambda: quevedo.Record(game),
                lambda: quevedo.spiel.Game(game).new_initial_state(),
                lambda: quevedo.env.Env(game),
                lambda: quevedo.Actions(game),
                lambda: quevedo,
            )
        )()

    def arguments(self, name: str) -> "tuple[list[object], dict[str, object]]":
        if name == "perft":
            return [self.random.choice((0, 1, 2, -1, None))], {}
        if name == "playout":
            return [self.value()], {"max_plies": self.random.choice((0, 5, 500, -1))}
        if name == "match":
            players = self.random.choice(({"a": "random", "b": "level:1"}, {"a": self.value()}, self.value()))
            return [self.value(), players, self.random.randrange(3)], {"max_plies": 40, "hash_mb": 1}
        values = [self.value() for _ in range(self.random.randrange(4))]
        named = {self.random.choice(NAMES): self.value() for _ in range(self.random.randrange(2))}
        if name in ("think", "choose", "analyse", "solve"):
            named["nodes"] = 300
        named.pop("hash_mb", None)
        return values, named

    def call(self) -> None:
        thing = self.thing()
        names = [name for name in dir(thing) if not name.startswith("_") and name not in LEFT_OUT]
        name = self.random.choice(names)
        values, named = self.arguments(name)
        try:
            member = getattr(thing, name)
            if callable(member):
                member(*values, **named)
        except EXPECTED:
            pass


def main() -> None:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1000000
    faulthandler.enable()
    print(f"python_calls: seed {seed}", flush=True)
    caller, calls, end = Caller(seed), 0, time.monotonic() + seconds
    while time.monotonic() < end:
        faulthandler.dump_traceback_later(120, exit=True)
        caller.call()
        calls += 1
    print(f"python_calls: {calls} calls, none of which crashed")


if __name__ == "__main__":
    main()

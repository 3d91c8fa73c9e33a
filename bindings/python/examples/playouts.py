#!/usr/bin/env python3
"""How many random games Python can play in a second of processor time, in one process.

    python3 playouts.py [--seconds 1] [GAME ...]

steps: Python plays every move, with Python's own random numbers. playout: one call of the library plays
the game. Beside them stands what OpenSpiel's benchmark_game, which is C++, reached in 2020 on a machine
that its authors do not name (https://github.com/google-deepmind/open_spiel/pull/305): the order of
magnitude can be compared, not more.

SPDX-License-Identifier: MIT
"""
import argparse
import random
import time
from typing import Callable, Tuple

import quevedo

OPEN_SPIEL = {"backgammon": 1076, "breakthrough": 4233, "chess": 941, "connect4": 19596}
MAX_PLIES = 10000


def steps(game: quevedo.Game) -> Callable[[], int]:
    """Plays a game move by move and returns its length."""
    rolls = quevedo.Random(1)
    choose = random.Random(1).random

    def play() -> int:
        position = game.start()
        for ply in range(MAX_PLIES):
            count = position.move_count
            if not count:
                return ply
            chance = game.has_chance and position.is_chance
            position = position.roll(rolls) if chance else position.play(int(choose() * count))
        return MAX_PLIES

    return play


def playouts(game: quevedo.Game) -> Callable[[], int]:
    numbers = quevedo.Random(1)
    start = game.start()

    def play() -> int:
        start.playout(numbers, MAX_PLIES)
        return 0

    return play


def measure(play: Callable[[], int], seconds: float) -> Tuple[float, float]:
    """Games a second of processor time, and moves a game."""
    play()
    games = plies = 0
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        plies += play()
        games += 1
    return games / (time.process_time() - begin), plies / games


def main() -> None:
    parser = argparse.ArgumentParser(description="random games a second")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each measurement")
    parser.add_argument("games", nargs="*", default=["noughts", "connect4", "reversi", "backgammon", "chess"])
    options = parser.parse_args()
    print(f"{'game':12} {'moves':>7} {'steps/s':>10} {'playout/s':>10} {'OpenSpiel C++':>14}")
    for name in options.games:
        game = quevedo.Game(name)
        slow, length = measure(steps(game), options.seconds)
        fast, _ = measure(playouts(game), options.seconds)
        published = OPEN_SPIEL.get(game.name, "-")
        print(f"{game.rules:12} {length:7.1f} {slow:10.0f} {fast:10.0f} {published:>14}")


if __name__ == "__main__":
    main()

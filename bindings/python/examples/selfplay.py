#!/usr/bin/env python3
"""Trains a tiny neural network by self-play, in plain Python.

    python3 selfplay.py [GAME] [--games 4200] [--hidden 32] [--seed 1]

The net has one hidden layer. It reads which pieces stand where after a move, as the seat that moved sees
it, and predicts the result for that seat. Each game is played by the net itself, with many random moves.
Every prediction is drawn towards minus that of the opponent's best reply, and the last one towards the
result: temporal differences. It suits small games of two seats without dice: noughts, hexapawn, connect4.

SPDX-License-Identifier: MIT
"""
import argparse
import math
import random
import time
from typing import Dict, List, Tuple

import quevedo
from quevedo import Position
from quevedo.observe import rewards

EXPLORE = 0.5  # how often it plays a random move in training
RATE = 0.1  # of learning, at the beginning


class Net:
    """Inputs are 0 or 1, so the hidden layer is a sum of a few rows of weights."""

    def __init__(self, game: quevedo.Game, hidden: int, numbers: random.Random) -> None:
        self.cells, self.seats = len(game.cells), [piece.seat for piece in game.pieces]
        inputs = self.cells * len(self.seats)
        self.rows = [[numbers.gauss(0, 0.2) for _ in range(hidden)] for _ in range(inputs)]
        self.bias = [0.0] * hidden
        self.out = [numbers.gauss(0, 0.2) for _ in range(hidden)]
        self.known: Dict[Tuple[bytes, int], List[int]] = {}

    def inputs(self, position: Position, seat: int) -> List[int]:
        """The inputs that are 1. Own pieces come first, whichever seat it is."""
        key = (position.state, seat)
        if key not in self.known:
            kinds = sorted(range(len(self.seats)), key=lambda kind: self.seats[kind] != seat)
            place = {kind + 1: number * self.cells for number, kind in enumerate(kinds)}
            board = position.to_array()
            self.known[key] = [place[int(piece)] + cell for cell, piece in enumerate(board) if piece]
        return self.known[key]

    def hidden(self, inputs: List[int]) -> List[float]:
        return [math.tanh(sum(column)) for column in zip(self.bias, *(self.rows[i] for i in inputs))]

    def value(self, inputs: List[int]) -> float:
        return math.tanh(sum(a * b for a, b in zip(self.hidden(inputs), self.out)))

    def learn(self, inputs: List[int], target: float, rate: float) -> None:
        """One step of gradient descent on the squared error."""
        hidden = self.hidden(inputs)
        value = math.tanh(sum(a * b for a, b in zip(hidden, self.out)))
        delta = rate * (target - value) * (1 - value * value)
        back = [delta * weight * (1 - h * h) for weight, h in zip(self.out, hidden)]
        self.out = [weight + delta * h for weight, h in zip(self.out, hidden)]
        self.bias = [b + step for b, step in zip(self.bias, back)]
        for i in inputs:
            self.rows[i] = [weight + step for weight, step in zip(self.rows[i], back)]


def best(net: Net, position: Position) -> Position:
    """The position after the move that the net prefers."""
    after = [position.play(i) for i in range(position.move_count)]
    return max(after, key=lambda p: score(net, p, position.seat))


def score(net: Net, position: Position, seat: int) -> float:
    result = position.result
    return 2 * rewards(position.game, result)[seat] if result else net.value(net.inputs(position, seat))


def train(net: Net, game: quevedo.Game, numbers: random.Random, rate: float) -> None:
    """Plays one game and learns from it."""
    position = game.start()
    line: List[List[int]] = []
    targets: List[float] = []
    while not position.is_over:
        seat = position.seat
        following = best(net, position)
        if line:
            targets.append(-max(-1.0, min(1.0, score(net, following, seat))))
        explores = numbers.random() < EXPLORE
        position = position.play(numbers.randrange(position.move_count)) if explores else following
        line.append(net.inputs(position, seat))
    assert position.result is not None
    targets.append(rewards(game, position.result)[seat])
    for inputs, target in zip(reversed(line), reversed(targets)):
        net.learn(inputs, target, rate)


def check(net: Net, game: quevedo.Game, games: int, numbers: random.Random) -> float:
    """The score against random moves, from 0 to 1, in each seat half of the time."""
    points = 0.0
    for number in range(games):
        position = game.start()
        while not position.is_over:
            if position.seat == number % 2:
                position = best(net, position)
            else:
                position = position.play(numbers.randrange(position.move_count))
        assert position.result is not None
        points += (rewards(game, position.result)[number % 2] + 1) / 2
    return points / games


def main() -> None:
    parser = argparse.ArgumentParser(description="self-play with a tiny net")
    parser.add_argument("game", nargs="?", default="noughts")
    parser.add_argument("--games", type=int, default=4200)
    parser.add_argument("--hidden", type=int, default=32)
    parser.add_argument("--check", type=int, default=200, help="games against random moves, after each sixth")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    game = quevedo.Game(options.game)
    if game.seats != 2 or game.has_chance or not game.cells:
        parser.error(f"{game.name}: the net needs a game of two seats with a board and without dice")
    numbers = random.Random(options.seed)
    net = Net(game, options.hidden, numbers)
    begin = time.perf_counter()
    for part in range(7):
        for _ in range(options.games // 6 if part else 0):
            train(net, game, numbers, RATE * (1 - part / 7))
        value = check(net, game, options.check, numbers)
        seconds = time.perf_counter() - begin
        games = part * (options.games // 6)
        print(f"{games:6} games, {seconds:5.1f} s: {100 * value:5.1f} % against random moves", flush=True)


if __name__ == "__main__":
    main()

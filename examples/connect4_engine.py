#!/usr/bin/env python3
"""A connect-four engine with its own rules and search. It shows what random_engine.py leaves out:
positions, time and depth limits, clocks, reports during the search, and stop.

It speaks qgp (docs/protocol.md). Try:

    quevedo play connect4 --seat "2=qgp:time=2s,cmd=python3 examples/connect4_engine.py"

SPDX-License-Identifier: MIT
"""
import queue
import sys
import threading
import time

COLUMNS, ROWS = 7, 6
ORDER = (3, 2, 4, 1, 5, 0, 6)  # the middle first
WON = 10000


class OutOfTime(Exception):
    pass


class Input:
    """Lines of standard input, read by a thread, so that a stop is seen during a search."""

    def __init__(self):
        self.lines, self.stops_read, self.stops_answered = queue.Queue(), 0, 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in sys.stdin:
            self.stops_read += line.strip() == "stop"
            self.lines.put(line)
        self.stops_read += 1  # the end of input stops a search, too
        self.lines.put(None)

    def has_stop(self):
        return self.stops_read > self.stops_answered


class Refused(Exception):
    """A protocol error: its code and the reason."""


# A bitboard: seven bits per column from the bottom; the top bit of a column stays 0.
def has_four(discs):
    for step in (1, 6, 7, 8):
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class Game:
    """The discs of the side to move and of the opponent, and the heights of the columns."""

    def __init__(self):
        self.mine, self.other, self.heights = 0, 0, [0] * COLUMNS
        self.x_moves = True

    def legal(self):
        if has_four(self.other):
            return []
        return [column for column in ORDER if self.heights[column] < ROWS]

    def play(self, column):
        disc = 1 << (column * 7 + self.heights[column])
        self.heights[column] += 1
        self.mine, self.other = self.other, self.mine | disc
        self.x_moves = not self.x_moves

    def undo(self, column):
        self.heights[column] -= 1
        self.mine, self.other = self.other & ~(1 << (column * 7 + self.heights[column])), self.mine
        self.x_moves = not self.x_moves

    def copy(self):
        twin = Game()
        twin.mine, twin.other, twin.x_moves = self.mine, self.other, self.x_moves
        twin.heights = self.heights[:]
        return twin

    @staticmethod
    def read(text):
        """Six rows from the top, as '......./....', a blank, and the side to move."""
        rows, _, side = text.partition(" ")
        rows = rows.split("/")
        if len(rows) != ROWS or any(len(row) != COLUMNS for row in rows) or side not in ("x", "o"):
            raise Refused("position expected six rows of seven squares and a side")
        game = Game()
        for row in reversed(rows):
            for column, square in enumerate(row):
                if square == ".":
                    continue
                disc = 1 << (column * 7 + game.heights[column])
                game.heights[column] += 1
                if square == side:
                    game.mine |= disc
                else:
                    game.other |= disc
        game.x_moves = side == "x"
        return game


class Search:
    def __init__(self, game, seconds, source):
        self.game, self.nodes, self.until, self.source = game, 0, time.monotonic() + seconds, source

    def value(self, depth, alpha, beta):
        """Plain alpha-beta. A quicker win scores more."""
        self.nodes += 1
        if self.nodes % 256 == 0 and (time.monotonic() > self.until or self.source.has_stop()):
            raise OutOfTime
        if has_four(self.game.other):
            return -WON - depth, []
        moves = self.game.legal()
        if not moves:
            return 0, []
        if depth == 0:
            middle = 0x7F << 3 * 7
            return bin(self.game.mine & middle).count("1") - bin(self.game.other & middle).count("1"), []
        line = []
        for column in moves:
            self.game.play(column)
            value, rest = self.value(depth - 1, -beta, -alpha)
            self.game.undo(column)
            if -value > alpha:
                alpha, line = -value, [column] + rest
            if alpha >= beta:
                break
        return alpha, line


def read_limits(words, seat):
    """Returns depth and seconds. Other limits are ignored."""
    depth, seconds = 42, 1.0
    words = iter(words)
    try:
        for word in words:
            if word == "depth":
                depth = int(next(words))
                seconds = 3600.0 if seconds == 1.0 else seconds
            elif word == "movetime":
                seconds = int(next(words)) / 1000 * 0.9
            elif word == "clock":
                whose, left, added = int(next(words)), int(next(words)), int(next(words))
                if whose == seat:
                    seconds = max(left / 30 + added / 2, 10) / 1000
            elif word in ("nodes", "evals"):
                next(words)
            else:
                raise Refused(f"syntax go: {word}?")
    except (StopIteration, ValueError):
        raise Refused("syntax go: a number is missing") from None
    return depth, seconds


def think(game, words, source):
    best = game.legal()
    if not best:
        raise Refused("over the game has ended")
    most, seconds = read_limits(words, 1 if game.x_moves else 2)
    search = Search(game.copy(), seconds, source)
    for depth in range(1, most + 1):
        try:
            value, line = search.value(depth, -2 * WON, 2 * WON)
        except OutOfTime:
            break
        best = line or best
        moves = ", ".join(str(column + 1) for column in best)
        print(f"info depth {depth} score {value} nodes {search.nodes} pv {moves}", flush=True)
        if abs(value) >= WON or depth >= COLUMNS * ROWS:
            break
    return f"bestmove {best[0] + 1}"


def answer(game, word, rest, source):
    """Returns the game after a command and the lines of the reply."""
    if word == "qgp":
        return game, "name Four, in Python\ngames connect4\nok"
    if word == "newgame":
        if rest.split()[:1] != ["connect4"]:
            raise Refused("game only connect4 is supported")
        return Game(), "ok"
    if word == "position":
        return Game() if rest == "start" else Game.read(rest), "ok"
    if word == "play":
        after = game.copy()  # all of the moves, or none
        for move in rest.split(","):
            if not move.strip().isdecimal() or int(move) - 1 not in after.legal():
                raise Refused(f"illegal {move.strip()}")
            after.play(int(move) - 1)
        return after, "ok"
    if word == "go":
        return game, think(game, rest.split(), source)
    if word == "stop":
        source.stops_answered += 1
        return game, "ok"
    if word == "ping":
        return game, ("pong " + rest).rstrip()
    raise Refused("unknown no such command")


def main():
    game, source = Game(), Input()
    for line in iter(source.lines.get, None):
        word, _, rest = line.strip().partition(" ")
        if word == "quit":
            break
        if not word or word.startswith("#"):
            continue
        try:
            game, text = answer(game, word, rest.strip(), source)
        except Refused as why:
            text = f"error {why}"
        print(text, flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# chess960_stockfish.py - Chess960 against Stockfish: at random positions from random starts, also with other arrays for the
# two sides, every move and the leaves after it are the same. Then short games: neither side plays an illegal move.
# SPDX-License-Identifier: MIT
# usage: tests/soak/chess960_stockfish.py QUEVEDO [GAMES [SEED]]
import os
import random
import shutil
import subprocess
import sys

os.environ["PATH"] += ":/usr/games"
quevedo = sys.argv[1]
games = int(sys.argv[2]) if len(sys.argv) > 2 else 200
chance = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 960)
if not shutil.which("stockfish"):
    print("chess960_stockfish: skipped: stockfish is not installed")
    sys.exit(0)


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.say("uci", "setoption name UCI_Chess960 value true", "isready")
        self.until("readyok")

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))

    def until(self, word):
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if lines[-1].startswith(word):
                return lines
        sys.exit(f"chess960_stockfish: the engine ended before '{word}'")

    def leaves(self, position, depth):
        self.say(position, f"go perft {depth}")
        pairs = (line.split(": ") for line in self.until("Nodes searched") if ": " in line)
        return {move: int(count) for move, count in pairs if move[0] in "abcdefgh"}

    def best(self, position):
        self.say(position, "go depth 4")
        return self.until("bestmove")[-1].split()[1]


def array():
    """Any order of the pieces with the king between the rooks and bishops of both colours."""
    while True:
        pieces = list("RNBQKBNR")
        chance.shuffle(pieces)
        text = "".join(pieces)
        bishops = [i for i, piece in enumerate(text) if piece == "B"]
        if sum(bishops) % 2 and text.index("R") < text.index("K") < text.rindex("R"):
            return text


def start():
    white = array()
    black = white if chance.random() < 0.5 else array()
    rights = "".join("ABCDEFGH"[at] for at in (white.rindex("R"), white.index("R")))
    rights += "".join("abcdefgh"[at] for at in (black.rindex("R"), black.index("R")))
    return f"{black.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {rights} - 0 1"


def main():
    ours, theirs = Engine([quevedo, "engine", "chess", "--protocol", "uci"]), Engine(["stockfish"])
    positions = 0
    for _ in range(games):
        fen, moves = start(), []
        length = chance.randrange(4, 60)
        while len(moves) < length:
            position = f"position fen {fen}" + (" moves " + " ".join(moves) if moves else "")
            deep = 3 if len(moves) == length - 1 else 1
            mine, other = ours.leaves(position, deep), theirs.leaves(position, deep)
            if mine != other:
                sys.exit(f"chess960_stockfish: {position}: {sorted(set(mine.items()) ^ set(other.items()))}")
            positions += 1
            if not mine:
                break
            moves.append(chance.choice(sorted(mine)))
    print(f"chess960_stockfish: {positions} positions from {games} starts agree")
    plies = 0
    for i in range(max(1, games // 20)):
        fen, moves = start(), []
        while len(moves) < 160:
            position = f"position fen {fen}" + (" moves " + " ".join(moves) if moves else "")
            legal = theirs.leaves(position, 1)
            if not legal:
                break
            move = (ours if len(moves) % 2 == i % 2 else theirs).best(position)
            if move not in legal:
                sys.exit(f"chess960_stockfish: {position}: {move} is not legal")
            moves.append(move)
        plies += len(moves)
    print(f"chess960_stockfish: {plies} plies of games against it")


main()

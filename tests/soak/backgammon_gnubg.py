#!/usr/bin/env python3
# backgammon_gnubg.py - the moves of random positions against GNU Backgammon's (package gnubg): the same moves, read from
# its texts, and the same position IDs, which lead back to the position.
# SPDX-License-Identifier: MIT
# usage: backgammon_gnubg.py PROGRAM POSITIONS [SEED]
import os
import random
import re
import shutil
import subprocess
import sys

PROGRAM, POSITIONS = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
os.environ["PATH"] += ":/usr/games"
EVERY = 5        # of the positions of a random game, one in so many is compared
BATCH = 200      # positions for one run of GNU Backgammon


class Rules:
    """The program as a rules server: an engine in qgp."""

    def __init__(self):
        self.engine = subprocess.Popen([PROGRAM, "engine", "backgammon", "--protocol", "qgp"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True, bufsize=1)

    def tell(self, line):
        """Returns the lines before the closing `ok`."""
        self.engine.stdin.write(line + "\n")
        lines = []
        while True:
            answer = self.engine.stdout.readline().rstrip("\n")
            assert answer and not answer.startswith("error"), f"{line}: {answer or 'the program has ended'}"
            if answer == "ok":
                return lines
            lines.append(answer)

    def show(self):
        """The position and its moves."""
        lines = dict((line.split(" ", 1) + [""])[:2] for line in self.tell("show"))
        return lines["position"], lines["moves"].split(", ") if lines["moves"] else []

    def after(self, position, move):
        self.tell("position " + position)
        self.tell("play " + move)
        return self.show()[0]


def position_id(position):
    text = subprocess.run([PROGRAM, "show", "backgammon", position], capture_output=True, text=True).stdout
    return re.search(r"^ID: (.*)$", text, re.M).group(1)


def sample(rules, count):
    """Positions with a roll, and their moves, from random games."""
    samples = []
    rules.tell("position start")
    while len(samples) < count:
        position, moves = rules.show()
        if not moves:
            rules.tell("position start")
            continue
        if position.split(" ")[3] != "-" and random.randrange(EVERY) == 0:
            samples.append((position, moves))
        rules.tell("play " + random.choice(moves))
    return samples


def ask_gnubg(batch):
    """For each pair of ID and dice the ID and the moves as GNU Backgammon writes them; no moves: it lists none."""
    lines = ["set automatic game off", "set automatic roll off", "set automatic move off", "set automatic bearoff off",
             "set player 0 human", "set player 1 human", "set evaluation chequerplay evaluation plies 0",
             "set evaluation cubedecision evaluation plies 0", "new session"]
    for ident, dice in batch:
        lines += ["set turn 1", "set board " + ident, "set turn 1", f"set dice {dice[0]} {dice[1]}", "show board", "hint 4000"]
    asked = "\n".join(lines + ["quit", "y", ""])
    text = subprocess.run(["gnubg", "-t", "-q"], input=asked, capture_output=True, text=True).stdout
    answers = text.split("The dice have been set to ")[1:]
    assert len(answers) == len(batch), "gnubg left out a position"
    return [(re.search(r"Position ID: (\S+)", answer).group(1), re.findall(r"^ *\d+\. Cube\S+ \d-ply +(.*?) +M?Eq", answer, re.M))
            for answer in answers]


def compare(rules, position, moves, ident, answer):
    """Returns how many texts differ, though they mean the same moves."""
    gnubg_ident, gnubg_moves = answer
    assert ident == gnubg_ident, f"{position}: ID {ident}, by gnubg {gnubg_ident}"
    rules.tell("position " + " ".join([ident] + position.split(" ")[2:]))
    assert rules.show()[0] == position, f"{position}: ID {ident} leads to {rules.show()[0]}"
    moves = [] if moves == ["pass"] else moves
    assert len(moves) == len(set(moves)) == len(gnubg_moves), f"{position}: {moves}, by gnubg {gnubg_moves}"
    different = [move for move in gnubg_moves if move not in moves]
    ours = {rules.after(position, move) for move in moves if move not in gnubg_moves}
    theirs = {rules.after(position, move) for move in different}
    assert ours == theirs, f"{position}: {moves}, by gnubg {gnubg_moves}"
    return len(different)


def main():
    if not shutil.which("gnubg"):
        print("gnubg is not installed: nothing was compared")
        return
    random.seed(SEED)
    rules = Rules()
    texts = different = 0
    for at in range(0, POSITIONS, BATCH):
        samples = sample(rules, min(BATCH, POSITIONS - at))
        idents = [position_id(position) for position, _ in samples]
        answers = ask_gnubg([(ident, position.split(" ")[3]) for ident, (position, _) in zip(idents, samples)])
        for (position, moves), ident, answer in zip(samples, idents, answers):
            texts += len(answer[1])
            different += compare(rules, position, moves, ident, answer)
    rules.engine.stdin.close()
    rules.engine.wait()
    print(f"{POSITIONS} positions, {texts} moves: all alike, {different} written differently")


main()

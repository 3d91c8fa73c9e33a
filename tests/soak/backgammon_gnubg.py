#!/usr/bin/env python3
# backgammon_gnubg.py - the moves of random positions against GNU Backgammon's (package gnubg): the same moves, read from
# its texts, and the same position IDs.
# SPDX-License-Identifier: MIT
# usage: backgammon_gnubg.py PROGRAM POSITIONS [SEED]
import os
import random
import re
import subprocess
import sys

PROGRAM, POSITIONS = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
os.environ["PATH"] += ":/usr/games"
EVERY = 5        # of the positions of a random game, one in so many is compared
BATCH = 200      # positions for one run of GNU Backgammon


def parts(text):
    """The position, its moves and its ID, from what `show` or `replay` prints."""
    position = re.findall(r"^(?:position )?(\S+:\d+ \S+:\d+ [-12] \S+)$", text, re.M)[-1]
    moves = re.search(r"^moves (.*)$", text, re.M)
    return position, moves.group(1).split(", ") if moves else [], re.search(r"^ID: (.*)$", text, re.M).group(1)


def replay(*words):
    return subprocess.run([PROGRAM, "replay", "backgammon", *words], capture_output=True, text=True)


def sample(count):
    """Positions with a roll, their moves and IDs, from random games."""
    samples, start = [], parts(subprocess.run([PROGRAM, "show", "backgammon"], capture_output=True, text=True).stdout)
    position, moves, ident = start
    while len(samples) < count:
        dice = position.split(" ")[3]
        if dice != "-" and random.randrange(EVERY) == 0:
            samples.append((position, dice, moves, ident))
        position, moves, ident = parts(replay(position, "--moves", random.choice(moves)).stdout)
        if not moves:
            position, moves, ident = start
    return samples


def ask_gnubg(samples):
    """For each sample the ID and the moves as GNU Backgammon writes them; no moves: it lists none."""
    lines = ["set automatic game off", "set automatic roll off", "set automatic move off", "set automatic bearoff off",
             "set player 0 human", "set player 1 human", "set evaluation chequerplay evaluation plies 0",
             "set evaluation cubedecision evaluation plies 0", "new session"]
    for _, dice, _, ident in samples:
        lines += ["set turn 1", "set board " + ident, "set turn 1", f"set dice {dice[0]} {dice[1]}", "show board", "hint 4000"]
    asked = "\n".join(lines + ["quit", "y", ""])
    text = subprocess.run(["gnubg", "-t", "-q"], input=asked, capture_output=True, text=True).stdout
    answers = text.split("The dice have been set to ")[1:]
    assert len(answers) == len(samples), "gnubg left out a position"
    return [(re.search(r"Position ID: (\S+)", answer).group(1), re.findall(r"^ *\d+\. Cube\S+ \d-ply +(.*?) +M?Eq", answer, re.M))
            for answer in answers]


def compare(sample, answer):
    """Returns how many texts differ, though they mean the same moves."""
    position, _, moves, ident = sample
    gnubg_ident, gnubg_moves = answer
    assert ident == gnubg_ident, f"{position}: ID {ident}, by gnubg {gnubg_ident}"
    moves = [] if moves == ["pass"] else moves
    assert len(moves) == len(gnubg_moves), f"{position}: {moves}, by gnubg {gnubg_moves}"
    different = [move for move in gnubg_moves if move not in moves]
    ours = {replay(position, "--moves", move).stdout for move in moves if move not in gnubg_moves}
    theirs = {replay(position, "--moves", move).stdout for move in different}
    assert ours == theirs, f"{position}: {moves}, by gnubg {gnubg_moves}"
    return len(different)


def main():
    random.seed(SEED)
    samples = sample(POSITIONS)
    texts = different = 0
    for at in range(0, POSITIONS, BATCH):
        batch = samples[at:at + BATCH]
        for one, answer in zip(batch, ask_gnubg(batch)):
            texts += len(answer[1])
            different += compare(one, answer)
    print(f"{POSITIONS} positions, {texts} moves: all alike, {different} written differently")


main()

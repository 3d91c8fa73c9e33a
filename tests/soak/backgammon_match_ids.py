#!/usr/bin/env python3
# backgammon_match_ids.py - position IDs and match IDs of random games with the cube against GNU Backgammon's (package
# gnubg). GNU Backgammon gets each state by its commands, not by an ID, and its IDs must be read back as the same state.
# SPDX-License-Identifier: MIT
# usage: backgammon_match_ids.py PROGRAM STATES [SEED]
import os
import random
import re
import shutil
import subprocess
import sys

PROGRAM, STATES = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
os.environ["PATH"] += ":/usr/games"
EVERY = 4    # of the states of a random game, one in so many is compared
BATCH = 200  # states for one run of GNU Backgammon
RARELY = 8   # a side doubles or drops once in so many times, so that games last and matches have several


def random_spec():
    if random.randrange(3):
        return f"match={random.choice([2, 3, 4, 5, 7, 9, 11, 17, 25, 64])}"
    return f"cube=1,beavers=1,jacoby={random.randrange(2)}"


def show(spec, *words):
    """The position, its moves and its IDs, as `show` and `replay` print them."""
    command = "replay" if "--moves" in words else "show"
    text = subprocess.run([PROGRAM, command, "backgammon:" + spec, *words], capture_output=True, text=True).stdout
    position = re.findall(r"^(?:position )?(\S+:\d+ \S+:\d+ [-12] .*)$", text, re.M)[-1]
    moves = re.search(r"^moves (.*)$", text, re.M)
    return position, moves.group(1).split(", ") if moves else [], re.findall(r"^ID: (.*)$", text, re.M)[-1]


def sample(count):
    """Specs, positions and IDs from random games. GNU Backgammon has no state for the opening roll or after `roll`."""
    samples = []
    while len(samples) < count:
        spec = random_spec()
        position, moves, ident = show(spec)
        while moves and len(samples) < count:
            turn, word = position.split(" ")[2:4]
            if word in ("double", "beaver") or turn != "-" and word not in ("roll", "won") and random.randrange(EVERY) == 0:
                samples.append((spec, position, ident))
            move = random.choice(moves)
            if move in ("double", "drop") and random.randrange(RARELY):
                move = "roll" if move == "double" else "take"
            position, moves, ident = show(spec, position, "--moves", move)
    return samples


def commands(spec, position, ident):
    """What brings GNU Backgammon into the state."""
    words = position.split(" ")
    turn, roll, cube, owner = int(words[2]) - 1, words[3], int(words[5]), words[6]
    if "match" in words:
        length, score = words[8], words[9:11]
        lines = [f"new match {length}", f"set score {score[0]} {score[1]}"]
        if str(int(length) - 1) in score:
            lines.append("set crawford " + ("on" if "crawford" in words else "off"))
    else:
        lines = ["set jacoby " + ("on" if "jacoby=1" in spec else "off"), "new session"]
    if roll == "beaver":
        cube //= 2
        owner = "-" if cube == 1 else str(turn + 1)
    lines += [f"set cube value {cube}", "set cube centre" if owner == "-" else f"set cube owner {int(owner) - 1}",
              f"set turn {turn}", "set board " + ident[:14], f"set turn {turn}"]
    if roll[0].isdigit():
        lines.append(f"set dice {roll[0]} {roll[1]}")
    lines += {"double": ["double"], "beaver": ["double", "redouble"]}.get(roll, [])
    return lines + ["show board"]


def ask_gnubg(samples):
    lines = ["set automatic game off", "set automatic roll off", "set automatic move off", "set automatic bearoff off",
             "set confirm new off", "set player 0 human", "set player 1 human", "set beavers 1"]
    for one in samples:
        lines += commands(*one)
    asked = "\n".join(lines + ["quit", "y", ""])
    text = subprocess.run(["gnubg", "-t", "-q"], input=asked, capture_output=True, text=True).stdout
    answers = re.split(r"A new .* has been started", text)[1:]
    assert len(answers) == len(samples), f"gnubg answered {len(answers)} of {len(samples)}"
    return [re.findall(r"Position ID: (\S+)", a)[-1] + ":" + re.findall(r"Match ID +: (\S+)", a)[-1] for a in answers]


def main():
    if not shutil.which("gnubg"):
        print("gnubg is not installed: nothing was compared")
        return
    random.seed(SEED)
    samples = sample(STATES)
    kinds = {}
    for at in range(0, STATES, BATCH):
        batch = samples[at:at + BATCH]
        for (spec, position, ident), theirs in zip(batch, ask_gnubg(batch)):
            assert ident == theirs, f"{spec}: {position}: {ident}, by gnubg {theirs}"
            again = show(spec, theirs)[0]
            assert again == position, f"{spec}: {position} reads as {again}"
            word = position.split(" ")[3]
            kind = "rolled" if word.isdigit() else "to roll" if word == "-" else word
            kinds[kind] = kinds.get(kind, 0) + 1
    print(f"{STATES} states: all alike;", ", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items())))


main()

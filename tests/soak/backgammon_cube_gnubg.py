#!/usr/bin/env python3
# backgammon_cube_gnubg.py - cube decisions of the player equity:0 against GNU Backgammon's at 0 plies (package gnubg), in
# positions of its own games, for money and in a match: how often they agree, and what ours cost by gnubg's equities.
# SPDX-License-Identifier: MIT
# usage: backgammon_cube_gnubg.py PROGRAM POSITIONS [SEED]
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, POSITIONS = sys.argv[1], int(sys.argv[2])
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
LENGTH = 5       # of the match
MEAN_LOSS = 0.02 # that is accepted, in points or normalised to a game of the match
os.environ["PATH"] += ":/usr/games"


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout


def sample(game):
    """Positions before a roll with the cube at 1 in the middle, of one game each, and the IDs of their men."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        journal = os.path.join(folder, "journal")
        run("match", game, "--player", "a=equity:0,noise=30", "--player", "b=equity:0,noise=30",
            "--games", str(POSITIONS), "--seed", str(SEED), "--journal", journal)
        games = {}
        for line in open(journal, encoding="utf-8"):
            event = json.loads(line)
            if "move" in event:
                games.setdefault(event["number"], []).append((event["seat"], event["move"]))
    for moves in games.values():
        places = [i for i, (seat, move) in enumerate(moves) if seat and move in ("roll", "double")]
        if not places:
            continue
        made = ", ".join(move for _, move in moves[:random.choice(places)])
        shown = json.loads(run("show", game, "--moves", made, "--json"))
        if " cube 1 - " in shown["position"] + " ":
            found.append((shown["position"], re.search(r"^ID: (\S{14})", shown["text"], re.M).group(1)))
    return found


def ours(game, position):
    explained = json.loads(run("analyse", game, position, "--player", "equity:0", "--explain", "--json").split("\n")[0])
    return explained["explanation"]["candidates"][0]["move"]


def take(game, position):
    words = position.split(" ")
    words[3] = "double"
    return json.loads(run("best", game, " ".join(words), "--player", "equity:0", "--json"))["move"]


def theirs(samples):
    """The equities of no double, double and take, double and drop."""
    lines = ["set automatic roll off", "set automatic game off", "set player 0 human", "set player 1 human",
             "set evaluation cubedecision evaluation plies 0", "set jacoby off"]
    for position, ident in samples:
        words, score = position.split(" "), re.search(r" match \d+ (\d+) (\d+)( crawford)?", position)
        if score:
            lines += [f"new match {LENGTH}", f"set score {score.group(1)} {score.group(2)}"]
            if LENGTH - 1 in map(int, score.group(1, 2)):
                lines.append("set crawford on" if score.group(3) else "set crawford off")
        else:
            lines.append("new session")
        lines += [f"set turn {int(words[2]) - 1}", f"set board {ident}", f"set turn {int(words[2]) - 1}", "hint"]
    text = subprocess.run(["gnubg", "-t", "-q"], input="\n".join(lines + ["quit", "y", ""]), capture_output=True,
                          text=True).stdout
    answers = []
    for part in text.split("Cube analysis")[1:]:
        answers.append([float(re.search(rf"{name} +([-+][.0-9]+)", part).group(1))
                        for name in ("No (?:re)?double", "(?:Red|D)ouble, take", "(?:Red|D)ouble, pass")])
    assert len(answers) == len(samples), f"gnubg gave {len(answers)} answers for {len(samples)} positions"
    return answers


def main():
    if not shutil.which("gnubg"):
        print("gnubg is not installed: nothing was compared")
        return 0
    random.seed(SEED)
    failed = False
    for game in ("backgammon:cube=1", f"backgammon:match={LENGTH}"):
        samples = sample(game)
        doubles, takes, lost = 0, 0, 0.0
        for (position, _), (keep, taken, dropped) in zip(samples, theirs(samples)):
            offered = min(taken, dropped)
            doubled, answer = ours(game, position) == "double", take(game, position)
            doubles += doubled == (offered > keep)
            takes += (answer == "take") == (taken <= dropped)
            lost += max(keep, offered) - (offered if doubled else keep)
            lost += max(0, taken - dropped) if answer == "take" else max(0, dropped - taken)
        mean = lost / len(samples)
        print(f"{game}: {len(samples)} positions, the same double in {doubles}, the same answer in {takes}, mean loss {mean:.4f}")
        failed |= mean > MEAN_LOSS
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

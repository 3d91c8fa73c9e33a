#!/usr/bin/env python3
# backgammon_rollouts.py - roll-outs of random positions against GNU Backgammon's (package gnubg): cubeless, 0-ply, to the end,
# with variance reduction. Each program plays by its own static evaluation, so equities differ by more than their errors: ours
# loses 0.03 points a game to gnubg's. At most one of ten may be further apart than the errors and that.
# SPDX-License-Identifier: MIT
# usage: backgammon_rollouts.py PROGRAM POSITIONS GAMES [SEED]
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, POSITIONS, GAMES = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
os.environ["PATH"] += ":/usr/games"
INTERVAL = 1.96  # our error is half a 95 % interval
PLAY = 0.03      # points: how much the evaluations may change a game
MOST = 0.15      # points: likewise, in the worst position


def sample(count):
    """Positions before a roll, with their IDs, from games of a good player against itself."""
    games, moves = [], []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "games.rec")
        subprocess.run([PROGRAM, "match", "backgammon", "--player", "A=equity:0", "--player", "B=equity:0", "--games", str(2 * count),
                        "--seed", str(SEED), "--out", path], stdout=subprocess.DEVNULL, check=True)
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
    for line in lines:
        if line.startswith('{"quevedo"'):
            games.append(moves := [])
        elif line.startswith('{"move"'):
            moves.append(json.loads(line)["move"])
    found = {}  # by ID, since games of a pair can be the same
    chosen = random.sample(games, count)
    while len(found) < count:
        moves = chosen.pop(0) if chosen else random.choice(games)
        ply = 2 * random.randrange(1, len(moves) // 2 - 4)
        shown = subprocess.run([PROGRAM, "show", "backgammon", "--moves", ", ".join(moves[:ply])], capture_output=True, text=True,
                               check=True).stdout
        found[re.search(r"^ID: (\S{14})", shown, re.M).group(1)] = re.search(r"^position (.*)$", shown, re.M).group(1)
    return [(position, ident) for ident, position in found.items()]


def ours(position):
    command = [PROGRAM, "rollout", "backgammon", position, "--games", str(GAMES), "--seed", str(SEED), "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["moves"][0]
    return answer["equity"], answer["error"] / INTERVAL


def theirs(ident):
    commands = ["set automatic game off", "set automatic roll off", "set player 0 human", "set player 1 human",
                f"set rollout trials {GAMES}", "set rollout cubeful off", "set rollout varredn on", "set rollout chequerplay plies 0",
                "set rollout chequerplay cubeful off", "set rollout quasirandom on", "set rollout truncation enable off",
                "set rollout initial off", f"set rollout seed {SEED}", "set rollout bearofftruncation exact off",
                "set rollout bearofftruncation onesided off", "set jacoby off", "new session", "set turn 1",
                f"set board {ident}", "set turn 1", "rollout", "quit", "y"]
    # GNU Backgammon prints the result to a terminal only.
    text = subprocess.run(["script", "-qec", "gnubg -t -q", "/dev/null"], input="\n".join(commands) + "\n", capture_output=True,
                          text=True).stdout
    found = re.findall(r"CL +([+-][\d.]+)\s+\[.*CL +([\d.]+)\]", text)
    assert found, f"{ident}: no result from gnubg"
    return float(found[-1][0]), float(found[-1][1])


def main():
    if not shutil.which("gnubg"):
        print("gnubg is not installed: nothing was compared")
        return
    random.seed(SEED)
    outside = far = 0
    for position, ident in sample(POSITIONS):
        (mine, my_error), (other, other_error) = ours(position), theirs(ident)
        apart, error = abs(mine - other), max(0.0005, (my_error ** 2 + other_error ** 2) ** 0.5)
        outside += apart > INTERVAL * error
        far += apart > INTERVAL * error + PLAY
        print(f"{ident}: {mine:+.4f} +- {my_error:.4f}, gnubg {other:+.3f} +- {other_error:.3f}: {apart / error:.1f} errors apart",
              flush=True)
        assert apart < INTERVAL * error + MOST, "too far apart"
    print(f"{POSITIONS} positions: {outside} outside the 95 % interval, {far} by more than {PLAY} points")
    assert far <= max(1, POSITIONS // 10)


main()

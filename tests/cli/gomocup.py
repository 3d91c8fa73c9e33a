#!/usr/bin/env python3
# gomocup.py - a referee after the published protocol of Gomocup (Piskvork's protocl2en.htm), which plays whole games of two
# processes and checks every answer; and brains of other kinds as opponents in a match.
# SPDX-License-Identifier: MIT
# usage: gomocup.py BUILD_DIR WORK_FOLDER
#        gomocup.py --brain KIND: a brain that plays the first free point, and misbehaves as its kind says
import json
import os
import queue
import random
import re
import subprocess
import sys
import threading

PATIENCE = 60 # seconds for anything
FREESTYLE, EXACT, RENJU = 0, 1, 4
RULE_NAMES = {FREESTYLE: "freestyle", EXACT: "exact", RENJU: "renju"}
POINT = r"\d+,\d+"


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


# ---- A brain that misbehaves ----

def be_brain(kind):
    """Old brains know no ABOUT. It knows the board by what it is sent, and counts the games."""
    taken, size, games = set(), 0, 0
    reading = False

    def say(text):
        print(text, flush=True)

    def move():
        if kind == "crash" and len(taken) > 6:
            sys.exit(3)
        point = next((x, y) for y in range(size) for x in range(size) if (x, y) not in taken)
        if kind == "illegal" and len(taken) > 6:
            point = next(iter(taken))
        if kind == "outside" and len(taken) > 6:
            point = (size, 0)
        if kind == "error" and len(taken) > 6:
            say("ERROR I cannot play here")
            return
        taken.add(point)
        say("MESSAGE about to move\nDEBUG 3,3 was no good\n\nmumble")
        say(f"{'SUGGEST ' if kind == 'suggest' else ''}{point[0]},{point[1]}")

    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        numbers = [int(n) for n in re.findall(r"\d+", rest)]
        if word == "START":
            size, games, taken = numbers[0], games + 1, set()
            say("ERROR not that size" if kind == "small" else "OK")
        elif word == "BEGIN":
            move()
        elif word == "TURN":
            taken.add(tuple(numbers))
            move()
        elif word == "PLAY":
            say(f"{numbers[0]},{numbers[1]}")
        elif word == "BOARD":
            reading = True
        elif word == "DONE":
            reading = False
            move()
        elif reading:
            taken.add(tuple(int(n) for n in word.split(","))[:2])
        elif word == "END":
            return
        elif word != "INFO":
            say("UNKNOWN command" if kind != "silent" else "")


# ---- The referee ----

class Brain:
    """A process that is sent lines as a manager of Gomocup sends them."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.remarks = 0

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, *lines):
        for line in lines:
            self.process.stdin.write(line.encode() + b"\r\n")
        self.process.stdin.flush()

    def answer(self):
        """The next line that is an answer. MESSAGE and DEBUG may stand before it."""
        while True:
            try:
                line = self.lines.get(timeout=PATIENCE)
            except queue.Empty:
                sys.exit("FAILED: no answer")
            check(line is not None, "the brain has ended")
            line = line.decode("ascii")
            check(line.endswith("\n") and "\r" not in line, f"the line '{line}'")
            line = line[:-1]
            if not re.match("(MESSAGE|DEBUG) ", line):
                return line
            self.remarks += 1

    def ask(self, *lines):
        self.send(*lines)
        return self.answer()

    def expect(self, pattern, *lines):
        answer = self.ask(*lines)
        check(re.fullmatch(pattern, answer), f"{lines[-1]}: expected {pattern}, got '{answer}'")
        return answer

    def refuses(self, *lines):
        self.expect("ERROR .+", *lines)

    def end(self, last="END"):
        """After END there is no output, and the process ends. So it does at the end of its input."""
        if last:
            self.send(last)
        self.process.stdin.close()
        check(self.process.wait(PATIENCE) == 0, "the status at the end")
        line = self.lines.get(timeout=PATIENCE)
        check(line is None or not last, f"'{line}' after END")


def points_of(answer):
    return [tuple(int(n) for n in point.split(",")) for point in answer.split()]


class Game:
    """The board of the referee, which knows when somebody has won."""

    def __init__(self, size, rule):
        self.size, self.rule, self.moves = size, rule, []

    def row(self, x, y, dx, dy, colour):
        stones, n = {move: i % 2 for i, move in enumerate(self.moves)}, 0
        while stones.get((x, y)) == colour:
            x, y, n = x + dx, y + dy, n + 1
        return n

    def play(self, point):
        """Plays the next stone. Returns its colour if it has won, 2 for a draw, or None."""
        x, y = point
        check(0 <= x < self.size and 0 <= y < self.size, f"{point} is not on the board")
        check(point not in self.moves, f"{point} is occupied")
        colour = len(self.moves) % 2
        self.moves.append(point)
        strict = self.rule == EXACT or (self.rule == RENJU and colour == 0)
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            n = self.row(x, y, dx, dy, colour) + self.row(x, y, -dx, -dy, colour) - 1
            if n == 5 or (n > 5 and not strict):
                return colour
        return 2 if len(self.moves) == self.size ** 2 else None

    def text(self):
        return " ".join(f"{chr(97 + x)}{self.size - y}" for x, y in self.moves)

    def board(self, own):
        """The lines of BOARD, for the player of a colour, in playing order."""
        return ["BOARD"] + [f"{x},{y},{1 if i % 2 == own else 2}" for i, (x, y) in enumerate(self.moves)] + ["DONE"]


def judge(program, game, winner):
    """The program's own rules, renju's forbidden points with them, agree with the referee about the whole game."""
    spec = f"gomoku:size={game.size},rule={RULE_NAMES[game.rule]}"
    shown = subprocess.run([program, "show", spec, game.text(), "--json"], capture_output=True, text=True, check=False)
    check(shown.returncode == 0, f"{spec}: an illegal move in {game.text()}: {shown.stderr}")
    scores = json.loads(shown.stdout)["scores"]
    check(scores == [[1, 0], [0, 1], [0, 0]][winner], f"{spec}: {scores} for {game.text()}, winner {winner}")


def limits(brain, rule, turn):
    brain.send(f"INFO timeout_turn {turn}", "INFO timeout_match 100000", "INFO max_memory 83886080", "INFO game_type 1",
               f"INFO rule {rule}", "INFO folder /nowhere", "INFO evaluate 1,1", "INFO weather fine")


def play_on(brains, game, winner=None, opened=0):
    """Plays to the end. After an opening both brains first get BOARD, as in tournaments; else the first one gets BEGIN."""
    knows = [False, False]
    while winner is None:
        mover = len(game.moves) % 2
        brain = brains[mover]
        brain.send("INFO time_left 100000")
        if game.moves and (opened and not knows[mover]):
            lines = game.board(mover)
        elif game.moves:
            lines = ["TURN %d,%d" % game.moves[-1]]
        else:
            lines = ["BEGIN"]
        knows[mover] = True
        winner = game.play(points_of(brain.expect(POINT, *lines))[0])
    return winner


def play_games(program, brains):
    """Whole games of both sizes and all rules. The processes stay, and swap sides."""
    games = 0
    for size in (15, 20):
        for rule in (FREESTYLE, EXACT, RENJU):
            for pair in (brains, brains[::-1]):
                for i, brain in enumerate(pair):
                    # The limits come before START or after it.
                    if i == 0:
                        limits(brain, rule, 0)
                    brain.expect("OK", f"START {size}" if games % 3 else f"RECTSTART {size},{size}")
                    if i == 1:
                        limits(brain, rule, 0)
                game = Game(size, rule)
                judge(program, game, play_on(pair, game))
                games += 1
    return games


def play_openings(program, brains):
    """An opening as in tournaments: both get BOARD. Another game continues after a move was taken back."""
    rng = random.Random(7)
    for rule in (FREESTYLE, EXACT, RENJU):
        game = Game(15, rule)
        while len(game.moves) < 5:
            point = (rng.randrange(15), rng.randrange(15))
            if point not in game.moves:
                game.play(point)
        for brain in brains:
            brain.expect("OK", "RESTART" if rule else "START 15", f"INFO rule {rule}")
        judge(program, game, play_on(brains, game, opened=True))
    for brain in brains:
        brain.expect("OK", "START 15", "INFO rule 0")
    first = brains[0].expect(POINT, "BEGIN")
    brains[0].expect(POINT, "TURN 0,0")
    brains[0].refuses("TAKEBACK 1,0")
    brains[0].refuses("BEGIN")
    brains[0].expect("OK", f"TAKEBACK {brains[0].expect(POINT, 'TURN 0,1')}")
    brains[0].expect("OK", "TAKEBACK 0,1")
    brains[0].expect("OK", "START 15")
    brains[0].expect(first, f"PLAY {first}")
    brains[0].expect("OK", f"TAKEBACK {first}")
    game = Game(15, FREESTYLE)
    judge(program, game, play_on(brains, game))


def play_swap2(program, brains):
    """The opening swap2, by each brain in turn, and then a game from there."""
    for rule in (FREESTYLE, EXACT, RENJU):
        for size in (15, 20):
            for brain in brains:
                brain.expect("OK", f"START {size}", f"INFO rule {rule}")
            game = Game(size, rule)
            for point in points_of(brains[0].expect(f"{POINT} {POINT} {POINT}", "SWAP2BOARD", "DONE")):
                game.play(point)
            stones = ["%d,%d" % point for point in game.moves]
            # The second brain takes Black, or plays on with White, or places two more stones.
            answer = brains[1].expect(f"SWAP|{POINT}|{POINT} {POINT}", "SWAP2BOARD", *stones, "DONE")
            black = 1 if answer == "SWAP" else 0
            if answer != "SWAP":
                for point in points_of(answer):
                    game.play(point)
            if len(game.moves) == 5:
                stones = ["%d,%d" % point for point in game.moves]
                answer = brains[0].expect(f"SWAP|{POINT}", "SWAP2BOARD", *stones, "DONE")
                black = 0 if answer == "SWAP" else 1
                if answer != "SWAP":
                    game.play(points_of(answer)[0])
            sides = [brains[black], brains[1 - black]]
            judge(program, game, play_on(sides, game, opened=True))
    # Five stones, which somebody else has placed: one side is clearly better.
    brains[0].expect("OK", "START 15", "INFO rule 0")
    brains[0].expect("SWAP", "SWAP2BOARD", "7,7", "0,0", "8,8", "14,0", "7,9", "DONE")
    brains[0].expect(POINT, "SWAP2BOARD", "0,0", "7,7", "14,14", "7,8", "0,14", "DONE")
    for wrong in (["1,1"], ["1,1", "2,2"], ["1,1", "1,1", "2,2"], ["1,1,1,1", "2,2", "3,3"], ["1,1", "2,2", "99,3"]):
        brains[0].refuses("SWAP2BOARD", *wrong, "DONE")


def check_orders(brain):
    """Commands in the wrong order, and what cannot be read: one answer each, and the brain goes on."""
    for line in ("BEGIN", "TURN 1,1", "PLAY 1,1", "TAKEBACK 1,1", "RESTART", "DONE"):
        brain.refuses(line)
    brain.refuses("BOARD", "1,1,2", "DONE")
    brain.refuses("SWAP2BOARD", "DONE")
    for line in ("START", "START x", "START 1000", "START -5", "RECTSTART 20,15", "RECTSTART 20"):
        brain.refuses(line)
    brain.expect("name=\"Quevedo\", version=\"[0-9.]+\", author=\".+\"", "ABOUT")
    brain.expect("OK", "START 15", "INFO timeout_turn 0")
    for line in ("FOO", "YXBOARD", "1,1", "OK"):
        brain.expect("UNKNOWN .+", line)
    for line in ("TURN", "TURN 15,0", "TURN 0,-1", "TURN a,b", "TURN 1 1", "PLAY", "TAKEBACK 4,4", "DONE"):
        brain.refuses(line)
    brain.refuses("BOARD", "1,1,1", "1,1,2", "DONE")
    brain.refuses("BOARD", "1,1,1", "2,2,1", "DONE")
    brain.refuses("BOARD", "1,1,3", "DONE")
    brain.refuses("BOARD", "0,0,2", "1,0,2", "2,0,2", "3,0,2", "4,0,2", "0,5,1", "2,5,1", "4,5,1", "6,5,1", "DONE")
    brain.refuses("BOARD", "1,1,2", "ABOUT")
    brain.expect("name=.+", "")
    # What INFO asks for and cannot be had is reported with the next move, as often as one is wanted.
    for wrong, right in (("rule 2", "rule 0"), ("rule 8", "rule 4"), ("max_memory 1024", "max_memory 0")):
        brain.expect("OK", "RESTART")
        brain.refuses(f"INFO {wrong}", "BEGIN")
        brain.refuses("TURN 3,3")
        brain.expect(POINT, f"INFO {right}", "BEGIN")
    brain.expect("OK", "INFO rule 0", "RESTART")
    brain.expect(f"SUGGEST {POINT}", "INFO suggest 1", "BEGIN")
    brain.expect("4,4", "PLAY 4,4")
    brain.refuses("PLAY 4,4")
    brain.expect(f"SUGGEST {POINT}", "TURN 5,5")
    brain.expect("OK", "INFO suggest 0", "RESTART")
    # Bytes that are no text.
    brain.process.stdin.write(random.Random(3).randbytes(2000).replace(b"\n", b"") + b"\n" + b"x" * 2000000 + b"\nABOUT\n")
    brain.process.stdin.flush()
    while not (answer := brain.answer()).startswith("name="):
        check(re.match("(ERROR|UNKNOWN) ", answer), f"noise: {answer}")


def check_ends(command):
    """END ends a search, without its answer; the end of the input ends it with one."""
    brain = Brain(command)
    brain.expect("OK", "START 20", "INFO timeout_turn 600000")
    brain.send("BEGIN")
    brain.process.stdin.write(b"END\r\n")
    brain.process.stdin.close()
    check(brain.process.wait(PATIENCE) == 0, "the status after END during a search")
    lines = list(iter(brain.lines.get, None))
    check(all(re.match(b"(MESSAGE|DEBUG) ", line) for line in lines), f"after END: {lines}")
    brain = Brain(command)
    brain.expect("OK", "START 20", "INFO timeout_turn 600000")
    brain.send("BEGIN")
    brain.process.stdin.close()
    points_of(brain.answer())
    check(brain.process.wait(PATIENCE) == 0, "the status at the end of the input")
    # A new game ends a search, too.
    brain = Brain(command)
    brain.expect("OK", "START 20", "INFO timeout_turn 600000")
    brain.send("BEGIN", "RESTART", "INFO timeout_turn 0", "BEGIN")
    for pattern in (POINT, "OK", POINT):
        check(re.fullmatch(pattern, brain.answer()), "a new game during a search")
    check(brain.remarks > 0, "no MESSAGE and no DEBUG")
    brain.end()


# ---- Brains as players of a match ----

def match(program, rules, first, second, *options):
    return subprocess.run([program, "match", f"gomoku:{rules}", "--player", f"a={first}", "--player", f"b={second}", "--json",
                           *options], capture_output=True, text=True, timeout=10 * PATIENCE, check=False)


def check_matches(program, us, work):
    scripted = f"gomocup:time=60s,cmd={sys.executable} {os.path.abspath(__file__)} --brain"
    quick = "threats:depth=1,tt=1"
    ours = f"gomocup:option.suggest=1,time=60s,cmd={us} --player {quick}"
    for rules in ("size=15", "size=9,rule=exact", "size=20,rule=renju"):
        done = match(program, rules, ours, quick, "--games", "2")
        check(done.returncode == 0 and json.loads(done.stdout)["ends"]["rules"] == 2, f"{rules}: {done.stdout} {done.stderr}")
    for kind in ("good", "suggest"):
        log = f"{work}/{kind}.log"
        done = match(program, "size=15", f"{scripted} {kind}", quick, "--games", "2", "--engine-log", log)
        check(done.returncode == 0 and json.loads(done.stdout)["ends"]["rules"] == 2, f"{kind}: {done.stdout} {done.stderr}")
        with open(log, encoding="utf-8") as file:
            text = file.read()
        check("START 15" in text and "BEGIN" in text and "TURN " in text, f"{kind}: the dialogue {text}")
        check(("PLAY " in text) == (kind == "suggest"), f"{kind}: PLAY")
    # An opening that is no empty board comes as BOARD.
    done = match(program, "size=15", f"{scripted} good", quick, "--games", "2", "--random-plies", "4", "--engine-log",
                 f"{work}/board.log")
    with open(f"{work}/board.log", encoding="utf-8") as file:
        check(done.returncode == 0 and "BOARD" in file.read(), f"random openings: {done.stderr}")
    for kind, words in (("illegal", "illegal move"), ("outside", "illegal move 15,0"), ("crash", "it ended: exit status 3"),
                        ("error", "ERROR I cannot play here")):
        done = match(program, "size=15", f"{scripted} {kind}", quick, "--games", "1", "--engine-log", f"{work}/fault.log")
        with open(f"{work}/fault.log", encoding="utf-8") as file:
            check(words in file.read() or words in done.stdout + done.stderr, f"{kind}: {done.stdout} {done.stderr}")
    for game, player, words in (("gomoku", f"{scripted} small", "ERROR not that size"),
                                ("gomoku:opening=swap2", f"{scripted} good", "not available with opening=swap2"),
                                ("reversi", f"{scripted} good", "only gomoku fits it"),
                                ("gomoku", f"gomocup:depth=3,cmd={us}", "it has no limit of depth"),
                                ("gomoku", f"gomocup:nodes=3,cmd={us}", "a limit of nodes")):
        done = subprocess.run([program, "best", game, "--player", player], capture_output=True, text=True, check=False)
        check(done.returncode == 2 and not done.stdout and words in done.stderr, f"{player}: {done.stdout} {done.stderr}")


def main(build, work):
    program = os.path.join(build, "quevedo")
    command = [program, "engine", "gomoku", "--protocol", "gomocup", "--hash", "1"]
    brains = [Brain(command + ["--seed", "2"]), Brain(command + ["--player", "threats:depth=2,random=1,tt=1"])]
    games = play_games(program, brains)
    play_openings(program, brains)
    play_swap2(program, brains)
    brains[0].end()
    brains[1].end(None)
    orders = Brain(command)
    check_orders(orders)
    orders.end()
    check_ends(command)
    # Without --protocol the first line chooses it; a program of the name pbrain-... needs no arguments at all.
    link = os.path.join(work, "pbrain-test")
    os.symlink(os.path.abspath(program), link)
    for first in (command[:3], [link]):
        brain = Brain(first)
        brain.expect("OK", "START 20")
        brain.expect(POINT, "INFO timeout_turn 0", "BEGIN")
        brain.end()
    check_matches(program, link, work)
    print(f"gomocup: {games} games and more, no complaint")


if sys.argv[1] == "--brain":
    be_brain(sys.argv[2])
else:
    main(sys.argv[1], sys.argv[2])

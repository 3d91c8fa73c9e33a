#!/usr/bin/env python3
# simulation.py - runs simulated worlds, one program per processor, until there are enough hours, events and faults.
# SPDX-License-Identifier: MIT
# usage: simulation.py [--events N] [--hours H] [--faults N] [--jobs N] [--steps N] [--first SEED] [--journal FILE]
#                      [--result FILE] [--minutes M] SIMULATE
#   --journal FILE  one line of JSON per world. Worlds that it has are not run again, so an interrupted run continues where it
#                   was; those of another program do not count.
#   --result FILE   the figures as a page, in Markdown
#   --minutes M     start no world after so many minutes; the next run continues (default: no limit)
# Every world is one seed and takes seconds. One in twenty is run twice: both runs must have the same log. A violation is run
# again, too, and ends the run with the command that repeats it and status 1. Status 3: the time was over.
import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import threading
import time

TWICE = 20
KINDS = {
	"lost": "sectors lost by a power cut", "torn": "sectors torn by a power cut",
	"reordered": "sectors kept, though earlier ones were lost", "power_cuts": "power cuts", "kills": "processes killed",
	"connections": "connections cut", "clock_jumps": "jumps of the system's clock", "full": "writes on a full disk",
	"open": "failed: open", "read": "failed: read", "write": "failed: write", "sync": "failed: sync",
	"truncate": "failed: truncate", "delete": "failed: delete",
}


def parse():
	parser = argparse.ArgumentParser(prog="simulation.py")
	parser.add_argument("--events", type=int, default=20_000_000)
	parser.add_argument("--hours", type=float, default=10_000)
	parser.add_argument("--faults", type=int, default=100_000)
	parser.add_argument("--jobs", type=int, default=os.cpu_count())
	parser.add_argument("--steps", type=int, default=5_000)
	parser.add_argument("--first", type=int, default=1)
	parser.add_argument("--journal", default="simulation.jsonl")
	parser.add_argument("--result")
	parser.add_argument("--minutes", type=float)
	parser.add_argument("simulate")
	return parser.parse_args()


class Run:
	def __init__(self, options):
		self.options = options
		self.simulate = os.path.abspath(options.simulate)
		with open(self.simulate, "rb") as f:
			self.program = hashlib.sha256(f.read()).hexdigest()[:16]
		self.lock = threading.Lock()
		self.worlds, self.done = [], set()
		self.next = options.first
		self.trouble = None
		self.began = time.monotonic()
		self.read_journal()

	# A line that was cut off when the run was interrupted is no world.
	def read_journal(self):
		if not os.path.exists(self.options.journal):
			return
		with open(self.options.journal, encoding="utf-8") as f:
			text = f.read()
		for line in text.splitlines():
			try:
				world = json.loads(line)
			except ValueError:
				continue
			if world.get("program") == self.program and world["steps"] == self.options.steps and not world["violation"]:
				self.take(world)
		if text and not text.endswith("\n"):
			with open(self.options.journal, "a", encoding="utf-8") as f:
				f.write("\n")

	def take(self, world):
		if world["seed"] not in self.done:
			self.done.add(world["seed"])
			self.worlds.append(world)

	def sum(self, key):
		return sum(w[key] for w in self.worlds)

	def enough(self):
		o = self.options
		return self.sum("events") >= o.events and self.sum("hours") >= o.hours and self.sum("faults") >= o.faults

	def out_of_time(self):
		return self.options.minutes is not None and time.monotonic() - self.began > 60 * self.options.minutes

	def command(self, seed):
		return [self.simulate, "--seed", str(seed), "--steps", str(self.options.steps), "--events", "0"]

	def simulate_once(self, seed, folder):
		command = [*self.command(seed), "--json"]
		done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
		try:
			world = json.loads(done.stdout)
		except ValueError:
			world = {"seed": seed, "steps": self.options.steps, "log": None,
				"violation": f"the program ended with status {done.returncode}: {done.stderr.strip()[-300:]}"}
		return world

	def world(self, seed, folder):
		world = self.simulate_once(seed, folder)
		world["program"] = self.program
		if world["violation"] or seed % TWICE == 0:
			again = self.simulate_once(seed, folder)
			world["again"] = again["log"]
			if again["log"] != world["log"] and not world["violation"]:
				world["violation"] = f"the second run has another log: {again['log']}, not {world['log']}"
		return world

	def write_down(self, world):
		with self.lock:
			with open(self.options.journal, "a", encoding="utf-8") as f:
				f.write(json.dumps(world) + "\n")
			if world["violation"]:
				self.trouble = self.trouble or world
			else:
				self.take(world)

	def take_seed(self):
		with self.lock:
			if self.trouble or self.enough() or self.out_of_time():
				return None
			while self.next in self.done:
				self.next += 1
			self.next += 1
			return self.next - 1

	def work(self):
		with tempfile.TemporaryDirectory() as folder:
			while (seed := self.take_seed()) is not None:
				self.write_down(self.world(seed, folder))

	def rows(self):
		twice = sum(1 for w in self.worlds if "again" in w)
		yield "simulated worlds", len(self.worlds)
		yield "run twice, with the same log", twice
		yield "simulated hours", round(self.sum("hours"))
		yield "acknowledged events", self.sum("events")
		yield "requests", self.sum("requests")
		yield "requests sent again", self.sum("resent")
		yield "games", self.sum("games")
		yield "comparisons of a game with the store", self.sum("checks")
		yield "logins", self.sum("logins")
		yield "logouts", self.sum("logouts")
		yield "tokens revoked", self.sum("revoked")
		yield "accounts deleted", self.sum("deleted")
		yield "requests with a session or token that has ended", self.sum("ended")
		yield "restarts by an operator", self.sum("restarts")
		yield "faults", self.sum("faults")
		for kind, text in KINDS.items():
			if kind == "full":
				yield "failed operations", self.sum("failed")
			yield "- " + text, sum(w["kinds"][kind] for w in self.worlds)
		yield "violations", 1 if self.trouble else 0
		yield "processor minutes", round(self.sum("seconds") / 60)

	def write_result(self):
		o = self.options
		with open(o.result, "w", encoding="utf-8") as f:
			f.write("# Simulation\n\n<!-- Written by tests/soak/simulation.py and tools/sim-bugs. -->\n"
				"Simulated worlds from seeds: the server with its store on a disk that fails, clients with their own logs, and "
				"one clock ([how](../../CONTRIBUTING.md#the-server)). `tools/soak simulation` repeats it; one world is `simulate --seed S --steps "
				f"{o.steps} --events 0 --report`.\n\n"
				f"Seeds {min(self.done)} to {max(self.done)}, {o.jobs} programs at a time.\n\n| | |\n|---|---:|\n")
			for text, number in self.rows():
				f.write(f"| {text} | {number:,} |\n")


def main():
	run = Run(parse())
	with concurrent.futures.ThreadPoolExecutor(run.options.jobs) as pool:
		for future in [pool.submit(run.work) for _ in range(run.options.jobs)]:
			future.result()
	for text, number in run.rows():
		print(f"{number:>14,}  {text}")
	if run.trouble:
		seed, trouble = run.trouble["seed"], run.trouble
		print(f"simulation: VIOLATION: seed {seed}: {trouble['violation']}")
		same = "gave the same log" if trouble.get("again") == trouble["log"] else f"gave another log, {trouble.get('again')}"
		print(f"simulation: a second run {same}; to repeat it: {' '.join(run.command(seed))} --verbose")
		sys.exit(1)
	if run.options.result and run.worlds:
		run.write_result()
	if not run.enough():
		print("simulation: the time is over; the same command continues")
		sys.exit(3)
	print("simulation: no violation")


if __name__ == "__main__":
	main()

#!/usr/bin/env python3
# kill_rounds.py - the web server killed with SIGKILL again and again while players move: no move that it acknowledged may be lost.
# SPDX-License-Identifier: MIT
# usage: kill_rounds.py PROGRAM WORK_FOLDER ROUNDS [PLAYERS]
#
# Every player plays both sides of its own game over HTTP and keeps the moves whose acknowledgement it has read. After each kill
# the server starts again on the same folder, and each game must hold exactly those moves, and at most one more: one that was
# on its way.
import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time

PROGRAM, WORK, ROUNDS = sys.argv[1], sys.argv[2], int(sys.argv[3])
PLAYERS = int(sys.argv[4]) if len(sys.argv) > 4 else 16
GAMES = ["reversi", "connect4", "noughts3d", "race", "hexapawn", "noughts"]


class Server:
	def __init__(self, port):
		self.process = subprocess.Popen(
			[PROGRAM, "serve", "--port", str(port), "--data", os.path.join(WORK, "data"), "--per-address", "1000"],
			stdout=subprocess.PIPE, text=True)
		line = self.process.stdout.readline()
		if not line.startswith("quevedo: http://"):
			sys.exit(f"kill_rounds: the server did not start: {line!r}")
		self.port = int(line.strip().rstrip("/").rsplit(":", 1)[1])

	def kill(self):
		self.process.send_signal(signal.SIGKILL)
		self.process.wait()


class Player(threading.Thread):
	"""One life: plays until the server dies or its game ends."""

	def __init__(self, port, game):
		super().__init__(daemon=True)
		self.port, self.game = port, game
		self.play = self.token = None
		self.acknowledged = []
		self.trouble = None
		self.over = False

	def ask(self, connection, method, path, body=None):
		headers = {"Content-Type": "application/json", "Origin": f"http://127.0.0.1:{self.port}"}
		if self.token:
			headers["Authorization"] = "Bearer " + self.token
		connection.request(method, path, None if body is None else json.dumps(body), headers)
		answer = connection.getresponse()
		return answer.status, json.loads(answer.read())

	def line(self, connection):
		status, play = self.ask(connection, "GET", "/api/v1/plays/" + self.play)
		if status != 200:
			raise RuntimeError(f"{self.play}: {status} {play}")
		return [move["move"] for move in play["line"]], play["view"]

	def verify(self):
		connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
		moves, _ = self.line(connection)
		count = len(self.acknowledged)
		if moves[:count] != self.acknowledged or len(moves) > count + 1:
			raise RuntimeError(f"{self.play} ({self.game}): acknowledged {self.acknowledged}, there are {moves}")
		self.acknowledged = moves

	def run(self):
		connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
		try:
			if not self.play:
				status, made = self.ask(connection, "POST", "/api/v1/plays",
					{"game": self.game, "seats": ["human", "human"], "dice": "typed", "private": True})
				if status != 201:
					raise RuntimeError(f"no play: {status} {made}")
				self.token, self.play = made["seat_token"], made["id"]
			_, view = self.line(connection)
			while not view["over"]:
				move = random.choice(view["moves"])["move"]
				status, answer = self.ask(connection, "POST", f"/api/v1/plays/{self.play}/moves", {"move": move})
				if status == 429:
					time.sleep(0.05)
					continue
				if status != 200:
					raise RuntimeError(f"{self.play}: {move}: {status} {answer}")
				self.acknowledged.append(move)
				view = answer["view"]
			self.over = True
		except (OSError, http.client.HTTPException, json.JSONDecodeError):
			pass  # the server was killed in mid-answer: this one was not acknowledged
		except Exception as error:
			self.trouble = error


def main():
	server = Server(0)
	port = server.port
	players = []
	moves = 0
	for number in range(1, ROUNDS + 1):
		while len(players) < PLAYERS:
			players.append(Player(port, random.choice(GAMES)))
		for player in players:
			player.start()
		time.sleep(random.uniform(0.05, 1.0))
		server.kill()
		for player in players:
			player.join()
			if player.trouble:
				sys.exit(f"kill_rounds: round {number}: {player.trouble}")
		server = Server(port)
		again = []
		for old in players:
			if not old.play:
				continue
			old.verify()
			moves += len(old.acknowledged)
			if not old.over:
				player = Player(port, old.game)
				player.play, player.token, player.acknowledged = old.play, old.token, old.acknowledged
				again.append(player)
		players = again
	server.process.send_signal(signal.SIGTERM)
	server.process.wait()
	print(f"kill_rounds: {ROUNDS} kills, {moves} acknowledged moves looked for and found, nothing lost")


main()

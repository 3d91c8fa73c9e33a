#!/usr/bin/env python3
# web_bot.py - a program that plays on a Quevedo server over plain HTTP: it follows a game as a stream of JSON lines and
# posts its moves. It plays at random: rewrite `choose` to make your own player. It needs only Python's standard library.
# SPDX-License-Identifier: MIT
#
#   examples/web_bot.py http://127.0.0.1:8080 --new connect4 --against level:2     a game of its own
#   examples/web_bot.py http://127.0.0.1:8080 --join ID                            the open seat of a game
#   examples/web_bot.py http://127.0.0.1:8080 --lobby                              the oldest open game of the lobby
# Put an account's token (POST /api/v1/tokens) into QUEVEDO_TOKEN to play under the account's name.
import argparse
import http.client
import json
import os
import random
import sys
import time
import urllib.parse


class Server:
	def __init__(self, url, token):
		self.at = urllib.parse.urlsplit(url)
		self.token = token

	def request(self, method, path, body=None):
		"""Sends a request and returns the response, whose body is not read yet."""
		connection = http.client.HTTPConnection(self.at.hostname, self.at.port or 80, timeout=60)
		headers = {"Accept": "application/x-ndjson, application/json"}
		if self.token:
			headers["Authorization"] = "Bearer " + self.token
		if body is not None:
			body = json.dumps(body)
			headers["Content-Type"] = "application/json"
		connection.request(method, path, body, headers)
		return connection.getresponse()

	def call(self, method, path, body=None):
		"""Sends a request and returns the status and the JSON value of the response."""
		answer = self.request(method, path, body)
		text = answer.read()
		return answer.status, json.loads(text) if text else None


def choose(view):
	"""Chooses one of the legal moves. A move with "max" may also be played with a smaller number."""
	return random.choice(view["moves"])["move"]


def act(server, play, seats, view, dice):
	"""Plays a move or rolls the dice if it is our turn. A 403 or 409 means that another player was faster."""
	path = "/api/v1/plays/" + play
	if view["over"]:
		return
	if view["seat"] in seats:
		status, answer = server.call("POST", path + "/moves", {"move": choose(view)})
	elif view["seat"] == 0 and dice and dice["commit"]:
		status, answer = server.call("POST", path + "/actions", {"action": "throw", "seed": "%032x" % random.getrandbits(128)})
		status = 200 if status in (403, 409) else status
	else:
		return
	if status == 429:
		time.sleep(1)
		act(server, play, seats, view, dice)
	elif status not in (200, 409):
		sys.exit(f"web_bot: {answer['error']['message']}")


def follow(server, play):
	"""Plays to the end. A stream that breaks off is opened again and starts with the whole game."""
	seats = set()
	while True:
		answer = server.request("GET", f"/api/v1/plays/{play}/events")
		if answer.status != 200:
			sys.exit(f"web_bot: {json.loads(answer.read())['error']['message']}")
		for line in answer:
			if not line.strip():
				continue
			message = json.loads(line)
			if message["type"] == "play":
				seats = {seat["seat"] for seat in message["seats"] if seat["you"]}
			if message["result"]:
				return message["result"], seats
			act(server, play, seats, message["view"], message["dice"])
		time.sleep(1)


def find_play(server, args):
	if args.new:
		status, made = server.call("POST", "/api/v1/plays", {"game": args.new, "seats": ["human", args.against], "name": args.name})
		if status != 201:
			sys.exit(f"web_bot: {made['error']['message']}")
		server.token = server.token or made["seat_token"]
		return made["id"]
	play = args.join
	if args.lobby:
		_, lobby = server.call("GET", "/api/v1/lobby")
		if not lobby["open"]:
			sys.exit("web_bot: the lobby has no open game")
		play = min(lobby["open"], key=lambda entry: entry["created"])["id"]
	status, answer = server.call("POST", f"/api/v1/plays/{play}/actions", {"action": "join", "name": args.name})
	if status != 200:
		sys.exit(f"web_bot: {answer['error']['message']}")
	server.token = server.token or answer.get("seat_token")
	return play


def main():
	parser = argparse.ArgumentParser(description="plays random moves on a Quevedo server")
	parser.add_argument("url")
	parser.add_argument("--new", metavar="GAME")
	parser.add_argument("--against", default="level:1", metavar="SPEC")
	parser.add_argument("--join", metavar="ID")
	parser.add_argument("--lobby", action="store_true")
	parser.add_argument("--name", default="web_bot")
	args = parser.parse_args()
	if not (args.new or args.join or args.lobby):
		parser.error("use one of --new, --join and --lobby")
	server = Server(args.url, os.environ.get("QUEVEDO_TOKEN"))
	play = find_play(server, args)
	result, seats = follow(server, play)
	print(f"{play}: {result}, I had seat {', '.join(map(str, sorted(seats)))}")


if __name__ == "__main__":
	try:
		main()
	except OSError as error:
		sys.exit(f"web_bot: {error}")

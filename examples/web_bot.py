#!/usr/bin/env python3
# web_bot.py - a program that plays on a Quevedo server, over HTTP alone: it follows a game as a stream of JSON lines and
# posts its moves. Chooses at random; write `choose` anew and it is your player. Python's standard library is all it needs.
# SPDX-License-Identifier: MIT
#
#   examples/web_bot.py http://127.0.0.1:8080 --new connect4 --against level:2     a game of its own
#   examples/web_bot.py http://127.0.0.1:8080 --join ID                            the open seat of a game
#   examples/web_bot.py http://127.0.0.1:8080 --lobby                              the oldest open game of the lobby
# With an account's token (POST /api/v1/tokens) in QUEVEDO_TOKEN it plays under that name.
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
		"""The answer to one request, not yet read."""
		connection = http.client.HTTPConnection(self.at.hostname, self.at.port or 80, timeout=60)
		headers = {"Accept": "application/x-ndjson, application/json"}
		if self.token:
			headers["Authorization"] = "Bearer " + self.token
		if body is not None:
			body = json.dumps(body)
			headers["Content-Type"] = "application/json"
		connection.request(method, path, body, headers)
		return connection.getresponse()

	def ask(self, method, path, body=None):
		"""(status, value) of a request that has one answer."""
		answer = self.request(method, path, body)
		text = answer.read()
		return answer.status, json.loads(text) if text else None


def choose(view):
	"""Of a position's legal moves, one; a move that carries a number may be played with a smaller one."""
	return random.choice(view["moves"])["move"]


def act(server, play, seats, view, dice):
	"""Does what is ours to do in this position: a move, or the throw of the dice. Refusals mean that it was not ours."""
	path = "/api/v1/plays/" + play
	if view["over"]:
		return
	if view["seat"] in seats:
		status, answer = server.ask("POST", path + "/moves", {"move": choose(view)})
	elif view["seat"] == 0 and dice and dice["commit"]:
		status, answer = server.ask("POST", path + "/actions", {"action": "throw", "seed": "%032x" % random.getrandbits(128)})
		status = 200 if status in (403, 409) else status
	else:
		return
	if status == 429:
		time.sleep(1)
		act(server, play, seats, view, dice)
	elif status not in (200, 409):
		sys.exit(f"web_bot: {answer['error']['message']}")


def follow(server, play):
	"""Plays to the end; a stream that breaks off is opened again, and begins with the whole game."""
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


def find_play(server, wish):
	if wish.new:
		status, made = server.ask("POST", "/api/v1/plays", {"game": wish.new, "seats": ["human", wish.against], "name": wish.name})
		if status != 201:
			sys.exit(f"web_bot: {made['error']['message']}")
		server.token = server.token or made["seat_token"]
		return made["id"]
	play = wish.join
	if wish.lobby:
		_, lobby = server.ask("GET", "/api/v1/lobby")
		if not lobby["open"]:
			sys.exit("web_bot: the lobby has no open game")
		play = min(lobby["open"], key=lambda entry: entry["created"])["id"]
	status, answer = server.ask("POST", f"/api/v1/plays/{play}/actions", {"action": "join", "name": wish.name})
	if status != 200:
		sys.exit(f"web_bot: {answer['error']['message']}")
	server.token = server.token or answer.get("seat_token")
	return play


def main():
	parser = argparse.ArgumentParser(description="plays on a Quevedo server, at random")
	parser.add_argument("url")
	parser.add_argument("--new", metavar="GAME")
	parser.add_argument("--against", default="level:1", metavar="SPEC")
	parser.add_argument("--join", metavar="ID")
	parser.add_argument("--lobby", action="store_true")
	parser.add_argument("--name", default="web_bot")
	wish = parser.parse_args()
	if not (wish.new or wish.join or wish.lobby):
		parser.error("one of --new, --join and --lobby is needed")
	server = Server(wish.url, os.environ.get("QUEVEDO_TOKEN"))
	play = find_play(server, wish)
	result, seats = follow(server, play)
	print(f"{play}: {result}, I had seat {', '.join(map(str, sorted(seats)))}")


if __name__ == "__main__":
	try:
		main()
	except OSError as error:
		sys.exit(f"web_bot: {error}")

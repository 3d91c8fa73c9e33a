#!/usr/bin/env bash
# serve_tables.sh - what the server knows by tables, and by nothing else.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

"$quevedo" tables build morris --data "$work/tables" --up-to 3-3 --counters >/dev/null
python3 - "$quevedo" "$work" <<'EOF' || exit 1
import json, subprocess, sys, urllib.error, urllib.request

quevedo, work = sys.argv[1:]
# Both sides fly, and both have a line to close.
GAME = {"game": "morris", "position": "WW......W......B.....B.B W 0 0 0"}


def ask(url, path, body):
	request = urllib.request.Request(url + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
	try:
		with urllib.request.urlopen(request, timeout=30) as answer:
			return answer.status, json.load(answer)
	except urllib.error.HTTPError as refusal:
		return refusal.code, json.load(refusal)


def serve(tables):
	server = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", work + "/data", "--tables", tables, "--json"],
		stdout=subprocess.PIPE, text=True)
	return server, json.loads(server.stdout.readline())["url"].rstrip("/")


def by_moves(values):
	return {v["move"]: (v["value"], v["in"]) for v in values["values"]}


def told(number):
	"""What the command says of the same position after a move, for the side that made it."""
	answer = subprocess.run([quevedo, "tables", "show", "morris", GAME["position"], "--moves", number, "--data", work + "/tables", "--json"],
		capture_output=True, text=True).stdout
	found = json.loads(answer)
	turned = {"win": "loss", "loss": "win", "draw": "draw"}[found["value"]]
	return turned, None if found["in"] is None else found["in"] + 1


def analysed(url, body):
	request = urllib.request.Request(url + "/api/v1/analysis", json.dumps(body).encode(), {"Content-Type": "application/json"})
	with urllib.request.urlopen(request, timeout=30) as answer:
		return json.loads(answer.read().splitlines()[-1])


def is_perfect(url, name):
	with urllib.request.urlopen(url + "/api/v1/games", timeout=30) as answer:
		return next(game["perfect"] for game in json.load(answer) if game["name"] == name)


server, url = serve(work + "/tables")
try:
	status, values = ask(url, "/api/v1/values", GAME)
	assert status == 200 and values["exact"], values
	found = by_moves(values)
	for move in found:
		assert found[move] == told(move), (move, found[move], told(move))
	assert {value for value, _ in found.values()} >= {"win", "loss"}, found
	status, answer = ask(url, "/api/v1/plays", {"game": "morris", "seats": ["human", "perfect:tables=" + work + "/tables"]})
	assert status == 400 and "names a file" in answer["error"]["message"], answer

	# A long win is told by the analysis too, at once and with its line.
	longest, (_, plies) = max(((m, v) for m, v in found.items() if v[0] == "loss"), key=lambda one: one[1][1])
	assert plies > 12, found
	line = analysed(url, {**GAME, "moves": [longest], "time": 10000})["lines"][0]
	assert line["proven"] and line["score"] > 0 and line["in"] == plies - 1, line

	# Perfect play is offered with tables, and only for the rules that they are of.
	assert is_perfect(url, "morris") and not is_perfect(url, "reversi")
	status, answer = ask(url, "/api/v1/plays", {**GAME, "seats": ["human", "perfect"]})
	assert status == 201, answer
	status, answer = ask(url, "/api/v1/plays", {"game": "morris:flying=0", "seats": ["human", "perfect"]})
	assert status == 400 and "no endgame tables for morris" in answer["error"]["message"], answer
finally:
	server.terminate()
	server.wait()

server, url = serve(work + "/nowhere")
try:
	assert not is_perfect(url, "morris") and is_perfect(url, "connect4")
	status, answer = ask(url, "/api/v1/plays", {**GAME, "seats": ["human", "perfect"]})
	assert status == 400 and "no endgame tables for morris" in answer["error"]["message"], answer
finally:
	server.terminate()
	server.wait()
EOF
echo "serve_tables: the server's values are those of the tables, and perfect play is offered where they are"

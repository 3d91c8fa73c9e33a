#!/usr/bin/env python3
# fuzz_requests.py - random and broken requests, by HTTP and WebSocket, against a running server of ours, as long as one likes.
# SPDX-License-Identifier: MIT
# usage: fuzz_requests.py PROGRAM WORK_FOLDER SECONDS [SEED]
#
# Meant for a program built with sanitizers: it must never end, and always answer the next healthy request.
import base64
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import time

PROGRAM, WORK, SECONDS = sys.argv[1], sys.argv[2], float(sys.argv[3])
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else 1
dice = random.Random(SEED)

PATHS = ["/", "/api/v1/games", "/api/v1/boards?game=reversi", "/api/v1/positions", "/api/v1/plays", "/api/v1/plays/ID", "/api/v1/plays/ID/moves",
	"/api/v1/plays/ID/actions", "/api/v1/plays/ID/events", "/api/v1/plays/ID/record", "/api/v1/analysis", "/api/v1/values", "/api/v1/lobby",
	"/api/v1/lobby/events", "/api/v1/me", "/api/v1/accounts", "/api/v1/login", "/api/v1/logout", "/api/v1/tokens", "/api/v1/matches",
	"/api/v1/matches/x/games/1", "/api/v1/openapi.json", "/api/v1/health", "/api/v1/ws", "/assets/x", "/play/ID", "/%2e%2e/%2e%2e/etc/passwd"]
GAMES = ["noughts", "connect4", "reversi", "hexapawn", "noughts3d", "race", "morris", "diagram", "hexapawn:blocked=draw", "nothing", "", "reversi:x=1"]
SPECS = ["human", "open", "level:1", "level:3", "level:99", "random", "perfect", "negascout:depth=2", "qgp:true", "learn:file=/tmp/x", "mcts:playouts=50", ""]
ACTIONS = ["undo", "redo", "goto", "resign", "offer", "accept", "decline", "swap", "seat", "join", "leave", "throw", "note", "rematch", "move_now", "dance"]
MOVES = ["1", "4", "e4", "d3", "f5", "a1A", "a1-a2", "roll 3", "pass", "", "\u0000", "x" * 300]
WORDS = ["", "start", "x" * 5000, "\u2603", "-1", "1e999", None, True, [], {}, 0, -1, 2 ** 62, 1.5]
plays = ["none"]


def value(depth=0):
	if depth < 3 and dice.random() < 0.2:
		return [value(depth + 1) for _ in range(dice.randrange(4))]
	return dice.choice(WORDS + MOVES + GAMES + SPECS)


def body():
	"""Mostly what some route wants, with a part of it spoilt now and then."""
	game = dice.choice(GAMES)
	made = dice.choice([
		{"game": game, "seats": [dice.choice(SPECS) for _ in range(dice.choice([0, 1, 2, 2, 2, 2, 3]))], "clock": dice.choice(["5m", "1+1", "off", "x"])},
		{"game": game, "position": dice.choice(["start", "x..oo..x. x", "4453", "?"]), "moves": [dice.choice(MOVES) for _ in range(dice.randrange(4))]},
		{"game": game, "standing": [[dice.randrange(-1, 70), dice.randrange(-1, 5), 1] for _ in range(dice.randrange(6))], "seat": dice.randrange(4)},
		{"game": game, "lines": dice.randrange(10), "time": dice.choice([1, 20, 10 ** 9]), "player": dice.choice(SPECS)},
		{"game": game, "record": dice.choice(['{"quevedo":1,"game":"noughts","position":"start"}\n{"move":"5"}\n', "junk", ""])},
		{"move": dice.choice(MOVES)}, {"name": dice.choice(["Ada", "", "x" * 99]), "password": dice.choice(["secret-enough", "x"])},
		{"action": dice.choice(ACTIONS), "seat": dice.randrange(4), "spec": dice.choice(SPECS), "plies": dice.randrange(-1, 5), "kind": dice.choice(["draw", "undo", "rematch", "x"]),
			"text": dice.choice(["hm", "x" * 3000]), "seed": "abc", "node": dice.randrange(-1, 9)},
	])
	for key in list(made):
		if dice.random() < 0.1:
			made[key] = value()
		if dice.random() < 0.05:
			del made[key]
	return made


def spoil(data):
	data = bytearray(data)
	for _ in range(dice.choice([0, 0, 0, 1, 1, 2, 8])):
		if not data:
			break
		at = dice.randrange(len(data))
		kind = dice.randrange(4)
		if kind == 0:
			data[at] = dice.randrange(256)
		elif kind == 1:
			del data[at:at + dice.randrange(1, 20)]
		elif kind == 2:
			data[at:at] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 20)))
		else:
			data[at:at] = data[at:at + dice.randrange(1, 60)]
	return bytes(data)


def path():
	return dice.choice(PATHS).replace("ID", dice.choice(plays[-50:]))


def http_request(port):
	method = dice.choice(["GET", "GET", "POST", "POST", "POST", "HEAD", "PUT", "OPTIONS", "\x00"])
	content = json.dumps(body()).encode() if method == "POST" else b""
	lines = [f"{method} {path()} HTTP/1.1", f"Host: {dice.choice([f'127.0.0.1:{port}'] * 9 + ['evil.example', ''])}"]
	if method == "POST":
		lines += [f"Origin: http://127.0.0.1:{port}", "Content-Type: application/json"]
		lines.append(dice.choice([f"Content-Length: {len(content)}"] * 9 + ["Transfer-Encoding: chunked", "Content-Length: 99999999999", "Content-Length: -1"]))
	if dice.random() < 0.1:
		lines.append(dice.choice(["Authorization: Bearer st_x", "Cookie: qv=x.y", "Upgrade: h2c", "X: " + "y" * 9000, "Expect: 100-continue"]))
	return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + content


def frame(payload, opcode=1):
	mask = bytes(dice.randrange(256) for _ in range(4))
	size = len(payload)
	head = bytes([dice.choice([0x80] * 9 + [0, 0x40]) | opcode])
	head += bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size & 65535)
	return head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(payload))


def socket_frames():
	out = b""
	for number in range(dice.randrange(1, 12)):
		message = {"id": dice.choice([number + 1, 1, 0, -1, "x"]), "method": dice.choice(["GET", "POST", "POST", "CANCEL", "PUT"]), "path": path(), "body": body()}
		out += frame(spoil(json.dumps(message).encode())[:4000], dice.choice([1] * 9 + [0, 2, 8, 9, 10, 3]))
	return out


UPGRADE = "GET /api/v1/ws HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: %s\r\nSec-WebSocket-Protocol: quevedo\r\n\r\n"


def attack(port):
	with socket.create_connection(("127.0.0.1", port), timeout=5) as s:
		s.settimeout(0.3)
		try:
			if dice.random() < 0.4:
				s.sendall((UPGRADE % (port, port, base64.b64encode(os.urandom(16)).decode())).encode())
				s.recv(4096)
				s.sendall(spoil(socket_frames()))
			else:
				data = b"".join(http_request(port) for _ in range(dice.choice([1, 1, 1, 2, 5])))
				s.sendall(spoil(data) if dice.random() < 0.5 else data)
			s.recv(dice.choice([1, 65536]))
		except OSError:
			pass


def healthy(port):
	"""A request that must be answered; it also makes a play for the others to spoil."""
	content = json.dumps({"game": dice.choice(GAMES[:6]), "seats": ["human", dice.choice(["open", "level:1", "human"])]}).encode()
	with socket.create_connection(("127.0.0.1", port), timeout=60) as s:
		s.sendall(f"POST /api/v1/plays HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n".encode() + content)
		answer = b""
		while piece := s.recv(65536):
			answer += piece
	if answer.startswith(b"HTTP/1.1 201"):
		plays.append(json.loads(answer.split(b"\r\n\r\n", 1)[1])["id"])
	elif not answer.startswith(b"HTTP/1.1 429"):
		raise RuntimeError(f"a healthy request was answered with {answer[:200]!r}")


def main():
	log = open(os.path.join(WORK, "server.log"), "w+")
	server = subprocess.Popen([PROGRAM, "serve", "--port", "0", "--data", os.path.join(WORK, "data"), "--per-address", "1000"], stdout=subprocess.PIPE, stderr=log, text=True)
	line = server.stdout.readline()
	port = int(line.strip().rstrip("/").rsplit(":", 1)[1])
	end, count = time.monotonic() + SECONDS, 0
	try:
		while time.monotonic() < end:
			attack(port)
			count += 1
			if count % 25 == 0:
				healthy(port)
			if server.poll() is not None:
				raise RuntimeError(f"the server ended with status {server.returncode}")
		server.send_signal(signal.SIGTERM)
		if server.wait(timeout=120) != 0:
			raise RuntimeError(f"the server ended with status {server.returncode}")
	except (RuntimeError, OSError) as error:
		log.seek(0)
		sys.exit(f"fuzz_requests: seed {SEED}, after {count} attacks: {error}\n{log.read()[-8000:]}")
	finally:
		server.kill()
	print(f"fuzz_requests: {count} attacks, {len(plays) - 1} plays made between them, no finding")


main()

#!/usr/bin/env bash
# restore.sh - what a restore must not bring back: sessions, old passwords, deleted accounts, tokens and games, secrets of dice.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory

refused restore "$work/none" --removals "$work/none" --data "$work/data"
refused server restored --data "$work/none"
refused server removals --data "$work/none"
refused server removals extra
printf '{"made":1,"what":"account","id":"x","value":""}\nnonsense\n' >"$work/bad"
printf '{"made":1,"what":"moon","id":"x","value":""}\n' >"$work/moon"
printf '{"made":99999999999,"what":"password","id":"x","value":"x"}\n' >"$work/future"

python3 - "$quevedo" "$work" <<'EOF' || exit 1
import json, os, shutil, subprocess, sys, urllib.error, urllib.request

quevedo, work = sys.argv[1:]
PASSWORD, NEW = "correct horse", "another horse"


class Visitor:
	def __init__(self, cookie=None, token=None):
		self.cookie, self.token = cookie, token

	def ask(self, path, body=None, status=200):
		headers = {"Content-Type": "application/json"} if body is not None else {}
		if self.cookie:
			headers |= {"Cookie": self.cookie, "Origin": url}
		if self.token:
			headers["Authorization"] = "Bearer " + self.token
		request = urllib.request.Request(url + "/api/v1" + path, json.dumps(body).encode() if body is not None else None, headers)
		try:
			with urllib.request.urlopen(request, timeout=60) as answer:
				code, text, cookies = answer.status, answer.read(), answer.headers.get_all("Set-Cookie")
		except urllib.error.HTTPError as refusal:
			code, text, cookies = refusal.code, refusal.read(), None
		assert code == status, (path, body, code, text)
		for cookie in cookies or []:
			if cookie.startswith("qv="):
				self.cookie = cookie.split(";")[0]
		return json.loads(text)


def serve(data):
	global url
	server = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", data, "--json", "--classroom"], stdout=subprocess.PIPE,
		stderr=open(work + "/log", "a"), text=True)
	url = json.loads(server.stdout.readline())["url"].rstrip("/")
	return server


def stop(server):
	server.terminate()
	assert server.wait() == 0


def run(*words, status=0):
	done = subprocess.run([quevedo, *words], capture_output=True, text=True)
	assert done.returncode == status, (words, done)
	return done.stdout if status == 0 else done.stderr


def account(name):
	who = Visitor()
	who.ask("/me")
	who.ask("/accounts", {"name": name, "password": PASSWORD}, 201)
	return who


def login(name, password, status):
	who = Visitor()
	who.ask("/me")
	who.ask("/login", {"name": name, "password": password}, status)
	return who


data, backup, removals = work + "/data", work + "/copy.db", work + "/removals"
server = serve(data)
ann, bea, cat, guest = account("annabel"), account("beatrix"), account("cathrin"), Visitor()
guest.ask("/me")
play = guest.ask("/plays", {"game": "backgammon", "seats": ["human", "human"]}, 201)["id"]
gone = guest.ask("/plays", {"game": "noughts", "seats": ["human", "human"]}, 201)["id"]
token = ann.ask("/tokens", {}, 201)
bot = Visitor(token=token["token"])
bot.ask("/me")
chapter = {"name": "one", "record": json.dumps({"quevedo": 1, "game": "noughts", "position": "start", "seats": ["a", "b"]}) + "\n"}
promise = guest.ask("/plays/" + play)["dice"]["commit"]
code = json.loads(run("server", "users", "reset", "cathrin", "--data", data, "--json"))["code"]
run("backup", backup, "--data", data)

# What happens afterwards must last.
stolen = Visitor(ann.cookie)
ann.ask("/password", {"old": PASSWORD, "new": NEW, "tokens": "keep"})
ann.ask("/tokens/%s/revoke" % token["id"], {})
bea.ask("/account/delete", {"password": PASSWORD})
guest.ask("/plays/%s/actions" % play, {"action": "throw", "seed": "x"})
secret = guest.ask("/plays/" + play)["dice"]["last"]["secret"]
run("server", "games", "delete", gone, "--data", data)
run("server", "suspend", "cathrin", "--reason", "rude", "--data", data)
run("server", "suspend", "2001:db8::1", "--data", data)
with open(removals, "w") as file:
	file.write(run("server", "removals", "--data", data))
assert "in use" in run("restore", backup, "--data", data, status=2)
assert "in use" in run("server", "restored", "--data", data, status=2)
stop(server)


def check():
	stolen.ask("/me", status=401)
	Visitor(cat.cookie).ask("/me", status=401)
	bot.ask("/me", status=401)
	login("annabel", PASSWORD, 401)
	login("annabel", NEW, 200)
	login("beatrix", PASSWORD, 401)
	login("cathrin", PASSWORD, 200)
	Visitor().ask("/password/reset", {"code": code, "new": NEW}, 403)
	guest.ask("/plays/" + gone, status=404)
	dice = guest.ask("/plays/" + play)["dice"]
	assert dice["last"] is None and dice["commit"] and dice["commit"] != promise, dice
	guest.ask("/plays/%s/actions" % play, {"action": "throw", "seed": "x"})
	dice = guest.ask("/plays/" + play)["dice"]
	assert dice["last"]["secret"] != secret


# In the same folder: the old database knows.
again = json.loads(run("restore", backup, "--data", data, "--json"))
assert again["removals"] >= 4 and again["kept"], again
assert not os.path.exists(data + "/restoring")
suspended = {s["target"]: s["reason"] for s in json.loads(run("server", "suspensions", "--data", data, "--json"))}
assert len(suspended) == 2 and suspended["2001:db8::/64"] == "" and "rude" in suspended.values(), suspended
run("server", "unsuspend", "cathrin", "--data", data)
server = serve(data)
check()
stop(server)
run("restore", backup, "--data", data, "--untrusted")
assert json.loads(run("server", "suspensions", "--data", data, "--json")) == []

# On a new machine: the list beside the backups. Twice changes nothing.
os.mkdir(work + "/new", 0o700)
shutil.copy2(data + "/secret", work + "/new/secret")
assert "line 2" in run("restore", backup, "--data", work + "/new", "--removals", work + "/bad", status=2)
assert "future" in run("restore", backup, "--data", work + "/new", "--removals", work + "/future", status=2)
assert "moon" in run("restore", backup, "--data", work + "/new", "--removals", work + "/moon", status=2)
assert os.listdir(work + "/new") in (["secret"], ["secret", "lock"], ["lock", "secret"]), os.listdir(work + "/new")
run("restore", backup, "--data", work + "/new", "--removals", removals)
run("server", "restored", "--data", work + "/new", "--removals", removals)
server = serve(work + "/new")
check()
stop(server)

# An old list does not undo a later change.
server = serve(work + "/new")
login("annabel", NEW, 200).ask("/password", {"old": NEW, "new": PASSWORD})
stop(server)
run("server", "restored", "--data", work + "/new", "--removals", removals)
server = serve(work + "/new")
login("annabel", NEW, 401)
login("annabel", PASSWORD, 200)
stop(server)

# A list that is older than the replaced database does not undo what changed between them.
LATER = "a third horse"
server = serve(work + "/new")
with open(removals, "w") as file:
	file.write(run("server", "removals", "--data", work + "/new"))
login("annabel", PASSWORD, 200).ask("/password", {"old": PASSWORD, "new": LATER})
stop(server)
run("restore", backup, "--data", work + "/new", "--removals", removals)
server = serve(work + "/new")
login("annabel", PASSWORD, 401)
login("annabel", LATER, 200)
stop(server)
EOF

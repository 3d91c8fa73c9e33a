#!/usr/bin/env bash
# server.sh - the operator's command: what it shows and removes, beside a server and without one, in SQLite and in PostgreSQL.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory

refused server
refused server dance
says 'check, games'
refused server status now
refused server status --older 5
says 'server status'
refused server games dance
refused server games list all
refused server games show
says 'the id of a game is missing'
refused server games show '' --data "$work/data"
refused server games delete "$(printf 'a%.0s' {1..16})" --data "$work/none"
refused server users dance
says 'expected list, show, reset, logout or delete'
refused server users show
says 'the name of an account is missing'
refused server users list all
refused server tokens
refused server tokens dance x
refused server tokens list
refused server users --older 5
refused server studies dance
says 'expected list, show or delete'
refused server reports close
says 'the id of a report is missing'
refused server reports show '' --data "$work/data"
refused server reports list --until 2030-01-01
refused server suspend --data "$work/none"
refused server suspend eve --data "$work/none"
refused server unsuspend
refused server audit all
refused server prune --older 0
refused server prune --older x
refused server prune --data "$work/none"
refused server migrate --data "$work/none"
says '--store URL is missing'
refused server migrate --data "$work/none" --store mysql://x
refused server migrate --data "$work/none" --store postgres:///x?host=/nowhere
refused server migrate --data "$work/none" --store postgres:///x?host=/nowhere --back
refused server migrate --data "$work/none" --older 5
refused server status --back
[ -e "$work/none" ] && bad "a command that refuses makes no folder"
# No folder is needed with --store, as in a service that has no home.
for words in 'server status' 'server prune' 'imcs log'; do
	env -u HOME -u XDG_DATA_HOME "$quevedo" $words --store 'postgres:///x?host=/nowhere' 2>&1 | grep -q -e --data && bad "$words: no folder is needed"
done
refused serve --max-data 5
says '500M'
refused serve --max-data 5MB
refused serve --max-data M
refused serve --max-data -5M
refused serve --max-data 99999999999999999999G
refused serve --quota ''
refused serve --keep-guests -1
refused serve --keep-unfinished x

python3 - "$quevedo" "$work" "$(dirname "$0")/../soak" <<'EOF' || exit 1
import glob, json, os, shutil, sqlite3, subprocess, sys, time, urllib.error, urllib.request

quevedo, work, soak = sys.argv[1:]
sys.path.insert(0, soak)
DATA = work + "/data"
postgres = None  # the database instead of the file in DATA


def store():
	return ["--store", postgres.place()] if postgres else []


def patiently(send):
	"""Sends a request again that the server asks for again: its database has stood still for two seconds."""
	for i in range(60):
		answer = send()
		if not postgres or answer[0] != 503 or "it cannot be read now; try again" not in answer[1]["error"]["message"]:
			break
		time.sleep(0.5)
	return answer


def ask(path, body=None, token=None):
	return patiently(lambda: ask_once(path, body, token))


def ask_once(path, body, token):
	headers = {"Content-Type": "application/json"} if body is not None else {}
	if token:
		headers["Authorization"] = "Bearer " + token
	request = urllib.request.Request(url + path, json.dumps(body).encode() if body is not None else None, headers)
	try:
		with urllib.request.urlopen(request, timeout=30) as answer:
			return answer.status, json.load(answer)
	except urllib.error.HTTPError as refusal:
		return refusal.code, json.load(refusal)


def serve(*options):
	server = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", DATA, *store(), "--json", *options], stdout=subprocess.PIPE,
		stderr=open(work + "/log", "w"), text=True)
	return server, json.loads(server.stdout.readline())["url"].rstrip("/")


def command(*words, status=0):
	done = subprocess.run([quevedo, "server", *words, *(store() or ["--data", DATA]), "--json"], capture_output=True, text=True)
	assert done.returncode == status, (words, done)
	return json.loads(done.stdout) if done.stdout else done.stderr


def play():
	status, made = ask("/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]})
	assert status == 201, made
	return made


def resign(made):
	status, answer = ask("/api/v1/plays/%s/actions" % made["id"], {"action": "resign", "seat": 1}, made["seat_token"])
	assert status == 200, answer


def age(play, days):
	"""As if nobody had touched it for so long."""
	if postgres:
		postgres.sql("UPDATE play SET updated = updated - %d WHERE id = '%s'" % (days * 86400, play))
		return
	with sqlite3.connect(DATA + "/quevedo.db", timeout=30) as database:
		database.execute("UPDATE play SET updated = updated - ? WHERE id = ?", (days * 86400, play))


# What is open to others, and who it runs as, is told.
os.mkdir(DATA, 0o755)
server, url = serve()
server.terminate()
assert server.wait() == 0
log = open(work + "/log").read()
assert "warn %s: other users have access to it; run chmod 700" % DATA in log, log
assert "quevedo.db: other users" not in log, log
assert ("warn server: it runs as root" in log) == (os.geteuid() == 0), log
os.chmod(DATA, 0o700)
os.chmod(DATA + "/quevedo.db", 0o640)
server, url = serve()
server.terminate()
assert server.wait() == 0
log = open(work + "/log").read()
assert "run chmod 700" not in log and "quevedo.db: other users have access to it; run chmod 600" in log, log
os.chmod(DATA + "/quevedo.db", 0o600)


def visit(path, body=None, cookie=None):
	"""The status, the answer, and the cookie of the session if there is a new one."""
	return patiently(lambda: visit_once(path, body, cookie))


def visit_once(path, body, cookie):
	headers = {"Origin": url, "Content-Type": "application/json"}
	if cookie:
		headers["Cookie"] = cookie
	request = urllib.request.Request(url + path, json.dumps(body).encode() if body is not None else None, headers)
	try:
		answer = urllib.request.urlopen(request, timeout=30)
	except urllib.error.HTTPError as refusal:
		answer = refusal
	cookies = [c.split(";")[0] for c in answer.headers.get_all("Set-Cookie") or [] if c.startswith("qv=")]
	return answer.status, json.load(answer), cookies[0] if cookies else cookie


ALICE = {"name": "alice", "password": "correct horse", "label": "Test"}


def within(seconds, what):
	end = time.monotonic() + seconds
	while not what() and time.monotonic() < end:
		time.sleep(0.1)
	return what()


def operate():
	"""Every verb beside a server. Returns the game that is left."""
	global url
	server, url = serve()
	old, recent, going = play(), play(), play()
	resign(old)
	resign(recent)
	age(old["id"], 100)

	status = command("status")
	assert status["games"] == 3 and status["going"] == 1 and status["users"] == 3 and status["accounts"] == 0 and status["bytes"] > 0, status
	assert postgres or status["served"] and status["space"] == "ok" and 0 < status["free"] < status["disk"], status
	listed = command("games")
	assert [g["id"] for g in listed][-1] == old["id"] and len(listed) == 3, listed
	assert command("games", "list", "--most", "1") == listed[:1]
	shown = command("games", "show", old["id"])
	assert shown["lines"] == len(shown["events"]) and json.loads(shown["events"][0])["id"] == old["id"], shown
	text = subprocess.run([quevedo, "server", "games", *(store() or ["--data", DATA])], capture_output=True, text=True).stdout
	assert text.count("\n") == 3 and old["id"] in text, text

	# Beside the server.
	would = command("prune", "--dry-run")
	assert would["studies"] == 0, would
	assert would["dry_run"] and would["games"] == 1 and would["lines"] == shown["lines"], would
	assert command("status")["games"] == 3
	assert command("prune", "--older", "101")["games"] == 0
	pruned = command("prune")
	assert pruned["games"] == 1 and pruned["lines"] == shown["lines"] and not pruned["dry_run"], pruned
	assert command("status")["games"] == 2
	assert "no such game" in command("games", "show", old["id"], status=2)
	assert ask("/api/v1/plays/%s/moves" % going["id"], {"move": "5"}, going["seat_token"])[0] == 200
	assert "in use" in command("prune", "--vacuum", status=2)
	# Accounts: what the command ends has ended for the server within a second.
	status, me, session = visit("/api/v1/accounts", ALICE)
	assert status == 201 and me["account"] == "alice", me
	made = visit("/api/v1/tokens", {"label": "bot"}, session)[1]
	seat = visit("/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]}, session)[1]
	assert [u["account"] for u in command("users")] == ["alice"]
	shown = command("users", "show", "ALICE")
	assert shown["sessions"][0]["label"] == "Test" and shown["tokens"][0]["id"] == made["id"], shown
	assert ask("/api/v1/me", token=made["token"])[0] == 200
	assert command("tokens", "list", "alice")[0]["label"] == "bot"
	assert command("tokens", "revoke", made["id"]) == {"revoked": made["id"]}
	assert "no such token" in command("tokens", "revoke", made["id"], status=2)
	assert visit("/api/v1/me", cookie=session)[1]["account"] == "alice"
	assert command("users", "logout", "alice") == {"logged_out": "alice"}
	assert within(60, lambda: ask("/api/v1/plays/%s/moves" % seat["id"], {"move": "5"}, seat["seat_token"])[0] == 401)
	assert ask("/api/v1/me", token=made["token"])[0] == 401
	status, answer, other = visit("/api/v1/me", cookie=session)
	assert status == 401 and other != session, answer
	assert visit("/api/v1/me", cookie=other)[1]["account"] is None
	reset = command("users", "reset", "alice")
	assert reset["path"].endswith(reset["code"]), reset
	change = {"code": reset["code"], "new": "battery staple"}
	status, me, session = visit("/api/v1/password/reset", change)
	assert status == 200 and me["account"] == "alice", me
	assert visit("/api/v1/password/reset", change)[0] == 403
	assert visit("/api/v1/login", ALICE)[0] == 401
	assert command("users", "delete", "alice") == {"deleted": "alice"}
	assert command("users") == [] and "no such account" in command("users", "show", "alice", status=2)
	assert within(60, lambda: not [g for g in command("games") if g["id"] == seat["id"]])
	assert within(60, lambda: visit("/api/v1/me", cookie=session)[0] == 401)
	assert within(60, lambda: ask("/api/v1/plays/" + seat["id"])[0] == 404)

	moderate()
	# A game that the server has in memory, and somebody watches.
	watched = play()
	stream = urllib.request.urlopen(url + "/api/v1/plays/%s/events" % watched["id"], timeout=30)
	assert json.loads(stream.readline())["type"] == "play"
	assert command("games", "delete", watched["id"]) == {"deleted": watched["id"]}
	assert within(60, lambda: ask("/api/v1/plays/" + watched["id"])[0] == 404)
	assert stream.read() == b""
	assert ask("/api/v1/plays/%s/moves" % watched["id"], {"move": "5"}, watched["seat_token"])[0] == 404
	assert ask("/api/v1/plays/" + going["id"])[0] == 200
	assert command("games", "delete", recent["id"]) == {"deleted": recent["id"]}
	assert "no such game" in command("games", "delete", recent["id"], status=2)
	# The name of a deleted account leaves the game of its opponent.
	status, me, session = visit("/api/v1/accounts", {"name": "bob", "password": "correct horse"})
	shared = visit("/api/v1/plays", {"game": "noughts", "seats": ["human", "open"]}, session)[1]
	assert ask("/api/v1/plays/%s/actions" % shared["id"], {"action": "join", "seat": 2})[0] == 200
	# While its rows are read late, the server asks to try again.
	first_name = lambda: ask("/api/v1/plays/" + shared["id"])[1].get("seats", [{}])[0].get("name")
	assert within(60, lambda: first_name() == "bob"), first_name()
	assert command("users", "delete", "bob") == {"deleted": "bob"}
	assert within(60, lambda: first_name() == "Deleted user"), first_name()
	assert command("games", "delete", shared["id"])
	log = open(work + "/log").read()
	assert not [line for line in log.splitlines() if "error" in line and not (postgres and "it cannot be read now" in line)], log
	server.terminate()
	assert server.wait() == 0
	return going


def moderate():
	"""Reports, studies and suspensions, beside a server."""
	status, me, eve = visit("/api/v1/accounts", {"name": "eve", "password": "correct horse"})
	assert status == 201, me
	record = '{"quevedo":1,"game":"noughts","position":"start","seats":[]}\n'
	study = visit("/api/v1/studies", {"title": "Rude", "chapters": [{"name": "One", "record": record}]}, eve)[1]["id"]
	report = {"kind": "study", "id": study, "reason": "content", "text": "It is rude."}
	guest = visit("/api/v1/me")[2]
	assert visit("/api/v1/reports", report, eve)[0] == 409
	status, made, guest = visit("/api/v1/reports", report, guest)
	assert status == 201, made
	assert visit("/api/v1/reports", report, guest)[0] == 429
	found = command("reports")
	assert [(r["id"], r["object"], r["about"], r["shown"], r["text"], r["closed"]) for r in found] == \
		[(made["reported"], study, me["id"], "Rude", "It is rude.", None)], found
	assert command("reports", "show", made["reported"]) == found[0]
	assert command("reports", "close", made["reported"]) == {"closed": made["reported"]}
	assert "closed already" in command("reports", "close", made["reported"], status=2)
	assert "no such report" in command("reports", "show", study, status=2)
	assert command("reports", "list", "--most", "1")[0]["closed"]
	assert [s["id"] for s in command("studies")] == [study]
	shown = command("studies", "show", study)
	assert shown["title"] == "Rude" and shown["contents"]["chapters"][0]["name"] == "One", shown
	assert command("studies", "delete", study) == {"deleted": study}
	assert "no such study" in command("studies", "delete", study, status=2)
	assert within(60, lambda: ask("/api/v1/studies/" + study)[0] == 404)

	rename = lambda: visit("/api/v1/me", {"name": "Eve"}, eve)
	assert rename()[0] == 200
	assert command("suspend", "Eve", "--until", "2100-02-28", "--reason", "rude studies") == {"suspended": me["id"]}
	assert within(60, lambda: rename()[0] == 403)
	assert rename()[1]["error"]["message"] == "suspended: the operator has suspended your account until 2100-02-28: rude studies"
	assert visit("/api/v1/me", cookie=eve)[0] == 200
	assert [(s["target"], s["until"]) for s in command("suspensions")] == [(me["id"], "2100-02-28T23:59:59Z")]
	assert command("unsuspend", me["id"]) == {"unsuspended": me["id"]}
	assert "is not suspended" in command("unsuspend", "eve", status=2)
	assert within(60, lambda: rename()[0] == 200)
	assert command("suspend", "127.0.0.1") == {"suspended": "127.0.0.1"}
	assert within(60, lambda: rename()[0] == 403)
	assert command("unsuspend", "127.0.0.1") == {"unsuspended": "127.0.0.1"}
	assert within(60, lambda: rename()[0] == 200)
	for day in ("2100-02-29", "2100-13-01", "2001-01-01", "soon", "2100-02-28x", "-1-1-1"):
		assert "a day to come is expected" in command("suspend", "eve", "--until=" + day, status=2), day
	assert "no such account, user id or address" in command("suspend", "nobody", status=2)
	trail = command("audit", "--most", "1000")
	done = [line["detail"] for line in trail if line["what"] == "operator"]
	for verb in ("users reset", "users logout", "users delete", "tokens revoke", "studies delete " + study, "reports close " + made["reported"], "suspend",
			"unsuspend", "suspend 127.0.0.0"):
		assert verb in done, (verb, done)
	assert {"account", "token", "reset", "wrong_password"} <= {line["what"] for line in trail}, trail
	assert command("users", "delete", "eve") == {"deleted": "eve"}
	assert command("reports") == [] or within(60, lambda: command("reports") == [])


going = operate()

# Without one.
assert command("check") == {"games": 1, "damaged": []}
with sqlite3.connect(DATA + "/quevedo.db") as database:
	database.execute("UPDATE event SET line = '{' WHERE play = ? AND number = 2", (going["id"],))
checked = command("check", status=1)
assert checked["games"] == 1 and checked["damaged"][0]["id"] == going["id"], checked
assert checked["damaged"][0]["error"].startswith("line 3: "), checked
with sqlite3.connect(DATA + "/quevedo.db") as database:
	database.execute("DELETE FROM event WHERE play = ? AND number = 2", (going["id"],))
assert command("check")["damaged"] == []
status = command("status")
assert not status["served"] and status["games"] == 1, status
command("prune", "--vacuum")

# The server itself removes what is old, too.
server, url = serve("--keep-guests", "5", "--keep-unfinished", "7", "--max-data", "64M")
privacy = ask("/api/v1/privacy")[1]
assert (privacy["keep_guests"], privacy["keep_unfinished"]) == (5, 7), privacy
old = play()
resign(old)
server.terminate()
assert server.wait() == 0
age(old["id"], 6)
age(going["id"], 6)

# Nothing is removed if the clock may be wrong.
with sqlite3.connect(DATA + "/quevedo.db") as database:
	database.execute("UPDATE mark SET value = value - 30 * 86400 WHERE what = 'clock'")
assert "clock: it is 30 days after" in command("prune", "--older", "5", status=2)
assert command("status")["games"] == 2
assert command("prune", "--older", "5", "--clock-is-right")["games"] == 1
assert command("prune", "--older", "5")["games"] == 0
assert [g["id"] for g in command("games")] == [going["id"]]

# It shows what the server sees, which alone has --max-data.
status = command("status")
assert status["space"] == "ok" and status["max_data"] is None, status
server, url = serve("--max-data", "%dK" % (status["bytes"] * 21 // 20 // 1024))
assert ask("/api/v1/plays", {"game": "noughts"})[0] == 503
assert ask("/api/v1/health")[1]["space"] == "tight"
status = command("status")
assert status["space"] == "tight" and status["bytes"] < status["max_data"] < status["bytes"] * 1.1, status
text = subprocess.run([quevedo, "server", "status", "--data", DATA], capture_output=True, text=True).stdout
assert "space: tight" in text and " of %d (--max-data)" % status["max_data"] in text, text
server.terminate()
assert server.wait() == 0
assert command("status")["space"] == "ok"

# What was stored before counts, too.
server, url = serve("--quota", "2K")
assert ask("/api/v1/plays", {"game": "noughts"})[0] == 429
server.terminate()
assert server.wait() == 0
server, url = serve("--quota", "100K")
assert ask("/api/v1/plays", {"game": "noughts"})[0] == 201
server.terminate()
assert server.wait() == 0

# The same verbs with PostgreSQL.
programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
if not programs or not shutil.which("psql"):
	print("server: skipped with PostgreSQL: it is not installed")
	sys.exit()
from cluster import Postgres
DATA = work + "/shared"
postgres = Postgres(programs[-1], "-c", "fsync=off")
try:
	going = operate()
	assert command("check") == {"games": 1, "damaged": []}
	assert [g["id"] for g in command("games")] == [going["id"]]
finally:
	postgres.end()
EOF

run backup "$work/copy.db" --data "$work/data"
run restore "$work/copy.db" --data "$work/restored"
run server audit --most 1 --data "$work/restored"
is "a restore is in the trail" 1 "$(grep -c 'operator detail=restore' "$work/out")"

# Root restores a copy for a service that has a user of its own.
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/service"
	chown nobody "$work/service"
	run restore "$work/copy.db" --data "$work/service"
	is "whose what root has restored is" "nobody nobody" "$(stat -c %U "$work/service/quevedo.db" "$work/service/lock" | xargs)"
fi

finish

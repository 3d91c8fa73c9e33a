#!/usr/bin/env bash
# server_full.sh - a small disk: a server does not fill it, and players can finish their games.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

mkdir "$work/disk"
mount -t tmpfs -o size=16m none "$work/disk" 2>/dev/null || skip "a disk cannot be mounted here"
trap 'umount "$work/disk"; rm -rf "$work"' EXIT

python3 - "$quevedo" "$work" <<'EOF'
import json, os, subprocess, sys, urllib.error, urllib.request

quevedo, work = sys.argv[1:]
DISK = work + "/disk"
NOTE = '{"note":"%s"}\n' % ("n" * 1900)
LONG = '{"quevedo":1,"game":"noughts","position":"start","seats":[]}\n' + NOTE * 250
least = 1 << 60


def ask(path, body=None, token=None):
	"""The status; notes how much of the disk is free."""
	global least
	headers = {"Content-Type": "application/json"} if body is not None else {}
	if token:
		headers["Authorization"] = "Bearer " + token
	request = urllib.request.Request(url + path, json.dumps(body).encode() if body is not None else None, headers)
	try:
		with urllib.request.urlopen(request, timeout=60) as answer:
			status, found = answer.status, json.load(answer)
	except urllib.error.HTTPError as refusal:
		status, found = refusal.code, json.load(refusal)
	disk = os.statvfs(DISK)
	least = min(least, disk.f_bavail * disk.f_frsize)
	return status, found


server = subprocess.Popen([quevedo, "serve", "--port", "0", "--data", DISK + "/data", "--per-address", "1000", "--json"],
	stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
url = json.loads(server.stdout.readline())["url"].rstrip("/")
status, mine = ask("/api/v1/plays", {"game": "noughts", "seats": ["human", "human"]})
assert status == 201, mine
made = [ask("/api/v1/plays", {"record": LONG})[0] for i in range(16)]
assert made[0] == 201 and made[-1] == 503 and set(made) == {201, 503}, made
for move in "15243":
	status, answer = ask("/api/v1/plays/%s/moves" % mine["id"], {"move": move}, mine["seat_token"])
	assert status == 200, answer
# A quarter of 5 % stays free.
assert least >= 16 * 1024 * 1024 // 80, least
server.terminate()
assert server.wait() == 0
done = subprocess.run([quevedo, "server", "check", "--data", DISK + "/data", "--json"], capture_output=True, text=True)
assert done.returncode == 0 and json.loads(done.stdout)["games"] == 1 + made.count(201), done
EOF
is "a disk that is not filled" 0 $?
finish

#!/usr/bin/env bash
# attacks.sh - how long the moves of others take while one address sends what is costly, as often as it may.
# SPDX-License-Identifier: MIT
# usage: bench/attacks.sh BUILD_DIR [SECONDS [ATTACK...]]      ATTACK: as bench_load_server has them, or none; or ATTACK-ADDRESSES of attack_many.py; without any, all
# Ends with status 1 if the p99 was over 100 ms during an attack, or if moves failed.
# While the attack fills the queue of searches, two others ask for one analysis of two seconds after the other.
set -u
build=${1:?the build folder is missing} seconds=${2:-10}
shift $(($# < 2 ? $# : 2))
[ $# -gt 0 ] || set -- none h1 import dice login matches lobby position me finished new imcs pings frames none+analyses analysis computers none-0 analysis-3 analysis-48 openings-5 course-3 course-48 files-1 handshakes-1
load=$build/bench/bench_load_server
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$work"' EXIT

# Twenty long journals of matches, which GET /matches lists.
mkdir -p -m 700 "$work/data" && mkdir "$work/data/matches"
"$build/quevedo" match noughts --player a=random --player b=random --games 4000 --journal "$work/data/matches/0.jsonl" >/dev/null || exit
for i in {1..19}; do cp "$work/data/matches/0.jsonl" "$work/data/matches/$i.jsonl"; done
"$build/quevedo" serve --port 0 --imcs 0 --data "$work/data" >"$work/served" 2>"$work/log" &
server=$!
until imcs=$(sed -n 's|^quevedo: imcs ||p' "$work/served") && [ -n "$imcs" ]; do
	kill -0 $server 2>/dev/null || exit
	sleep 0.1
done
url=$(sed -n 's|^quevedo: \(http://.*\)/$|\1|p' "$work/served")

# A user with 100,000 finished games, whose token is printed, and an account of IMCS.
token=$(python3 - "$url" "$imcs" "$work/data/quevedo.db" <<'END'
import json, socket, sqlite3, sys, urllib.request
url, imcs, database = sys.argv[1:]
def post(path, body, cookie=""):
	headers = {"Content-Type": "application/json", "Origin": url, "Cookie": cookie}
	return urllib.request.urlopen(urllib.request.Request(url + "/api/v1/" + path, json.dumps(body).encode(), headers))
made = post("accounts", {"name": "veteran", "password": "correct horse"})
user = json.load(made)["id"]
print(json.load(post("tokens", {"label": "attack"}, made.headers["Set-Cookie"].split(";")[0]))["token"])
games = [(f"{i:016}", user) for i in range(100000)]
with sqlite3.connect(database, timeout=60) as db:
	db.executemany("INSERT INTO play (id, game, owner, created, updated, private, going, open_seats)"
		" VALUES (?, 'noughts', ?, unixepoch(), unixepoch(), 1, 0, 0)", games)
	db.executemany("INSERT INTO seat (play, user, going) VALUES (?, ?, 0)", games)
	db.executemany("INSERT INTO finished VALUES (?2, ?1, unixepoch(), 'noughts', 'won', 'other', '{}')", games)
host, port = imcs.rsplit(":", 1)
with socket.create_connection((host, int(port))) as peer:
	peer.sendall(b"register victim secret\r\nquit\r\n")
	while peer.recv(4096):
		pass
END
) || exit

echo "Moves of others in ms, 100 a second, while one address attacks for $seconds s:"
printf '%-13s %8s %8s %8s %8s %12s %8s   %s\n' attack p50 p95 p99 max load_average analyses answers
slow=() many=()
for attack; do
	if [[ $attack == *-[0-9]* ]]; then # several addresses, on a server of their own
		many+=("$attack")
		continue
	fi
	options=()
	case $attack in
	none*) ;;
	imcs) options=(--attack imcs --attack-url "http://$imcs") ;;
	me | finished | new) options=(--attack "$attack" --attack-token "$token") ;;
	*) options=(--attack "$attack") ;;
	esac
	case $attack in none+analyses | analysis | computers) options+=(--analyses 2) ;; esac
	"$load" --url "$url" --games 100 --moves-per-second 100 --seconds "$seconds" --json "${options[@]}" >"$work/report" ||
		{ echo "$attack: $(<"$work/report")"; slow+=("$attack"); continue; }
	python3 - "$attack" "$work/report" <<-'END' || slow+=("$attack")
		import json, sys
		r = json.load(open(sys.argv[2]))
		m = r["move_ms"]
		print("%-13s %8.1f %8.1f %8.1f %8.1f %12.2f %8d   %s" % (sys.argv[1], m["p50"], m["p95"], m["p99"], m["max"],
			r["load_average"][1], r["analyses"], r.get("attack", {}).get("answers", "")))
		sys.exit(m["p99"] > 100)
	END
done
[ ${#many[@]} -eq 0 ] || printf '\n%s\n' "Several addresses: requests of theirs, share of the loop's thread, p50 and p95 of another's GET /me in ms, statuses:"
for attack in ${many[@]+"${many[@]}"}; do
	python3 "$(dirname "$0")/attack_many.py" "$build/quevedo" "${attack%-*}" "${attack##*-}" "$seconds" || slow+=("$attack")
done
[ ${#slow[@]} -eq 0 ] || { echo "too slow, or failed: ${slow[*]}"; exit 1; }

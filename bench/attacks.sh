#!/usr/bin/env bash
# attacks.sh - how long others wait, and how much memory the server takes, while visitors send what is costly, as often as they may.
# SPDX-License-Identifier: MIT
# usage: bench/attacks.sh BUILD_DIR [SECONDS [ATTACK...]]      ATTACK: as bench_load_server has them, or none, or one of the rows below; without any, all
# Rows of slow_visitors.py: sockets and bodies from one IPv6 /48 or ten addresses, lobby from one. overload asks for 4,000 moves a second.
# Rows of attack_many.py, on a server of their own: ATTACK-ADDRESSES, such as analysis-3.
# Ends with status 1 if during an attack the p95 of moves or of GET /me was over 100 ms, the server and its send queues took 400 MB, or moves
# failed. With overload moves may be refused, and wait for their turn in the load generator.
# While the attack fills the queue of searches, two others ask for one analysis of two seconds after the other.
set -u
build=${1:?the build folder is missing} seconds=${2:-10}
shift $(($# < 2 ? $# : 2))
many="none-0 analysis-3 analysis-48 openings-5 course-3 course-48 files-1 handshakes-1"
[ $# -gt 0 ] || set -- none h1 import dice login matches lobby position me finished new imcs pings frames none+analyses analysis computers \
	sockets-48 sockets-ten bodies-48 bodies-ten lobby-48 overload $many
load=$build/bench/bench_load_server
work=$(mktemp -d)
server= visitors=
trap 'kill $server $visitors 2>/dev/null; wait; rm -rf "$work"' EXIT

# Twenty long journals of matches, which GET /matches lists.
mkdir -p -m 700 "$work/data" && mkdir "$work/data/matches"
"$build/quevedo" match noughts --player a=random --player b=random --games 4000 --journal "$work/data/matches/0.jsonl" >/dev/null || exit
for i in {1..19}; do cp "$work/data/matches/0.jsonl" "$work/data/matches/$i.jsonl"; done
"$build/quevedo" serve --port 0 --imcs 0 --trust-proxy 127.0.0.9 --data "$work/data" >"$work/served" 2>"$work/log" &
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

echo "Moves of others in ms, 100 a second, and their GET /me, while an attack lasts for $seconds s:"
printf '%-13s %8s %8s %8s %8s %8s %6s %12s %8s   %s\n' attack p50 p95 p99 max me_p95 MB load_average analyses answers
failed=()
for attack; do
	case " $many " in *" $attack "*) continue ;; esac
	options=(--moves-per-second 100) slow=()
	case $attack in
	none*) ;;
	overload) options=(--moves-per-second 4000 --reconnect) ;;
	sockets-48) slow=(sockets 512 512) ;;
	sockets-ten) slow=(sockets 350 v10) ;;
	bodies-48) slow=(bodies 500 512) ;;
	bodies-ten) slow=(bodies 200 v10) ;;
	lobby-48) slow=(lobby 200 512) ;;
	imcs) options=(--attack imcs --attack-url "http://$imcs") ;;
	me | finished | new) options=(--attack "$attack" --attack-token "$token") ;;
	*) options=(--attack "$attack") ;;
	esac
	case $attack in none+analyses | analysis | computers) options+=(--analyses 2) ;; esac
	echo '{"process": 0, "queued": 0}' >"$work/slow"
	if [ ${#slow[@]} -gt 0 ]; then
		python3 "$(dirname "$0")/slow_visitors.py" "$url" $server "${slow[@]}" "$seconds" >"$work/slow" &
		visitors=$!
	fi
	"$load" --url "$url" --games 100 --seconds "$seconds" --probe me --pid $server --json "${options[@]}" >"$work/report" ||
		{ echo "$attack: $(<"$work/report")"; failed+=("$attack"); }
	[ -z "$visitors" ] || { wait $visitors || failed+=("$attack"); }
	visitors=
	python3 - "$attack" "$work/report" "$work/slow" <<-'END' || failed+=("$attack")
		import json, sys
		r, slow = (json.load(open(name)) for name in sys.argv[2:])
		m, me = r["move_ms"], r["probe_ms"]["p95"]
		megabytes = max(r["server"]["kilobytes"] / 1000, slow["process"]) + slow["queued"]
		print("%-13s %8.1f %8.1f %8.1f %8.1f %8.1f %6.0f %12.2f %8d   %s" % (sys.argv[1], m["p50"], m["p95"], m["p99"], m["max"], me,
			megabytes, r["load_average"][1], r["analyses"], r.get("attack", {}).get("answers", slow if slow["process"] else "")))
		late = sys.argv[1] != "overload" and max(m["p95"], me) > 100
		sys.exit(late or megabytes > 400)
	END
done
alone=0
for attack; do
	case " $many " in *" $attack "*) ;; *) continue ;; esac
	[ $((alone++)) -gt 0 ] || printf '\n%s\n' "Several addresses: requests of theirs, share of the loop's thread, p50 and p95 of another's GET /me in ms, statuses:"
	python3 "$(dirname "$0")/attack_many.py" "$build/quevedo" "${attack%-*}" "${attack##*-}" "$seconds" || failed+=("$attack")
done
[ ${#failed[@]} -eq 0 ] || { echo "too slow, too large, or failed: ${failed[*]}"; exit 1; }

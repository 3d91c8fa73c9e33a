#!/usr/bin/env bash
# attacks.sh - how long the moves of others take while one address sends what is costly, as often as it may.
# SPDX-License-Identifier: MIT
# usage: bench/attacks.sh BUILD_DIR [SECONDS]
set -u
build=${1:?the build folder is missing} seconds=${2:-10}
load=$build/bench/bench_load_server
work=$(mktemp -d)
server=
trap 'kill $server 2>/dev/null; wait; rm -rf "$work"' EXIT

# Twenty long journals of matches, which GET /matches lists.
mkdir -p -m 700 "$work/data" && mkdir "$work/data/matches"
"$build/quevedo" match noughts --player a=random --player b=random --games 4000 --journal "$work/data/matches/0.jsonl" >/dev/null || exit
for i in {1..19}; do cp "$work/data/matches/0.jsonl" "$work/data/matches/$i.jsonl"; done
"$build/quevedo" serve --port 0 --data "$work/data" >"$work/served" 2>"$work/log" &
server=$!
until url=$(sed -n 's|^quevedo: \(http://.*\)/$|\1|p' "$work/served") && [ -n "$url" ]; do
	kill -0 $server 2>/dev/null || exit
	sleep 0.1
done

echo "Moves of others in ms, 100 a second, while one address attacks for $seconds s:"
printf '%-9s %8s %8s %8s %8s %12s   %s\n' attack p50 p95 p99 max load_average answers
for attack in none h1 import dice login matches lobby position; do
	options=()
	[ $attack = none ] || options=(--attack $attack)
	"$load" --url "$url" --games 100 --moves-per-second 100 --seconds "$seconds" --json "${options[@]}" >"$work/report" ||
		{ echo "$attack: $(<"$work/report")"; continue; }
	python3 - "$attack" "$work/report" <<-'END'
		import json, sys
		r = json.load(open(sys.argv[2]))
		m = r["move_ms"]
		print("%-9s %8.1f %8.1f %8.1f %8.1f %12.2f   %s" % (sys.argv[1], m["p50"], m["p95"], m["p99"], m["max"],
			r["load_average"][1], r.get("attack", {}).get("answers", "")))
	END
done

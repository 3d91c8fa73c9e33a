#!/usr/bin/env bash
# serve_bot.sh - the example bot on a real server: against levels, with dice, and two of them in a game from the lobby.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
bot=$(cd "$(dirname "$0")/../../examples" && pwd)/web_bot.py
"$quevedo" serve --port 0 --data "$work/data" --per-address 100 >"$work/serving" &
server=$!
trap 'kill $server; wait $server; rm -rf "$work"' EXIT
for _ in $(seq 600); do
	grep -q http "$work/serving" && break
	sleep 0.1
done
url=$(sed -n 's/^quevedo: \(http.*\)\/$/\1/p' "$work/serving")

for game in noughts hexapawn race; do
	like "a game of $game" '[A-Za-z0-9_-]+: (win [12]|draw), I had seat 1' "$(timeout 300 python3 "$bot" "$url" --new "$game" --against level:1 2>&1)"
done

# A POST as the contract has it: no cookie, no Origin.
made=$(python3 - "$url" <<'PY'
import sys, urllib.request
body = b'{"game":"connect4","seats":["open","open"]}'
print(urllib.request.urlopen(urllib.request.Request(sys.argv[1] + "/api/v1/plays", body, {"Content-Type": "application/json"})).status)
PY
)
is "a play with two open seats" 201 "$made"
timeout 300 python3 "$bot" "$url" --lobby --name Ada >"$work/ada" 2>&1 &
ada=$!
for _ in $(seq 600); do
	python3 -c 'import json, sys, urllib.request
seats = json.load(urllib.request.urlopen(sys.argv[1] + "/api/v1/lobby"))["open"][0]["seats"]
sys.exit(not any(seat["kind"] == "person" for seat in seats))' "$url" && break
	sleep 0.1
done
timeout 300 python3 "$bot" "$url" --lobby --name Bob >"$work/bob" 2>&1
wait "$ada"
like "Bob's game" '[A-Za-z0-9_-]+: (win [12]|draw), I had seat [12]' "$(cat "$work/bob")"
is "both saw the same end" "$(sed 's/,.*//' "$work/ada")" "$(sed 's/,.*//' "$work/bob")"
like "no server" 'web_bot: .*refused.*' "$(python3 "$bot" http://127.0.0.1:1 --lobby 2>&1)"
finish

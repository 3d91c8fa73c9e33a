#!/usr/bin/env bash
# gnubg_match.sh - games against GNU Backgammon over its sockets, both ways: it is our player, and we are its external player.
# SPDX-License-Identifier: MIT
# usage: gnubg_match.sh PROGRAM GAMES
set -euo pipefail
program=$1 games=$2
PATH=$PATH:/usr/games
command -v gnubg >/dev/null || { echo "gnubg is not installed"; exit 0; }
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

for game in backgammon backgammon:cube=1,jacoby=1 backgammon:match=5; do
	"$program" match "$game" --player us=level:4 --player "gnubg=gnubg:gnubg -t -q -r" --games "$games" --jobs 1 --json >"$work/out"
	python3 - "$work/out" "$game" <<'P'
import json, sys
for player in json.load(open(sys.argv[1]))["players"]:
    faults = player["crashes"] + player["timeouts"] + player["illegal"]
    if faults:
        sys.exit(f"{sys.argv[2]}: {faults} faults of {player['name']}")
    print(f"{sys.argv[2]}: {player['name']} won {player['wins']} of {player['games']}")
P
done

"$program" engine backgammon --protocol external --player level:4 --listen "$work/socket" >"$work/listens" &
server=$!
until [ -s "$work/listens" ]; do sleep 0.05; done
for seat in 0 1; do
	printf '%s\n' "set automatic game on" "set automatic roll off" "set display off" "set player $((1 - seat)) gnubg" \
		"set player $((1 - seat)) chequerplay evaluation plies 0" "set player $((1 - seat)) cubedecision evaluation plies 0" \
		"set player $seat external $work/socket" "new match 5" quit y | LC_ALL=C gnubg -t -q -r >"$work/session" 2>&1
	if ! grep -q "has won the match\|wins .* match" "$work/session" || grep "Error" "$work/session"; then
		tail -n 20 "$work/session"
		echo "gnubg did not finish its match against us as player $seat"
		exit 1
	fi
	grep "has won the match\|wins .* match" "$work/session"
done

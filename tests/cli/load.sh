#!/usr/bin/env bash
# load.sh - the load generator of bench/: a short run with a kill of the server, and its check of what was stored.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory
load=$build/bench/bench_load_server
[ -x "$load" ] || skip "$load is not built"

# start: sets server and url.
start() {
	"$quevedo" serve --port "${port:-0}" --data "$work/data" >"$work/served" 2>>"$work/log" &
	server=$!
	for ((i = 0; i < 600; i++)); do
		url=$(sed -n 's|^quevedo: \(http://.*\)/$|\1|p' "$work/served" 2>/dev/null)
		[ -n "$url" ] && break
		kill -0 $server 2>/dev/null || break
		sleep 0.05
	done
	port=${url##*:}
}
trap 'kill $server 2>/dev/null; wait; rm -rf "$work"' EXIT

# field NAME: of the last report.
field() {
	sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/report"
}

# moved N: waits until the generator has read the acknowledgements of so many more moves.
moved() {
	local before i
	before=$(grep -c '^acked .* [1-9][0-9]* ' "$work/moves" 2>/dev/null)
	for ((i = 0; i < 1200; i++)); do
		[ "$(grep -c '^acked .* [1-9][0-9]* ' "$work/moves" 2>/dev/null)" -ge $((${before:-0} + $1)) ] 2>/dev/null && return
		sleep 0.05
	done
	bad "no moves are made"
}

start
"$load" --url "$url" --games 5 --moves-per-second 50 --seconds 600 --warm-up 0 --sockets 20 --game noughts --reconnect \
	--log "$work/moves" --json >"$work/report" &
generator=$!
# The first moves are made when all are connected, and further ones when those of a game are connected again.
moved 20
{ kill -KILL $server && wait $server; } 2>/dev/null
start
moved 50
kill $generator
wait $generator
is "moves were made" 1 $(($(field moves) > 0))
is "the players were cut off" 1 $(($(field disconnects) >= 10))
is "the sockets, too" 20 "$(field lost)"
is "nothing else failed" "$(field lost)" "$(field errors)"
is "nothing acknowledged is missing" 0 "$("$load" --url "$url" --verify "$work/moves" --json >"$work/report" && field lost)"
is "all games are there" 0 "$(field missing_games)"
is "the log has its moves" "$(grep -c '^acked .* [1-9][0-9]* ' "$work/moves")" "$(field acked)"

# Of two records the first redoes too many plies and is refused; the second is just short enough. A busy machine needs longer.
for ((i = 0; i < 5; i++)); do
	"$load" --url "$url" --games 1 --moves-per-second 5 --seconds 2 --warm-up 0 --game noughts --attack h1 --attack-rate 1 --json >"$work/report"
	answers=$(sed -n 's/.*"answers":{\([^}]*\)}.*/\1/p' "$work/report" | grep -o '"[0-9]*"' | sort | tr -d '"' | xargs)
	[[ $answers != *201* ]] || break
done
is "records that redo many plies" '201 400' "$answers"
is "nothing fails meanwhile" 0 "$(field errors)"

# A move more, another move, one that was never sent, another game.
game=$(sed -n 's/^acked \([^ ]*\) 1 .*/\1/p' "$work/moves" | head -1)
{ cat "$work/moves"; echo "acked $game 10 5"; } >"$work/more"
is "a lost move is found" 1 "$("$load" --url "$url" --verify "$work/more" --json >"$work/report" 2>/dev/null; echo $?)"
is "one is lost" 1 "$(field lost)"
grep -v " $game 1 " "$work/moves" >"$work/fewer"
is "a move that nobody sent is found" 1 "$("$load" --url "$url" --verify "$work/fewer" --json >"$work/report" 2>/dev/null; echo $?)"
is "one is foreign" 1 "$(field foreign)"
{ cat "$work/moves"; echo "acked AAAAAAAAAAAAAAAA 0 new"; } >"$work/more"
is "a game that is missing is found" 1 "$("$load" --url "$url" --verify "$work/more" --json >"$work/report" 2>/dev/null; echo $?)"

# Its own errors.
for wrong in "--games x" "--attack nothing" "--url ftp://here" "--seconds 0" "more"; do
	"$load" $wrong >"$work/out" 2>"$work/err"
	is "$wrong" "2 1 0" "$? $(wc -l <"$work/err") $(wc -l <"$work/out")"
done
finish

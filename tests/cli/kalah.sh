#!/usr/bin/env bash
# kalah.sh - the examples Kalah and Pig: laws with all extremes of their options, counts, values; and tables of a
# game that has no index, in which a player may move twice.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
here=$(cd "$(dirname "$0")" && pwd)
in_memory
kalah=(--plugin "$build/examples/kalah.so")
pig=(--plugin "$build/examples/pig.so")

good plugin check "$build/examples/kalah.so"
is "the laws hold" ok "$(last_line)"
for options in pits=1 pits=10 seeds=1 seeds=10 pits=1,seeds=1 pits=10,seeds=10; do
	like "the extremes: $options" "kalah:$options: [0-9]+ laws, [0-9]+ checks" "$(grep "^kalah:$options:" "$work/out")"
done
good plugin check "$build/examples/pig.so"
is "the laws hold for Pig" ok "$(last_line)"
like "the extremes of Pig" 'pig:goal=2: .*' "$(grep '^pig:goal=2:' "$work/out")"

depth=0
for nodes in 6 35 185 942 4690 23233; do
	depth=$((depth + 1))
	good perft kalah $depth "${kalah[@]}"
	is "perft $depth" "nodes $nodes" "$(last_line)"
done

# Published values: G. Irving, J. Donkers, J. Uiterwijk, "Solving Kalah", ICGA Journal 23 (2000).
for line in '1 1 draw' '1 2 loss' '1 3 win' '1 4 loss' '1 5 win' '1 6 draw' '2 1 win' '2 2 loss' '2 3 loss' '2 4 loss' \
	'2 5 win' '2 6 win' '3 1 draw' '3 2 win' '3 3 win' '4 1 win' '5 1 draw'; do
	read -r pits seeds value <<<"$line"
	good solve "kalah:pits=$pits,seeds=$seeds" "${kalah[@]}"
	is "Kalah ($pits,$seeds)" "value $value" "$(last_line)"
done

# The lead counts, too; and the seats have names.
good solve kalah:pits=3,seeds=3 --margin "${kalah[@]}"
is "the margin" "value win, margin 2" "$(last_line)"
good solve kalah:pits=5,seeds=1 --margin --distance "${kalah[@]}"
is "a draw has none" "value draw, margin 0" "$(last_line)"
refused solve noughts --margin
says "no margin of points"
refused solve kalah --margin --certificate "$work/proof" "${kalah[@]}"
good best kalah:pits=3,seeds=2 --player perfect "${kalah[@]}"
is "perfect plays for it" "move b" "$(last_line)"
good play kalah --seat 2=level:3 "${kalah[@]}" <<<quit
is "the names of the seats" "North (level 3) is the computer.|You (South) to move." "$(grep -E 'computer|to move' "$work/out" | paste -sd'|')"
is "in the prompt" "South> " "$(last_line)"
good show kalah --moves a "${kalah[@]}"
like "in the board's text" 'turn seat 2 \(North\)' "$(grep '^turn' "$work/out")"
good eval kalah --moves a "${kalah[@]}"
is "in an evaluation" 'turn seat 2 (North)' "$(grep '^turn' "$work/out")"
good match kalah:pits=2,seeds=2 --player a=random --player b=random --games 1 --out "$work/kalah.games" "${kalah[@]}"
good review "$work/kalah.games" "${kalah[@]}"
like "in a review" 'seat 1  South  accuracy .*;seat 2  North  accuracy .*' "$(grep '^seat' "$work/out" | paste -sd';')"

# A lap: ten seeds go around the board, past the other store, and the last one captures.
good replay kalah:pits=3,seeds=3 '7 0 0 0 3 3 3 2 1' --moves a "${kalah[@]}"
is "sown around, the last seed captures" '0 1 1 6 4 4 0 2 2' "$(last_line)"
good show kalah --moves c --json "${kalah[@]}"
like "an extra turn" '.*"seat":1,.*' "$out"
good eval kalah --moves c "${kalah[@]}"
# One seed more in the store, one fewer in the row, and an extra turn for the other: 20 - 5 - 12.
is "the evaluation" "value 3" "$(last_line)"
refused show kalah '4 4 4 4 4 4 0 4 4 4 4 4 5 0 1' "${kalah[@]}"
says "49 seeds, but there are 48"
refused show kalah:pits=1,seeds=1 '0 1 1 0 1' "${kalah[@]}"
good show pig --json "${pig[@]}"
like "Pig begins with a choice of one" '.*"seat":1,"moves":\["roll"\],.*' "$out"
good show pig --moves 'roll, roll 4' --json "${pig[@]}"
like "then it is roll or hold" '.*"seat":1,"moves":\["hold","roll"\],.*"position":"0 0 0 1 4 -".*|.*"position":"0 0 0 1 4 -".*"moves":\["hold","roll"\].*' "$out"
good show pig --moves 'roll, roll 4, roll, roll 1' --json "${pig[@]}"
like "a 1 ends the turn" '.*"position":"0 0 0 2 0 -","seat":2.*' "$out"
good show pig '50 3 9 2 0 -' --json "${pig[@]}"
like "only the winner has a point" '.*"result":"win 1","scores":\[1,0,0\].*' "$out"
good best pig '44 0 0 1 8 -' --player maxn:depth=2 "${pig[@]}"
is "who has enough holds" "move hold" "$(last_line)"

# --- tables by hashing ---
data=$work/data
for board in "3 2" "2 3"; do
	read -r pits seeds <<<"$board"
	game=kalah:pits=$pits,seeds=$seeds
	python3 "$here/kalah.py" "$pits" "$seeds" >"$work/twin" || bad "the twin of $game"
	count=$(wc -l <"$work/twin")
	good tables plan "$game" --data "$data" "${kalah[@]}"
	is "$game: all positions" "numbers $count, positions about $count" "$(sed -n 2p "$work/out")"
	good tables build "$game" --data "$data" "${kalah[@]}"
	like "$game: the table" 'reachable-[0-9a-f]{8}: [0-9]+ won, [0-9]+ drawn, [0-9]+ lost, 0 holes, longest [0-9]+, [0-9]+ bytes' "$(head -n 1 "$work/out")"
	good tables check "$game" --data "$data" --threads 2 "${kalah[@]}"
	is "$game: every entry" "entries $count, wrong 0" "$(last_line)"
	cut -f 1 "$work/twin" >"$work/positions"
	good solve "$game" --by table --distance --positions "$work/positions" --data "$data" "${kalah[@]}"
	is "$game: every value and distance" "$(cut -f 2 "$work/twin")" "$out"
	# The search, which knows nothing of the tables, on some of them.
	awk -F '\t' 'NR % 23 == 1' "$work/twin" >"$work/some"
	cut -f 1 "$work/some" >"$work/positions"
	good solve "$game" --distance --positions "$work/positions" "${kalah[@]}"
	is "$game: the search agrees" "$(cut -f 2 "$work/some")" "$out"
	good solve "$game" --json --positions "$work/positions" "${kalah[@]}"
	is "$game: the margins" "$(cut -f 3 "$work/some")" "$(grep -oE '"margin":-?[0-9]+' "$work/out" | cut -d: -f2)"
done
# Moves with a number, and positions that recur: draws are what nobody can leave with a gain.
toys=(--plugin "$build/tests/toys.so")
for line in 'toy-counted|424|value win in 11' 'toy-repeat|3761|value win in 19' 'toy-quiet|25625|value draw'; do
	IFS='|' read -r game count value <<<"$line"
	good tables build "$game" --data "$data" "${toys[@]}"
	good tables check "$game" --data "$data" "${toys[@]}"
	is "$game" "start: $value|entries $count, wrong 0" "$(paste -sd'|' "$work/out")"
done
good solve toy-counted --distance "${toys[@]}"
is "the search of toy-counted" "value win in 11" "$out"
good tables show kalah:pits=3,seeds=2 --data "$data" "${kalah[@]}" start
is "the start with its move" $'move b\nvalue win in 8' "$out"
refused tables show kalah:pits=3,seeds=2 '12 0 0 0 0 0 0 0 1' --data "$data" "${kalah[@]}"
refused tables show kalah:pits=3,seeds=2 '0 0 6 0 6 0 0 0 1' --data "$data" "${kalah[@]}"
says "no table contains this position"
refused tables plan pig --data "$data" "${pig[@]}"
says "not a game of two players without chance"
# A byte of the table changed: the check says so.
file=$(echo "$data"/kalah:pits=3,seeds=2/*.qvt)
printf 'x' | dd of="$file" bs=1 seek=400 conv=notrunc status=none
run tables check kalah:pits=3,seeds=2 --data "$data" "${kalah[@]}"
is "a damaged table" 1 "$rc"
# Too many positions: seconds, so only `make soak` does it.
if [ "${TEST_SCALE:-100}" -gt 100 ]; then
	refused tables plan kalah --data "$data" "${kalah[@]}"
	like "too many positions" 'quevedo: tables: kalah has no index of positions, and more than [0-9]+ can be reached \([0-9]+ MB\); .*' "$err"
fi
finish

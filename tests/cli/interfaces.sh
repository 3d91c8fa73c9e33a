#!/usr/bin/env bash
# interfaces.sh - plug-ins that were built for older interfaces load, play and pass the suite.
# SPDX-License-Identifier: MIT
# usage: interfaces.sh BUILD_DIR
. "$(dirname "$0")/common.bash"
source=$(cd "$(dirname "$0")/../.." && pwd)
old=$source/tests/data/interface

# old_plugin NAME NUMBER FILES: compiles a plug-in of that time with the headers of that interface.
old_plugin() {
	local name=$1 number=$2
	shift 2
	"${CC:-cc}" -std=c11 -O1 -shared -fPIC -I"$old/$number" -I"$old/plugins" "$@" -o "$work/$name$number.so" || bad "compile $name $number"
	readelf -d "$work/$name$number.so" | grep -q libquevedo && bad "$name $number links to the library"
}

newest=$(sed -n 's/^#define QV_INTERFACE //p' "$source/include/quevedo/game.h")
for ((number = 6; number < newest; number++)); do
	is "the headers of interface $number are stored" "#define QV_INTERFACE $number" \
		"$(grep -h '^#define QV_INTERFACE ' -r "$old/$number" | head -n 1)"
	old_plugin breakthrough $number "$old/plugins/breakthrough.c"
	old_plugin toys $number "$old"/plugins/toys/*.c
	for name in breakthrough toys; do
		# The suite for a whole game takes seconds: it gets the oldest and the newest.
		[ $name = toys ] || ((number == 6 || number == newest - 1)) || continue
		good plugin check "$work/$name$number.so"
		is "$name $number: all laws hold" "ok" "$(last_line)"
	done
	with=(--plugin "$work/breakthrough$number.so")
	good perft breakthrough 3 "${with[@]}"
	is "perft with interface $number" "nodes 11132" "$(last_line)"
	good match breakthrough --player A=level:1 --player B=mcts:playouts=20 --games 2 --seed 1 --no-times "${with[@]}"
	good show breakthrough --format svg "${with[@]}"
	cp "$work/out" "$work/board$number.svg"
	cmp -s "$work/board6.svg" "$work/board$number.svg" || bad "interface $number draws another board than 6"
	good best breakthrough --player alphabeta:depth=3 --no-times "${with[@]}"
	is "the best move with interface $number" "$(sed '$!d' "$work/best6" 2>/dev/null || last_line)" "$(last_line)"
	cp "$work/out" "$work/best$number"
	# Options, a die, and an evaluation whose weights can be set.
	with=(--plugin "$work/toys$number.so")
	good show toy-counted:heaps=2 "${with[@]}" --json
	good match toy-die --player A=level:1 --player B=expectimax:depth=2 --games 2 --seed 1 --no-times "${with[@]}"
	good best toy-trade --player alphabeta:depth=3 --no-times "${with[@]}"
done

# Evaluations for a game of the program read it in their own layout, which is that of interface 8 and later.
old_plugin frontier 7 "$old/plugins/frontier.c"
old_plugin frontier 8 "$old/plugins/frontier.c"
good eval reversi --moves f5 --eval frontier --plugin "$work/frontier8.so"
is "an evaluation of interface 8" "value 12" "$(last_line)"
refused eval reversi --moves f5 --eval frontier --plugin "$work/frontier7.so"
says "built for interface 7"
sed 's/\.rules = &reversi/.rules = NULL/; s/return weigh(state, weights, NULL);/return 7;/; s/^\(.*\)\.terms = [a-z_]*,\(.*\)$/\1\2/' "$old/plugins/frontier.c" >"$work/plain.c"
"${CC:-cc}" -std=c11 -shared -fPIC -w -I"$old/7" "$work/plain.c" -o "$work/plain.so" || bad "compile plain"
good best reversi --player alphabeta:depth=1,eval=frontier --no-times --plugin "$work/plain.so"

# What is too old or too new is refused, whatever else is in it; so is a game without its sizes.
for number in 5 $((newest + 1)); do
	sed "s/= QV_INTERFACE,/= $number,/" "$old/plugins/breakthrough.c" >"$work/other.c"
	"${CC:-cc}" -std=c11 -shared -fPIC -I"$old/8" "$work/other.c" -o "$work/other.so" || bad "compile $number"
	refused games --plugin "$work/other.so"
	says "built for interface $number, but this version accepts 6 to $newest"
done
sed 's/QV_HEAD(qv_game),/.interface_number = QV_INTERFACE,/' "$source/examples/breakthrough.c" >"$work/bare.c"
"${CC:-cc}" -std=c11 -shared -fPIC -I"$source/include" "$work/bare.c" -o "$work/bare.so" || bad "compile bare"
refused games --plugin "$work/bare.so"
says "begin it with QV_HEAD"
finish

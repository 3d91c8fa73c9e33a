#!/usr/bin/env bash
# plugins.sh - games from a shared object, and what only the toys have: chance, counted moves, repetition, other
# numbers of seats. And plug-ins that are wrong.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
toys=$build/tests/toys.so
source=$(cd "$(dirname "$0")/../.." && pwd)
[ -f "$toys" ] || { echo "$toys is not built" >&2; exit 1; }

good games --plugin "$toys"
listed=$out
for game in toy-die toy-three toy-four toy-repeat toy-counted toy-quiet toy-solo; do
	checks=$((checks + 1))
	grep -q "^$game " <<<"$listed" || bad "games lacks $game"
	good help "$game" --plugin "$toys"
	good show "$game" --plugin "$toys" --json
	good perft "$game" 3 --plugin "$toys" --divide
	counted=$(sed -n 's/.*: //p' "$work/out" | paste -sd+ | { read -r sum; echo $((sum)); })
	is "perft $game, divided and not" "nodes $counted" "$("$quevedo" perft "$game" 3 --plugin "$toys")"
	refused show "$game"
done
refused games --plugin "$toys" --plugin "$toys"

# Counted moves: listed once with the largest number, counted once per number, and their texts hold blanks.
good show toy-counted --plugin "$toys" --json
like "counted moves" '.*"moves":\[(\{"move":"take [a-d] 5","max":5\},?)+\].*' "$out"
good perft toy-counted 1 --plugin "$toys"
is "five numbers for each of three heaps" "nodes 15" "$out"
good replay toy-counted --plugin "$toys" --moves 'take a 2, take b 5'
is "moves with blanks" "3 0 5 1" "$(last_line)"
refused replay toy-counted --plugin "$toys" --moves 'take a 2 take b 5'
good show toy-counted --plugin "$toys" '1 0 5 1' --json
like "a heap of one is no counted move" '.*"moves":\["take a 1",\{"move":"take c 5","max":5\}\].*' "$out"

# Chance.
good show toy-die --plugin "$toys" --json
like "chance has no seat" '.*"seat":null,"moves":\["roll 1".*' "$out"
good show toy-die --plugin "$toys"
is "chance's turn" "turn chance" "$(grep turn "$work/out")"
refused best toy-die --plugin "$toys"
says "chance"
good best toy-die --plugin "$toys" --moves 'roll 2'
like "two seats and a die: expectimax" 'player expectimax.*' "$(head -n 1 "$work/out")"
refused best toy-die --plugin "$toys" --moves 'roll 2' --player negascout
good best toy-three --plugin "$toys" --no-times
like "three seats: maxn" 'player maxn.*' "$(head -n 1 "$work/out")"
good best toy-three '3 2 0 4 0' --plugin "$toys" --player paranoid:depth=3 --json --no-times
like "three seats, a win in one" '\{"move":"3","score":1073741823,"proven":true,"in":1,.*"pv":\["3"\]\}' "$out"
good best toy-solo --plugin "$toys" --no-times
like "one seat: mcts" 'player mcts.*' "$(head -n 1 "$work/out")"

# Repetition: --moves brings a history with it, a position alone has none.
back_and_forth='2, 8, 1, 9, 2, 8, 1, 9'
good show toy-repeat --plugin "$toys" --moves "$back_and_forth" --json
like "a draw by repetition" '.*"seat":1,"moves":\[\],"over":true,"result":"draw","scores":\[0,0\],.*' "$out"
good replay toy-repeat --plugin "$toys" --moves "$back_and_forth"
repeated=$(last_line)
good show toy-repeat "$repeated" --plugin "$toys" --json
like "the same position alone goes on" '.*"moves":\["2","4","rest"\],"over":false,"result":null,"scores":\[\],.*' "$out"
refused best toy-repeat --plugin "$toys" --moves "$back_and_forth"
says "position: the game has ended"
refused replay toy-repeat --plugin "$toys" --moves "$back_and_forth, 2"
says "the game has ended"
good show toy-repeat:repeats=1,verdict=loss --plugin "$toys" --moves '2 8 1 9' --json
like "lost by repetition, with options" '\{"game":"toy-repeat:repeats=1,verdict=loss",.*"result":"win 1".*' "$out"
good show toy-repeat --plugin "$toys" --moves 'rest rest rest rest' --json
like "drawn by count" '.*"moves":\[\],"over":true,"result":"draw",.*' "$out"
good perft toy-repeat 2 --plugin "$toys" --moves 'rest rest rest rest' --divide
like "perft plays on past a draw by count" 'nodes [1-9][0-9]*' "$(last_line)"
refused show toy-repeat:repeat=1 --plugin "$toys"
says "repeats"
refused show toy-repeat:repeats=9 --plugin "$toys"
refused show toy-repeat:verdict=win --plugin "$toys"
good help toy-repeat --plugin "$toys"
like "its options" '  repeats  .*1 to 3, default 2' "$(grep '^  repeats' "$work/out")"
like "its choices" '  verdict  .*draw\|loss, default draw' "$(grep '^  verdict' "$work/out")"

# --- plugin check ---
# The trogs, whose boards are large, are checked by the unit test of the suite.
sed 's/&toy_trog[a-z_]*,//g' "$source/tests/toys/plugin.c" >"$work/plugin.c"
all=$toys
toys=$work/toys.so
"${CC:-cc}" -std=c11 -O1 -shared -fPIC -I"$source/include" -I"$source/tests" "$work/plugin.c" \
	"$source"/tests/toys/{counted,die,four,quiet,repeat,sling,solo,three,trade}.c -o "$toys" || bad "compile few"
good plugin check "$toys"
is "all laws hold" "ok" "$(last_line)"
checked=$(grep -c '^toy-[a-z-]* (' "$work/out")
is "every game of the file" "$("$quevedo" games --plugin "$toys" | grep -c '^toy-')" "$checked"
like "laws that do not apply" '  leaf  *does not apply: no leaf function' "$(grep '^  leaf ' "$work/out" | tail -n 1)"
for options in heaps=1 heaps=4 size=1 size=9 last=loses heaps=1,size=1 heaps=4,size=9,last=loses; do
	like "the extremes of options: $options" "toy-counted:$options: [0-9]+ laws, [0-9]+ checks" "$(grep "^toy-counted:$options:" "$work/out")"
done
is "all but the trogs" "$("$quevedo" games --plugin "$all" | grep '^toy-' | grep -vc '^toy-trog')" "$checked"
good plugin check "$toys" toy-counted:size=7
is "one game with these options" 1 "$(grep -c '^toy' "$work/out")"
like "its name" 'toy-counted:size=7 \(Nim\): laws.*' "$(head -n 1 "$work/out")"
good plugin check "$toys" toy-counted:size=7 --json
like "the report in JSON" '\{"file":".*toys.so","ok":true,"games":\[\{"game":"toy-counted:size=7","ok":true,"reason":null,"laws":\[\{"law":"[^"]+","checks":[0-9]+\}.*\],"skipped":\[\{"law":"[a-z-]+","why":"[^"]+"\}.*\],"law":null,"position":null\}\]\}' "$out"
refused plugin check "$toys" toy-nothing
refused plugin check "$toys" noughts
says "the plug-in has no game of this name"
refused plugin check "$toys" toy-counted:size=77

# A nim whose hash forgets whose turn it is only sometimes: equal states, different hashes.
compile() {
	"${CC:-cc}" -std=c11 -shared -fPIC -I"$source/include" -I"$source/tests" "$work/$1.c" -o "$work/$1.so" || bad "compile $1"
}
cat >"$work/liar.c" <<'END'
#define toy_counted hidden_counted
#include "toys/counted.c"
#undef toy_counted
static uint64_t lying_hash(const void *state)
{
	static uint64_t calls;
	return counted_hash(state) + ++calls;
}
const struct qv_game *qv_plugin(int index);
const struct qv_game *qv_plugin(int index)
{
	static struct qv_game liar;
	liar = hidden_counted;
	liar.name = "liar";
	liar.aliases = NULL;
	liar.hash = lying_hash;
	return index ? NULL : &liar;
}
END
sed 's/"liar"/"future"/; s/liar.hash = .*/liar.interface_number = QV_INTERFACE + 1;/; s/static uint64_t lying/static inline uint64_t lying/' "$work/liar.c" >"$work/future.c"
sed 's/"liar"/"crash"/; s/static uint64_t calls;/*(volatile int *)8 = 1;/; s/+ ++calls//' "$work/liar.c" >"$work/crash.c"
echo 'int nothing_of_the_kind;' >"$work/empty.c"
sed 's/"liar"/"lack"/; s/liar.hash = .*/liar.hash = NULL;/; s/static uint64_t lying/static inline uint64_t lying/' "$work/liar.c" >"$work/lack.c"
for name in liar future crash empty lack; do
	compile $name
done
run plugin check "$work/liar.so"
is "a law that does not hold: status" 1 $rc
like "a law that does not hold: reason" 'failed: liar: .+: .+' "$(last_line)"
run plugin check "$work/liar.so" --json
is "the same in JSON: status" 1 $rc
like "the same in JSON" '\{"file":".*","ok":false,"games":\[\{"game":"liar","ok":false,"reason":".+","laws":\[.*\],"skipped":\[.*\],"law":"hash","position":"5 5 5 1"\}\]\}' "$out"
refused plugin check "$work/lack.so"
says "game lack: the required function hash is missing"
refused plugin check "$work/future.so"
refused games --plugin "$work/future.so"
refused plugin check "$work/empty.so"
refused show noughts --plugin "$work/empty.so"
run plugin check "$work/crash.so"
is "a crash: status" 1 $rc
like "a crash: law and position" 'failed: crash: hash: it (crashed|ended the program).*; at 5 5 5 1' "$(last_line)"

# --- evaluations for a built-in game ---
frontier=$build/examples/frontier.so
with=(--plugin "$frontier")
good help reversi "${with[@]}"
like "help lists it" '  frontier +corners and .*' "$(grep '^  frontier' "$work/out")"
good eval reversi --moves f5 --eval frontier "${with[@]}"
is "eval" "frontier                      4        1       -4       12|value 12" "$(tail -n 2 "$work/out" | paste -sd'|')"
good eval reversi --moves f5 --eval frontier --weight frontier=-5 "${with[@]}"
is "eval with a weight" "value 15" "$(last_line)"
good best reversi --player alphabeta:depth=3,eval=frontier --no-times "${with[@]}"
own=$(last_line)
good best reversi --player maxn:depth=3,eval=frontier --no-times "${with[@]}"
like "maxn with it" 'move [a-h][1-8]' "$(last_line)"
like "best with it" 'move [a-h][1-8]' "$own"
good match reversi --player A=alphabeta:depth=2,eval=frontier --player B=alphabeta:depth=2 --games 2 --no-times --hash 1 "${with[@]}"
is "a match with it" "frontier default" "$(sed -n 's/^Evaluator *//p' "$work/out" | tr -s ' ')"
good tune reversi --weight frontier=-4:-2:2 --player alphabeta:depth=1,random=1,tt=1,eval=frontier --games 4 "${with[@]}"
refused best reversi --player alphabeta:eval=frontie "${with[@]}"
says "did you mean 'frontier'?"
refused best reversi --player alphabeta:eval=frontier
refused best reversi --player lurgee:eval=frontier "${with[@]}"
refused games "${with[@]}" "${with[@]}"
says "evaluations of reversi: an evaluation named frontier already exists"
# In JSON; example-plugin.sh reads the lines.
good plugin check "$frontier" --json
like "its laws hold" '\{"file":".*","ok":true,"games":\[\{"game":"reversi","ok":true,.*\]\}' "$out"
for law in evaluation evaluation-terms image-play; do
	checks=$((checks + 1))
	grep -q "{\"law\":\"$law\",\"checks\":[1-9]" "$work/out" || bad "plugin check does not check $law of an evaluation"
done

# wrong NAME OLD NEW: frontier.c with a change.
wrong() {
	sed "s/$2/$3/" "$source/examples/frontier.c" >"$work/$1.c"
	! cmp -s "$source/examples/frontier.c" "$work/$1.c" || bad "no change in $1"
	compile "$1"
}
# refuses NAME OLD NEW WORDS: such a plug-in is refused with these words.
refuses() {
	wrong "$1" "$2" "$3"
	refused games --plugin "$work/$1.so"
	says "$4"
	refused plugin check "$work/$1.so"
}
refuses clash '.name = "frontier"' '.name = "default"' "evaluations of reversi: an evaluation named default already exists"
refuses none '.name = "frontier"' '.name = "none"' "an evaluation named none already exists"
refuses name '.name = "frontier"' '.name = "My idea"' "a name must be 1 to 31 characters"
refuses unnamed '.name = "frontier"' '.name = NULL' "the list of evaluations is empty"
refuses game '.game = "reversi"' '.game = "reversy"' "no game is named 'reversy'; did you mean 'reversi'?"
refuses no-game '.game = "reversi"' '.game = NULL' "they name no game"
refuses interface 'QV_HEAD(qv_added_evaluations),' '.interface_number = QV_INTERFACE + 1,' "built for interface"
refuses sizes 'QV_HEAD(qv_added_evaluations),' '.interface_number = QV_INTERFACE,' "begin it with QV_HEAD"
refuses no-table '.evaluations = evaluations' '.evaluations = NULL' "the list of evaluations is empty"
refuses no-function '.evaluate = evaluate,' '' "an evaluation has no function"
refuses weights '"frontier", FRONTIER, 1' '"frontier", FRONTIER, 2' "named weights lie outside"
refuses nothing 'index == 0 ? &added' '!index ? NULL' "contains no game and no evaluation"
# breaks NAME OLD NEW REASON: it is loaded, but plugin check finds the reason.
breaks() {
	wrong "$1" "$2" "$3"
	run plugin check "$work/$1.so"
	is "plugin check $1: status" 1 $rc
	like "plugin check $1" "failed: reversi: .*$4.*" "$(last_line)"
}
breaks sum 'weigh(state, weights, NULL);' 'weigh(state, weights, NULL) + 1;' 'its terms add up to'
breaks unstable 'return weigh(state, weights, NULL);' 'static int calls; return weigh(state, weights, NULL) + ++calls % 7;' \
	'(another value when called again|changes under symmetry|a static variable changes)'
breaks lopsided 'row = i \/ 2' 'row = i \/ 3' 'changes under symmetry'
finish

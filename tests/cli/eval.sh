#!/usr/bin/env bash
# eval.sh - quevedo eval: the static evaluation term by term, as text and as JSON, with other weights.
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash" "$1"

# value: the last line of the answer, without its first word
value() { last_line | sed 's/^value //'; }

# --- the table ---
threes="......./......./......./o....../o..x.../o.xxx.. o"
good eval connect4 "$threes"
is "connect-four, for the side to move" "eval default
turn seat 2
term                     seat 1   seat 2   weight    value
threat                        2        1       16      -16
middle                        2        0        4       -8
inner                         1        0        3       -3
value -27" "$out"
good eval connect4 --moves "4, 4, 3"
is "moves are played first" "turn seat 2" "$(sed -n 2p "$work/out")"
good eval connect4 "$threes" --weight threat=1 --weight inner=10
is "other weights" -19 "$(value)"
good eval connect4 "$threes" --eval threats
is "another evaluation" "eval threats" "$(head -n 1 "$work/out")"
printf 'threat = 100\n' >"$work/weights"
good eval connect4 "$threes" --weights "$work/weights" --weight middle=0
is "weights of a file, and one more" -103 "$(value)"

# --- the diagrams 2-1 and 2-2 of the 1983 book: +2, -5, and -5.01 with the rows of pawns ---
good eval chess "r3k3/8/8/8/8/8/4PP2/3RK3 w - - 0 1" --eval material
is "diagram 2-1" 200 "$(value)"
second="5rk1/pp3ppp/2nbq3/8/1P6/2P1B2Q/P7/1KR5 w - - 0 1"
good eval chess "$second" --eval material --weight 'value[2]=300'
is "diagram 2-2" -500 "$(value)"
good eval chess "$second" --eval material --weight 'value[2]=300' --weight advance=1
is "diagram 2-2 with rows" -501 "$(value)"
like "the rows" 'advance +9 +10 +1 +-1' "$(grep '^advance' "$work/out")"

# --- no terms, no table ---
good eval chess --eval net
is "a net has a value only" "eval net
turn seat 1" "$(sed '$d' "$work/out")"
good eval reversi --eval none
is "no evaluation at all" "value 0" "$(last_line)"

# --- JSON: the terms add up ---
middle="r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQK2R b KQkq - 0 5"
ending="8/5k2/3p4/2pP1p2/2P2P2/4K3/8/7B b - - 0 50"
for words in "chess:$middle" "chess:$ending" "minichess:start" "reversi:start" "morris:start" "noughts3d:start" "hexapawn:start"; do
	good eval "${words%%:*}" "${words#*:}" --json
	python3 - "$work/out" "$words" <<'P' || bad "the sum of $words"
import json, sys
answer = json.load(open(sys.argv[1]))
assert list(answer) == ["game", "position", "seat", "eval", "value", "terms"], answer
assert answer["terms"] and sum(t["value"] for t in answer["terms"]) == answer["value"]
for term in answer["terms"]:
    assert list(term) == ["name", "counts", "weight", "share", "value", "squares"] and len(term["counts"]) == 2
    mine, theirs = term["counts"][::1 if answer["seat"] == 1 else -1]
    if term["weight"] is not None and term["name"] not in ("risk", "attack"):
        assert abs((mine - theirs) * term["weight"] * term["share"] - term["value"]) <= 0.5 + 1e-6, term
P
	checks=$((checks + 1))
done
good eval chess "$ending"
like "the share of a weight" 'material\[2\] +3 +3 +[0-9]+ +[01]\.[0-9]+ +0' "$(grep '^material.2' "$work/out")"

# squares GAME POS TERM: the squares whose piece changes a count of the term when it is removed
squares() {
	good eval "$1" "$2" --json
	python3 -c 'import json, sys
print(*[t["squares"] for t in json.load(open(sys.argv[1]))["terms"] if t["name"] == sys.argv[2]][0])' "$work/out" "$3"
}
is "the queens" "d1 d8" "$(squares chess start 'material[9]')"
is "a bishop and the pawn in its way" "b2 e5" "$(squares chess '4k3/6p1/8/4p3/8/8/1B6/4K3 w - - 0 1' 'bishop-mobility[11]')"
is "no king can be removed" "" "$(squares chess start 'king-squares[7]')"
is "a corner" a1 "$(squares reversi 'X--------X--------X--------XO------OX--------------------------- O' 'corner[1]')"

# --- the same value as a search to depth 1 finds at its leaf ---
good best connect4 "4" --player minimax:depth=1 --json
leaf=$(python3 -c 'import json, sys; print(-json.load(open(sys.argv[1]))["score"])' "$work/out")
move=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["move"])' "$work/out")
good eval connect4 "4" --moves "$move"
is "a leaf of a search" "$leaf" "$(value)"

# --- wrong use ---
refused eval
refused eval nosuchgame
refused eval chess "not a position"
refused eval chess --eval nosuch
refused eval chess --eval net --weight threat=1
refused eval connect4 --weight nosuch=1
refused eval connect4 --weight zzz=1
says "it has threat, middle, inner"
refused eval chess --weight zzz=1
says "it has material, pawn-squares"
says ", ..."
good help connect4
is "help lists the weights of each evaluation" 1 "$(grep -cx ' *weights: threat, middle, inner' "$work/out")"
refused eval connect4 --weight threat
refused eval connect4 --weight threat=
refused eval connect4 --weight threat=1000000
refused eval connect4 --weight threat=x
refused eval reversi --weight corner=1
refused eval connect4 --weights "$work/nosuch"
says "quevedo: $work/nosuch: No such file"
refused eval connect4 --weights ""
refused eval race
finish

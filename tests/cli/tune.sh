#!/usr/bin/env bash
# tune.sh - quevedo tune: the table, JSON, reproducibility, and what it refuses.
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash" "$1"
player=alphabeta:depth=2,random=1,tt=0

# --- the table ---
good tune connect4 --weight threat=0:20:10 --games 20 --player $player
like "who, and what the weight is" "player $player, threat [0-9]+" "$(head -n 1 "$work/out")"
is "a line for each value, and three more" 6 "$(wc -l <"$work/out")"
is "the values" "0 10 20" "$(awk 'NR > 2 && NF > 5 { printf "%s%s", sep, $1; sep = " " }' "$work/out")"
like "the best one" 'best (0|10|20)' "$(last_line)"
is "wins, draws and losses are all games" "" "$(sed 's/ (now)//' "$work/out" | awk 'NR > 2 && NF > 5 && $3 + $4 + $5 != $2')"
table=$out
good tune connect4 --weight threat=0:20:10 --games 20 --player $player --jobs 2
is "the same with two jobs" "$table" "$out"
good tune connect4 --weight threat=0:20:10 --games 20 --player $player --seed 2
[ "$table" != "$out" ] || bad "another seed, other games"

# --- JSON says the same ---
good tune connect4 --weight threat=0:20:10 --games 20 --player $player --json
printf '%s\n' "$table" >"$work/table"
python3 - "$work/out" "$work/table" <<'P' || bad "the JSON"
import json, sys
values = json.load(open(sys.argv[1]))
rows = [l.replace(" (now)", "").split() for l in open(sys.argv[2])][2:-1]
assert [v["value"] for v in values] == [0, 10, 20]
for v, row in zip(values, rows, strict=True):
    assert v["games"] == v["wins"] + v["draws"] + v["losses"] == 20
    assert abs(v["score"] - (v["wins"] + v["draws"] / 2) / 20) < 1e-6
    assert [int(x) for x in row[1:5]] == [v["games"], v["wins"], v["draws"], v["losses"]]
    assert abs(float(row[5]) - 100 * v["score"]) < 0.006 and abs(float(row[6]) - 100 * v["score_error"]) < 0.006
    assert abs(float(row[7]) - v["elo"]) < 0.06 and abs(float(row[8]) - v["error"]) < 0.06
P
checks=$((checks + 1))

# --- a weight that matters shows: who does not know a four in the making loses ---
good tune connect4 --weight threat=-20:20:40 --games 60 --player $player --json
python3 - "$work/out" <<'P' || bad "a threat that counts as a fault must lose"
import json, sys
worse, better = json.load(open(sys.argv[1]))
assert worse["elo"] + worse["error"] < 0 and worse["los"] < 0.01, worse
assert better["elo"] > worse["elo"] + 100, (worse, better)
P
checks=$((checks + 1))

# --- the value that is there now, groups, dice, plug-ins' kinds ---
now=$("$quevedo" tune connect4 --weight threat=1:1:1 --games 2 --player $player | sed -n '1s/.* //p')
good tune connect4 --weight "threat=$now:$now:1" --games 2 --player $player
like "the value of now is marked" "$now \(now\) .*" "$(sed -n 3p "$work/out")"
good tune connect4 --weight threat=1:1:1 --games 2 --player "$player,weights=/dev/stdin"
good tune reversi --weight 'corner[2]=0:20:20' --games 2 --player $player
good tune race --weight step=1:2:1 --games 2
good tune hexapawn --weight pawn=1:1:1 --games 2
good tune noughts --weight 'open[3]=1:1:1' --games 2 --random-plies 0

# --- wrong use ---
refused tune
refused tune nosuchgame --weight a=0:1:1
refused tune connect4
says "--weight"
for weight in '' threat threat= threat=1 threat=0:1 threat=0:1:0 threat=1:0:1 threat=0:1:1:1 =0:1:1 threat=a:b:c threat=0:65536:1 threat=0:65537:60000; do
	refused tune connect4 --weight "$weight" --games 2
	says "weight"
done
refused tune connect4 --weight treat=0:1:1 --games 2
says "did you mean 'threat'?"
refused tune reversi --weight corner=0:1:1 --games 2
says "corner[1] to corner[3]"
refused tune reversi --weight 'corner[4]=0:1:1' --games 2
refused tune reversi --weight 'corner[0]=0:1:1' --games 2
refused tune reversi --weight 'corner[=0:1:1' --games 2
refused tune connect4 --weight threat=0:1:1 --games 3
says "odd"
refused tune connect4 --weight threat=0:1:1 --games 0
refused tune connect4 --weight threat=0:1:1 --games 2 --player mcts:playouts=10
says "weight"
refused tune connect4 --weight threat=0:1:1 --games 2 --player level:2
refused tune connect4 --weight threat=0:1:1 --games 2 --player alphabeta:weight=threat:1
says "given twice"
refused tune connect4 --weight threat=0:1:1 --games 2 --player nosuch
refused tune connect4 --weight threat=0:1:1 --games 2 --player $player --player $player
refused tune reversi --weight a=0:1:1 --games 2 --player alphabeta:eval=material
refused tune connect4 --weight threat=0:1:1 --sprt elo0=0,elo1=5
refused best connect4 --weight threat=0:1:1
for weight in threat threat: :1 treat:1 threat:x threat:70000 'threat[2]:1'; do
	refused best connect4 --player "alphabeta:depth=1,weight=$weight"
	says "weight"
done
good best connect4 4453 --player alphabeta:depth=4,weight=threat:20 --no-times
one=$(sed 1d "$work/out")
"$quevedo" best connect4 4453 --player alphabeta:depth=4,weights=- --no-times <<<"threat = 20" | sed 1d >"$work/two"
is "weight= is a file of one line" "$(cat "$work/two")" "$one"
finish

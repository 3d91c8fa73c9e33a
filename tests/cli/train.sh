#!/usr/bin/env bash
# train.sh - quevedo train: what it prints and leaves, going on, the weights in play, and what it refuses.
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash" "$1"
plan=rounds=2,games=32,depth=1,solve=6,iterations=2,least=1

# --- two rounds, and the same again in two goes ---
good train reversi --data "$work/a" --plan $plan --no-times
like "a line for each round" 'round 1: [0-9]+ positions, error [0-9.]+ discs, before [0-9.]+, weights [0-9a-f]{16}' "$(head -n 1 "$work/out")"
is "two of them" 2 "$(wc -l <"$work/out")"
is "what is in the folder" "round-1.games round-1.weights round-2.games round-2.weights weights" "$(ls "$work/a" | tr '\n' ' ' | sed 's/ $//')"
cmp -s "$work/a/weights" "$work/a/round-2.weights" || bad "weights are those of the last round"
all=$out
good train reversi --data "$work/b" --plan rounds=1,${plan#rounds=2,} --no-times --threads 2
is "the first round on two threads" "$(head -n 1 <<<"$all")" "$out"
good train reversi --data "$work/b" --plan $plan --no-times
is "the second goes on from it" "$(sed -n 2p <<<"$all")" "$(sed -n 2p "$work/out")"
like "the first was there" 'round 1: was there, weights [0-9a-f]{16}' "$(head -n 1 "$work/out")"
good train reversi --data "$work/c" --plan rounds=1,${plan#rounds=2,} --json
like "JSON" '\{"round":1,"resumed":false,"positions":[0-9]+,"error_before":[0-9.]+,"error":[0-9.]+,"errors":\[.*\],"seconds_playing":[0-9.e-]+,"seconds_fitting":[0-9.e-]+,"hash":"[0-9a-f]{16}"\}' "$out"

# --- the weights in play ---
good best reversi --player "alphabeta:depth=3,eval=pattern,weights=$work/a/weights" --no-times
like "a move by them" 'move (d3|c4|f5|e6)' "$(last_line)"
refused best reversi --player "alphabeta:depth=3,weights=$work/a/weights"
refused best reversi --player "alphabeta:depth=3,eval=pattern,weight=corner:1"
head -c 60 "$work/a/weights" >"$work/cut"
refused best reversi --player "alphabeta:depth=3,eval=pattern,weights=$work/cut"
says "weights"

# --- draughts ---
small=rounds=1,games=3,nodes=40,iterations=2
good train draughts --data "$work/draughts" --plan $small --no-times
like "a round of draughts" 'round 1: [0-9]+ positions, error [0-9.]+, before [0-9.]+, weights [0-9a-f]{16}' "$out"
good best draughts --player "selective:depth=4,eval=pattern,weights=$work/draughts/weights" --no-times
like "a move by its patterns" 'move [0-9]+-[0-9]+' "$(last_line)"
refused best draughts --player "selective:depth=4,eval=pattern,weights=$work/a/weights"
says "not the patterns of draughts"
refused train draughts --data "$work/draughts" --plan $small --player random
says "its own games"

# --- chess ---
small=rounds=1,games=3,nodes=40,iterations=3
good train chess --data "$work/chess" --plan $small --no-times
like "a round of chess" 'round 1: [0-9]+ positions, error [0-9.]+, before [0-9.]+, curve [0-9]+, weights [0-9a-f]{16}' "$out"
good train chess --data "$work/chess" --plan $small --json
like "it was there" '\{"round":1,"resumed":true,"hash":"[0-9a-f]{16}"\}' "$out"
good best chess --player "selective:depth=4,weights=$work/chess/weights" --no-times
like "a move by them" 'move [a-h][1-8][a-h][1-8]' "$(last_line)"
refused train chess --data "$work/chess" --plan nodes=41,${small/nodes=40,/}
says "another plan"
refused train chess --data "$work/d" --plan depth=4
says "plan"

# --- chess's net, by somebody else's scores ---
small=net=1,rounds=1,games=3,nodes=40,iterations=1
good train chess --data "$work/net" --plan $small --player selective:depth=2 --no-times
like "a round for the net" 'round 1: [0-9]+ positions, error [0-9.]+, before [0-9.]+, curve [0-9]+, weights [0-9a-f]{16}' "$out"
net=$out
good train chess --data "$work/net.2" --plan $small --player selective:depth=2 --no-times --threads 2
is "the same on two threads" "$net" "$out"
good train chess --data "$work/net.3" --plan $small --no-times
[ "$net" != "$out" ] || bad "other scores teach something else"
good best chess --player "selective:depth=4,eval=net,weights=$work/net/weights" --no-times
like "a move by it" 'move [a-h][1-8][a-h][1-8]' "$(last_line)"
refused best chess --player "selective:depth=4,weights=$work/net/weights"
refused best chess --player "selective:depth=4,eval=net,weights=$work/chess/weights"
says "net"
refused train chess --data "$work/net" --plan $small
says "another plan"
refused train chess --data "$work/d" --plan $small --player selectve
refused train reversi --data "$work/d" --player random
says "--player"

# --- backgammon: the same nets with any number of threads; a finished training prints its state ---
small=rounds=2,games=4,deep=1,first=50,window=1000,batch=64,gauge=4
good train backgammon --data "$work/bg" --plan $small --no-times
like "a line" 'round 2: stage 2, 5 games, [0-9]+ positions, errors [0-9. ]+, equity .*, weights [0-9a-f]{16}' "$(last_line)"
bg=$(last_line)
good train backgammon --data "$work/bg.2" --plan $small --no-times --threads 2
is "with two threads" "$bg" "$(last_line)"
good train backgammon --data "$work/bg" --plan $small --json
like "an object" '\{"round":0,"resumed":true,"stage":2,.*\}' "$(last_line)"
good best backgammon "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31" --player "expectimax:depth=1,eval=net,weights=$work/bg/weights" --no-times
refused train backgammon --data "$work/bg" --plan games=5,${small/games=4,/}
says "another plan"
refused train backgammon --data "$work/d" --player random
says "--player"

# --- Warp Trog: the same net with any number of threads ---
small=rounds=2,games=4,depth=1,samples=4,batch=64
good train warptrog --data "$work/trog" --plan $small --no-times
like "a line" 'round 2: [0-9]+ positions, errors [0-9. ]+, against book [0-9]+ won, [0-9]+ drawn, [0-9]+ lost, weights [0-9a-f]{16}' "$(last_line)"
trog=$(last_line)
good train warptrog --data "$work/trog.2" --plan $small --no-times --threads 2
is "with two threads" "$trog" "$(last_line)"
good train warptrog --data "$work/trog" --plan $small --json
like "an object" '\{"round":2,"resumed":true,.*"hash":"[0-9a-f]{16}"\}' "$(last_line)"
good best warptrog --player "expectimax:depth=1,eval=net,weights=$work/trog/weights" --no-times
refused best warptrog --player "expectimax:depth=1,eval=net,weights=$work/bg/weights"
says "not a net of Warp Trog"
refused train warptrog --data "$work/trog" --plan games=5,${small/games=4,/}
says "another plan"
refused train warptrog --data "$work/d" --player random
says "--player"

# --- Race!: a curve, and weights that an evaluation takes ---
good train race --data "$work/race" --plan games=200,every=100,test=20
like "a line" '200 games: error 0\.[0-9]{4}, won [0-9]+ of 20 against book, weights step [0-9]+ entered [0-9]+ .*' "$(last_line)"
race=$(last_line)
good train race --data "$work/race" --plan games=200,every=100,test=20 --json
like "an object" '\{"games":200,"error":0\.[0-9]+,"won":[0-9]+,"tested":20,"weights":\{"step":[0-9]+,.*\}\}' "$(last_line)"
good train race --data "$work/race.2" --plan games=200,every=100,test=20 --threads 2
is "the same again" "$race" "$(last_line)"
good best race "0,3,3,18 0,0,7,12 2 5" --player "expectimax:depth=1,weights=$work/race/weights" --no-times
refused train race --data "$work/d" --plan rate=0
says "plan"

# --- what is refused ---
refused train
refused train connect4 --data "$work/d"
says "reversi"
refused train reversi
says "--data"
refused train reversi --data "$work/a" --plan games=33,${plan#rounds=2,games=32,}
says "another plan"
refused train reversi --data "$work/a" --plan $plan --seed 2
says "another plan"
for wrong in rounds rounds=0 round=1 rounds=1,rounds=1 rounds=1, games=x; do
	refused train reversi --data "$work/d" --plan "$wrong"
	says "plan"
done
refused train reversi --data "$work/no/such/folder" --plan $plan
refused best reversi --plan $plan
[ ! -e "$work/d" ] || bad "a folder for nothing"

# --- solve ---
late="-OOOOO---XXXOX--XXXXXXX-XXOXOXXXXXXOXXXXXXXXXXXX--XXXX----XXX--- O"
good best reversi "$late" --player negascout:depth=2,solve=20,eval=pattern --no-times
like "solved to the end" 'move [a-h][1-8]' "$(last_line)"
like "proven" '.*proven (win|loss|draw).*' "$(tr '\n' ' ' <"$work/out")"
move=$(last_line)
good solve reversi "$late" --json
like "and what the solver says" '.*"value":"(win|loss|draw)".*' "$out"
refused best connect4 --player negascout:depth=2,solve=20
says "solve"
refused best reversi --player negascout:solve=65
finish

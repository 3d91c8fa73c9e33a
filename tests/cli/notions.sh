#!/usr/bin/env bash
# notions.sh - what a game's theory sees in a position: show, replay and analyse with --notions.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

# --- text: a line each, before the position ---
threats="......./......./......./..xxxo./..oxoo./..xoxo. x"
good show connect4 "$threats" --notions
is "connect-four's threats" "notion seat 1  distant odd threats 1  column 2 row 3  Two or more empty squares are below. If the columns fill up in turn, the owner of this threat gets this row.
notion seat 1  immediate even threats 1  column 6 row 4  A disc here makes four, and you can play it now.
notion seat 1  distant even threats 1  column 2 row 4  Two or more empty squares are below. If the columns fill up in turn, the opponent gets this row.
notion seat 2  immediate even threats 1  column 6 row 4  A disc here makes four. The opponent must block it, or win first.
notion seat 2  distant even threats 1  column 7 row 4  Two or more empty squares are below. If the columns fill up in turn, the owner of this threat gets this row.
notion nobody  shared even threats 1  column 6 row 4  Both sides have an even threat in the same column.
notion seat 1  zugzwang 1  -  The first player has more odd threats, and so wins when all other moves run out." "$(grep '^notion' "$work/out")"
is "the position is still last" "position $threats" "$(last_line)"
fours="20/20/20/20/20/20/20/10xo8/20/8oxoxx1o5/7ox2x1o6/20/5oxx12/5oxo12/5x14/4o15/20/20/20/20 x"
good show gomoku:size=20 "$fours" --notions
is "go-moku's wins by fours" "notion seat 1  win by fours 5  j10, m10, k12, j13, n9  Moves that win by fours: j10, i9, m10, k10, k12, h9, j13, i14, n9.
notion seat 2  win by fours 2  g9, j12  If it were to move: g9, e7, j12." "$(grep 'win by fours' "$work/out")"
good show gomoku --moves h8 --notions
is "there is none" "notion seat 2  win by fours 0  -  A sequence of fours that ends with five: none was found." "$(grep 'win by fours' "$work/out" | tail -n 1)"
good replay connect4 "$threats" --notions
is "replay has them too" 7 "$(grep -c '^notion' "$work/out")"
is "and its last line" "$threats" "$(last_line)"
good show reversi --notions
is "ten for each side of reversi" 20 "$(grep -c '^notion seat [12]  ' "$work/out")"
like "mobility at the start" 'notion seat 1  mobility 4  d3, c4, f5, e6  .*\.' "$(grep '^notion' "$work/out" | head -n 1)"

# --- JSON ---
good show reversi --notions --json
python3 - "$work/out" <<'P' || bad "reversi's notions in JSON"
import json, sys
view = json.load(open(sys.argv[1]))
notions = {(n["name"], n["seat"]): n for n in view["notions"]}
assert len(notions) == 20
assert list(view["notions"][0]) == ["name", "seat", "value", "cells", "mark", "text"]
assert notions["mobility", 1]["cells"] == ["d3", "c4", "f5", "e6"]
assert notions["parity", 1]["value"] == 0 and notions["parity", 2]["value"] == 1
assert len(notions["parity", 2]["cells"]) == 60
P
good show reversi --json
checks=$((checks + 1))
grep -q notions "$work/out" && bad "notions that nobody asked for"

# --- analyse: first of all ---
good analyse connect4 "$threats" --player alphabeta:depth=1 --no-times --notions
is "the notions come first" "notion seat 1  distant odd threats 1" "$(head -n 1 "$work/out" | cut -c 1-36)"
like "then the lines" 'line 1  depth 1 .*pv 6' "$(last_line)"
good analyse connect4 "$threats" --player alphabeta:depth=1 --no-times --notions --json
like "as an object of their own" '\{"notions":\[\{"name":"distant odd threats","seat":1,"value":1,"cells":\["column 2 row 3"\],"mark":"odd",.*\}\]\}' "$(head -n 1 "$work/out")"
like "then the lines in JSON" '\{"line":1,"move":"6",.*\}' "$(last_line)"

# --- how a player of Star Chess thinks ---
good analyse starchess --seed 3 --explain --player mask:turns=1 --no-times
is "requests first" "request A2  priority 4  ships 20 to 20  threat 0  found a colony" "$(head -n 1 "$work/out")"
is "the mask that is chosen" "mask without none  scores -120 10 10 10  chosen" "$(grep chosen "$work/out")"
is "five turns" 5 "$(grep -c '^turn of ' "$work/out")"
like "counts" 'masks [0-9]+ of 7  positions [0-9]+  evaluated [0-9]+  levels 5' "$(grep '^masks ' "$work/out")"
like "then the line" 'line 1  depth 5 .*pv move A1 .*, end' "$(last_line)"
good analyse starchess --seed 3 --explain --no-times --json
like "as an object" '\{"explanation":\{"seat":1,"turns":2,"levels":9,.*\}\}' "$(head -n 1 "$work/out")"
refused analyse starchess --explain --player admiral
says "only players of the kind mask can explain"
refused analyse noughts --explain
says "no player of noughts explains its moves"

# --- the candidates of backgammon ---
last_men="2:1,1:1,off:13 1:1,off:14"
good analyse backgammon "$last_men 1 21" --explain --player equity:1 --no-times
like "the best candidate first" 'candidate 2/off 1/off +plies 1  equity \+1\.000  win 100\.0 0\.0 0\.0  lose 0\.0 0\.0 0\.0' "$(head -n 1 "$work/out")"
like "then the lines" 'line 1  depth 1  score 1000 .*pv 2/off 1/off' "$(last_line)"
good analyse backgammon:cube=1 "$last_men 1 -" --explain --no-times --json
like "decisions about the cube" '\{"explanation":\{"seat":1,.*"candidates":\[\{"move":"(roll|double)","plies":2,"equity":.*,"lose_backgammon":0\.0+\}\]\}\}' "$(head -n 1 "$work/out")"
refused analyse backgammon "$last_men 1 21" --explain --player expectimax:depth=1
says "only players of the kind equity can explain"

# --- an ended game has none; a game may have none at all ---
good show connect4 --moves '1 2 1 2 1 2 1' --notions --json
like "the game is over" '.*"notions":\[\]\}' "$out"
refused show noughts --notions
says "noughts has no evaluation terms"
refused analyse noughts --notions --player minimax:depth=1
says "noughts has no evaluation terms"
refused show draughts --notions
says "draughts has no evaluation terms to show on the board; 'quevedo eval draughts' lists"
refused best connect4 --notions
refused show connect4 --notions --format svg
says "not in a picture"

# --- a plug-in tells its own ---
good show toy-counted "1 2 3 1" --plugin "$build/tests/toys.so" --notions
is "the nim sum" "notion nobody  nim sum 0  a, b, c  The heaps added without carries: at 0, who moves loses, if the last stone wins." "$(grep '^notion' "$work/out")"

finish

#!/usr/bin/env bash
# analyse.sh - the command analyse: lines as the search deepens, written at once, and what ends it.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

# --- one line: an answer an iteration, and the last is that of best ---
good analyse connect4 --player alphabeta:depth=5 --no-times
is "five iterations" 5 "$(wc -l <"$work/out")"
like "their form" 'line 1  depth 5  score -?[0-9]+  nodes [0-9]+  pv [1-7](, [1-7]){4}' "$(last_line)"
last=$(last_line)
good best connect4 --player alphabeta:depth=5 --no-times
is "the same line as best" "$(sed -n 's/^line //p' "$work/out")" "${last#*pv }"
good analyse connect4 --player alphabeta:depth=3
like "with times" 'line 1  depth 3  score -?[0-9]+  nodes [0-9]+  seconds [0-9.]+  pv .*' "$(last_line)"

# --- JSON: the fields of best, and the line's number ---
good best connect4 --player alphabeta:depth=4 --no-times --json
answer=$out
good analyse connect4 --player alphabeta:depth=4 --no-times --json
is "the fields of best" "{\"line\":1,${answer#\{}" "$(last_line)"
good analyse connect4 --player alphabeta:depth=4 --json
like "seconds too" '\{"line":1,.*"seconds":.*\}' "$(last_line)"

# --- several lines: each without the first moves of those before it, as a search of what is left says ---
good analyse diagram 3-1 --player minimax:depth=2 --lines 9 --no-times
is "the three moves of diagram 3-1, best first" "line 1  depth 2  score 0  nodes 12  pv C, C1
line 2  depth 2  score -1  nodes 8  pv A, A2
line 3  depth 2  score -3  nodes 4  pv B, B1" "$out"
good analyse noughts "x.o.x.... o" --player negamax:depth=9 --lines 3 --no-times --json
python3 - "$work/out" <<'P' || bad "three lines of noughts"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
last = {l["line"]: l for l in lines}
assert sorted(last) == [1, 2, 3] and len({l["move"] for l in last.values()}) == 3
scores = [last[k]["score"] for k in (1, 2, 3)]
assert scores == sorted(scores, reverse=True) and all(last[k]["proven"] for k in last)
assert all("in" in last[k] and last[k]["pv"][0] == last[k]["move"] for k in last)
P
checks=$((checks + 1))
good analyse noughts "xox.o.x.o x" --player alphabeta:depth=9 --lines 4096 --no-times
is "no more lines than moves" 3 "$(cut -d' ' -f2 "$work/out" | sort -u | wc -l)"

# --- of a search that deepens: depth by depth, the best first ---
listed() { sed "s/.*$1 \\([0-9]*\\) .*/\\1/" "$work/out" | tr '\n' ' ' | sed 's/ $//'; }
good analyse connect4 --player negascout:depth=6 --lines 3 --no-times --json
best6=$("$quevedo" best connect4 --player negascout:depth=6 --no-times --json)
python3 - "$work/out" "$best6" <<'P' || bad "lines depth by depth"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
assert [(l["depth"], l["line"]) for l in lines] == [(d, n) for d in range(1, 7) for n in (1, 2, 3)]
for d in range(0, 18, 3):
    scores = [l["score"] for l in lines[d:d + 3]]
    assert scores == sorted(scores, reverse=True), scores
    assert len({l["move"] for l in lines[d:d + 3]}) == 3
assert lines[15]["score"] == json.loads(sys.argv[2])["score"]
assert list(lines[0]) == ["line"] + list(json.loads(sys.argv[2]))
P
checks=$((checks + 1))
for moves in 1 2 3 4 5 6 7; do # what each first move is worth, by itself
	"$quevedo" best connect4 --moves $moves --player minimax:depth=4 --json --no-times
done >"$work/each"
good analyse connect4 --player alphabeta:depth=5,tt-exact=1 --lines 7 --no-times --json
python3 - "$work/out" "$work/each" <<'P' || bad "the scores of all first moves"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])][-7:]
each = [-json.loads(l)["score"] for l in open(sys.argv[2])]
assert {int(l["move"]): l["score"] for l in lines} == {m + 1: s for m, s in enumerate(each)}, (lines, each)
P
checks=$((checks + 1))
good analyse reversi --player alphabeta:depth=3 --lines 9 --no-times
is "as many as there are moves, at each depth" "1 2 3 4 1 2 3 4 1 2 3 4" "$(listed line)"
good analyse noughts "xx.oo.... x" --player alphabeta:depth=9 --lines 3 --no-times
like "a line that is proven stays so" 'line 1  depth 1  score win in 1  proven win in 1  .*' "$(grep '^line 1 ' "$work/out" | tail -n 1)"
is "all of them proven ends it" 3 "$(tail -n 3 "$work/out" | grep -c proven)"
is "and not before" 0 "$(head -n 3 "$work/out" | tail -n 1 | grep -c proven)"
good analyse connect4 --player alphabeta:nodes=1 --lines 3 --no-times
is "a limit that allows nothing: still a line each" "1 2 3" "$(listed line)"
good analyse connect4 --player alphabeta:nodes=1000 --lines 3 --no-times
is "a depth that a limit cut short is not told" 0 "$(grep -c '  depth 0 ' "$work/out")"
is "and what was told before is whole" "1 2 3 1 2 3" "$(head -n 6 "$work/out" | cut -d' ' -f2 | tr '\n' ' ' | sed 's/ $//')"
good analyse connect4 --player alphabeta:nodes=4611686018427387903,depth=2 --lines 7 --no-times
is "a limit too large to multiply" 14 "$(wc -l <"$work/out")"
good analyse connect4 --player alphabeta:depth=3,iterate=0 --lines 2 --no-times
is "without iterations only the one depth" "3 3" "$(listed depth)"
toys=$build/tests/toys.so
good analyse toy-three --plugin "$toys" --player maxn:depth=2 --lines 2 --no-times
is "three seats too" "1 1 2 2" "$(listed depth)"
good analyse toy-counted --plugin "$toys" --player alphabeta:depth=1 --lines 20 --no-times
is "every number of a counted move" 15 "$(wc -l <"$work/out")"

# --- any kind of game and player ---
good analyse race --moves "roll 6" --player expectimax:depth=2 --no-times
good analyse race "0,3,9,12 1,5,6,14 1 3" --player expectimax:depth=2 --lines 2 --no-times --json
is "two lines of a dice game" "1 2" "$(sed 's/{"line":\([0-9]*\),.*/\1/' "$work/out" | sort -u | tr '\n' ' ' | sed 's/ $//')"
good analyse connect4 --player random --lines 3 --no-times
is "a player without iterations" 3 "$(cut -d' ' -f2 "$work/out" | sort -u | wc -l)"
good analyse noughts --player mcts:playouts=2000 --lines 2 --no-times
good analyse noughts "xx.oo.... x" --player alphabeta:depth=4 --no-times
like "a proven win" 'line 1  depth 1  score win in 1  proven win in 1  nodes [0-9]+  pv 3' "$(last_line)"

# --- wins that are not proven, or need not be the shortest: no raw numbers ---
fours="20/20/20/20/20/20/20/10xo8/20/8oxoxx1o5/7ox2x1o6/20/5oxx12/5oxo12/5x14/4o15/20/20/20/20 x"
good analyse gomoku:size=20 "$fours" --player threats:depth=1 --no-times
like "a win by fours" 'line 1  depth 1  score win in 9  nodes [0-9]+  pv [a-t][0-9]+(, [a-t][0-9]+){8}' "$(last_line)"
good best gomoku:size=20 "$fours" --player threats:depth=1
is "the best move" "score win in 9" "$(sed -n 2p "$work/out")"
good best gomoku:size=20 --moves j10 "$fours" --player threats:depth=2
is "a loss" "score loss in 8" "$(sed -n 2p "$work/out")"
printf 'hint\nquit\n' | "$quevedo" play gomoku:size=20 "$fours" --ascii --hint threats:depth=1 >"$work/out"
is "a hint" "Hint: j10. It seems to win in 9 plies, at depth 1." "$(grep -o 'Hint: .*\. L' "$work/out" | sed 's/ L$//')"
printf 'position %s\ngo depth 1\nquit\n' "$fours" | "$quevedo" engine gomoku:size=20 --player threats --no-times >"$work/out"
like "QGP" 'info depth 1 score 999991 nodes .*' "$(grep '^info' "$work/out")"
good best gomoku:size=20 --moves j10 "$fours" --player "qgp:depth=2,cmd=$quevedo engine gomoku --player threats"
is "QGP, a loss" "score -999992" "$(sed -n 2p "$work/out")"

# --- written at once: the first iteration is there while the search goes on ---
"$quevedo" analyse connect4 --player negascout:time=600s --json >"$work/stream" 2>"$work/err" &
job=$!
for _ in {1..600}; do [ -s "$work/stream" ] && break; sleep 0.1; done
like "the first answer comes before the end" '\{"line":1,.*"depth":1,.*\}' "$(head -n 1 "$work/stream")"
kill -TERM $job # a job in the background does not hear of SIGINT
wait $job
is "who is asked to end does" 0 $?
like "with what is known" '\{"line":1,.*\}' "$(tail -n 1 "$work/stream")"
: >"$work/stream" # the loop below must not see the lines of the last search
env --default-signal=INT "$quevedo" analyse connect4 --player negascout:time=600s --lines 3 >"$work/stream" 2>"$work/err" &
job=$!
for _ in {1..600}; do [ "$(wc -l <"$work/stream")" -gt 6 ] && break; sleep 0.1; done
kill -INT $job
wait $job
is "an interrupt ends it, lines to come and all" 0 $?
like "whole lines" 'line [123]  depth [0-9]+  score .*  pv .*' "$(tail -n 1 "$work/stream")"
is "and whole depths, but for the last" "1 2 3 1 2 3" "$(head -n 6 "$work/stream" | cut -d' ' -f2 | tr '\n' ' ' | sed 's/ $//')"

# --- an output that fails ends the search ---
timeout 300 "$quevedo" analyse connect4 --player negascout:time=600s >/dev/full 2>"$work/err"
is "a full disk" 2 $?
like "a full disk" 'quevedo: standard output: .+' "$(cat "$work/err")"
timeout 300 "$quevedo" analyse connect4 --player negascout:time=600s 2>"$work/err" | head -n 1 >/dev/null
is "a reader that goes away" 2 "${PIPESTATUS[0]}"

# --- refusals ---
refused analyse
refused analyse connect4 start more
refused analyse connect4 1212121
says "the game has ended"
refused analyse race
says "chance is to move"
refused analyse connect4 --lines 0
refused analyse connect4 --lines 4097
refused analyse connect4 --lines
refused analyse connect4 --format svg
refused best connect4 --lines 2
refused analyse connect4 --player nobody
finish

#!/usr/bin/env bash
# rollout.sh - the command rollout: results, threads, journals, and what it refuses.
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash" "$1"

end='6:2,5:1,off:12 4:2,1:2,off:11 1 -'
open='24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31'

good rollout backgammon "$end" --games 36
is "the number of games" "games 36" "$(head -n 1 "$work/out")"
like "an exact ending has no error" "   equity .* \+- 0\.0000" "$(sed -n 2p "$work/out")"

good rollout backgammon "$open" --games 72 --truncate 2 --lines 3
one=$out
is "the best move first" "1. 8/5 6/5" "$(sed -n 2p "$work/out")"
like "what the others lose" "   equity .*, loses 0\.[0-9]+ \+- 0\.[0-9]+" "$(sed -n 6p "$work/out")"
good rollout backgammon "$open" --games 72 --truncate 2 --lines 3 --threads 3
is "the same with more threads" "$one" "$out"
good rollout backgammon "$open" --games 71 --truncate 2 --lines 3
is "whole blocks are played" "$one" "$out"

# A journal continues where it was.
good rollout backgammon "$open" --games 36 --truncate 2 --lines 3 --journal "$work/j"
good rollout backgammon "$open" --games 72 --truncate 2 --lines 3 --journal "$work/j" --resume
is "resumed" "$one" "$out"
good rollout backgammon "$open" --games 72 --truncate 2 --lines 3 --journal "$work/j" --resume --json
like "fields" '.*"complete":true,"moves":\[\{"move":"8/5 6/5".*' "$out"

refused rollout backgammon "$open" --games 72 --truncate 3 --lines 3 --journal "$work/j" --resume
says "the journal is of another"
refused rollout backgammon "$open" --journal "$work/j"
says "exists; --resume continues it"
refused rollout backgammon --resume "$open"
says "--resume: needs --journal"
printf '{"rollout":{},"blocks":[[1,2]]}' >"$work/bad"
refused rollout backgammon "$open" --journal "$work/bad" --resume
says "another roll-out"
python3 - "$work/j" <<'END'
import json, sys
whole = json.load(open(sys.argv[1]))
whole["blocks"][0][0] = "x"
json.dump(whole, open(sys.argv[1], "w"))
END
refused rollout backgammon "$open" --truncate 2 --lines 3 --journal "$work/j" --resume
says "the journal is damaged"
printf '[' >"$work/bad"
refused rollout backgammon "$open" --journal "$work/bad" --resume
refused rollout backgammon "$open" --journal "$work/none" --resume
says "No such file"
# With the cube: the lines of a decision, or the moves.
good rollout backgammon:cube=1 "$end" --cubeful --games 36
is "the lines" "no double;double, take;double, pass;decision no double, take;" "$(grep -E '^(no )?d[a-z]+' "$work/out" | tr '\n' ';')"
like "the exact equity" "   equity \+0\.1874 \+- 0\.0000" "$(sed -n 3p "$work/out")"
like "what a pass is worth" "   equity \+1\.0000 \+- 0\.0000, difference \+0\.8126 .*" "$(sed -n 9p "$work/out")"
good rollout backgammon:match=5 "$end" --cubeful --games 36 --json
like "fields with the cube" '.*"move":"no double",.*"match_win":0\.5.*"match_win_error":.*"move":"double, pass",.*"win":null.*"cubeful":true,"decision":"no double, take"\}' "$out"
good rollout backgammon:cube=1 "${end%-}double" --cubeful --games 36
is "an answer" "decision take" "$(tail -n 1 "$work/out")"
good rollout backgammon:cube=1,beavers=1 "6:8,off:7 1:1,off:14 1 beaver cube 2 2" --cubeful --games 36
is "an answer to a beaver" "decision pass" "$(tail -n 1 "$work/out")"
good rollout backgammon:cube=1 "1:4,off:11 6:15 1 -" --cubeful --games 36 --truncate 2
is "too good" "decision too good to double, pass" "$(tail -n 1 "$work/out")"
good rollout backgammon:cube=1 "${end%-}roll" --cubeful --games 36
is "no decision" 3 "$(wc -l <"$work/out")"
refused rollout backgammon "$end" --cubeful
says "needs a game with the cube"
cubed=(rollout backgammon:cube=1 "$open" --truncate 2 --lines 2 --journal "$work/cube")
good rollout backgammon:cube=1 "$open" --truncate 2 --lines 2 --cubeful --games 72 --threads 3
whole=$out
good "${cubed[@]}" --cubeful --games 36
refused "${cubed[@]}" --resume
says "the journal is of another"
good "${cubed[@]}" --cubeful --games 72 --resume
is "resumed with the cube" "$whole" "$out"

refused rollout race
says "only backgammon"
refused rollout backgammon
says "before the opening roll"
refused rollout backgammon "off:15 1:2,off:13 2 -"
says "the game has ended"
finish

#!/usr/bin/env bash
# puzzles.sh - puzzles: making and checking files of them, what is refused, and a sample of each file of the page.
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash" "$1"

puzzles=$(dirname "$0")/../../web/puzzles

# Made twice they are the same, and they pass the check.
good puzzle make noughts --count 4 --seed 3 --out "$work/one"
like "how many" "puzzles 4 of [0-9]+ found in [0-9]+ games" "$out"
good puzzle make noughts --count 4 --seed 3 --out "$work/two" --json
like "fields" '\{"game":"noughts","puzzles":4,"found":[0-9]+,"games":[0-9]+,"end":"enough","disagreements":0\}' "$out"
is "the same puzzles" "$(cat "$work/one")" "$(cat "$work/two")"
good puzzle make noughts --count 4 --seed 3 --threads 2 --out "$work/two"
good puzzle check "$work/two"
is "all are proven again" "checked 4 of 4, wrong 0" "$out"
run puzzle make hexapawn --out "$work/few"
is "too few is an answer of its own" 1 "$rc"
like "and the reason is printed" "puzzles [0-9]+ of .*; thousands of games gave no other position" "$out"

# What is wrong in a puzzle.
head="quevedo puzzles 1 noughts"
wrong() { # WHAT LINE REASON
	printf '%s\n%s\n' "$head" "$2" >"$work/bad"
	run puzzle check "$work/bad"
	is "$1" "1 puzzle 1: $3" "$rc $(head -n 1 "$work/out")"
}
wrong "a move that does not win" 'win 1; 1; search; 9; xx.oo.... x' "3 achieves the goal too"
wrong "a win that is not there" 'win 1; 1; search; 9; x...o.... x' "9 does not achieve the goal"
wrong "two solutions" 'keep draw; 1; solver; 5; ......... x' "1 achieves the goal too"
head="quevedo puzzles 1 draughts"
wrong "a gain that wins the game" 'gain 2 5; 58; search; 19-23, 31-26, 23x30; W:WK19:BK31:H28' \
	"the game can be won in 5 plies"
wrong "a gain of more" 'gain 1 5; 58; search; 2x9, 8-11, 7x16; W:WK2,K7,12:BK6,8,K31:H2' \
	"a gain of 2 can be forced"
head="quevedo puzzles 1 noughts"
wrong "too long" 'win 3; 1; search; 7; xx.oo.... x' "the goal is reached in 1 plies"

# What is refused: exactly one line, with the number of the line.
broken() { # LINE REASON
	printf '%s\n%s\n' "$head" "$1" >"$work/bad"
	refused puzzle check "$work/bad"
	says "line 2: $2"
}
broken 'win 1; 1; search; 3' "expected GOAL; NODES; PROOF; LINE; POSITION"
broken 'win; 1; search; 3; xx.oo.... x' "'win' is not a goal"
broken 'win 0; 1; search; 3; xx.oo.... x' "'win 0' is not a goal"
broken 'win 1; x; search; 3; xx.oo.... x' "'x' is not a number of nodes"
broken 'win 1; 1; solver; 3; xx.oo.... x' "'solver': this goal is proven by search"
broken 'win 1; 1; search; 1; xx.oo.... x' "'1': "
broken 'win 1; 1; search; 3|6; xx.oo.... x' "'3|6': only one move is allowed here"
broken 'win 1; 1; search; ; xx.oo.... x' "the solution is missing"
broken 'win 1; 1; search; 3; xxxoo.... o' "nobody is to move in this position"
broken 'win 1; 1; search; 3; xx.oo.... z' "position: "
broken 'gain 1 3; 1; search; 3; xx.oo.... x' "noughts has no material to gain"
printf '%s\nwin 1; 1; search; 3; xx.oo.... x\nwin 1; 1; search; 7; xo.xo.... x\n' "$head" >"$work/bad"
refused puzzle check "$work/bad"
says "line 3: the same position as puzzle 1"
printf 'puzzles\n' >"$work/bad"
refused puzzle check "$work/bad"
says 'line 1: expected "quevedo puzzles 1 GAME"'
refused puzzle check "$work/none"
refused puzzle check "$work/one" --count 3
refused puzzle make chess --sample 3
refused puzzle make chess chess
refused puzzle make starchess
says "starchess: no solver proves puzzles of this game"
refused puzzle make connect4 --json

# The puzzles of the page: all of them, but a sample where that takes long; with SOAK_PUZZLES all. Few games decide in
# backgammon: the check allows for it.
sample=$((20 * ${TEST_SCALE:-100} / 100)) trials=36
[ "$sample" -gt 0 ] || sample=1
[ -z "${SOAK_PUZZLES:-}" ] || sample=0 trials=288
for file in "$puzzles"/*.txt; do
	case ${file##*/} in
	backgammon.txt | gomoku.txt | chess.txt) some=$sample ;;
	*) some=0 ;;
	esac
	good puzzle check "$file" --sample "$some" --trials $trials
	like "${file##*/}" "checked [0-9]+ of [0-9]+, wrong 0" "$out"
done
finish

#!/usr/bin/env bash
# streams.sh - what happens around an answer: outputs that fail, interrupts, the bench's signature, the man page.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

# --- an output that cannot be written is an error, not silence ---
for line in games help 'show noughts --json' 'perft noughts 3' --version; do
	# shellcheck disable=SC2086
	"$quevedo" $line >/dev/full 2>"$work/err"
	is "status with a full disk: $line" 2 $?
	like "$line >/dev/full" 'quevedo: standard output: .+' "$(cat "$work/err")"
	# shellcheck disable=SC2086
	"$quevedo" $line >&- 2>"$work/err"
	is "status with standard output closed: $line" 2 $?
	like "$line >&-" 'quevedo: standard output: .+' "$(cat "$work/err")"
done
# The reader is gone before anything is written: a pipe whose other end is closed.
mkfifo "$work/pipe"
exec 7<>"$work/pipe" 8>"$work/pipe" 7<&-
"$quevedo" games >&8 2>"$work/err"
status=$?
exec 8>&-
is "status with a closed pipe" 2 "$status"
like "games into a closed pipe" 'quevedo: standard output: .+' "$(cat "$work/err")"
"$quevedo" games >/dev/null 2>&-
is "standard error closed" 0 $?
"$quevedo" frobnicate >"$work/out" 2>/dev/full
is "standard error full" 2 $?
is "nothing on standard output either" "" "$(cat "$work/out")"

# --- interrupts ---
interrupted INT best connect4 --player negascout:time=60s --json
is "best after an interrupt" 0 "$rc"
like "the best move so far" '\{"move":"[1-7]",.*\}' "$out"
interrupted TERM best reversi --player alphabeta:time=60s
is "best when asked to end" 0 "$rc"
like "a move" 'move [a-h][1-8]' "$(last_line)"
for line in 'perft reversi 30' 'perft reversi 30 --threads 2' 'perft connect4 40 --divide'; do
	start=$SECONDS
	# shellcheck disable=SC2086
	interrupted INT $line
	is "$line, interrupted" 1 "$rc"
	is "$line says so" "quevedo: perft: stopped" "$err"
	is "$line says nothing else" "" "$out"
	checks=$((checks + 1))
	[ $((SECONDS - start)) -le 100 ] || bad "$line took $((SECONDS - start)) s to stop"
done
after=0 interrupted INT bench
is "bench, interrupted" 1 "$rc"
is "bench says so" "quevedo: bench: stopped" "$err"

# --- bench: one signature, the sum over the rows; tools/same-output looks at that of other games, which takes long ---
good bench noughts --no-times
like "the last line" 'signature [1-9][0-9]*' "$(last_line)"
is "the signature is the nodes of all rows but perft's" "$(last_line)" "$(sed '$d' "$work/out" | awk '$2 != "perft" { sum += $NF } END { print "signature", sum }')"
good bench noughts --json
like "bench in JSON" '\{"signature":[0-9]+,"rows":\[(\{"game":"noughts","run":"[^"]+","nodes":[0-9]+,"seconds":[0-9.e-]+,"nodes_per_second":[0-9]+\},?)+\]\}' "$out"
good bench noughts --json --no-times
like "bench in JSON without times" '\{"signature":[0-9]+,"rows":\[(\{"game":"noughts","run":"[^"]+","nodes":[0-9]+\},?)+\]\}' "$out"

# --- nothing leaks, in answers and in refusals (a sanitized build sees it) ---
export ASAN_OPTIONS=detect_leaks=1
good perft connect4 4 --divide --json --hash 1
good analyse reversi --player negascout:depth=4 --lines 2 --json
good tree reversi --player negascout:depth=4 --json --max-nodes 50
refused tree connect4 --player mcts:playouts=100
refused best noughts --moves '1 1'
export ASAN_OPTIONS=detect_leaks=0
finish

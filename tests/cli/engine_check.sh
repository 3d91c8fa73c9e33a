#!/usr/bin/env bash
# engine_check.sh - the check of an engine's protocol as a command: our own engines and the example pass, a bad one is described,
# and so are other programs where they are installed.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
root=$(cd "$(dirname "$0")/../.." && pwd)
checked=$build/tests/checked_engine
[ -x "$checked" ] || { echo "$checked is not built" >&2; exit 1; }

# begins GAME SPEC ARGS: they pass within a few tries, since an engine has only so many seconds under any load. All are tried at
# the same time, since most of it is waiting; `passes` looks at the results.
begun=()
begins() {
	local try at=$work/check.${#begun[@]}
	begun+=("$*")
	(
		for ((try = 0; try < 4; try++)); do
			"$quevedo" engine check "$@" --no-times >"$at" 2>&1 </dev/null && break
		done
		echo "rc $?" >>"$at"
	) &
}
passes() {
	local i
	wait
	for i in "${!begun[@]}"; do
		is "${begun[i]}" "rc 0" "$(tail -n 1 "$work/check.$i")"
		[ "$(tail -n 1 "$work/check.$i")" = "rc 0" ] || cat "$work/check.$i" >&2
	done
}

# Our own engines, and the example of one in another language. All of them at length (make soak).
begins connect4 "qgp:python3 $root/examples/connect4_engine.py"
begins chess "xboard:$quevedo engine chess --hash 1"
if [ "${TEST_SCALE:-100}" -gt 100 ]; then
	begins chess "uci:$quevedo engine chess --hash 1"
	begins draughts "hub:$quevedo engine draughts --protocol hub --hash 1"
	begins gomoku "gomocup:$quevedo engine gomoku --protocol gomocup --hash 1"
	begins reversi "nboard:$quevedo engine reversi --protocol nboard --hash 1"
	begins reversi "gtp:$quevedo engine reversi --protocol gtp --hash 1"
	begins noughts "ugi:$quevedo engine noughts --hash 1"
	begins backgammon "qgp:$quevedo engine backgammon"
fi

# Other programs, where they are installed.
PATH=$PATH:/usr/games
if command -v stockfish >/dev/null; then
	begins chess uci:stockfish
fi
if command -v gnuchess >/dev/null; then
	begins chess "uci:gnuchess -u" --step game # it is silent as xboard:gnuchess -x, and knows no nodes
fi

# patiently WORDS ARGS: as run. Under load an answer may be late: then once more, unless the answer has the words.
patiently() {
	local try words=$1
	shift
	for ((try = 0; try < 4; try++)); do
		run "$@"
		[[ $out != *"$words"* ]] || break
	done
}
patiently 'failed 0, advice 0' engine check noughts "uci:$checked" --no-times
is "all steps of UCI" "24 passed 24, failed 0, advice 0, not tried 0" "$(grep -c '^ok ' "$work/out") $(last_line)"
is "its name" "ok      hello: checked" "$(sed -n 2p "$work/out")"
patiently 'illegal move 10' engine check noughts "uci:$checked illegal" --step depth --no-times
is "a bad one" "1 ok      start
ok      hello: checked
FAILED  depth: expected: a legal move after a search of depth 1
        but it played the illegal move 10
        sent    position startpos
        sent    go depth 1
        came    info depth 1 score cp 5 nodes 7 pv 1
        came    bestmove 10
passed 2, failed 1, advice 0, not tried 0" "$rc $out"
patiently 'during the handshake' engine check noughts "uci:$checked 'crash at hello'" --json --no-times
is "in JSON" "1 1 failed it ended during the handshake: exit status 4: checked: this is why ['uci'] ['checked: this is why'] skipped" "$rc $(python3 -c '
import json, sys
d = json.load(sys.stdin)
hello, last = d["steps"][1], d["steps"][-1]
print(d["failed"], hello["result"], hello["why"], hello["sent"], hello["errors"], last["result"])' <<<"$out")"
run engine check noughts "uci:/nonexistent/engine"
is "what cannot be started" "1         but it could not be started: No such file or directory" "$rc $(sed -n 2p "$work/out")"

refused engine check chess
refused engine check chess uci:stockfish more
refused engine check nogame "uci:$checked"
refused engine check noughts random
says 'not a program'
refused engine check noughts "uci:$checked" --step dance
says "no step 'dance'; there are start, hello"
refused engine check noughts "uci:$checked" --protocol uci
refused engine noughts --step stop
refused engine noughts more
passes
is "what QGP does not have" 3 "$(grep -c '^-' "$work/check.0")"
finish

#!/usr/bin/env bash
# engine_check.sh - the check of an engine's protocol as a command: our own engines and the example pass, a bad one is described,
# and so are other programs where they are installed.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
root=$(cd "$(dirname "$0")/../.." && pwd)
checked=$build/tests/checked_engine
[ -x "$checked" ] || { echo "$checked is not built" >&2; exit 1; }

# Under load an answer may be late: then once more.
for ((try = 0; try < 4; try++)); do
	run engine check noughts "uci:$checked" --no-times
	[ $rc = 0 ] && break
done
is "all steps of UCI" "24 passed 24, failed 0, advice 0, not tried 0" "$(grep -c '^ok ' "$work/out") $(last_line)"
is "its name" "ok      hello: checked" "$(sed -n 2p "$work/out")"
run engine check noughts "uci:$checked illegal" --step depth --no-times
is "a bad one" "1 ok      start
ok      hello: checked
FAILED  depth: expected: a legal move after a search of depth 1
        but it played the illegal move 10
        sent    position startpos
        sent    go depth 1
        came    info depth 1 score cp 5 nodes 7 pv 1
        came    bestmove 10
passed 2, failed 1, advice 0, not tried 0" "$rc $out"
run engine check noughts "uci:$checked 'crash at hello'" --json --no-times
is "in JSON" "1 1 failed it ended during the handshake: exit status 4: checked: this is why ['uci'] ['checked: this is why'] skipped" "$rc $(python3 -c '
import json, sys
d = json.load(sys.stdin)
hello, last = d["steps"][1], d["steps"][-1]
print(d["failed"], hello["result"], hello["why"], hello["sent"], hello["errors"], last["result"])' <<<"$out")"
run engine check noughts "uci:/nonexistent/engine"
is "what cannot be started" "1         but it could not be started: No such file or directory" "$rc $(sed -n 2p "$work/out")"

# passes GAME SPEC ARGS: within a few tries, since an engine has only so many seconds under any load.
passes() {
	local try
	for ((try = 0; try < 4; try++)); do
		run engine check "$@" --no-times
		[ $rc = 0 ] && break
	done
	is "$*" 0 "$rc"
	[ $rc = 0 ] || printf '%s\n' "$out" >&2
}

# Our own engines, and the example of one in another language. All of them at length (make soak).
passes connect4 "qgp:python3 $root/examples/connect4_engine.py"
is "what QGP does not have" 3 "$(grep -c '^-' "$work/out")"
passes noughts "qgp:python3 $root/examples/random_engine.py"
passes chess "xboard:$quevedo engine chess --hash 1"
if [ "${TEST_SCALE:-100}" -gt 100 ]; then
	passes chess "uci:$quevedo engine chess --hash 1"
	passes draughts "hub:$quevedo engine draughts --protocol hub --hash 1"
	passes gomoku "gomocup:$quevedo engine gomoku --protocol gomocup --hash 1"
	passes noughts "ugi:$quevedo engine noughts --hash 1"
	passes backgammon "qgp:$quevedo engine backgammon"
fi

# Other programs, where they are installed.
PATH=$PATH:/usr/games
if command -v stockfish >/dev/null; then
	passes chess uci:stockfish
fi
if command -v gnuchess >/dev/null; then
	passes chess "uci:gnuchess -u" --step game # it is silent as xboard:gnuchess -x, and knows no nodes
fi

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
finish

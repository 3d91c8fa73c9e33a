#!/usr/bin/env bash
# engine_limits.sh - limits of searches: match --time replaces the depth that no spec names; programs without a limit are
# refused, or run until Ctrl-C; scores of theirs that are only bounds.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
mock=$build/tests/mock_engine
[ -x "$mock" ] || { echo "$mock is not built" >&2; exit 1; }

# ---- match --time: noughts ends before the hour does, but not within six plies ----
# work_of SPEC OPTIONS: what the player considered in two games.
work_of() {
	local spec=$1
	shift
	run match noughts --player "a=$spec" --player b=random --games 2 --no-times --json "$@"
	out=${out#*\"considered\":} out=${out%%,*}
}
for kind in minimax negamax alphabeta negascout mtdf maxn paranoid brs; do
	work_of "$kind"
	own=$out
	work_of "$kind:depth=9,iterate=1"
	whole=$out
	checks=$((checks + 1))
	[ "$own" -lt "$whole" ] || bad "$kind: $own within its depth, $whole in all"
	work_of "$kind" --time 3600s
	is "$kind, with an hour" "$whole" "$out"
	work_of "$kind:depth=3" --time 3600s
	three=$out
	work_of "$kind:depth=3"
	is "$kind: a depth in its spec stays" "$out" "$three"
done

# ---- Programs without a limit ----
for kind in uci ugi; do
	refused match chess --player "a=$kind:$mock endless e2e4" --player b=random --games 1
	is "$kind in a match" "quevedo: player a: no limit; give --time, depth= or nodes=" "$err"
	refused best chess --player "$kind:$mock endless e2e4"
	is "best of $kind" "quevedo: player $kind: no limit; give time=, depth= or nodes=" "$err"
done
refused match draughts --player a=random --player "b=hub:$mock endless 11-15" --games 1
is "hub in a match" "quevedo: player b: no limit; give --time, depth= or nodes=" "$err"
good match chess --player "a=uci:depth=1,cmd=$mock good e2e4" --player b=random --games 1 --max-plies 1
good match chess --player "a=uci:$mock good e2e4" --player b=random --games 1 --max-plies 1 --time 10s

# analyse goes on until Ctrl-C, which comes once its line is there.
mkfifo "$work/lines"
env --default-signal=INT "$quevedo" analyse chess --player "uci:$mock endless e2e4" --no-times --log "$work/talk" >"$work/lines" 2>"$work/err" &
child=$!
exec 8<"$work/lines"
IFS= read -r -t 60 line <&8
is "its line" "line 1  depth 1  score 5  nodes 1  pv e2e4" "$line"
kill -INT $child
wait $child
is "ended by Ctrl-C" "0 " "$? $(<"$work/err")"
exec 8<&-
is "asked to search without end" 1 "$(cat "$work/talk"/* | grep -c '> go infinite$')"

# Each line of a program has its time.
run analyse chess --player "uci:depth=9,cmd=$quevedo engine chess --hash 1"
checks=$((checks + 1))
case $(last_line) in *'seconds 0.000'* | '') bad "no time: $(last_line)" ;; esac

# ---- Bounds ----
for kind in uci xboard; do
	for mode in bounds bound-only; do
		run match chess --player "a=$kind:depth=1,cmd=$mock $mode e2e4" --player b=random --games 1 --max-plies 2 --no-times --out "$work/$kind-$mode.pgn"
		is "a match against $kind $mode" 0 "$rc"
	done
	run best chess --player "$kind:depth=1,cmd=$mock bounds e2e4" --no-times
	is "the exact score and line of $kind" "score 25 depth 10 line e2e4, e7e5" "$(sed -n 's/, evals.*//; /^score/p; /^depth/p; /^line/p' "$work/out" | paste -sd' ')"
	run best chess --player "$kind:depth=1,cmd=$mock bound-only e2e4" --no-times
	is "only a bound of $kind" "score <= -900" "$(sed -n '/^score/p' "$work/out")"
	run analyse chess --player "$kind:depth=1,cmd=$mock bound-only e2e4" --no-times
	is "... in an analysis" "line 1  depth 11  score <= -900  nodes 200  pv e2e4" "$out"
	run best chess --player "$kind:depth=1,cmd=$mock bound-only e2e4" --no-times --json
	like "... as JSON" '.*"score":-900,.*"bound":"upper".*' "$out"
	run analyse chess --player "$kind:depth=1,cmd=$mock bounds e2e4" --no-times
	is "an analysis without the bound" 0 "$(grep -c 900 "$work/out")"
	like "... of $kind in PGN" '.*1\. e4 \{\+0\.25/10.*' "$(cat "$work/$kind-bounds.pgn")"
	is "... and no bound" 0 "$(grep -c 'e4 {' "$work/$kind-bound-only.pgn")"
done

# Two who both report bounds of a lost game agree on nothing.
knights='uci:depth=1,cmd='$mock' bound-only'
run match chess --player "a=$knights b1c3" --player "b=$knights b8c6" --games 1 --adjudicate resign=500:1,draw=1000:1:0 --max-plies 2
like "no adjudication by bounds" '.*max-plies.*' "$(head -n 1 "$work/out")"
run match chess --player "a=uci:depth=1,cmd=$mock bounds b1c3" --player "b=uci:depth=1,cmd=$mock bounds b8c6" --games 1 --adjudicate draw=30:1:0 --max-plies 2
like "but by exact scores" '.*adjudicated.*' "$(head -n 1 "$work/out")"

# ---- Programs end with this one, even if it is killed; so does what they have started and what hears nothing else ----
"$quevedo" match noughts --player "a=qgp:$mock silent-move" --player "b=qgp:$mock orphan $work/orphan" --games 1 --keep-seats --time 600s >/dev/null 2>&1 &
child=$!
for ((i = 0; i < 1200; i++)); do
	if [ -s "$work/orphan" ]; then break; fi
	sleep 0.05
done
orphan=$(<"$work/orphan")
checks=$((checks + 1))
kill -0 "$orphan" || bad "no program was started"
kill -KILL $child
wait $child 2>/dev/null
for ((i = 0; i < 1200; i++)); do
	kill -0 "$orphan" 2>/dev/null || break
	grep -q '^State:.Z' "/proc/$orphan/status" 2>/dev/null && break
	sleep 0.05
done
checks=$((checks + 1))
[ $i -lt 1200 ] || { bad "it runs on after SIGKILL"; kill -KILL "$orphan"; }

# ---- Help on kinds that are programs ----
for kind in qgp ugi uci xboard hub external gnubg gomocup nboard gtp; do
	good help $kind
	checks=$((checks + 1))
	case $out in *"$kind"*) ;; *) bad "help $kind does not name it" ;; esac
done
refused help uc
says "no such help topic"

finish

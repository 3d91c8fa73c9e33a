#!/usr/bin/env bash
# engine_chess.sh - UCI and XBoard through pipes: every search answers whatever comes after it; and short games against
# other programs, where they are installed, with no illegal move, no time loss and no complaint.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
PATH=$PATH:/usr/games

# speak PROTOCOL: feeds standard input to an engine; sets out and rc.
speak() {
	timeout 60 "$quevedo" engine chess --protocol "$1" --no-times --hash 1 >"$work/out" 2>"$work/err"
	rc=$?
	out=$(cat "$work/out")
}

# ---- UCI: stop, quit and isready at any moment ----
moves() { grep -c '^bestmove [a-h]' "$work/out"; }
for ending in 'go infinite\nstop\nquit\n' 'go infinite\nquit\n' 'go infinite\n' 'go\nstop\nstop\n' 'go depth 60\nquit' 'go ponder wtime 9 btime 9\nquit\n' \
	'go ponder wtime 9 btime 9\nponderhit\n' 'go ponder wtime 9 btime 9\nponderhit\nstop\nponderhit\nquit\n' 'ponderhit\nstop\ngo infinite\nponderhit\nquit\n' 'stop\ngo wtime 100 btime 100\n' 'go movetime 20\nisready\nquit\n'; do
	for i in 1 2; do
		# shellcheck disable=SC2059 # the endings are formats
		speak uci < <(printf "position startpos moves e2e4\n$ending")
		is "status of '$ending', $i" 0 "$rc"
		is "one move for '$ending', $i" 1 "$(moves)"
	done
done
# All in one write: what comes too early waits for its turn, and nothing is lost.
speak uci < <(printf 'uci\nisready\ngo infinite\nisready\nstop\nposition startpos moves e2e4\ngo depth 2\nisready\nucinewgame\nposition startpos\ngo nodes 100\nisready\nquit\n')
is "three searches in one write" 3 "$(moves)"
is "... each readiness is answered" 4 "$(grep -c '^readyok$' "$work/out")"
is "... and the first at once" "uciok readyok readyok" "$(grep -E '^(uciok|readyok)$' "$work/out" | head -n 3 | paste -sd ' ')"
# Again and again, all at once: every search is answered once, and every isready, in the order in which they came.
for i in $(seq 25); do
	printf 'go ponder wtime 9 btime 9\nisready\nponderhit\nisready\nposition startpos moves e2e4\ngo infinite\nisready\nstop\nponderhit\nsetoption name Hash value %d\nucinewgame\n' $((i % 3 + 1))
	printf 'go depth 1\nstop\nisready\nposition startpos\n'
done >"$work/race"
speak uci < <(cat "$work/race"; printf 'isready\n')
is "status of the race" 0 "$rc"
is "every search of the race" 75 "$(moves)"
is "every readiness of the race" 101 "$(grep -c '^readyok$' "$work/out")"
is "the last of them is last" readyok "$(tail -n 1 "$work/out")"
speak uci < <(cat "$work/race"; printf 'quit\n')
is "a quit behind all that" "0 75" "$rc $(moves)"
# The first line may say which protocol it is.
for hello in uci/uciok ugi/ugiok $'xboard\nprotover 2/feature done=1' 'qgp 1/ok'; do
	out=$(printf '%s\r\nquit\r\n' "${hello%%/*}" | timeout 60 "$quevedo" engine chess | tail -n 1)
	is "hello $hello" "${hello##*/}" "$out"
done
# Without arguments, too, as chess programs are started; any other input gets the overview.
for hello in uci/uciok $'xboard\nprotover 2/feature done=1'; do
	out=$(printf '%s\r\nquit\r\n' "${hello%%/*}" | timeout 60 "$quevedo" | tail -n 1)
	is "hello $hello without a command" "${hello##*/}" "$out"
done
out=$(printf 'uci\nposition startpos\ngo depth 2\n' | timeout 60 "$quevedo" | grep -c '^bestmove [a-h]')
is "... and it plays" 1 "$out"
is "another line is no greeting" "$("$quevedo" --help)" "$(printf 'ucinewgame\n' | "$quevedo")"
speak uci < <(head -c 100000 /dev/urandom; printf '\nisready\n')
is "noise is ignored" readyok "$out"
# A refused position has no move, and the one before it is not searched instead.
speak uci < <(printf 'position startpos\nposition fen 4k3/8/8/8/8/QQQQQQQQ/PPPPPPPP/4K3 w - - 0 1\ngo infinite\nquit\n')
is "no move after a refused position" "bestmove (none)" "$(tail -n 1 "$work/out")"
is "... and no move of the one before" 0 "$(moves)"
# More pieces than promotion can give are played, as by others.
good best chess "4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1" --player selective:nodes=2000 --no-times
like "eight pawns and two queens" 'move [a-h][1-8][a-h][1-8]' "$(tail -n 1 "$work/out")"

# ---- XBoard ----
speak xboard < <(printf 'xboard\nprotover 2\nnew\nsd 2\nusermove e2e4\nping 1\nusermove e2e4\nforce\nping 2\nquit\n')
is "status" 0 "$rc"
like "a move comes before its pong, and then the rest" $'feature .*|move [a-h].*|pong 1|Illegal move: e2e4|pong 2' "$out"
speak xboard < <(printf 'new\ngo\n?\nping 1\n'; sleep 0.2)
is "move now" 1 "$(grep -c '^move [a-h]' "$work/out")"
speak xboard < <(printf 'post\nanalyze\nusermove e2e4\nundo\nexit\nping 3\nquit\n')
is "an analysis that is left" "pong 3" "$(tail -n 1 "$work/out")"
is "... makes no move" 0 "$(grep -c '^move' "$work/out")"
speak xboard < <(head -c 100000 /dev/urandom | tr -d '\n'; printf '\nping 4\n')
is "noise is an error" "pong 4" "$(tail -n 1 "$work/out")"

# ---- Refusals ----
refused engine noughts --protocol xboard
says "it is for chess"
refused engine race --protocol uci
refused best chess --player "xboard:nodes=5,cmd=$quevedo engine chess --protocol xboard"
says "a limit of nodes cannot be told to it"

# ---- Ourselves, through both ----
run best chess --player "uci:depth=3,cmd=$quevedo engine chess --protocol uci --hash 1" --no-times
mine=$(last_line)
is "best through UCI" 0 "$rc"
run best chess --player "uci:option.UCI_LimitStrength=true,option.UCI_Elo=1200,time=30s,cmd=$quevedo engine chess --protocol uci --hash 1" --no-times
is "a weak player looks two plies ahead" "depth 2" "$(grep '^depth' "$work/out")"
run best chess --player "xboard:depth=3,cmd=$quevedo engine chess --protocol xboard --hash 1" --no-times
is "best through XBoard" "$mine" "$(last_line)"
clean() { # what WAS no fault: no crash, time loss or illegal move in $out
	is "$1: games" "$2" "$(grep -c '^game ' "$work/out")"
	is "$1: nobody is at fault" 0 "$(grep -Ec '(crash|timeout|illegal) of' "$work/out")"
}
us_uci="uci:nodes=2000,cmd=$quevedo engine chess --protocol uci --hash 1"
us_xboard="xboard:depth=2,cmd=$quevedo engine chess --protocol xboard --hash 1"
run match chess --player "a=$us_uci" --player "b=$us_xboard" --games 2 --time 300+0.02 --max-plies 16 --jobs 1
clean "UCI against XBoard by the clock" 2

# ---- Others ----
# against NAME SPEC ARGS: two short games of ours, if the program is there.
against() {
	command -v "$1" >/dev/null || { echo "skipped: $1 is not installed"; return; }
	local name=$1 spec=$2
	shift 2
	run match chess --player "us=$us_uci" --player "them=$spec" --games 2 --jobs 1 "$@"
	clean "$name" 2
}
against stockfish "uci:option.UCI_LimitStrength=true,option.UCI_Elo=1500,option.Hash=1,nodes=2000,cmd=stockfish" --time 300+0.02 --max-plies 30
against gnuchess "uci:depth=3,cmd=gnuchess --uci" --time 300+0.02 --max-plies 20
against hoichess "xboard:depth=3,cmd=hoichess --xboard" --time 300+0.02 --max-plies 20
finish

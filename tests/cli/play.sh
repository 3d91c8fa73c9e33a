#!/usr/bin/env bash
# play.sh - games through a pipe and in a real terminal of 40, 80 and 200 columns, against what they looked like.
# SPDX-License-Identifier: MIT
# usage: play.sh BUILD_DIR [--write]        --write: takes what is seen now as what is expected; look at it before it is kept
. "$(dirname "$0")/common.bash"
data=$(cd "$(dirname "$0")/../data/play" && pwd)
write=${2:-}
toys=$build/tests/toys.so
unset NO_COLOR COLUMNS

# The players are small and without chance, so that the same is seen everywhere.
small=alphabeta:depth=2,tt=0
hint='--hint alphabeta:depth=3,tt=0'

# same FILE: what is in $work/seen is what FILE says.
same() {
	checks=$((checks + 1))
	[ "$write" != --write ] || cp "$work/seen" "$data/$1"
	diff -u "$data/$1" "$work/seen" >"$work/diff" || bad "$1 looks otherwise:" "$(head -40 "$work/diff")"
}

# narrow WHAT WIDTH: no line of $work/seen is wider.
narrow() {
	checks=$((checks + 1))
	local widest
	widest=$(LC_ALL=C.UTF-8 wc -L <"$work/seen")
	[ "$widest" -le "$2" ] || bad "$1: a line of $widest columns in a terminal of $2"
}

# --- through a pipe ---

# piped NAME GAME ARGS: the lines of NAME.in through a pipe; the last position is what `replay` makes of the moves.
piped() {
	local name=$1 game=$2
	shift 2
	(cd "$work" && rm -f game.json && timeout 60 "$quevedo" play "$game" --no-times --seed 1 "$@") \
		<"$data/$name.in" >"$work/seen" 2>"$work/err"
	is "status of $name" 0 $?
	is "nothing on standard error from $name" "" "$(cat "$work/err")"
	same "$name.out"
	narrow "$name" "${COLUMNS:-80}"
	checks=$((checks + 1))
	! LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' "$work/seen" || bad "$name: control characters in a pipe"
	[ -f "$work/game.json" ] || return 0
	# The journal, moves in one list: undo cuts it, redo is not used in these scripts before the game is saved.
	local moves=() line position
	while read -r line; do
		case $line in
		'{"move":'*) moves+=("$(sed 's/^{"move":"\([^"]*\)".*/\1/' <<<"$line")") ;;
		'{"undo":'*)
			local n=${line//[^0-9]/}
			while [ "$n" -gt 0 ]; do unset "moves[-1]"; n=$((n - 1)); done
			;;
		esac
	done <"$work/game.json"
	position=$(sed -n '/> position$/{n;p}' "$work/seen" | tail -1)
	good replay "$game" --moves "$(printf '%s\n' "${moves[@]}")" ${plugin:+--plugin "$plugin"}
	is "$name: the moves replayed" "$position" "$(last_line)"
}

# A hint in backgammon has the best moves and their equities; `yes` plays the first.
printf 'hint equity:0\nyes\nquit\n' | "$quevedo" play backgammon "24:2,13:5,8:3,6:5 24:2,13:5,8:3,6:5 1 31" --ascii --seat 2=human >"$work/seen" 2>&1
is "the hint" "Hint: 8/5 6/5." "$(grep -o 'Hint: .*' "$work/seen")"
is "five moves" 5 "$(grep -cE '^[1-5]\. [0-9/ ]+ [+-]0\.[0-9]{3} \([+-]0\.[0-9]{3}\), 0-ply$' "$work/seen")"
like "the first loses nothing" '1\. 8/5 6/5 .*\(\+0\.000\), 0-ply' "$(grep '^1\. ' "$work/seen")"
is "it is played" 1 "$(grep -c 'White plays 8/5 6/5' "$work/seen")"
printf 'hint equity:0\nquit\n' | "$quevedo" play backgammon:cube=1 "6:2,5:1,off:12 4:2,1:2,off:11 1 -" --ascii --seat 2=human >"$work/seen" 2>&1
like "a hint about the cube" '2\. double .*\(-0\.072\), 0-ply' "$(grep '^2\. ' "$work/seen")"

plugin=
# shellcheck disable=SC2086 # two words
piped noughts noughts --seat 2=$small $hint
piped connect4 connect4 --seat 1=$small --seat 2=human
# shellcheck disable=SC2086
piped reversi reversi --seat 2=$small $hint
piped race race --seat 2=expectimax:depth=1
piped typed race --seat 2=human --dice typed
piped watched noughts --seat 1=$small --seat 2=$small
faction=mask:masks=0
piped starchess starchess:seed=3 --seat 2=$faction --seat 3=$faction --seat 4=$faction
# shellcheck disable=SC2086
COLUMNS=40 piped narrow reversi --seat 2=$small $hint
[ ! -f "$toys" ] || {
	plugin=$toys
	piped three toy-three --plugin "$toys" --seat 2=human --seat 3=human
	piped solo toy-solo --plugin "$toys"
	plugin=
}

# Two runs give the same bytes; the end of the input is a quit.
for run in 1 2; do
	printf '4\n4\ngo\nhint\n' | "$quevedo" play connect4 --level 3 --hint level:3 >"$work/run$run"
	is "status at the end of input" 0 $?
done
is "the same twice" "" "$(diff "$work/run1" "$work/run2")"
"$quevedo" play noughts </dev/null >"$work/out"
is "no input at all" 0 $?
printf '5' | "$quevedo" play noughts --seat 2=human >"$work/out"
grep -q 'Seat 2 to move' "$work/out" || { checks=$((checks + 1)); bad "a last line without a newline counts"; }
head -c 300000 /dev/urandom | timeout 60 "$quevedo" play noughts --level 1 >"$work/out"
is "noise" 0 $?
head -c 300000 /dev/zero | timeout 60 "$quevedo" play noughts --level 1 >"$work/out"
is "zeros" 0 $?
printf 'quit\n' | "$quevedo" play noughts >/dev/full 2>"$work/err"
is "a full disk" 2 $?
like "a full disk" 'quevedo: standard output: .+' "$(cat "$work/err")"

# --- the interview ---
# interview ANSWERS ARGS: sets out, err and rc; \n in the answers.
interview() {
	local answers=$1
	shift
	printf '%b' "$answers" | timeout 60 "$quevedo" play --interview --no-times "$@" >"$work/out" 2>"$work/err"
	rc=$?
	out=$(<"$work/out") err=$(<"$work/err")
}
# The command line that it prints gives the same.
interview 'reversi\n2\nlurgee\nnegamax\n2\n\n500\n3\nalternative\nParallel\nc\n1\n\n2\nn\n' --seed 3
is "status of an interview" "0 " "$rc $err"
is "its command" "  quevedo match reversi --player A=lurgee:search=negamax,depth=2,evals=500,killers=3,eval=alternative,book=own,line=Parallel --player B=level:1 --games 2 --keep-seats --seed 3 --no-times" "$(grep '^  quevedo' "$work/out")"
sed -n '/^game 1:/,$p' "$work/out" >"$work/played"
checks=$((checks + 1))
eval "set -- $(sed -n 's/^  quevedo//p' "$work/out")"
"$quevedo" "$@" | cmp -s - "$work/played" || bad "the command of an interview plays another match"
# Enter alone: a person against the computer, then the game itself, from the same pipe.
interview 'noughts\n\n\n1\n\n5\nquit\n'
is "a person plays" "0   quevedo play noughts --seat 1=human --seat 2=level:1 --no-times" "$rc $(grep '^  quevedo' "$work/out")"
is "a move after the questions" 1 "$(grep -c '^seat 1> 5$' "$work/out")"
# A single pass has no threshold; names with quotes are quoted.
interview "\n2\nlurgee\n\n2\nno\n\n\nLeader's Tiger\n\n1\n\n\n" reversi
is "single pass and quotes" "  quevedo match reversi --player 'A=lurgee:depth=2,iterate=0,book=own,line=Leader'\\''s Tiger' --player B=level:1 --games 1 --no-times" "$(grep '^  quevedo' "$work/out")"
# A wrong answer is asked again with the reason; three of them, or the end of the input, are an error.
interview 'reversi\nx\n2\nlurge\nlurgee\n\n0\n2\n\n\n\nzzz\ngreed\nTigre\nnone\n1\n'
is "an interview with errors" 0 "$rc"
for reason in "'x': expected person|computer" "player 'lurge': no such kind; did you mean 'lurgee'?" \
	"depth=0: expected a number from 1 to 100" "eval=zzz: reversi has no such evaluation" "line 'Tigre': "; do
	is "$reason" 1 "$(grep -cF "  $reason" "$work/out")"
done
is "its spec" 1 "$(grep -c '^  quevedo.* 1=lurgee:depth=2,eval=greed,book=none ' "$work/out")"
interview 'a\nb\nxyz\n'
is "three wrong answers" "2 | quevedo: --interview: game 'xyz': no such game; 'quevedo games' lists them; the game of a plug-in needs --plugin FILE" "$rc $out| $err"
interview 'reversi\n'
is "the end of the input" "2 | quevedo: --interview: the input ends before the answer to 'Seat 1: 1 person, 2 computer'" "$rc $out| $err"
head -c 100000 /dev/urandom | timeout 60 "$quevedo" play --interview >"$work/out" 2>"$work/err"
is "noise in an interview" 2 $?
refused play --interview --level 2
refused play reversi start --interview
refused play --interview --json
refused play

# Colour and Unicode only where they are wanted: never in a pipe, UTF-8 only if the locale says so.
printf 'quit\n' | LC_ALL=C.UTF-8 "$quevedo" play reversi >"$work/out"
grep -q '●' "$work/out" || bad "Unicode in a UTF-8 locale"
printf 'quit\n' | LC_ALL=C.UTF-8 "$quevedo" play reversi --ascii >"$work/out"
is "--ascii" 0 "$(LC_ALL=C grep -c '[^ -~]' "$work/out")"
printf 'quit\n' | "$quevedo" play reversi >"$work/out"
is "no UTF-8 locale" 0 "$(LC_ALL=C grep -c '[^ -~]' "$work/out")"

# A file is written whole or not at all, and never over another by itself.
cd "$work" || exit 1
printf '5\nsave a\nquit\n' | "$quevedo" play noughts --level 1 --no-times >out
is "saved" 1 "$(grep -c 'Saved in a\.' out)"
cp a before
printf '1\nsave a\nquit\n' | "$quevedo" play noughts --level 1 --no-times >out
is "not written over" 1 "$(grep -c "a: already exists; 'save! FILE' overwrites it" out)"
cmp -s a before || bad "the file changed all the same"
printf '1\nsave! a\nsave a\nsave\nquit\n' | "$quevedo" play noughts --level 1 --no-times >out
is "written over when told to, and its own again" 3 "$(grep -c 'Saved in a\.' out)"
printf 'save no/such/folder\nsave .\nload .\nload nothing\nload out\nload -\nmoves\n' | "$quevedo" play noughts >out
is "files that are not there" 6 "$(grep -c '^[^>]*: .*\.$' out)"
is "no temporary file stays" "a before" "$(find . -maxdepth 1 -name 'a*' -o -maxdepth 1 -name 'before*' | sed 's,./,,' | sort | tr '\n' ' ' | sed 's/ $//')"

# --- programs, and the log of their dialogue ---
printf 'e2e4\nhint\nquit\n' | timeout 60 "$quevedo" play chess --seat "2=uci:depth=1,cmd=$quevedo engine chess" --hint "uci:depth=2,cmd=$quevedo engine chess" \
	--log "$work/logs" >"$work/seen" 2>"$work/err"
is "a game with programs" "0 " "$? $(cat "$work/err")"
is "lines of the log" "seat 2 go depth 1|hint go depth 2" \
	"$(sed -n 's/^[0-9]* \(.*\)\[.*\] > \(go.*\)/\1 \2/p' "$work/logs/game-000001-1-play.log" | paste -sd '|')"
refused play chess --log /nowhere/at/all

# --- refusals on the command line ---
for wrong in --seat --seat= --seat=1 --seat=1= --seat=0=human --seat=3=human --seat=5=human --seat=1=nobody --seat=1=level:99 \
	--level=0 --level=x --level=99 --time=soon --time=0 --dice=typed --dice=loaded --hint=nobody --hint=human --json --player=random; do
	refused play noughts "$wrong"
done
refused play noughts --seat 1=human --seat 1=human
refused play
refused play noughts start more
refused play nothing
refused play noughts xyz
refused play noughts --moves '5 5'
refused best noughts --player human
says "people play games only"

# --- in a terminal ---
if ! command -v tmux >/dev/null; then
	echo "tmux is not installed: the terminal is not tested"
	finish
	exit
fi
export TMUX_TMPDIR=$work
unset TMUX
mux() { tmux -u -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; rm -rf "$work"' EXIT

mux new-session -d -s keep 'exec sleep 3000' # a server without sessions goes away
screen() { mux capture-pane -p -t t; }

# waits_for TEXT: until TEXT is the last line that is not empty, or a minute has passed. A prompt must be a new one.
prompts=0
waits_for() {
	local i all now
	checks=$((checks + 1))
	for i in $(seq 600); do
		all=$(mux capture-pane -p -S - -t t | sed '/^ *$/d')
		now=$(grep -c '^[a-z][a-z0-9, :]*>' <<<"$all")
		if [ "$(tail -1 <<<"$all")" = "$1" ] && { [[ $1 != *'>' ]] || [ "$now" -gt "$prompts" ]; }; then
			prompts=$now
			return
		fi
		sleep 0.1
	done
	bad "waited for '$1' in vain:" "$(screen)"
	finish
	exit 1 # what follows would wait too
}

# terminal WIDTH HEIGHT ENV... -- ARGS: a terminal in which quevedo runs.
terminal() {
	local width=$1 height=$2 variables=()
	shift 2
	while [ "$1" != -- ]; do variables+=("$1"); shift; done
	shift
	mux kill-session -t t 2>/dev/null
	prompts=0
	mux new-session -d -s t -x "$width" -y "$height" \
		"cd '$work' && env LC_ALL=C.UTF-8 ${variables[*]} '$quevedo' play $* --no-times --seed 1; echo \"status \$?\"; exec sleep 1000"
}

types() { mux send-keys -t t -l -- "$1"; mux send-keys -t t Enter; }
presses() { mux send-keys -t t "$@"; }
looks_like() {
	screen >"$work/seen"
	narrow "$1" "$(mux display-message -p -t t '#{pane_width}')"
	same "$1"
}

for width in 40 80 200; do
	terminal $width 24 -- reversi --seat 2=$small "$hint"
	waits_for 'seat 1>'
	types d3
	waits_for 'seat 1>'
	types e9
	waits_for 'seat 1>'
	looks_like reversi-$width.screen
	types hint
	waits_for 'seat 1>'
	types moves
	waits_for 'seat 1>'
	looks_like hint-$width.screen
	types help
	waits_for 'seat 1>'
	looks_like help-$width.screen
	terminal $width 24 -- noughts3d --seat 2=$small
	waits_for 'seat 1>'
	types b2b
	waits_for 'seat 1>'
	types moves
	waits_for 'seat 1>'
	looks_like noughts3d-$width.screen
	terminal $width 24 -- race --seat 2=expectimax:depth=1 --dice typed
	waits_for 'dice>'
	types 6
	waits_for 'seat 1>'
	types 0-1
	waits_for 'dice>'
	types roll\ 7
	waits_for 'dice>'
	looks_like race-$width.screen
	terminal $width 24 -- starchess:seed=3 --seat 2=$faction --seat 3=$faction --seat 4=$faction
	waits_for 'seat 1>'
	types end
	waits_for 'seat 1>'
	types 'm a1 b1 5'
	waits_for 'seat 1>'
	mux send-keys -t t -l 'm a1 a'
	presses Tab Enter
	waits_for 'seat 1>'
	looks_like starchess-$width.screen
done

# Colours, and the last move in them; not with NO_COLOR, nor on a terminal that has none.
terminal 80 24 -- connect4 --seat 2=$small
waits_for 'seat 1>'
types 4
waits_for 'seat 1>'
mux capture-pane -p -e -t t >"$work/seen"
checks=$((checks + 4))
grep -q $'\x1b\\[.*7m' "$work/seen" || bad "the last move is not marked in colour"
grep -q $'\x1b\\[[0-9;]*31m●' "$work/seen" || bad "the first player of connect-four is not red"
grep -q $'\x1b\\[[0-9;]*33m○' "$work/seen" || bad "the second player of connect-four is not yellow"
terminal 80 24 NO_COLOR=1 -- connect4 --seat 2=$small
waits_for 'seat 1>'
types 4
waits_for 'seat 1>'
mux capture-pane -p -e -t t >"$work/seen"
! grep -q $'\x1b' "$work/seen" || bad "colours in spite of NO_COLOR"
looks_like plain-80.screen
terminal 80 24 TERM=dumb -- connect4 --seat 2=$small
waits_for 'seat 1>'
types 4
waits_for 'seat 1>'
types quit
waits_for 'status 0'
looks_like dumb-80.screen

# The editor: completion, history, Ctrl-C for the line, twice to leave; Ctrl-D.
terminal 80 24 -- connect4 --seat 2=$small
waits_for 'seat 1>'
mux send-keys -t t -l un
presses Tab Enter
waits_for 'seat 1>'
is "completion" 1 "$(screen | grep -c '^seat 1> undo$')"
types 4
waits_for 'seat 1>'
presses Up Up Up C-a C-k
mux send-keys -t t -l nonsense
presses C-c
waits_for 'seat 1>'
is "a cancelled line is not obeyed" 0 "$(screen | grep -c 'neither a legal move')"
presses C-c
waits_for 'status 0'
terminal 80 24 -- connect4 --seat 2=$small
waits_for 'seat 1>'
presses C-d
waits_for 'status 0'

# Ctrl-C while the computer thinks: it moves now. Computers alone stop, and go on when told to.
terminal 80 24 -- connect4 --seat 2=negascout:time=600s
waits_for 'seat 1>'
types 4
waits_for 'thinking (Ctrl-C: move now)'
presses C-c
waits_for 'seat 1>'
is "it moved" 1 "$(screen | grep -c 'Yellow (negascout:time=600s) plays')"
# What it finds replaces that line; the bell is no text.
types 'thoughts on'
waits_for 'seat 1>'
types 'bell on'
waits_for 'seat 1>'
types 4
for i in $(seq 600); do screen | grep -q '^Score -*[0-9]* at depth ' && break; sleep 0.1; done
presses C-c
waits_for 'seat 1>'
is "the thoughts of its move" 1 "$(screen | grep -c '^Thoughts: ')"
terminal 80 24 -- connect4 --seat 1=negascout:time=600s --seat 2=negascout:time=600s
waits_for 'thinking (Ctrl-C: move now)'
presses C-c
waits_for 'stopped, seat 1>'
types 'seat 1 human'
waits_for 'seat 1>'

# A flag falls while nobody types.
terminal 80 24 -- noughts --time 1s
waits_for 'over>'
is "the flag" 1 "$(screen | grep -c 'the time is up')"
finish

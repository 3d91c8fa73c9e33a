#!/usr/bin/env bash
# tables.sh - the command tables: its answers and refusals, and builds that are killed at any moment.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
toys=$build/tests/toys.so
in_memory
data=$work/data

# --- plan, build, check, show ---
good tables plan noughts --data "$data"
is "the plan" 'spaces 10, of which 0 are made
numbers 6046, positions about 765
memory 2.9 KB, disk at most 10.1 KB' "$(head -n 3 "$work/out")"
like "and the time" 'time about [0-9.e+-]+ s' "$(last_line)"
checks=$((checks + 1))
[ ! -e "$data" ] || bad "a plan makes nothing"
good tables plan noughts --data "$data" --json --no-times
is "a plan in JSON" '{"game":"noughts","spaces":10,"finished":0,"numbers":6046,"positions":765,"memory":2940,"disk":10294,"open_ended":false}' "$out"
good tables build noughts --data "$data"
is "what was built" 'tables of noughts: 10 of 10' "$(last_line)"
is "the first space" 'ply9: 0 won, 3 drawn, 12 lost, 111 holes, longest 0' "$(head -n 1 "$work/out" | sed 's/, [0-9]* bytes$//')"
made=$out
good tables show noughts --data "$data"
is "show says the same as build" "$made" "$out"
good tables show noughts --data "$data" --longest
is "a position of the longest win" 'ply9 longest: xxxxooxoo o' "$(sed -n 2p "$work/out")"
is "none in a table of draws" 1 "$(grep -c '^ply0' "$work/out")"
good tables show noughts --data "$data" --longest --json
like "and in JSON" '.*"bytes":[0-9]+,"longest_position":"xxxxooxoo o"\},.*"longest_position":null\}\]\}' "$out"
refused tables show noughts 'xx.oo.... x' --data "$data" --longest
says "--longest: leave out the position"
before=$(stat -c '%n %i %Y' "$data"/noughts/*.qvt)
good tables build noughts --data "$data"
is "what is made is not made again" "$before" "$(stat -c '%n %i %Y' "$data"/noughts/*.qvt)"
good tables check noughts --data "$data"
is "the check" $'start: value draw\nentries 6046, wrong 0' "$out"
good tables check noughts --data "$data" --threads 3 --json
is "the check in JSON" '{"game":"noughts","entries":6046,"wrong":0,"first_wrong":null,"start":{"value":"draw","in":null}}' "$out"
for line in 'hexapawn|value loss in 6' 'hexapawn:blocked=draw|value draw'; do
	good tables build "${line%|*}" --data "$data" --threads 2
	good tables check "${line%|*}" --data "$data"
	is "${line%|*}" "start: ${line#*|}" "$(head -n 1 "$work/out")"
done
good tables show noughts 'xx.oo.... x' --data "$data"
is "the value of a position" $'move 3\nvalue win in 1' "$out"
good tables show noughts --moves '1 4 2 5' --data "$data" --json
is "and in JSON" '{"value":"win","in":1,"move":"3"}' "$out"
good tables show noughts 'xxxoo.... o' --data "$data" --json
is "an ended one" '{"value":"loss","in":0,"move":null}' "$out"
good solve noughts 'xx.oo.... x' --by table --data "$data" --distance
is "solved by table" "value win in 1" "$out"
refused solve noughts 'xx.oo.... x' --data "$data"
good solve hexapawn:blocked=draw --by table --data "$data"
is "a start solved by table" "value draw" "$out"
refused solve connect4 --by table --data "$data"
refused solve noughts --by table --data "$work/nothing"
good tables show --data "$data"
is "all that is there" 'tables of hexapawn: 1 of 1
tables of hexapawn:blocked=draw: 1 of 1
tables of noughts: 10 of 10' "$(grep '^tables' "$work/out")"
good tables show --data "$data" --json
like "all in JSON" '\[\{"game":"hexapawn","tables":\[\{"space":"all","group":0,"numbers":39366,"there":true,.*\}\]\},.*\]' "$out"
good tables show --data "$work/nothing"
is "nothing is there" "no tables in $work/nothing" "$(head -n 1 "$work/out")"
is "but some are built in" 'built-in tables of warptrog: 9 of 45
built-in tables of draughts: 9 of 82
built-in tables of chess: 6 of 37' "$(sed 1d "$work/out")"
good tables show --data "$work/nothing" --json
like "and in JSON" '\[\{"game":"warptrog",.*\{"game":"draughts",.*\{"game":"chess","tables":\[\{"space":"kk","group":0,"numbers":[0-9]+,"there":true,.*\]' "$out"

# --- morris: part of the tables, and what is placed above them ---
good tables build morris --data "$work/morris" --up-to 3-3
is "three men a side" '3-3: 140621 won, 269 drawn, 28736 lost, 40514 holes, longest 26' "$(head -n 1 "$work/out" | sed 's/, [0-9]* bytes$//')"
is "the others are not made" 'tables of morris: 1 of 49' "$(last_line)"
good solve morris '........................ W 3 3 0' --by table --data "$work/morris"
is "the first to place three men wins" "value win" "$out"
refused solve morris --by table --data "$work/morris"
XDG_DATA_HOME=$work/home run tables build hexapawn
is "the place for data of programs" 0 "$rc"
checks=$((checks + 1))
cmp -s "$work/home/quevedo/tables/hexapawn/all.qvt" "$data/hexapawn/all.qvt" || bad "the same table there"

# --- the strongest player uses the tables of the default folder ---
XDG_DATA_HOME=$work/home run tables build chess --up-to kpk
cp -r "$work/morris/morris" "$work/home/quevedo/tables/"
while IFS='|' read -r game position; do
	good solve "$game" "$position" --by table --distance --data "$work/home/quevedo/tables"
	value=$out
	XDG_DATA_HOME=$work/home run best "$game" "$position" --no-times
	is "$game, $position" "proven ${value#value }" "$(sed -n 3p "$work/out")"
done <<'END'
chess|8/8/8/8/3k4/8/8/K6R b - - 0 1
chess|8/8/8/4k3/8/4K3/4P3/8 w - - 0 1
chess|8/8/8/8/8/2k5/1p6/1K6 w - - 0 1
morris|W.W..........B...B...W.B W 0 0 0
END

# --- chess with three pieces needs no folder ---
for position in '8/8/8/4K3/R7/5k2/8/8 w - - 0 1' '8/8/8/4k3/8/4K3/4P3/8 w - - 0 1'; do
	good tables show chess "$position" --data "$work/nothing"
	value=$(last_line)
	XDG_DATA_HOME=$work/nothing run solve chess "$position" --distance
	is "$position" "$value" "$out"
done
printf 'uci\nposition fen 8/8/8/4K3/R7/5k2/8/8 w - - 0 1\ngo infinite\nstop\nquit\n' |
	XDG_DATA_HOME=$work/nothing "$quevedo" engine chess --no-times >"$work/out"
checks=$((checks + 1))
grep -q 'info depth 17 multipv 1 score mate 9 nodes [0-9]* tbhits [1-9]' "$work/out" || bad "UCI reports the mate and the table" "$(tail -n 2 "$work/out")"

# --- Syzygy tables: a folder without any ---
mkdir "$work/empty"
refused solve chess --syzygy "$work/empty"
refused engine chess --syzygy "$work/empty"

# --- a part, and what follows ---
good tables build toy-sling --plugin "$toys" --data "$data" --up-to hits-1-0
is "three of four" 'tables of toy-sling: 3 of 4' "$(last_line)"
good tables check toy-sling --plugin "$toys" --data "$data" --up-to hits-0-1
is "checked so far" 'entries 294, wrong 0' "$out"
good tables check toy-sling --plugin "$toys" --data "$data"
is "without a limit those that were built" $'checked tables of toy-sling: 3 of 4\nentries 294, wrong 0' "$(tail -n 2 "$work/out")"
good tables check toy-sling --plugin "$toys" --data "$data" --json
like "and in JSON" '\{"game":"toy-sling","entries":294,"wrong":0,.*,"checked":3,"spaces":4\}' "$out"
refused tables check toy-sling --plugin "$toys" --data "$data" --up-to hits-0-0
says "hits-0-0.qvt: No such file or directory"
mkdir -p "$work/gap/toy-sling"
cp "$data"/toy-sling/hits-0-1.qvt "$work/gap/toy-sling/"
refused tables check toy-sling --plugin "$toys" --data "$work/gap"
says "space hits-0-1 leads to $work/gap/toy-sling/hits-1-1.qvt: No such file or directory"
good tables build toy-sling --plugin "$toys" --data "$data"
good tables check toy-sling --plugin "$toys" --data "$data"
is "then all" 'entries 392, wrong 0' "$(last_line)"

# --- a table that is wrong ---
printf 'x' | dd of="$data/noughts/ply3.qvt" bs=1 seek=420 conv=notrunc status=none
run tables check noughts --data "$data"
is "a damaged table: the answer is no" 1 "$rc"
like "and why" 'first wrong: .*ply3.*damaged.*' "$(head -n 1 "$work/out")"
refused tables show noughts '123456789' --data "$data"

# --- refusals ---
refused tables plan connect4 --data "$data"
says "connect4 has no index of positions"
refused tables plan race --data "$data"
refused tables build noughts --data "$data" --up-to ply10
says "did you mean 'ply1'"
refused tables burn noughts
says "plan, build, check or show"
refused tables build --data "$data"
refused tables build noughts start --data "$data"
refused tables show noughts --data ''
refused tables plan noughts --data "$data" --checkpoint 5
refused tables check noughts --data "$work/nothing"
says "$work/nothing: no tables of noughts"
refused tables build noughts --data /dev/null
refused tables show toy-sling 'A..B... 1 0 0 0' --plugin "$toys" --data "$work/nothing"

# --- a file that cannot grow: one line says so, and nothing half-written is left ---
game=toy-trog:width=40,height=40
(ulimit -f 2 && "$quevedo" tables build "$game" --plugin "$toys" --data "$work/full") >"$work/out" 2>"$work/err" </dev/null
is "a table too large for the disk" 2 $?
is "it says why" "quevedo: $work/full/$game/two-men.qvt: File too large" "$(cat "$work/err")"
is "nothing is left of it" "lock" "$(ls "$work/full/$game")"

# --- killed at any moment, again and again: the files are those of an undisturbed run ---
game=toy-trog:width=20,height=18
args=(tables build "$game" --plugin "$toys")
good "${args[@]}" --data "$work/whole"
kills=0
for try in $(seq 40); do
	"$quevedo" "${args[@]}" --data "$work/killed" --checkpoint 0 --threads $((1 + try % 2)) >"$work/out" 2>"$work/err" </dev/null &
	child=$!
	sleep "0.0$((RANDOM % 90 + 10))"
	[ "$try" = 40 ] || kill -9 $child 2>/dev/null
	wait $child 2>/dev/null
	rc=$?
	# If the kill came too late, from the beginning, unless it was killed often enough.
	[ $rc = 0 ] && [ $kills -gt 1 ] && break
	[ $rc = 0 ] && rm -r "$work/killed" && kills=0 && continue
	kills=$((kills + 1))
	is "killed, not failed" 137 $rc
done
is "done in the end" 0 "$rc"
checks=$((checks + 1))
[ $kills -gt 1 ] || bad "only $kills kills"
checks=$((checks + 1))
diff -r "$work/whole" "$work/killed" >/dev/null || bad "another result after $kills kills: $(ls "$work/killed/$game")"

# --- an interrupt stops it cleanly, and it goes on. On a slow machine it comes before there is anything to save: then later ---
game=toy-trog-forward:width=40,height=40
for seconds in 1 4 16; do
	after=$seconds interrupted INT tables build "$game" --plugin "$toys" --data "$work/stopped"
	[ -e "$work/stopped/$game/two-men.part" ] && break
done
is "build, interrupted" 1 "$rc"
is "build says so" "quevedo: tables: stopped" "$err"
is "a checkpoint is there" "two-men.part" "$(cd "$work/stopped/$game" && ls *.part)"

# --- two runs do not meet: one that has saved another checkpoint has the lock ---
saved() { stat -c %i "$work/stopped/$game/two-men.part"; }
before=$(saved)
"$quevedo" tables build "$game" --plugin "$toys" --data "$work/stopped" --checkpoint 0 >/dev/null 2>&1 </dev/null &
child=$!
for ((i = 0; i < 1200; i++)); do
	[ "$(saved)" != "$before" ] && break
	sleep 0.05
done
kill -STOP $child # its lock stays
run tables build "$game" --plugin "$toys" --data "$work/stopped"
is "a second run is refused" 2 "$rc"
says "another run is building these tables"
kill -9 $child 2>/dev/null
wait $child 2>/dev/null
finish

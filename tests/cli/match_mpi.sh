#!/usr/bin/env bash
# match_mpi.sh - matches on the ranks of mpirun: the same as without, refusals, ends of all kinds, and a rank that is killed.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory
export program=$quevedo
two=(--player A=random --player B=random)

refused match noughts "${two[@]}" --mpi --jobs 2
need_mpi match noughts "${two[@]}" --games 2

# --- the same as without ---
games=$(sampled 300 100) again=$(sampled 100 30)
fixed=(match connect4 --player A=alphabeta:nodes=60,random=1 --player B=negascout:nodes=40,random=1 --hash 1
	--games $games --random-plies 2 --pairs --no-times)
good "${fixed[@]}" --out "$work/records" --report "$work/picture.svg"
plain=$out
for count in 1 2 4; do
	on $count "${fixed[@]}" --out "$work/records.$count" --report "$work/picture.$count.svg" --journal "$work/journal.$count"
	is "$count ranks: status, no word" "0 " "$rc $err"
	is "$count ranks: the same answer" "$plain" "$out"
	checks=$((checks + 2))
	cmp -s "$work/records" "$work/records.$count" || bad "$count ranks: the same records"
	cmp -s "$work/picture.svg" "$work/picture.$count.svg" || bad "$count ranks: the same picture"
	good match --audit "$work/journal.$count" --games $again
	is "$count ranks: the journal" "games $games, checked $again, played again $again"$'\nnothing wrong' "$out"
done
for jobs in 1 2; do
	good "${fixed[@]}" --jobs $jobs --journal "$work/journal.jobs"
	is "$jobs jobs: the same answer" "$plain" "$out"
	checks=$((checks + 1))
	cmp -s <(sort "$work/journal.jobs") <(sort "$work/journal.4") || bad "$jobs jobs: the same games in the journal"
	rm "$work/journal.jobs"
done

# SPRT: verdicts are exit statuses, at the same game.
better=(--player A=alphabeta:depth=3,random=1) worse=(--player B=random)
sprt=(--hash 1 --sprt elo0=0,elo1=100 --games 200 --json --no-times)
run match reversi "${better[@]}" "${worse[@]}" "${sprt[@]}"
plain="$rc $out"
on 4 match reversi "${better[@]}" "${worse[@]}" "${sprt[@]}"
is "H1" "$plain" "$rc $out"
run match reversi "${worse[@]}" "${better[@]}" "${sprt[@]}"
plain="$rc $out"
on 4 match reversi "${worse[@]}" "${better[@]}" "${sprt[@]}"
is "H0" "$plain" "$rc $out"
like "and that is a no" '1 .*' "$rc $out"

# --- refusals: said once, whoever finds out ---
# refused_on WORDS ARGS
refused_on() {
	local words=$1
	shift
	on 4 "$@"
	is "refused: $*: $err" "2  1" "$rc $out $(grep -c . <<<"$err")"
	says "$words"
}
refused_on "unknown option" match noughts --playr A=random
refused_on "a match needs two" match noughts --player A=random
refused_on "did you mean 'random'" match noughts --player A=random --player B=rndom
refused_on "already exists" match noughts "${two[@]}" --journal "$work/journal.4"
refused_on "/nowhere/file" match noughts "${two[@]}" --out /nowhere/file

# Rank 2 is elsewhere, where a file has other words or is not there.
cat >"$work/elsewhere" <<'END'
#!/usr/bin/env bash
echo $$ >"$work/pid.$OMPI_COMM_WORLD_RANK"
cd "$work/place.$((OMPI_COMM_WORLD_RANK == 2))" && exec "$program" "$@"
END
chmod +x "$work/elsewhere"
mkdir "$work/place.0" "$work/place.1"
echo '5 1' >"$work/place.0/openings"
quevedo=$work/elsewhere
refused_on 'rank 2: openings: No such file' match noughts "${two[@]}" --openings openings
echo '5 2' >"$work/place.1/openings"
refused_on 'rank 2: opening 1, moves: 5 2 there, but 5 1 here' match noughts "${two[@]}" --openings openings
# Every rank starts the programs before anything is played; each has its own log.
cp "$build/tests/mock_engine" "$work/place.0/engine"
refused_on 'rank 2: player B: ./engine good: it could not be started: No such file' match noughts --player A=random --player 'B=qgp:./engine good' --journal "$work/unstarted"
is "no journal is begun" 0 "$(stat -c %s "$work/unstarted")"
refused_on 'quevedo: player B: /nonexistent: it could not be started: No such file' match noughts --player A=random --player B=qgp:/nonexistent
cp "$work/place.0/engine" "$work/place.1/engine"
on 3 match noughts --player A=random --player 'B=qgp:./engine crash' --games 12 --engine-log "$work/log"
is "programs on all ranks" "0 12 " "$rc $(grep -c 'win [12], B was killed by signal 6 (Aborted), \(0 plies\|1 ply\)' "$work/out") $err"
for log in log log.1 log.2; do
	checks=$((checks + 1))
	grep -q ' B\[[0-9]*\] > qgp 1$' "$work/$log" || bad "a log of each rank: $log"
done

on 3 match noughts --player A=random --player 'B=qgp:./engine good' --games 12 --log "$work/logs"
is "a file for each game, whoever played it" "0 12 3" \
	"$rc $(find "$work/logs" -name 'game-0000*-2-B*.log' | wc -l) $(find "$work/logs" -name 'start-2-B*.log' | wc -l)"

# One that fails before it joins the others tells them all the same; and if it is the first, they do not wait for it.
cat >"$work/confused" <<'END'
#!/usr/bin/env bash
[ "$OMPI_COMM_WORLD_RANK" != "$confused" ] || set -- "$@" --playr
exec "$program" "$@"
END
chmod +x "$work/confused"
quevedo=$work/confused
confused=2 refused_on 'rank 2: --playr: unknown option' match noughts "${two[@]}"
confused=0 refused_on 'quevedo: --playr: unknown option' match noughts "${two[@]}"
quevedo=$program

# --- ends ---
long=(match connect4 --player A=alphabeta:nodes=3000,random=1 --player B=negascout:nodes=2000,random=1 --hash 1
	--random-plies 2 --no-times --json)
# begin N FILE: a long match of N games on four ranks in the background; returns once some are done.
# After a signal mpirun kills, by default after a second: too little where the ranks share a processor with other tests.
begin() {
	local before i
	before=$(grep -c '"result"' "$2" 2>/dev/null)
	: >"$work/words"
	OMPI_MCA_odls_base_sigkill_timeout=${patience:-1} "${ranks[@]}" 4 "${apart[@]}" "$work/elsewhere" "${long[@]}" --games "$1" --mpi --journal "$2" --resume >"$work/out" 2>"$work/err" </dev/null &
	child=$!
	for ((i = 0; i < 6000; i++)); do
		[ "$(grep -c '"result"' "$2" 2>/dev/null)" -gt $((${before:-0} + 5)) ] 2>/dev/null && return
		sleep 0.05
	done
	bad "the match does not get going"
}

# Where the ranks need longer to end, once more, with more patience; mpirun always waits for all of it.
for signal in INT TERM; do
	for seconds in 5 20; do
		rm -f "$work/$signal"
		patience=$seconds begin 100000 "$work/$signal"
		kill -$signal "$child"
		wait "$child"
		rc=$?
		[ $rc = 1 ] && grep -q stopped "$work/words" && break
	done
	is "$signal: status" 1 $rc
	like "$signal: it says so" 'quevedo: match: stopped after [0-9]+ games' "$(words)"
	like "$signal: what was done is shown" '\{"game":"connect4","games":[0-9]+,.*' "$(cat "$work/out")"
	is "$signal: the journal is whole" "" "$(tail -c 1 "$work/$signal" | tr -d '\n')"
done

# A rank is killed, then the first: no finished game is lost, and the match goes on.
# However slow the machine is, the match is not over before that: after some moves its engines stand still until a file is there.
lasting=$(sampled 700 250)
long=(match connect4 --player A=alphabeta:nodes=300,random=1 --player "B=qgp:$work/place.0/engine patient $work/killed" --hash 1
	--random-plies 2 --no-times --json)
touch "$work/killed"
good "${long[@]}" --games $lasting
rm "$work/killed"
plain=$out
for rank in 2 0; do
	begin $lasting "$work/lost"
	cp "$work/lost" "$work/before"
	kill -KILL "$(cat "$work/pid.$rank")"
	wait "$child"
	rc=$?
	checks=$((checks + 2))
	[ $rc != 0 ] || bad "a lost rank $rank is no success"
	cmp -s -n "$(stat -c %s "$work/before")" "$work/before" "$work/lost" || bad "rank $rank: what was in the journal stays there"
done
lost=$(grep -c '"result"' "$work/lost")
checks=$((checks + 1))
[ "$lost" -lt $lasting ] || bad "the match was over before it was killed"
touch "$work/killed"
on 4 "${long[@]}" --games $lasting --journal "$work/lost" --resume
is "after two kills, with $lost games done, the same" "0 $plain" "$rc $out"
is "no game was finished twice, and none is missing" "$lasting $lasting" \
	"$(grep '"result"' "$work/lost" | sed 's/,.*//' | sort -u | wc -l) $(grep -c '"result"' "$work/lost")"
finish

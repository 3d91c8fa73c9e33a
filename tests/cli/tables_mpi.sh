#!/usr/bin/env bash
# tables_mpi.sh - tables built on the ranks of mpirun: the same files as without, plans, refusals, and ranks that are killed.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory
export program=$quevedo
three=(draughts --up-to mm-m)

refused tables check "${three[@]}" --data "$work/none" --mpi
need_mpi tables plan "${three[@]}" --data "$work/none"

# same WHAT FOLDER: its files are those of the plain build, and no others.
same() {
	checks=$((checks + 1))
	diff -r "$work/plain" "$2" >/dev/null || bad "$1: other files: $(ls "$2/draughts")"
}

# --- the same files as without ---
good tables build "${three[@]}" --data "$work/plain"
plain=$out
for count in 1 2 4; do
	on $count tables build "${three[@]}" --data "$work/on.$count" --threads $((1 + count / 2 % 2))
	is "$count ranks: status, no word" "0 " "$rc $err"
	is "$count ranks: the same answer" "$plain" "$out"
	same "$count ranks" "$work/on.$count"
done
good tables check "${three[@]}" --data "$work/on.4"
is "nothing is wrong" "entries 202280, wrong 0" "$out"
on 2 tables build "${three[@]}" --data "$work/on.4"
is "finished tables stay" "0 $plain" "$rc $out"

# --- plans ---
good tables plan draughts --data "$work/plain" --json --no-times
alone=$(sed 's/.*"memory":\([0-9]*\).*/\1/' <<<"$out")
on 4 tables plan draughts --data "$work/plain" --json --no-times
like "a plan for four" '\{"game":"draughts",.*"ranks":4\}' "$out"
shared=$(sed 's/.*"memory":\([0-9]*\).*/\1/' <<<"$out")
checks=$((checks + 1))
[ "$shared" -lt "$alone" ] || bad "a rank of four needs $shared bytes, one alone $alone"
on 4 tables plan draughts --data "$work/plain"
like "in words" 'memory [0-9.]+ [MG]B on each of 4 ranks, disk at most [0-9.]+ [MG]B' "$(grep memory <<<"$out")"
like "and the time" 'time about [0-9.e+]+ s' "$(tail -n 1 <<<"$out")"

# --- refusals: printed once, whichever rank fails ---
# refused_on WORDS ARGS
refused_on() {
	local words=$1
	shift
	on 3 "$@"
	is "refused: $*: $err" "2  1" "$rc $out $(grep -c . <<<"$err")"
	says "$words"
}
refused_on "quevedo: tables: noughts cannot be built on several ranks" tables build noughts --data "$work/refused"
refused_on "did you mean 'mm-k'" tables build draughts --up-to mm-n --data "$work/refused"
refused_on "unknown option" tables build draughts --mpy
refused_on "/nowhere" tables build draughts --data /dev/null/nowhere
# Rank 2 has another command line, or an unknown option, which it finds out before it joins the others.
cat >"$work/confused" <<'END'
#!/usr/bin/env bash
echo $$ >"$work/pid.$OMPI_COMM_WORLD_RANK"
[ "$OMPI_COMM_WORLD_RANK" != "${confused:-}" ] || set -- "$@" $other
exec "$program" "$@"
END
chmod +x "$work/confused"
quevedo=$work/confused
confused=2 other=--mpy refused_on 'rank 2: --mpy: unknown option' tables build "${three[@]}" --data "$work/refused"
confused=0 other=--mpy refused_on 'quevedo: --mpy: unknown option' tables build "${three[@]}" --data "$work/refused"
confused=2 other="--up-to kk-k" refused_on 'rank 2: ' tables build draughts --data "$work/refused"

# --- a rank is killed ---
# begin SPACE: a build on three ranks in the background, which stops in the second checkpoint of the space: rank 1 waits for a
# reader of what it writes to. Returns once the other ranks have written theirs, so all have the first one.
begin() {
	local files=("$work/killed/draughts/$1".rank{0,2}-of-3.b.part) i
	fifo=$work/killed/draughts/$1.rank1-of-3.b.part.tmp
	mkdir -p "$work/killed/draughts"
	rm -f "${files[@]}"
	mkfifo "$fifo"
	timeout -k 5 300 "${ranks[@]}" 3 "$work/confused" tables build "${three[@]}" --data "$work/killed" --checkpoint 0 --mpi >"$work/out" 2>"$work/err" </dev/null &
	child=$!
	for ((i = 0; i < 6000; i++)); do
		[ -e "${files[0]}" ] && [ -e "${files[1]}" ] && return
		sleep 0.05
	done
	bad "the build saves no checkpoint: $(cat "$work/err")"
}
for rank in 1 0; do
	begin kk-k
	kill -KILL "$(cat "$work/pid.$rank")"
	wait "$child"
	rc=$?
	checks=$((checks + 1))
	[ $rc != 0 ] || bad "a lost rank $rank is no success"
	is "rank $rank: the checkpoints stay" 3 "$(find "$work/killed/draughts" -name 'kk-k.rank*-of-3.a.part' | wc -l)"
	rm "$fifo"
done
on 3 tables build "${three[@]}" --data "$work/killed"
is "resumed: status, no word" "0 " "$rc $err"
is "resumed: the same answer" "$plain" "$out"
same "resumed after two kills" "$work/killed"

# With another number of ranks the space starts from the beginning, and that is printed.
rm "$work/killed/draughts/"mm-m.qvt
begin mm-m
kill -KILL "$(cat "$work/pid.2")"
wait "$child"
rm "$fifo"
on 2 tables build "${three[@]}" --data "$work/killed"
is "two ranks after three" "0 quevedo: tables: mm-m starts from the beginning: its checkpoints are incomplete, or of another number of ranks" "$rc $err"
same "two ranks after three" "$work/killed"
finish

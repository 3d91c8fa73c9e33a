# common.bash - what the tests of the command share. Source it with the build folder as $1.
# SPDX-License-Identifier: MIT
set -u
build=$(cd "${1:?the build folder is missing}" && pwd)
quevedo=$build/quevedo
[ -x "$quevedo" ] || { echo "$quevedo is not built" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset LC_ALL LC_CTYPE LANG
export ASAN_OPTIONS=detect_leaks=0 # seconds a run in a sanitized build; streams.sh looks for leaks
checks=0 failures=0

# run ARGS: sets out, err and rc. As refused, it is called a thousand times: both start no program but the one that is tested.
run() {
	"$quevedo" "$@" >"$work/out" 2>"$work/err" </dev/null
	rc=$?
	out=$(<"$work/out") err=$(<"$work/err")
}

# sampled N LEAST: how many of N to do in builds that run slowly, where TEST_SCALE is below 100; the others do all.
sampled() {
	local part=$(($1 * ${TEST_SCALE:-100} / 100))
	echo $((${TEST_SCALE:-100} >= 100 ? $1 : part > $2 ? part : $2))
}

# listens PID SIGNAL: until that program catches it, or a minute has passed. Nobody says how long a program needs to begin.
listens() {
	local i mask
	for ((i = 0; i < 1200; i++)); do
		# Before it is the program it is this shell, which listens for signals of its own.
		if [ "/proc/$1/exe" -ef "$quevedo" ]; then
			mask=$(sed -n 's/^SigCgt:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null) || return
			(((0x$mask >> ($(kill -l "$2") - 1)) & 1)) && return
		fi
		kill -0 "$1" 2>/dev/null || return
		sleep 0.05
	done
}

# interrupted SIGNAL ARGS: as run; the signal comes a little after the program has begun to listen for it.
interrupted() {
	local signal=$1 child
	shift
	env --default-signal=INT "$quevedo" "$@" >"$work/out" 2>"$work/err" </dev/null &
	child=$!
	listens $child "$signal"
	sleep "${after:-0.2}"
	kill "-$signal" $child
	wait $child
	rc=$?
	out=$(<"$work/out") err=$(<"$work/err")
}

bad() {
	failures=$((failures + 1))
	printf 'FAILED: %s\n' "$@" >&2
}

# is WHAT EXPECTED ACTUAL
is() {
	checks=$((checks + 1))
	[ "$2" = "$3" ] || bad "$1" "expected: $2" "got:      $3"
}

# like WHAT REGEX ACTUAL: the whole of it, as grep -E has it
like() {
	checks=$((checks + 1))
	printf '%s\n' "$3" | grep -Eqx -- "$2" || bad "$1" "expected: $2" "got:      $3"
}

# good ARGS: exit 0, nothing on standard error.
good() {
	run "$@"
	checks=$((checks + 1))
	if [ $rc != 0 ] || [ -s "$work/err" ] || [ ! -s "$work/out" ]; then bad "good: quevedo $*" "status $rc" "$err"; fi
}

# refused ARGS: exit 2, nothing on standard output, one line "quevedo: WHAT: WHY" on standard error.
refused() {
	"$quevedo" "$@" >"$work/out" 2>"$work/err" </dev/null
	rc=$?
	local LC_ALL=C all
	! IFS= read -r -d '' all <"$work/err" # a 0 would end it before the end
	local to_the_end=$?
	err=${all%$'\n'} out=
	checks=$((checks + 1))
	if [ $rc != 2 ] || [ -s "$work/out" ] || [ $to_the_end != 0 ] || [ "$all" != "$err"$'\n' ] ||
		[[ ! $err =~ ^quevedo:\ .+:\ [^\ ] || $err == *[^\ -~]* ]]; then
		out=$(tr -d '\0' <"$work/out")
		bad "refused: quevedo $*" "status $rc" "out: ${out:0:200}" "err: $err"
	fi
}

# says WORDS: the last refusal holds them.
says() {
	checks=$((checks + 1))
	case $err in *"$1"*) ;; *) bad "'$1' in: $err" ;; esac
}

last_line() {
	tail -n 1 "$work/out"
}

# in_memory: moves the work folder to memory where that is possible. Files that are synced to disk take long.
in_memory() {
	[ -w /dev/shm ] || return
	rm -rf "$work"
	work=$(mktemp -d -p /dev/shm)
}

# skip WHY: ends the test, with what it has checked so far.
skip() {
	echo "skipped: $1"
	finish
	exit
}

# need_mpi ARGS...: ends the test where the program has no MPI, or where there is no mpirun. ARGS run a command with --mpi.
need_mpi() {
	run "$@" --mpi
	if [ $rc != 0 ]; then
		refused "$@" --mpi
		says 'this build has no MPI'
		skip "this build has no MPI"
	fi
	is "without mpirun there is one rank" 0 "$rc"
	command -v mpirun >/dev/null && mpirun --version 2>/dev/null | grep -q 'Open MPI' || skip "there is no mpirun of Open MPI"
	# One machine, more ranks than processors, perhaps root, and no word about any of it. The files of a run lie in the work folder.
	export TMPDIR=$work OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_plm_rsh_agent=/bin/false
	export OMPI_MCA_btl_base_warn_component_unused=0
	export HWLOC_HIDE_ERRORS=2 # without /sys, as in a bare container, it would print warnings
	export work
	ranks=(mpirun --quiet --allow-run-as-root --oversubscribe -n)
	# What a rank writes to standard error goes past mpirun, which now and then adds a line of its own when a rank fails.
	apart=(bash -c 'exec "$0" "$@" 2>>"$work/words"')
}

# words: what the ranks wrote to standard error. Lines "[HOST:PID] ..." are by the libraries of MPI.
words() {
	sed '/^\[[^] ]*:[0-9]*\] /d' "$work/words"
}

# on N ARGS: as run, on N ranks.
on() {
	local count=$1
	shift
	: >"$work/words"
	timeout -k 5 300 "${ranks[@]}" "$count" "${apart[@]}" "$quevedo" "$@" --mpi >"$work/out" 2>"$work/err" </dev/null
	rc=$?
	out=$(cat "$work/out") err=$(words)
}

finish() {
	echo "$checks checks, $failures failures"
	[ "$checks" -gt 0 ] && [ "$failures" = 0 ]
}

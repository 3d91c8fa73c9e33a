#!/usr/bin/env bash
# run.sh - fuzzes all targets for some minutes, the least fuzzed first. Needs the programs and a shell, nothing else.
# SPDX-License-Identifier: MIT
# usage: run.sh MINUTES JOBS OUT [EARLIER]...
#
# OUT/journal.tsv gets a line for each slice: target, processor seconds, executions, edges covered, findings. Journals of
# EARLIER runs (their OUT folders) count when targets are chosen, and what they found is where this run begins.
# OUT/findings/TARGET has each input that broke a target, and the log. OUT/found.tar.gz has the inputs that add coverage.
# FUZZ_BIN: the folder of the programs; FUZZ_CORPUS: of the corpora. By default both are beside this file.
# FUZZ_SECONDS: of a slice (60). FUZZ_TIMEOUT: seconds for one input (2, or 10). FUZZ_ONLY: the names of the targets.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=${FUZZ_BIN:-$here/bin}
corpus=${FUZZ_CORPUS:-$here/corpus}
[ $# -ge 3 ] || { sed -n '/^# usage/,/^set/p' "$0" | sed '$d' >&2; exit 2; }
minutes=$1 jobs=$2
mkdir -p "$3/found" "$3/findings" "$3/logs" || exit 1
out=$(cd "$3" && pwd)
shift 3
slice=${FUZZ_SECONDS:-60}
end=$((SECONDS + minutes * 60))
: >>"$out/journal.tsv"
: >"$out/taken"
touch "$out/lock" "$out/earlier.tsv"
for earlier; do
	[ ! -f "$earlier/journal.tsv" ] || cat "$earlier/journal.tsv" >>"$out/earlier.tsv"
	[ ! -f "$earlier/found.tar.gz" ] || tar -xzf "$earlier/found.tar.gz" -C "$out"
	[ ! -d "$earlier/found" ] || cp -r "$earlier/found/." "$out/found/"
done

# Here the programs find their libraries beside them, if there are any.
start=()
! setarch -R true 2>/dev/null || start=(setarch -R)      # older sanitizers cannot bear widely scattered addresses
[ ! -d "$here/lib" ] || start+=("$here/lib/ld-linux-x86-64.so.2" --library-path "$here/lib")
[ ! -f "$bin/toys.so" ] || export FUZZ_TOYS=$bin/toys.so

program_of() {
	case $1 in
	engine) echo "$bin/fuzz_engine" ;;
	*) echo "$bin/fuzz" ;;
	esac
}

# What is in memory costs no syncing.
scratch=$(mktemp -d "$([ -w /dev/shm ] && echo /dev/shm || echo "$out")/fuzz-all-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

names=${FUZZ_ONLY:-$(ls "$corpus")}
leaks=1
# Where processes may not be traced, leaks cannot be looked for.
FUZZ_TARGET=rules ASAN_OPTIONS=detect_leaks=1 "${start[@]}" "$(program_of rules)" -runs=1 "$corpus/rules" >"$out/probe.log" 2>&1 || leaks=0
FUZZ_TARGET=rules ASAN_OPTIONS=detect_leaks=0 "${start[@]}" "$(program_of rules)" -runs=1 "$corpus/rules" >>"$out/probe.log" 2>&1 ||
	{ cat "$out/probe.log"; echo "run.sh: the programs do not run here" >&2; exit 1; }

# The target with the least processor time, what others are busy with included; it is taken for this slice.
choose() {
	awk -F'\t' -v names="$names" -v slice="$slice" '
		FILENAME ~ /taken$/ { time[$1] += slice; next }
		{ time[$1] += $2 }
		END {
			count = split(names, list, /[ \n]+/)
			for (i = 1; i <= count; i++)
				if (list[i] != "" && (best == "" || time[list[i]] + 0 < least)) {
					best = list[i]
					least = time[best] + 0
				}
			print best
		}' "$out/earlier.tsv" "$out/journal.tsv" "$out/taken"
}

# One target for a slice, or until something is found. $1: the target; $2: its seconds; $3: a number for its log.
fuzz() {
	local name=$1 log=$out/logs/$1.$3 found=$out/found/$1 folder=$scratch/$3 options=() used executions edges broken=0
	mkdir -p "$found" "$folder" "$out/findings/$name"
	# State that lasts looks like a leak after each input; the program's end checks the whole.
	case $name in server_*) options+=(-detect_leaks=0) ;; *) options+=("-detect_leaks=$leaks") ;; esac
	# By turns: comparisons as coverage, and short inputs of what takes long ones.
	[ $(($3 % 2)) -eq 0 ] || options+=(-use_value_profile=1)
	[ "$name" != server_api ] || [ $(($3 % 4)) -ge 3 ] || options+=(-max_len=400)
	# Searches and pictures are the work of a few lines.
	case $name in engine | move | play | server_api | wire_chess) options+=(-timeout="${FUZZ_TIMEOUT:-10}") ;; *) options+=(-timeout="${FUZZ_TIMEOUT:-2}") ;; esac
	local TIMEFORMAT='%U %S'
	used=$({ time FUZZ_TARGET=$name FUZZ_FOLDER=$folder UBSAN_OPTIONS=print_stacktrace=1 \
		ASAN_OPTIONS=malloc_context_size=4:quarantine_size_mb=16:allocator_may_return_null=1:detect_leaks=$leaks \
		timeout -s KILL $(($2 + 60)) "${start[@]}" "$(program_of "$name")" -max_total_time="$2" \
		-rss_limit_mb=2048 -malloc_limit_mb=1024 -report_slow_units=1 -print_final_stats=1 -reload=0 -entropic_scale_per_exec_time=1 "${options[@]}" \
		-artifact_prefix="$out/findings/$name/" "$found" "$corpus/$name" >"$log" 2>&1; broken=$?; } 2>&1; echo "$broken")
	broken=${used##*$'\n'}
	used=$(awk 'NR == 1 { printf "%.1f", $1 + $2 }' <<<"$used")
	executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | sort -n | tail -n 1)
	rm -rf "$folder"
	if [ "$broken" -ne 0 ]; then
		cp "$log" "$out/findings/$name/log.$3"
		echo "run.sh: $name: $(grep -aEm1 'ERROR|SUMMARY|not so:|work: more|runtime error' "$log" || echo "ended with status $broken")"
		broken=1
	fi
	rm -f "$log"
	printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$used" "${executions:-0}" "${edges:-0}" "$broken" >>"$out/journal.tsv"
}

worker() {
	local name left number=$1
	while left=$((end - SECONDS)) && [ "$left" -gt 5 ]; do
		exec 9>"$out/lock"
		flock 9
		name=$(choose)
		echo "$name" >>"$out/taken"
		exec 9>&-
		fuzz "$name" $((left < slice ? left : slice)) "$number"
		exec 9>"$out/lock"
		flock 9
		awk -v name="$name" '$0 == name && !done { done = 1; next } { print }' "$out/taken" >"$out/taken.new"
		cat "$out/taken.new" >"$out/taken"
		exec 9>&-
		number=$((number + jobs))
	done
}

for ((i = 0; i < jobs; i++)); do
	worker "$i" &
done
wait
rm -f "$out/taken" "$out/taken.new" "$out/lock" "$out/earlier.tsv" "$out/probe.log"
rmdir "$out"/findings/* "$out/findings" "$out/logs" 2>/dev/null
tar -czf "$out/found.tar.gz" -C "$out" found && rm -rf "$out/found"
awk -F'\t' '{ s += $2; n += $3; f += $5 } END { printf "run.sh: %.0f processor minutes, %d executions, %d findings\n", s / 60, n, f }' "$out/journal.tsv"

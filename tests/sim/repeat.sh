#!/usr/bin/env bash
# repeat.sh - a world of the simulation has no violation, the same seed gives the same world, the runner keeps its journal, and the
# planted bugs of tools/sim-bugs apply.
# SPDX-License-Identifier: MIT
# usage: repeat.sh SIMULATE [STEPS [SEED]]
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$(cd "$(dirname "$0")/../.." && pwd)
for bug in "$root"/tests/sim/bugs/*.patch; do
	patch -d "$root" -p1 -F0 -s --dry-run <"$bug" || { echo "${bug##*/} does not apply to the sources" >&2; exit 1; }
done
cd "$work"
"$1" --seed "${3:-1}" --steps "${2:-1500}" --events 1 >first
"$1" --seed "${3:-1}" --steps "${2:-1500}" --events 1 --verbose >second 2>/dev/null
cmp first second
grep -qx 'log [0-9a-f]\{16\}' first
# Another seed is another world, and wrong options are refused.
"$1" --seed 999 --steps 50 --events 1 >third
cmp -s first third && exit 1
status=0
"$1" --seed x >/dev/null 2>&1 || status=$?
[ "$status" -eq 2 ]
# The runner continues where it was interrupted, and names the seed of a violation with a command that repeats it.
runner=$root/tests/soak/simulation.py
run=(python3 "$runner" --jobs 1 --steps 100 --hours 0 --faults 0 --journal journal)
"${run[@]}" --events 500 "$1" >/dev/null
worlds=$(grep -c . journal)
printf '{"seed": 1, "ste' >>journal
"${run[@]}" --events 500 --result result.md "$1" | grep -qx 'simulation: no violation'
[ "$(grep -c '"violation": null' journal)" -eq "$worlds" ]
grep -q "^| simulated worlds | $worlds |" result.md
cat >broken <<'END'
#!/bin/sh
echo '{"seed": 7, "steps": 100, "violation": "a bug", "log": "0"}'
exit 1
END
chmod +x broken
status=0
"${run[@]}" --first 7 --events 500 ./broken >out || status=$?
[ "$status" -eq 1 ]
grep -q 'VIOLATION: seed 7: a bug' out
grep -q 'gave the same log; to repeat it: .*/broken --seed 7 --steps 100 --events 0 --verbose' out

#!/usr/bin/env bash
# repeat.sh - a world of the simulation has no violation, and the same seed gives the same world.
# SPDX-License-Identifier: MIT
# usage: repeat.sh SIMULATE [STEPS [SEED]]
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
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

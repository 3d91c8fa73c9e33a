#!/usr/bin/env bash
# chess_tables.sh - all endgame tables of chess: builds them, verifies every entry, and compares the longest wins with published ones.
# SPDX-License-Identifier: MIT
# usage: tests/soak/chess_tables.sh [BUILD_DIR [FOLDER]]      takes about half an hour of one core; FOLDER keeps the tables
set -euo pipefail
quevedo=${1:-build}/quevedo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=${2:-$work}
"$quevedo" tables build chess --data "$folder" >"$work/list"
# In plies: 66 are 33 moves with the loser to move.
while read -r space longest; do
	grep -q "^$space: .*, longest $longest, " "$work/list" || { echo "chess_tables: $space: the longest win is not $longest plies" >&2; exit 1; }
done <<'END'
krk 32
kqk 20
kpk 56
kbnk 66
kbbk 38
kqkr 70
kqkb 34
kqkn 42
krkb 58
krkn 80
krkr 38
kqkq 25
kppk 64
kpkp 66
END
"$quevedo" tables check chess --data "$folder"

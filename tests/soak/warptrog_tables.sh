#!/usr/bin/env bash
# warptrog_tables.sh - all endgame tables of Warp Trog: builds them, verifies every entry, and compares their facts.
# SPDX-License-Identifier: MIT
# usage: tests/soak/warptrog_tables.sh [BUILD_DIR [FOLDER]]      takes about ten minutes of one core; FOLDER keeps the tables
set -euo pipefail
quevedo=${1:-build}/quevedo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=${2:-$work}
"$quevedo" tables build warptrog --data "$folder" >"$work/list"
# Trog against Trog: never a draw, and 18 plies at most. The others are the facts of the first build.
while read -r space facts; do
	grep -q "^$space: $facts, " "$work/list" || { echo "warptrog_tables: $space: not $facts" >&2; exit 1; }
done <<'END'
t-t 324 won, 0 drawn, 306 lost, 666 holes, longest 18
vv-v 6389 won, 0 drawn, 5965 lost, 13746 holes, longest 34
tt-tv 362459 won, 28626 drawn, 197965 lost, 771750 holes, longest 60
tv-vv 242818 won, 853 drawn, 164011 lost, 531918 holes, longest 67
tt-tvv 5055847 won, 272117 drawn, 2481156 lost, 11922480 holes, longest 78
vvv-vv 818523 won, 367 drawn, 672362 lost, 2040948 holes, longest 83
END
"$quevedo" tables check warptrog --data "$folder"

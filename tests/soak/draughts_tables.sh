#!/usr/bin/env bash
# draughts_tables.sh - the endgame tables of draughts up to four pieces: builds them, verifies every entry, and compares their facts.
# SPDX-License-Identifier: MIT
# usage: tests/soak/draughts_tables.sh [BUILD_DIR [FOLDER [SPACE]]]      takes some seconds of one core; FOLDER keeps the tables
# SPACE is the last one to build: mmm-mm for five pieces (two minutes), mmm-mmm for six.
set -euo pipefail
quevedo=${1:-build}/quevedo
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=${2:-$work}
space=${3:-mm-mm}
"$quevedo" tables build draughts --up-to "$space" --data "$folder" >/dev/null
"$quevedo" tables show draughts --data "$folder" --longest >"$work/list"
# The numbers of positions are published; values and distances are the facts of the first build.
while read -r space_name facts; do
	grep -q "^$space_name: $facts, " "$work/list" || { echo "draughts_tables: $space_name: not $facts" >&2; exit 1; }
done <<'END'
kk-k 15258 won, 1484 drawn, 13018 lost, 0 holes, longest 34
mm-m 10024 won, 765 drawn, 9083 lost, 1296 holes, longest 62
kk-kk 58361 won, 153456 drawn, 3943 lost, 0 holes, longest 49
kk-km 220703 won, 500715 drawn, 33742 lost, 0 holes, longest 95
km-km 161772 won, 485306 drawn, 14122 lost, 20880 holes, longest 103
mm-mm 26945 won, 95631 drawn, 3088 lost, 17220 holes, longest 109
END
"$quevedo" tables check draughts --up-to "$space" --data "$folder"
grep 'longest: ' "$work/list"

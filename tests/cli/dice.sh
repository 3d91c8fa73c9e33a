#!/usr/bin/env bash
# dice.sh - quevedo dice: exact chances of the sums of dice, as text and as JSON.
# SPDX-License-Identifier: MIT
# shellcheck source=tests/cli/common.bash
. "$(dirname "$0")/common.bash" "$1"

# --- table 12-1 of the 1983 book ---
good dice
is "two dice" "2.78 5.56 8.33 11.11 13.89 16.67 13.89 11.11 8.33 5.56 2.78" \
	"$(awk 'NR > 1 && NF == 4 && $1 + 0 { printf "%s%s", sep, $3; sep = " " }' "$work/out")"
is "seven" "   7                   6     16.67     58.33" "$(sed -n 7p "$work/out")"
is "the last line" "outcomes 36, average 7.0" "$(last_line)"
two=$out
good dice 2d6
is "2d6 is the default" "$two" "$out"

# --- other dice ---
good dice d4
is "one die" "   1                   1     25.00    100.00" "$(sed -n 2p "$work/out")"
good dice 3D6 --json --hit 6
python3 - "$work/out" <<'P' || bad "three dice, counted one by one"
import itertools, json, sys
answer = json.load(open(sys.argv[1]))
assert list(answer) == ["dice", "sides", "outcomes", "average", "sums", "hit"], answer
rolls = list(itertools.product(range(1, 7), repeat=3))
assert answer["outcomes"] == len(rolls) and answer["average"] == 10.5
for row in answer["sums"]:
    assert row["ways"] == sum(sum(r) == row["sum"] for r in rolls)
    assert abs(row["probability"] - row["ways"] / len(rolls)) < 1e-6
assert [row["sum"] for row in answer["sums"]] == list(range(3, 19))
assert answer["hit"]["number"] == 6
assert answer["hit"]["ways"] == sum(6 in r or sum(r) == 6 for r in rolls)
P
checks=$((checks + 1))
for dice in 20d6 9d100 20d7 17d11; do
	run dice "$dice" --json
	[ $rc = 0 ] || continue
	python3 -c 'import json, sys
a = json.load(open(sys.argv[1]))
assert sum(r["ways"] for r in a["sums"]) == a["outcomes"] == a["sides"] ** a["dice"]' "$work/out" || bad "the sum of $dice"
	checks=$((checks + 1))
done
for hit in "1 11" "6 16" "7 6" "12 1" "13 0"; do
	good dice --hit "${hit% *}"
	like "hit $hit of 36" "hit ${hit% *}: ${hit#* } ways, .*" "$(tail -n 2 "$work/out" | head -n 1)"
done
good dice d6 --hit 6
like "hit with one die" "hit 6: 1 ways, 16.67 per cent" "$(tail -n 2 "$work/out" | head -n 1)"

# --- wrong use ---
for word in "" d 2 2d 0d6 21d6 2d1 2d101 -1d6 2d6d6 "2 d6" 2x6 10d100 20d100 00000000000000000000001d6 2d6.5; do
	refused dice "$word"
done
says "write NdS"
refused dice 10d100
says "more than 1000000000000000000 outcomes"
refused dice 2d6 2d6
refused dice --hit 0
refused dice --hit x
finish

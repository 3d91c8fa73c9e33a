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

# --- review: luck and errors in recorded games ---
printf '%s\n' '{"quevedo":1,"game":"starchess","position":"start","seats":[]}' '{"move":"end"}' >"$work/four"
refused review "$work/four"
says "review: games of more than two players are not reviewed"
good match race --player A=expectimax:depth=1 --player B=random --games 3 --no-times --journal "$work/games"
good review "$work/games"
is "three games" 3 "$(grep -c '^game [1-3]  race$' "$work/out")"
is "their results" 3 "$(grep -cE '^result [+-]1  luck [+-][0-9.]+  skill [+-][0-9.]+$' "$work/out")"
is "rolls have luck" 0 "$(grep ' roll ' "$work/out" | grep -vcE '^ply [0-9]+  seat [12]  roll [1-6]  luck [+-][0-9.]+$')"
good review "$work/games" --json
python3 - "$work/out" "$work/games" <<'P' || bad "the sums of a review"
import json, sys
games = [json.loads(line) for line in open(sys.argv[1])]
stats = [json.loads(line)["stats"] for line in open(sys.argv[2]) if '"stats"' in line]
assert len(games) == len(stats) == 3
for game, stat in zip(games, stats):
    for seat in 1, 2:
        own = [p for p in game["plies"] if p["seat"] == seat]
        assert abs(sum(p.get("luck", 0) for p in own) - game["luck"][seat - 1]) < 0.1
        assert abs(sum(p.get("loss", 0) for p in own) - game["loss"][seat - 1]) < 0.1
    assert abs(game["luck"][0] - game["luck"][1] - game["net_luck"]) < 0.002
    assert abs(game["result"] - game["net_luck"] - game["skill"]) < 0.002
    # The referee has counted the same luck.
    assert abs(stat["luck"][0] - game["net_luck"]) < 0.001, (stat, game["net_luck"])
    for p in game["plies"]:
        assert ("luck" in p) == p["move"].startswith("roll ")
        if "loss" in p:
            name = [n for least, n in ((0.16, "very bad"), (0.08, "bad"), (0.04, "doubtful"), (0, None)) if p["loss"] >= least][0]
            assert p["name"] == name or abs(p["loss"] * 25 % 1 - 0.5) > 0.45
P
good review "$work/games" --annotate
cp "$work/out" "$work/noted"
is "comments" 1 "$(grep -cE '^\{"note":"\?{1,2}!? loses [0-9.]+ \((doubtful|bad|very bad)\): [0-9]+-[0-9]+ is better"\}$' "$work/out" | grep -vcx 0)"
good review "$work/noted" --annotate
is "annotated twice" "$(cat "$work/noted")" "$out"
# Of a damaged file, what can be read is reviewed, as convert keeps it.
good match backgammon:match=3 --player A=random --player B=random --games 1 --no-times --out "$work/match.rec"
for format in mat sgf; do
	good convert "$work/match.rec" --out "$work/whole.$format"
	head -c $(($(wc -c <"$work/whole.$format") / 2)) "$work/whole.$format" >"$work/cut.$format"
	[ "$format" = sgf ] || printf '\n 99) 65: 24/1\n' >>"$work/cut.$format"
	run convert "$work/cut.$format" --format record
	is "the status of convert ($format)" 1 "$rc"
	run review "$work/cut.$format"
	is "the status of review ($format)" 1 "$rc"
	like "the fault ($format)" "quevedo: .*/cut\.$format: line [0-9]+: .*" "$(cat "$work/err")"
	like "the game ($format)" "game 1  backgammon:match=3.*" "$(head -n 1 "$work/out")"
	like "its sums ($format)" "seat 2  luck .*" "$(tail -n 1 "$work/out")"
done
refused review "$work/games" --annotate --json
refused review "$work/nowhere"
printf '%s\n' '{"quevedo":1,"game":"noughts","position":"start","seats":[]}' '{"move":"5"}' '{"move":"2"}' >"$work/no-dice"
good review "$work/no-dice"
like "a mistake without dice" 'ply 2  Nought  2  \?\?  blunder  best [1379]  After this Cross can force three in a row in 3 moves; .*' "$(sed -n 2p "$work/out")"
like "its side" 'seat 2  Nought  accuracy [0-9.]+  inaccuracies 0  mistakes 0  blunders 1' "$(tail -n 1 "$work/out")"
good review "$work/no-dice" --json
like "the same in JSON" '\{"game": ?"noughts",.*"class": ?"blunder".*' "$(cat "$work/out")"
refused review "$work/no-dice" --annotate
says 'noughts has no dice'
refused play noughts --tutor
says 'only in games with dice'
finish

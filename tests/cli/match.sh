#!/usr/bin/env bash
# match.sh - the command match: answers, refusals, players that misbehave, and a journal that is killed at any moment.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
toys=$build/tests/toys.so
mock=$build/tests/mock_engine
in_memory
two=(--player A=random --player B=random)

# field PATH: a value of the JSON in $out, as python has it.
field() {
	python3 -c 'import json, sys; print(eval("d" + sys.argv[1], {"d": json.loads(sys.stdin.read())}))' "$1" <<<"$out"
}

# --- answers ---
good match noughts "${two[@]}" --games 6 --no-times
is "a line for each game" 6 "$(grep -c '^game [0-9]*: [AB] - [AB]: \(win [12]\|draw\), [5-9] plies$' "$work/out")"
like "the last line" 'games 6, plies [0-9]+' "$(last_line)"
good match noughts "${two[@]}" --games 6 --no-times --json
is "one value and nothing else" 1 "$(wc -l <"$work/out")"
is "games" 6 "$(field '["games"]')"
is "every key of the contract" 'ok' "$(python3 -c '
import json, sys
d = json.load(sys.stdin)
need = "name games wins draws losses points elo error los crashes timeouts illegal starting_wins considered evals depths".split()
missing = [k for p in d["players"] for k in need if k not in p] + [k for k in "game games players pairs sprt".split() if k not in d]
missing += [k for p in d["players"] for k in "early_wins average_score discarded evals_discarded".split() if k not in p]
print("seconds" if any("seconds" in p for p in d["players"]) else missing or "ok")' <<<"$out")"
run match noughts "${two[@]}" --games 6 --json
like "times" '[0-9.e-]+' "$(field '["players"][0]["seconds"]')"

# Perfect play draws; who searches deeper wins.
good match noughts --player A=alphabeta:depth=9 --player B=alphabeta:depth=9 --games 4 --json --hash 1
is "perfect play draws" 4 "$(field '["players"][0]["draws"]')"
good match reversi --player A=alphabeta:depth=4,random=1 --player B=random --games 6 --json --hash 1 --jobs 2
is "a search beats chance" 6 "$(field '["players"][0]["wins"]')"

# The same with one job and with two, byte for byte: a thousand games of players with fixed nodes.
thousand=$(sampled 1000 100)
fixed=(match connect4 --player A=alphabeta:nodes=60,random=1 --player B=negascout:nodes=40,random=1 --hash 1
	--games "$thousand" --random-plies 2 --pairs --no-times)
good "${fixed[@]}" --jobs 1 --out "$work/one"
one=$out
good "${fixed[@]}" --jobs 2 --out "$work/two"
is "one job and two say the same" "$one" "$out"
checks=$((checks + 1))
cmp -s "$work/one" "$work/two" || bad "one job and two record the same"
is "all games are recorded" "$thousand" "$(grep -c '"quevedo":1' "$work/one")"

# SPRT: the verdict is the exit status, and comes at the same game for any number of jobs.
run match reversi --player A=alphabeta:depth=3,random=1 --player B=random --hash 1 --sprt elo0=0,elo1=100 --games 200 --json --no-times
is "H1" "0 H1" "$rc $(field '["sprt"]["verdict"]')"
first=$out
run match reversi --player A=alphabeta:depth=3,random=1 --player B=random --hash 1 --sprt elo0=0,elo1=100 --games 200 --json --no-times --jobs 2
is "the same with two jobs" "$first" "$out"
run match reversi --player A=random --player B=alphabeta:depth=3,random=1 --hash 1 --sprt elo0=0,elo1=100 --games 200 --json
is "H0" "1 H0" "$rc $(field '["sprt"]["verdict"]')"
run match noughts "${two[@]}" --sprt elo0=0,elo1=5 --games 4
is "not known yet" 1 "$rc"

# Openings, seats, more players.
printf '# two openings\n5 1\nx..oo..x. x\n' >"$work/openings"
good match noughts "${two[@]}" --openings "$work/openings" --games 4 --out "$work/records"
is "both openings, twice each" '2 2' "$(grep -c '"position":"x..oo..x. x"' "$work/records") $(grep -c '"position":"start"' "$work/records")"
good match noughts "${two[@]}" --openings "$work/openings" --games 6 --json
is "openings are counted" "[('5 1', 4), ('x..oo..x. x', 2)]" "$(field '["openings"]' | python3 -c 'print([(o["opening"], o["games"]) for o in eval(input())])')"
is "every game in one of them" 6 "$(field '["openings"]' | python3 -c 'print(sum(sum(o["wins"]) + o["draws"] for o in eval(input())))')"
good match noughts --player A=random --player B=random --player C=random --games 12 --json
is "a round robin" '[8, 8, 8]' "$(field '["players"]' | python3 -c 'print([p["games"] for p in eval(input())])')"
good match noughts --player A=random --player B=random --player C=random --games 12 --gauntlet --json
is "a gauntlet" '[12, 6, 6]' "$(field '["players"]' | python3 -c 'print([p["games"] for p in eval(input())])')"
good match noughts --player A=random --player B=random --player C=random --player D=random --games 12 --near 1 --journal "$work/near" --json
is "neighbours" '[4, 8, 8, 4]' "$(field '["players"]' | python3 -c 'print([p["games"] for p in eval(input())])')"
good match --audit "$work/near"
four=(--player A=random --player B=random --player C=random --player D=random --games 12 --journal "$work/near" --resume)
good match noughts "${four[@]}" --near 1
refused match noughts "${four[@]}"
refused match noughts "${four[@]}" --near 2
refused match noughts "${four[@]}" --near 33
refused match noughts "${four[@]}" --near 1 --gauntlet
good match toy-three --plugin "$toys" --player A=maxn:depth=2 --player B=random --games 6 --json
is "three seats, the last name twice" '[6, 12]' "$(field '["players"]' | python3 -c 'print([p["games"] for p in eval(input())])')"
good match race --player A=random --player B=random --games 2 --max-plies 30 --json
is "max-plies" '2' "$(field '["ends"]["max-plies"]')"
good match warptrog:warps=0 --player A=expectimax:depth=1 --player B=expectimax:depth=1 --games 1 --json
is "a game that never ends" '[1, 100000]' "$(field '["ends"]["max-plies"], d["plies"]' | tr '()' '[]')"
good match noughts --player A=alphabeta:depth=3 --player B=alphabeta:depth=3 --time 200ms --games 2 --hash 1
good match noughts --player A=alphabeta:depth=3 --player B=alphabeta:depth=3 --time 10+0.1 --games 2 --hash 1 --out "$work/records" --journal "$work/clocks"
checks=$((checks + 1))
grep -q '"clock"' "$work/records" || bad "clocks in the record"
good match --audit "$work/clocks"
is "a journal with clocks" $'games 2, checked 2, played again 0\nnothing wrong' "$out"

# Half a pair is no pair.
good match noughts "${two[@]}" --games 1 --pairs --json
is "one game of a pair" "1 [0, 0, 0, 0, 0]" "$(field '["games"]') $(field '["pairs"][0]["pentanomial"]')"
# Names of many bytes are cut between characters, and the columns stay in line.
name=$(printf '\xc3\xa9%.0s' {1..19})
good match noughts --player "$name=random" --player B=random --games 2 --no-times
is "names in columns" "ok" "$(python3 -c '
import sys
lines = [l.decode() for l in open(sys.argv[1], "rb").read().split(b"\n")]
ranks = [l for l in lines if l[:6] in ("   1  ", "   2  ")]
head = next(l for l in lines if l.startswith("STATS"))
depths = [l for l in lines if l.startswith("Search depths")]
print("ok" if len({len(l) for l in ranks}) == 1 and head.index("B") == 45 and all(l[24].isdigit() for l in depths) else lines)' "$work/out")"

# What a table knows need not be played: seat 1 wins here, whoever sits there.
good tables build noughts --data "$work/tables"
printf 'xx.oo.... x\n' >"$work/won"
good match noughts "${two[@]}" --openings "$work/won" --adjudicate tables --data "$work/tables" --games 4 --json
is "adjudicated by a table" "4 [2, 0]" "$(field '["ends"]["adjudicated"]') [$(field '["players"][0]["wins"]'), $(field '["players"][0]["draws"]')]"
is "no move was made" 0 "$(field '["plies"]')"

# The rows of the Lurgee framework's console.
lurgee=(match reversi --player Black=lurgee:depth=3,random=1 --player White=lurgee:search=negamax,depth=2,evals=500,eval=alternative,random=1
	--games 6 --no-times)
good "${lurgee[@]}"
row() { sed -n "s/^$1  *//p" "$work/out" | tr -s ' '; }
is "searchers" "iterative negascout iterative negamax" "$(row Searcher)"
is "evaluators" "lurgee alternative" "$(row Evaluator)"
is "tree depths" "3 2" "$(row 'Tree depth')"
is "games played" "6 6" "$(row 'Games played')"
is "scores" 6 "$(row Scores | grep -oE '[0-9]+-[0-9]+' | wc -l)"
is "openings" "6" "$(grep -E '^(Parallel|Diagonal|Perpendicular) openings' "$work/out" | awk '{n += $3 + $4} END {print n}')"
table=$(cat "$work/out")
good "${lurgee[@]}" --json
is "the same in JSON" "ok" "$(python3 -c '
import json, re, sys
d, table = json.load(sys.stdin), sys.argv[1]
a, b = d["players"]
scores = re.search("^Scores +(.*)$", table, re.M).group(1)
assert " ".join("%d-%d" % s for s in zip(a["game_scores"], b["game_scores"])) == scores
for p in a, b:
	assert sum(p["game_scores"]) == p["scores"] and len(p["game_scores"]) == 6
	assert sum(p["named_openings"].get(n, 0) for n in ("Parallel", "Diagonal", "Perpendicular")) == 3
for name in set(a["named_openings"]) | set(b["named_openings"]):
	row = re.search("^%s(?: openings)? +([0-9]+) +([0-9]+)$" % re.escape(name), table, re.M)
	assert [int(n) for n in row.groups()] == [p["named_openings"].get(name, 0) for p in (a, b)], name
assert [(p["searcher"], p["evaluator"], p["tree_depth"]) for p in (a, b)] == [
	("iterative negascout", "lurgee", 3), ("iterative negamax", "alternative", 2)]
print("ok")' "$table" <<<"$out")"
# Without changing seats; a journal remembers it.
good match noughts "${two[@]}" --games 3 --keep-seats --no-times --journal "$work/kept"
is "the same seats in every game" 3 "$(grep -c '^game [1-3]: A - B: ' "$work/out")"
refused match noughts "${two[@]}" --games 3 --journal "$work/kept" --resume
says 'keep_seats: true there'
good match --audit "$work/kept"
refused match noughts "${two[@]}" --keep-seats --pairs
says 'cannot be combined'
# A game without scores and names has no such rows, and null in JSON.
good match noughts3d --player A=random --player B=mcts:playouts=10 --games 2 --no-times
is "no scores, openings or evaluators" 0 "$(grep -cE '^(Scores|Evaluator|Tree depth)|openings' "$work/out")"
is "kinds as searchers" "random mcts" "$(row Searcher)"
good match noughts3d "${two[@]}" --games 2 --json
is "null" "None None None" "$(field '["players"][0]["evaluator"]') $(field '["players"][0]["game_scores"]') $(field '["players"][0]["named_openings"]')"

is "no luck without dice" "None" "$(field '["players"][0]["luck"]')"

# --- luck: mean results with and without it, in the table, in JSON and in the journal ---
rolled=$(sampled 200 60)
dice=(match race --player A=expectimax:depth=1 --player B=expectimax:depth=1,margin=2 --games "$rolled" --no-times)
good "${dice[@]}" --journal "$work/dice"
is "two rows of luck" 2 "$(grep -cE '^(Mean result|Luck-adjusted) +[+-][0-9.]+ \+- [0-9.]+ +[+-][0-9.]+ \+- [0-9.]+$' "$work/out")"
is "luck in the journal" "$rolled" "$(grep -cE '"points":\[[01],[01]\],"luck":\[-?[0-9.]+,-?[0-9.]+\]' "$work/dice")"
good match --audit "$work/dice"
good "${dice[@]}" --json
is "less error without luck" "ok" "$(python3 -c '
import json, sys
a, b = (p["luck"] for p in json.load(sys.stdin)["players"])
assert set(a) == {"mean", "error", "luck", "factor", "adjusted", "adjusted_error"}
assert a["adjusted_error"] < 0.7 * a["error"] and abs(a["mean"] + b["mean"]) < 0.01
assert abs(a["adjusted"] - (a["mean"] - a["factor"] * a["luck"])) < 0.01
print("ok")' <<<"$out")"

# --- refusals ---
refused match
refused match noughts
says 'a match needs two'
refused match noughts --player A=random
refused match noughts --player random --player B=random
says 'NAME=SPEC'
refused match noughts --player A=random --player A=random
says 'twice'
refused match noughts --player A=random --player B=rndom
refused match noughts --player A=random --player $'B\n=random'
says 'control character'
refused match noughts --player A=random --player $'B\xff=random'
says 'the name is not UTF-8'
refused match noughts --player A=random --player $'B\xc2\x9b=random'
says 'control character'
for option in --out --report --journal --openings --engine-log; do
	refused match noughts "${two[@]}" "$option" ""
	says 'the name is empty'
done
# More random plies than any game has: the longest that leave something to play.
good match noughts "${two[@]}" --random-plies 1000000 --games 2
refused match nougats "${two[@]}"
refused match noughts "${two[@]}" --games 0
refused match noughts "${two[@]}" --time never
refused match noughts "${two[@]}" --adjudicate resign=5
refused match noughts "${two[@]}" --adjudicate resign=5:0
refused match noughts "${two[@]}" --adjudicate resign=5:1,
refused match noughts "${two[@]}" --adjudicate tables,tables
refused match connect4 "${two[@]}" --adjudicate tables --data "$work/tables"
refused match noughts "${two[@]}" --data "$work/tables"
refused match noughts --audit "$work/records"
refused match --audit "$work/records" --pairs
refused match noughts "${two[@]}" --sprt elo0=5,elo1=0
refused match noughts "${two[@]}" --openings /nowhere
printf '5 5\n' >"$work/wrong"
refused match noughts "${two[@]}" --openings "$work/wrong"
says 'line 1'
refused match noughts "${two[@]}" --resume
refused match noughts "${two[@]}" --out /nowhere/file
refused match noughts "${two[@]}" --journal /nowhere/file
refused match toy-three --plugin "$toys" --player A=random --player B=random --pairs
refused match toy-solo --plugin "$toys" --player A=random --player B=random
refused match --audit /nowhere
refused best noughts --player random --player random
says 'given twice'

# --- players that misbehave lose their games, and the match goes on ---
# Who never answers has a tenth of a second for a move, the others a minute, and A all the time that it wants.
while read -r mode kind limit; do
	run match noughts --player A=random --player "B=qgp:${limit}cmd=$mock $mode" --games 2 --json --no-times
	faults=$(python3 -c '
import json, sys
p = json.load(sys.stdin)["players"][1]
print(sum(p[k] for k in (["crashes", "timeouts", "illegal"] if sys.argv[1] == "any" else [sys.argv[1]])))' "$kind" <<<"$out")
	is "$mode" "0 2 $kind 2" "$rc $(field '["players"][1]["losses"]') $kind $faults"
done <<'END'
crash crashes
crash-later crashes
garbage crashes
flood any
long-line crashes
illegal illegal
silent-move timeouts time=100ms,
stubborn timeouts time=100ms,
END

# --- programs are started before the first game, and nothing counts if one of them cannot play ---
# unstartable WORDS SPEC
unstartable() {
	local jobs
	for jobs in 1 3; do
		refused match noughts --player A=random --player "B=$2" --games 7 --jobs $jobs --journal "$work/unstarted" --out "$work/unstarted.out"
		says "player B: $1"
		is "nothing is written: $2" "0 no" "$(stat -c %s "$work/unstarted") $([ -e "$work/unstarted.out" ] && echo yes || echo no)"
	done
}
unstartable "/nonexistent/engine -x: it could not be started: No such file or directory" "uci:depth=1,cmd=/nonexistent/engine -x"
unstartable "nonesuch-engine: it could not be started: No such file or directory" "uci:depth=1,cmd=nonesuch-engine"
unstartable "$work: it could not be started: Permission denied" "qgp:$work"
ln -s "$mock" "$work/mock"
unstartable "$work/mock crash-start: it ended during the handshake: exit status 1" "qgp:$work/mock crash-start"
unstartable "$work/mock crash-hello: it was killed during the handshake by signal 6 (Aborted)" "qgp:$work/mock crash-hello"
unstartable "$work/mock refuse-game: it refused what it was told: error game I do not know it" "qgp:$work/mock refuse-game"
refused match noughts --player A=random --player "B=uci:depth=1,cmd=$work/mock silent" --games 2
says "player B: $work/mock silent: it did not say hello in time: no 'uciok'"
# What is in the journal needs nobody; what is missing does.
good match noughts --player A=random --player "B=qgp:$work/mock good" --games 4 --journal "$work/programs" --no-times --json
whole=$out
rm "$work/mock"
good match noughts --player A=random --player "B=qgp:$work/mock good" --games 4 --journal "$work/programs" --no-times --json --resume
is "the whole journal without the program" "$whole" "$out"
grep -v '"number":4,' "$work/programs" >"$work/three"
cp "$work/three" "$work/programs"
refused match noughts --player A=random --player "B=qgp:$work/mock good" --games 4 --journal "$work/programs" --no-times --json --resume
says "it could not be started"
checks=$((checks + 1))
cmp -s "$work/three" "$work/programs" || bad "the journal stays as it was"
# A program that cannot be started again ends the match; what was played is in the journal.
run match noughts --player "A=qgp:$mock once $work/once" --player B=random --games 20 --no-times --journal "$work/twice"
is "a later handshake" "2 quevedo: player A: $mock once $work/once: it ended during the handshake: exit status 3" "$rc $err"
is "its games are kept" 1 "$(grep -c '"result":"win 2","reason":"A was killed by signal 6 (Aborted)"' "$work/twice")"
cp "$mock" "$work/mock"
run match noughts --player "A=qgp:$work/mock vanish" --player B=random --games 20 --journal "$work/gone" --no-times --json
is "the program is gone" "2  quevedo: player A: $work/mock vanish: it could not be started: No such file or directory" "$rc $out $err"
is "what was finished is in the journal" 1 "$(grep -c '"result"' "$work/gone")"

# --- why a game was lost: in its line, in the record, in PGN ---
run match chess --player "bad=uci:depth=1,cmd=$mock good e2e5" --player good=random --games 2 --no-times --out "$work/lost.pgn"
is "an illegal move" $'game 1: bad - good: win 2, bad played the illegal move e2e5, 0 plies\ngame 2: good - bad: win 1, bad played the illegal move e2e5, 1 ply' "$(head -n 2 "$work/out")"
is "the last comment" 2 "$(grep -c '{bad played the illegal move e2e5} \(0-1\|1-0\)$' "$work/lost.pgn")"
run match noughts --player "bad=qgp:$mock garbage" --player good=random --games 1 --no-times --out "$work/lost"
is "what it said" "game 1: bad - good: win 2, bad said what the protocol does not know: 'well, let me think', 0 plies" "$(head -n 1 "$work/out")"
is "in the record too" '{"result":"win 2","reason":"bad said what the protocol does not know: '"'well, let me think'"'"}' "$(tail -n 1 "$work/lost")"
run match noughts --player "bad=qgp:$mock silent-move" --player good=random --games 1 --time 100ms
is "late" "game 1: bad - good: win 2, bad did not answer in time, 0 plies" "$(head -n 1 "$work/out")"
run match chess --player "bad=xboard:$mock resign" --player good=random --games 1
is "resigned" "game 1: bad - good: win 2, bad resigned, 0 plies" "$(head -n 1 "$work/out")"
# On a terminal, where lines of games are not shown, lost ones are.
python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$quevedo" match noughts --player "bad=qgp:$mock crash" --player good=random --games 2 --no-times </dev/null |
	tr -d '\r' >"$work/out"
is "on a terminal" 2 "$(grep -c 'game [12]: .*: win [12], bad was killed by signal 6 (Aborted), [01] pl\(y\|ies\)$' "$work/out")"

# --- the log of the dialogue ---
talk=(match noughts --player "bad name=qgp:$mock complain" --player "good=qgp:$mock good" --games 2 --no-times)
run "${talk[@]}" --engine-log "$work/log"
is "with a log: status, no word" "0 " "$rc $err"
is "every line has a time, a name and a direction" 0 "$(grep -Evc '^[0-9]+ (bad name|good)\[[0-9]+\] [><!#] ' "$work/log")"
while read -r line; do
	checks=$((checks + 1))
	grep -Eqx "[0-9]+ $line" "$work/log" || bad "in the log: $line"
done <<END
bad name.* # $mock complain
bad name.* > qgp 1
bad name.* < ok
bad name.* > go
bad name.* ! mock: gives up
bad name.* ! mock: not a whole line
bad name.* # it was killed by signal 6 \(Aborted\): mock: not a whole line
good.* > newgame noughts
good.* < bestmove .
good.* > quit
END
lines=$(wc -l <"$work/log")
run "${talk[@]}" --engine-log "$work/log"
is "a log begins anew" "$lines" "$(wc -l <"$work/log")"
run "${talk[@]}" --engine-log "$work/log" --journal "$work/talk" --resume
is "unless the match goes on" $((2 * lines)) "$(wc -l <"$work/log")"
# A file for each program and game; what another program may call itself cannot leave the folder.
run match noughts --player "../bad name=qgp:$mock complain" --player "good=qgp:$mock good" --games 4 --jobs 2 --log "$work/logs"
is "logs: status, no word" "0 " "$rc $err"
is "a file for each program and game" 8 "$(find "$work/logs" -name 'game-00000[1-4]-[12]-*.log' | wc -l)"
is "and one before the first game" "start-1-.._bad_name.log start-2-good.log" "$(cd "$work/logs" && echo start-*)"
is "every line has a time, a name and a direction" 0 "$(grep -Evhc '^[0-9]+ (\.\./bad name|good)\[[0-9]+\] [><!#] ' "$work"/logs/* | sort -u)"
like "it begins with the game" '0 good\[0\] # 20..-..-..T..:..:..Z, quevedo [^ ]+, game 3' "$(head -n 1 "$work/logs/game-000003-2-good.log")"
is "both directions, and standard error" 3 "$(grep -Ec '> go$|! mock: gives up|# it was killed by signal 6 \(Aborted\): mock: not a whole line' "$work/logs/game-000001-1-.._bad_name.log")"
is "why it ended, with what it wrote last" "game 1: ../bad name - good: win 2, ../bad name was killed by signal 6 (Aborted): mock: not a whole line, 0 plies" "$(head -n 1 "$work/out")"
refused match noughts "${two[@]}" --log "$work/logs" --engine-log "$work/log"
refused match noughts --player A=random --player "B=qgp:$mock good" --log /nowhere/folder/logs
says '/nowhere/folder/logs: No such file'
run match noughts --player A=random --player "B=qgp:$mock crash" --games 2 --json --no-times
is "faults in JSON" "[(1, 'B', 2, 'crash', 'B was killed by signal 6 (Aborted)'), (2, 'B', 1, 'crash', 'B was killed by signal 6 (Aborted)')]" \
	"$(field '["faults"]' | python3 -c 'print([tuple(f.values()) for f in eval(input())])')"
refused match noughts "${two[@]}" --engine-log /nowhere/log
says '/nowhere/log: cannot be written: No such file'
refused match --audit "$work/records" --engine-log "$work/log"
if [ -w /dev/full ]; then
	refused "${talk[@]}" --engine-log /dev/full
	says '/dev/full: cannot be written: No space left'
fi

# Of three seats who is at fault loses, and the others share the game.
run match toy-three --plugin "$toys" --player "A=qgp:$mock crash" --player B=random --player C=random --games 3 --no-times
is "a fault among three" "game 1: A - B - C: draw, A was killed by signal 6 (Aborted), 0 plies" "$(head -n 1 "$work/out")"
run match toy-three --plugin "$toys" --player "A=qgp:$mock crash" --player B=random --player C=random --games 3 --json --no-times
is "lost by one, drawn by the others" "[(3, 0, 0.0), (0, 3, 2.25), (0, 3, 2.25)]" \
	"$(field '["players"]' | python3 -c 'print([(p["losses"], p["draws"], p["points"]) for p in eval(input())])')"

# A learner is told how its games end: what it has lost by it does not play again.
learner=(match noughts --player "L=learn:file=$work/learned" --player P=alphabeta:depth=9,random=1 --hash 1 --games 300 --json --no-times)
good "${learner[@]}"
before=$(field '["players"][0]["losses"]')
good "${learner[@]}" --jobs 2
checks=$((checks + 1))
[ $(($(field '["players"][0]["losses"]') * 2)) -lt "$before" ] || bad "a learner loses less: $before, then $(field '["players"][0]["losses"]')"
refused match noughts --player "L=learn:file=$work/no/where" --player P=alphabeta:depth=9,random=1 --hash 1 --games 300 --json
says 'no/where: cannot be written'

# --- the journal ---
kills=$(sampled 50 3)
games=$(sampled 700 100) # fewer would fit on the disk that is full below
long=(match connect4 --player A=alphabeta:nodes=800,random=1 --player B=negascout:nodes=600,random=1 --hash 1
	--games $games --random-plies 2 --jobs 2 --no-times --json)
good "${long[@]}" --out "$work/whole"
whole=$out
killed=0
for ((try = 0; killed < kills && try < 10 * kills; try++)); do
	"$quevedo" "${long[@]}" --journal "$work/journal" --resume >/dev/null 2>&1 &
	child=$!
	sleep "0.0$((RANDOM % 6 + 2))"
	before=$(stat -c %s "$work/journal" 2>/dev/null || echo 0)
	kill -9 "$child" 2>/dev/null
	wait "$child" 2>/dev/null
	status=$?
	[ "$(stat -c %s "$work/journal" 2>/dev/null || echo 0)" -ge "$before" ] || bad "the journal has shrunk"
	# A quick machine plays all games in a few tries: then from the first game again.
	if [ $status = 137 ]; then killed=$((killed + 1)); else rm "$work/journal"; fi
done
checks=$((checks + 1))
[ "$killed" -ge "$kills" ] || bad "killed $killed times of $kills"
done_before=$(grep -c '"result"' "$work/journal")
good "${long[@]}" --journal "$work/journal" --resume --out "$work/resumed"
is "after $killed kills, with $done_before games done, the same result" "$whole" "$out"
checks=$((checks + 1))
cmp -s "$work/whole" "$work/resumed" || bad "and the same records"
is "no game was finished twice, and none is missing" "$games $games" \
	"$(grep '"result"' "$work/journal" | sed 's/,.*//' | sort -u | wc -l) $(grep -c '"result"' "$work/journal")"
good "${long[@]}" --journal "$work/journal" --resume
is "a journal that is whole is only counted" "$whole" "$out"
refused "${long[@]}" --journal "$work/journal"
says 'already exists'
refused "${long[@]}" --journal "$work/journal" --resume --seed 2
says 'seed: 1 there, but 2 here'
printf 'notes of mine' >"$work/notes"
refused match noughts "${two[@]}" --journal "$work/notes" --resume
says 'not the journal of this match'
is "which stays as it was" 'notes of mine' "$(cat "$work/notes")"

# A full disk: no game that is written down is lost, and with more room the match goes on.
(ulimit -f 100 && exec "$quevedo" "${long[@]}" --journal "$work/full") >"$work/out" 2>"$work/err"
is "no room: status, no answer" "2 0" "$? $(wc -c <"$work/out")"
is "it says so" "quevedo: $work/full: cannot write the journal: File too large; continue with --resume" "$(cat "$work/err")"
cp "$work/full" "$work/half"
good "${long[@]}" --journal "$work/full" --resume
is "then it goes on to the same result" "$whole" "$out"
checks=$((checks + 1))
sed '$d' "$work/half" | cmp -s -n "$(sed '$d' "$work/half" | wc -c)" - "$work/full" || bad "what was written down stays"

# Nobody else may write the journal of a match that goes on; this one has no end.
"$quevedo" "${long[@]/#$games/1000000}" --journal "$work/written" >/dev/null 2>&1 &
child=$!
for ((i = 0; i < 1200; i++)); do
	[ -s "$work/written" ] && break
	sleep 0.05
done
run "${long[@]}" --journal "$work/written" --resume
is "one writer at a time" "2 quevedo: $work/written: another match is writing it" "$rc $err"
kill -9 "$child"
wait "$child" 2>/dev/null

# Ctrl-C at any moment, with two at work.
for ((try = 0; try < $(sampled 10 3); try++)); do
	env --default-signal=INT "$quevedo" "${long[@]}" --journal "$work/stopped" --resume >"$work/out" 2>"$work/err" &
	child=$!
	sleep "0.0$((RANDOM % 7 + 1))"
	kill -INT "$child" 2>/dev/null
	wait "$child"
	is "Ctrl-C is an answer, or came before anybody listened" "ok" "$(case $? in 0 | 1 | 130) echo ok ;; *) cat "$work/err" ;; esac)"
done
good "${long[@]}" --journal "$work/stopped" --resume
is "and the same result" "$whole" "$out"

# A game that lasts is written down before it is over, and begun anew after a kill. If the kill came too late, a longer one.
for plies in 6 50; do
	slow=(match reversi --player A=alphabeta:time=250ms --player B=alphabeta:time=250ms --hash 1 --games 1 --max-plies $plies)
	rm -f "$work/slow"
	"$quevedo" "${slow[@]}" --journal "$work/slow" >/dev/null 2>&1 &
	child=$!
	for ((i = 0; i < 1200; i++)); do
		grep -q '"move"' "$work/slow" 2>/dev/null && break
		sleep 0.05
	done
	kill -9 "$child"
	wait "$child" 2>/dev/null
	grep -q '"result"' "$work/slow" || break
done
is "moves but no result" "yes 0" "$(grep -q '"move"' "$work/slow" && echo yes) $(grep -c '"result"' "$work/slow")"
good "${slow[@]}" --journal "$work/slow" --resume
is "begun twice, ended once" "2 1" "$(grep -c '"number":1,"quevedo"' "$work/slow") $(grep -c '"result"' "$work/slow")"
good match --audit "$work/slow"

# Ctrl-C: what is done is kept, and the answer is "no".
"$quevedo" "${long[@]/#$games/1000000}" --journal "$work/other" >"$work/out" 2>"$work/err" &
child=$!
for ((i = 0; i < 600; i++)); do
	grep -q '"result"' "$work/other" 2>/dev/null && break
	sleep 0.1
done
kill -TERM "$child"
wait "$child"
rc=$? out=$(cat "$work/out")
is "stopped" 1 "$rc"
like "it says so" 'quevedo: match: stopped after [0-9]+ games' "$(cat "$work/err")"
checks=$((checks + 1))
[ "$(field '["games"]')" -gt 0 ] || bad "what was done is shown"
is "the journal is whole" "" "$(tail -c 1 "$work/other" | tr -d '\n')"

# --- audit ---
again=$(sampled 50 10)
good match --audit "$work/journal" --games "$again"
is "an audit" "games $games, checked $again, played again $again"$'\nnothing wrong' "$out"
sed '/"number":2,"result":"win 1"/s/win 1/win 2/; t; /"number":2,"result":"win 2"/s/win 2/win 1/; t; /"number":2,"result":"draw"/s/draw/win 1/' \
	"$work/journal" >"$work/forged"
run match --audit "$work/forged" --json
is "a forged result" "1 1" "$rc $(field '["wrong"]')"
printf 'nonsense\n' >"$work/nonsense"
refused match --audit "$work/nonsense"
says 'line 1'
finish

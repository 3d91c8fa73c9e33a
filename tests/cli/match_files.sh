#!/usr/bin/env bash
# match_files.sh - what a match reads and writes: openings, time controls, programs with blanks and folders, PGN as it goes, a
# journal that is lengthened or belongs to other players, and audits.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
in_memory
mock=$build/tests/mock_engine
toys=$build/tests/toys.so
[ -x "$mock" ] || { echo "$mock is not built" >&2; exit 1; }
two=(--player A=random --player B=random)

# --- openings as PGN and EPD ---
cat >"$work/ops.pgn" <<'END'
[Event "a"]
[Result "*"]

1. e4 e5 2. Nf3 (2. f4) Nc6 *

[Event "b"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]
[SetUp "1"]
[Result "*"]

1. e4 Ke7 *
END
printf '%s\n' '4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id "one; two";' '# a remark' \
	'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 3; fmvn 9;' >"$work/ops.epd"
good match chess "${two[@]}" --openings "$work/ops.pgn" --games 4 --max-plies 8 --no-times --out "$work/ops.out"
is "openings of PGN" "e2e4 e7e5 g1f3 b8c6 e2e4 e8e7" \
	"$(python3 -c '
import json, sys
games = open(sys.argv[1]).read().split("{\"quevedo\"")[1:]
moves = [[json.loads(line)["move"] for line in game.splitlines()[1:] if "\"move\"" in line] for game in games]
print(*moves[0][:4], *moves[2][:2])' "$work/ops.out")"
like "the start of the second" '.*"position":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".*' "$(grep '"quevedo":1' "$work/ops.out" | sed -n 3p)"
good match chess "${two[@]}" --openings "$work/ops.pgn" --opening-plies 1 --games 2 --max-plies 1 --json
is "one ply of each" '[2, 2]' "$(python3 -c 'import json, sys; d = json.load(sys.stdin); print([d["games"], d["plies"]])' <<<"$out")"
good match chess "${two[@]}" --openings "$work/ops.epd" --games 4 --max-plies 20 --no-times --out "$work/epd.out"
is "openings of EPD" $'4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 9' \
	"$(sed -n 's/.*"position":"\([^"]*\)".*/\1/p' "$work/epd.out" | uniq)"
printf '[Event "a"]\n[Result "*"]\n\n1. e4 e4 *\n' >"$work/wrong.pgn"
refused match chess "${two[@]}" --openings "$work/wrong.pgn"
says 'openings, line'
printf '4k3/8/8/8/8/8/4P3/4K3 w - - bm;\nno position\n' >"$work/wrong.epd"
refused match chess "${two[@]}" --openings "$work/wrong.epd"
says 'line 2'

# --- Chess960: each round has its own start ---
good match chess:start=960 "${two[@]}" --games 4 --max-plies 2 --out "$work/960.pgn" --journal "$work/960.journal"
is "starts" "2 2" "$(grep '^\[FEN' "$work/960.pgn" | uniq -c | sed 's/^ *\([0-9]\) .*/\1/' | paste -sd ' ')"
good match --audit "$work/960.journal"
echo O-O >"$work/castled.txt"
good match chess:start=960,number=7 --openings "$work/castled.txt" --player A=random --player "B=xboard:depth=1,cmd=$quevedo engine chess" --games 1 --max-plies 4 --log "$work/castling"
is "castling of an XBoard engine" "variant fischerandom|usermove O-O" \
	"$(sed -n 's/.*> \(variant .*\|usermove O.*\)/\1/p' "$work/castling/game-000001-2-B.log" | uniq | paste -sd '|')"
run match chess:start=960 --player A=random --player "B=xboard:$mock good" --games 1
is "one that lacks it" "2 quevedo: player B: $mock: it refused what it was told: it does not play Chess960: its feature variants lacks fischerandom" \
	"$rc ${err/ good: it/: it}"
good match chess "${two[@]}" --games 1 --max-plies 2 --out "$work/960.pgn"
is "chess has one" 0 "$(grep -c '^\[FEN' "$work/960.pgn")"

# --- time controls of so many moves ---
good match chess "${two[@]}" --games 1 --time 40/2+0.01 --max-plies 4 --out "$work/time.pgn"
is "in PGN" '[TimeControl "40/2+0.01"]' "$(grep TimeControl "$work/time.pgn")"
like "when it began" '\[GameStartTime "20..-..-..T..:..:.. \+0000"\]' "$(grep GameStartTime "$work/time.pgn")"
run match chess --player "A=uci:$mock good e2e4" --player "B=uci:$mock good e7e5" --games 1 --time 40/2 --log "$work/times" --no-times --out "$work/named.pgn"
is "an engine is told" "position startpos|go wtime 2000 btime 2000 winc 0 binc 0 movestogo 40" \
	"$(sed -n 's/.*> \(position.*\|go .*\)/\1/p' "$work/times/game-000001-1-A.log" | head -n 2 | paste -sd '|')"
is "names of engines" 2 "$(grep -c '^\[\(White\|Black\)EngineName "mock"\]$' "$work/named.pgn")"
refused match chess "${two[@]}" --time 40/
refused match chess "${two[@]}" --time 0/2
good match noughts --player A=random --player B=random --games 2 --time 1/2:1/1:3+0.01 --out "$work/time.pgn" --journal "$work/stages.journal"
is "stages in PGN" '[TimeControl "1/2:1/1:3+0.01"]' "$(grep -m 1 TimeControl "$work/time.pgn")"
good match --audit "$work/stages.journal"
refused match noughts --player A=random --player B=random --games 2 --time 1/2:1/1:3+0.02 --journal "$work/stages.journal" --resume
says 'later'
good match chess --player "A=uci:depth=1,cmd=$quevedo engine chess" --player "B=xboard:depth=1,cmd=$quevedo engine chess" --games 1 --max-plies 6 --time 1/60:1/90:120+0.05 --log "$work/stages"
is "stages of an engine" "winc 0 binc 0 movestogo 1|winc 0 binc 0 movestogo 1|winc 50 binc 50" \
	"$(sed -n 's/.* \(winc .*\)$/\1/p' "$work/stages/game-000001-1-A.log" | paste -sd '|')"
like "stages of an XBoard engine" '^level 1 1:00 0\|level 1 2:[0-9]+ 0\|level 0 4:[0-9]+ 0\.050$' \
	"$(sed -n 's/.*> \(level .*\)/\1/p' "$work/stages/game-000001-2-B.log" | paste -sd '|')"
for wrong in 40/2: 40/2::1 1:2 10+1:2 1/1:1/1:1/1:1/1:1; do
	refused match chess "${two[@]}" --time $wrong
done

# --- programs: blanks in their path, folders, options that they do not have ---
mkdir "$work/a folder"
cp "$mock" "$work/a folder/mock engine"
good match noughts --player A=random --player "B=qgp:'$work/a folder/mock engine' good" --games 2
good match noughts --player A=random --player "B=qgp:dir=$work/a folder,cmd=\"./mock engine\" good" --games 2
refused match noughts --player A=random --player "B=qgp:dir=$work/none,cmd=x"
says "folder $work/none: No such file or directory"
refused match noughts --player A=random --player "B=qgp:'$work/a folder/mock engine good"
says 'a quote in the command line is not closed'
run match noughts --player A=random --player "B=uci:depth=1,option.Hash=banana,option.NoSuch=1,cmd=$build/tests/checked_engine" --games 1
is "warnings" "0 quevedo: player B: option Hash=banana: it must be a number from 1 to 64; option NoSuch: it has no such option" "$rc $err"

# --- each game is in the file as soon as it has ended ---
"$quevedo" match chess --player A=random --player "B=random" --games 200 --max-plies 60 --time 1s --out "$work/live.pgn" --player "C=uci:$mock silent-move" \
	>/dev/null 2>&1 &
child=$!
for ((i = 0; i < 600; i++)); do
	grep -q '^\[Event' "$work/live.pgn" 2>/dev/null && break
	sleep 0.05
done
is "PGN while the match runs" "yes yes" "$(grep -q '^\[Event' "$work/live.pgn" && echo yes) $(kill -0 $child 2>/dev/null && echo yes)"
kill $child
wait $child
printf 'old\n' >"$work/kept"
refused match noughts --player A=random --player "B=qgp:/nonexistent" --out "$work/kept"
is "without a game it stays" old "$(cat "$work/kept")"

# --- the journal ---
good match connect4 --player A=level:1 --player B=random --games 4 --journal "$work/journal" --no-times --json
good match connect4 --player A=level:1 --player B=random --games 9 --journal "$work/journal" --resume --no-times --json
longer=$out
good match connect4 --player A=level:1 --player B=random --games 9 --no-times --json
is "lengthened" "$out" "$longer"
is "it says so" 1 "$(grep -c '^{"quevedo":1,"games":9}$' "$work/journal")"
refused match connect4 --player A=level:1 --player B=random --games 5 --journal "$work/journal" --resume --no-times
says 'games: 9 there, but 5 here'
refused match connect4 --player A=level:2 --player B=random --games 9 --journal "$work/journal" --resume --no-times
says 'player A, spec: ...1 there, but ...2 here'
good convert "$work/journal" --out "$work/converted"
is "the level is spelt out" 1 "$(head -n 1 "$work/journal" | grep -c '"spec":"level:1","stands_for":"[a-z]')"
cp "$toys" "$work/toys.so"
plugin=(match toy-nim --plugin "$work/toys.so" --player A=random --player B=random --journal "$work/toy.journal" --no-times --json)
"$quevedo" games --plugin "$toys" --json | grep -q '"toy-nim"' || plugin[1]=$("$quevedo" games --plugin "$toys" --json | grep -o '"toy-[a-z]*"' | tr -d '"' | grep -v solo | head -n 1)
good "${plugin[@]}" --games 2
is "the plug-in's hash" 1 "$(head -n 1 "$work/toy.journal" | grep -c "\"plugins\":\"sha256:$(sha256sum <"$toys" | cut -d' ' -f1)\"")"
printf x >>"$work/toys.so"
refused "${plugin[@]}" --games 2 --resume
says 'plugins: ...'

# --- pairs and audits ---
good match noughts "${two[@]}" --pairs --games 3 --no-times
is "an odd game is named" "1 of the games has no pair and does not count for Elo and LOS" "$(grep 'no pair' "$work/out")"
good match noughts "${two[@]}" --pairs --games 3 --json
is "and in JSON" 1 "$(python3 -c 'import json, sys; print(json.load(sys.stdin)["unpaired"])' <<<"$out")"
good match connect4 --player A=alphabeta:depth=3 --player B=alphabeta:depth=2,random=1 --hash 1 --games 6 --journal "$work/counts" --no-times
good match --audit "$work/counts" --jobs 3 --json --no-times
jobs=$out
good match --audit "$work/counts" --json --no-times
is "an audit with jobs" "$out" "$jobs"
python3 - "$work/counts" <<'END'
import re, sys
text = open(sys.argv[1]).read()
at = text.index('"number":5,"stats"')
open(sys.argv[1], "w").write(text[:at] + re.sub(r'"nodes":(\d+)', lambda m: f'"nodes":{int(m[1]) + 1}', text[at:], count=1))
END
run match --audit "$work/counts" --jobs 2
like "a changed count is found" 'wrong 1; the first: game 5: nodes of [AB]: [0-9]+ there, but [0-9]+ here' "$(last_line)"
is "the answer is no" 1 "$rc"

# --- the report ---
good match connect4 --player A=level:1 --player B=random --games 4 --random-plies 2 --seed 77 --pairs --report "$work/report.svg" --no-times
for words in 'seed 77, 2 random plies, pairs' 'A: level:1 (' 'B: random' '(LOS): '; do
	checks=$((checks + 1))
	grep -qF "$words" "$work/report.svg" || bad "in the report: $words"
done
finish

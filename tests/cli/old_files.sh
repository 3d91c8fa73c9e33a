#!/usr/bin/env bash
# old_files.sh - files that version 0.1 wrote still open: records, journal, tables, books, what a learner knows, a database.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
old=$(cd "$(dirname "$0")/../data/v0.1" && pwd)
cp -r "$old" "$work/old"

for game in reversi chess; do
	printf 'load %s\nsave %s\nquit\n' "$work/old/$game.rec" "$work/saved-$game.rec" | "$quevedo" play $game >"$work/out" 2>&1
	is "a record of $game, loaded and saved" "$(cat "$work/old/$game.rec")" "$(cat "$work/saved-$game.rec")"
done
for game in reversi chess race; do
	good convert "$work/old/$game.rec" --out "$work/again.rec"
	is "all of $game's records" "wrong 0" "$(sed 's/.*, //' <<<"$out")"
done
good match --audit "$work/old/match.journal"
like "a journal" '.*4.*' "$out"
cp "$work/old/match.journal" "$work/whole.journal"
head -c -200 "$work/whole.journal" >"$work/old/match.journal"
good match connect4 --player A=level:3 --player B=level:2 --games 4 --no-times --journal "$work/old/match.journal" --resume
is "... can be resumed to the same end" "$(tail -n 25 "$work/whole.journal")" "$(tail -n 25 "$work/old/match.journal")"
good tables check hexapawn --data "$work/old/tables"
good solve hexapawn --by table --data "$work/old/tables" --distance
is "tables" "$("$quevedo" solve hexapawn --distance | head -n 1)" "$(head -n 1 "$work/out")"
good book check "$work/old/connect4.book"
is "a book" "wrong 0" "$(last_line)"
good book show "$work/old/connect4.book" --moves 4
like "... has its moves" '.*weight [0-9]+.*' "$(head -n 1 <<<"$out")"
good book check "$work/old/chess.bin"
is "a Polyglot book" "wrong 0" "$(last_line)"
lines=$(wc -l <"$work/old/hexapawn.learned")
good best hexapawn --player "learn:file=$work/old/hexapawn.learned"
is "what a learner knows" "$lines" "$(wc -l <"$work/old/hexapawn.learned")"
python3 "$(dirname "$0")/old_database.py" "$quevedo" "$work/old" || bad "the database"
checks=$((checks + 1))
finish

#!/usr/bin/env bash
# book.sh - the command book: its answers and refusals, and players with a book in matches.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
toys=$build/tests/toys.so

# --- show ---
good book show own:noughts
is "the lines of a book" 'Noughts and crosses
A small book to learn from; docs/books.md walks through it.
  1  Corner                  5  1
  2  Centre                  4  5
  3  Edge                    1  2
book of noughts: 3 lines, 1 replies, 5 positions, 7 moves' "$out"
good book show own:noughts start
is "the moves of a position" 'move 1: weight 5, 50.0 %, Corner
move 5: weight 4, 40.0 %, Centre
move 2: weight 1, 10.0 %, Edge' "$out"
good book show own:noughts --moves 9
is "the universal reply, turned" 'name Corner
move 5: weight 1, 100.0 %, the universal reply; the centre has four lines' "$out"
good book show own:noughts --moves '9 5 1' --json
is "a position in JSON" '{"game":"noughts","known":true,"name":"Opposite corners","note":null,"moves":[{"move":"2","weight":1,"share":1,"name":null,"reply":false,"note":"an edge, which threatens; a corner would lose"}]}' "$(sed 's/1\.0/1/' "$work/out")"
run book show own:noughts --moves '1 2 3'
is "not in the book: the answer is no" 1 "$rc"
is "and says so" "not in the book" "$out"
good book show own:reversi --json
like "a book in JSON" '\{"game":"reversi","title":"Openings of reversi",.*\{"number":1,"name":"Parallel","weight":12,"from":"start","moves":\["f5","f4"\],"note":null\}.*\}' "$out"

# --- check ---
for game in noughts connect4 reversi chess; do
	good book check own:$game
	is "the book of $game is right" "wrong 0" "$(last_line)"
done
printf 'quevedo-book 1 noughts\nline 1 A: 1 1\nline 2 B: 5 1\nline 3 C: 5 1\nat xoxox.... o\n  move 0 9\n' >"$work/bad.book"
run book check "$work/bad.book"
is "something is wrong: the answer is no" 1 "$rc"
is "what is wrong" "line 2: move '1': not a legal move here
line 5: all moves of the position have weight 0, so none is ever played
line 4: the moves are the same as in line 3, 'B'
line 5: the position cannot be reached by moves of the book
book of noughts: 2 lines, 0 replies, 3 positions, 3 moves
wrong 4" "$out"
run book check "$work/bad.book" --json
is "in JSON" '{"game":"noughts","lines":2,"positions":3,"moves":3,"replies":0,"wrong":4,"findings":[{"line":2,"what":"move '"'1'"': not a legal move here"},{"line":5,"what":"all moves of the position have weight 0, so none is ever played"},{"line":4,"what":"the moves are the same as in line 3, '"'B'"'"},{"line":5,"what":"the position cannot be reached by moves of the book"}]}' "$out"
printf 'no book\n' >"$work/no.book"
run book check "$work/no.book"
is "no book at all" 1 "$rc"
printf 'quevedo-book 1 noughts\nline A: 1 5\nline B: 1 2\n' >"$work/lines.book"
run book check "$work/lines.book" --player perfect
is "a line that ends badly" "1 line 3: 'B' ends where seat 2 has lost" "$rc $(head -n 1 "$work/out")"
good book check "$work/lines.book"
refused book show "$work/bad.book"
says "line 2"
refused best noughts --player "random:book=$work/bad.book"

# --- merge ---
printf 'quevedo-book 1 noughts\nline 2 A: 1 5\nline 4 D: 5 1\n' >"$work/more.book"
good book merge "$work/lines.book" "$work/more.book"
is "two books in one" 'quevedo-book 1 noughts
line 3 A: 1 5
line 1 B: 1 2
line 4 D: 5 1' "$out"
good book merge "$work/lines.book" "$work/more.book" --out "$work/both.book"
is "into a file" 'book of noughts: 3 lines, 0 replies, 3 positions, 5 moves' "$out"
good book show "$work/both.book" start
is "weights add up" 'move 1: weight 4, 50.0 %
move 5: weight 4, 50.0 %' "$out"
refused book merge own:noughts own:connect4
says "it is about connect4"
# A remark on the first file, and then an error: one line.
printf '\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0\x46\x3b\x96\x18\x16\x91\xfc\x9c\x03\x1c\0\1\0\0\0\0' >"$work/some.bin"
run book merge "$work/some.bin"
is "a position without a way to it" "quevedo: $work/some.bin: left out 1 positions that nothing in the book leads to" "$err"
refused book merge "$work/some.bin" "$work/bad.book"
says "line 2"
printf x >"$work/bad.pgn"
refused book build chess "$work/bad.pgn"
refused convert "$work/bad.pgn" "$work/nowhere"
refused review "$work/bad.pgn" "$work/nowhere"

# --- build: of records, of a journal, of what a player thinks ---
good match noughts --player A=perfect --player B=random --games 40 --hash 1 --out "$work/games" --journal "$work/journal"
good book build noughts "$work/games" --plies 3 --out "$work/built.book"
good book build noughts "$work/games" --plies 3
cp "$work/out" "$work/of-records"
good book build noughts "$work/journal" --plies 3
is "records and journal make the same book" "$(cat "$work/of-records")" "$out"
is "so does --out" "$(cat "$work/of-records")" "$(cat "$work/built.book")"
like "counted" '    note [0-9]+ won, [0-9]+ drawn, [0-9]+ lost' "$(sed -n 4p "$work/built.book")"
games=$(($(sed -n '/^at start/,/^at [^s]/s/.*note \([0-9]*\) won, \([0-9]*\) drawn, \([0-9]*\) lost/\1+\2+\3/p' "$work/built.book" | paste -sd+)))
is "every game once" 40 "$games"
good book build noughts "$work/games" "$work/journal" --least 1000 --plies 1
is "nothing was played so often" "quevedo-book 1 noughts" "$out"
good book build hexapawn --player perfect --plies 2 --every
is "by a perfect player" 'quevedo-book 1 hexapawn
at start' "$(head -n 2 "$work/out")"
good book build noughts --player alphabeta:depth=9 --plies 2 --json
like "in JSON" '\{"game":"noughts","positions":[0-9]+,"moves":[0-9]+,"replies":0,"book":"quevedo-book 1 noughts\\nat start\\n.*"\}' "$out"
refused book build noughts
refused book build noughts "$work/games" --player perfect
refused book build connect4 "$work/games"
says "a game of noughts is in it"
refused book build noughts "$work/bad.book"
refused book build noughts /nowhere
refused book build noughts "$work/games" --margin 3
refused book build noughts --player perfect --least 3
refused book check own:noughts own:connect4
refused book bind own:noughts
says "build, check, merge or show"
refused book show own:nothing
refused book show own:race
refused book show /nowhere
refused book check /nowhere
refused book show own:noughts nowhere
refused book show own:noughts --out x

# --- games: of a plug-in, and by seeds ---
printf 'quevedo-book 1 toy-quiet\nat start\n' >"$work/toy.book"
run book check "$work/toy.book" --plugin "$toys"
is "a game of a plug-in" 1 "$rc"
good best reversi --player level:2,book=own,line=Tiger --moves 'f5 d6' --json
like "a line that was asked for" '\{"move":"c3",.*"pv":\["c3","d3","c4".*' "$out"
good best reversi --player negascout:depth=2,book=own --moves 'd3 e3 f2' --json
like "behind the book there is a search" '.*"depth":2,.*' "$out"
match=(match reversi --player A=alphabeta:depth=1,tt=0,book=own --player B=random:book=own --games 12 --no-times --json --out)
good "${match[@]}" "$work/one"
good "${match[@]}" "$work/two"
checks=$((checks + 1))
cmp -s "$work/one" "$work/two" || bad "the same match again"
first_two() {
	awk -F'"' '/^\{"quevedo"/ { n = 0 } /"move"/ { n++; if (n <= 2) line = line $4 } /^\{"quevedo"/ { if (line) print line; line = "" } END { print line }' "$1"
}
checks=$((checks + 1))
[ "$(first_two "$work/one" | sort -u | wc -l)" -gt 1 ] || bad "openings differ from game to game"
good match reversi --player A=alphabeta:depth=1,tt=0,book=own --player B=random:book=own --games 12 --no-times --json --journal "$work/audited"
good match --audit "$work/audited"

# --- levels and hints ---
good best chess --player level:12 --moves g1f3 --no-times
like "a level plays from the book" 'player level:12 score 0 depth 0 nodes 0, .* book A0[0-9] Réti.* line .* move .*' "$(paste -sd ' ' "$work/out")"
good best chess --player level:12,book=none --no-times
is "or not" 0 "$(grep -c ^book "$work/out")"
good best chess --json
like "without --player, the main line" '\{"move":"e2e4",.*"book":"B00 King'"'"'s Pawn","pv":.*' "$out"
good analyse chess --player level:12 --lines 2 --no-times
like "lines of the book" 'line 1  depth 0  score 0  nodes 0  book [A-E][0-9][0-9] .*  pv .*' "$(head -n 1 "$work/out")"
good analyse chess --player selective:nodes=100 --no-times
is "an analysis searches" 0 "$(grep -c ' book ' "$work/out")"
out=$(printf 'hint\nquit\n' | "$quevedo" play chess --ascii | grep Hint)
like "a hint names the opening" ".*Hint: e2e4\. From the book: B00 King's Pawn\. Line: .*" "$out"
out=$(printf 'position startpos\ngo depth 2\n' | "$quevedo" engine chess --protocol uci --player level:12 | grep -o -m 1 '^info depth 1 ')
is "an engine searches: its manager has a book" "info depth 1 " "$out"
match=(match chess --player A=level:12 --player B=level:12 --games 20 --max-plies 20 --no-times)
good "${match[@]}" --out "$work/one.pgn"
cp "$work/out" "$work/table"
checks=$((checks + 1))
[ "$(grep -c '^opening [A-E][0-9][0-9] ' "$work/table")" -ge 5 ] || bad "named openings in the table"
checks=$((checks + 1))
[ "$(grep '^\[Opening ' "$work/one.pgn" | sort -u | wc -l)" -ge 5 ] || bad "named openings in PGN"
is "with their codes" 20 "$(grep -c '^\[ECO "[A-E][0-9][0-9]"\]' "$work/one.pgn")"
good "${match[@]}" --json --out "$work/two.pgn"
like "in JSON" '.*"named_openings":\[\{"eco":"[A-E][0-9][0-9]","name":"[^"]+","games":[0-9]+,"wins":\[0,0\],"draws":[0-9]+\},.*' "$out"
checks=$((checks + 1))
cmp -s "$work/one.pgn" "$work/two.pgn" || bad "the same games from the same seed"
good match noughts3d --player A=level:1 --player B=random --games 2 --no-times --json
like "no names without a book" '.*"named_openings":\[\],.*' "$out"
finish

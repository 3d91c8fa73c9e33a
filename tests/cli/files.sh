#!/usr/bin/env bash
# files.sh - files of chess: PGN through convert, replay and match, EPD suites, Polyglot books, puzzles.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

cat >"$work/in.pgn" <<'END'
[Event "F/S Return Match"]
[Site "Belgrade, Serbia JUG"]
[Date "1992.11.04"]
[Round "29"]
[White "Fischer, Robert J."]
[Black "Spassky, Boris V."]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 {This opening is called the Ruy Lopez.} 3... a6 4.
Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 10. d4 Nbd7 (10...
Nc6 $6 11. d5) 11. c4 c6 12. cxb5 axb5 13. Nc3 Bb7 14. Bg5 b4 15. Nb1 1/2-1/2

END
good convert "$work/in.pgn"
is "export format reads back to itself" "$(cat "$work/in.pgn")" "$out"
good convert "$work/in.pgn" --out "$work/out.rec"
is "into records" "games 1, wrong 0" "$out"
good convert "$work/out.rec" --format pgn
is "and back" "$(cat "$work/in.pgn")" "$out"
good replay chess --moves-from "$work/in.pgn"
is "the first game, played out" "r2q1rk1/1b1nbppp/2pp1n2/4p1B1/1p1PP3/1B3N1P/PP3PP1/RN1QR1K1 b - - 1 15" "$(last_line)"
printf '[Event "a"]\n\n1. e4 e9 *\n\n[Event "b"]\n\n1. d4 d5 *\n' >"$work/bad.pgn"
run convert "$work/bad.pgn" --out "$work/good.pgn"
is "something could not be read: the answer is no" 1 "$rc"
is "where, and what was" "$work/bad.pgn: line 3: move 1, 'e9': not a legal move here
games 1, wrong 1" "$out"
refused convert "$work/nowhere.pgn"
# A record among others that is none.
{ sed '2s/"move":"[^"]*"/"move":"a1a9"/' "$work/out.rec"; cat "$work/out.rec"; } >"$work/odd.rec"
run convert "$work/odd.rec" --out "$work/good.rec"
is "what is wrong in a file of records" "1 games 1, wrong 1" "$rc $(last_line)"
like "is told of" '.*odd.rec: game 1: line 2: .*' "$(head -n 1 "$work/out")"

# --- PDN: the PGN of draughts, in which Black is the first player ---
cat >"$work/in.pdn" <<'END'
[Event "Club match"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "Second"]
[Black "First"]
[Result "1/2-1/2"]
[GameType "21"]

1. 11-15 23-18 {The Cross.} 2. 8-11 (2. 9-14 18x11 3. 8x15) 2... 27-23 1/2-1/2

END
good convert "$work/in.pdn"
is "PDN reads back to itself" "$(cat "$work/in.pdn")" "$out"
good convert "$work/in.pdn" --out "$work/draughts.rec"
is "PDN into records" "games 1, wrong 0" "$out"
like "with the first player first" '.*"game":"draughts".*"seats":\["First","Second"\].*' "$(head -n 1 "$work/draughts.rec")"
good convert "$work/draughts.rec" --format pdn
is "and back" "$(cat "$work/in.pdn")" "$out"
good convert "$work/draughts.rec" --out "$work/again.pdn"
is "and by the name of the file" "$(cat "$work/in.pdn")" "$(cat "$work/again.pdn")"
good replay draughts --moves '11-15, 23-18' --format pdn
is "moves as PDN" '1. 11-15 23-18 *' "$(sed -n '/^1/p' "$work/out")"
refused convert "$work/out.rec" --format pdn
says "PDN is for games of draughts, not for chess"
refused replay gomoku --format pdn

# --- SGF and GGF: reversi and go-moku ---

printf '%s\n' '(;GM[Othello]PC[GGS/os]DT[2026.11.17]PB[Ann]PW[Rob]RE[-64.000:r]BO[8 ---------------------------O*------*O--------------------------- *]B[d3//0.01]W[c5/-1.50/2.50];)' >"$work/in.ggf"
good convert "$work/in.ggf" --out "$work/reversi.rec"
is "GGF into records" "games 1, wrong 0" "$out"
good convert "$work/reversi.rec" --format ggf
is "and back" "$(sed 's/DT\[2026.11.17\]//; s/PC\[GGS\/os\]//; s/PW\[Rob\]/&PC[GGS\/os]DT[2026.11.17]/' "$work/in.ggf")" "$out"
printf '%s\n' '(;GM[4]SZ[15]PB[Ann]PW[Rob]' ';B[hh]C[centre](;W[ii])(;W[zz]))' >"$work/bad.sgf"
run convert "$work/bad.sgf"
is "an illegal move of SGF" 1 "$rc"
like "its line" ".*bad.sgf: line 2: move 1, 'zz': not a legal move here" "$(cat "$work/err")"
sed 's/zz/gg/' "$work/bad.sgf" >"$work/good.sgf"
good convert "$work/good.sgf" --format sgf --out "$work/again.sgf"
good convert "$work/again.sgf" --format sgf
is "SGF reads back to itself" "$(cat "$work/again.sgf")" "$out"
like "with its comment and variation" '.*;B\[hh\]C\[centre\].*;W\[ii\].*;W\[gg\].*' "$(tr -d '\n' <"$work/again.sgf")"

# ---- WTHOR and OBF ----
# One game, 1. f5 d6, and the names of players and tournaments beside it.
{ printf '\024\032\013\021\001\0\0\0\0\0\352\007\010\0\026\0\0\0\0\0\001\0\050\041\070\100'; head -c 58 /dev/zero; } >"$work/one.wtb"
{ head -c 16 /dev/zero; printf 'Ann'; head -c 17 /dev/zero; printf 'Rob'; head -c 17 /dev/zero; } >"$work/WTHOR.JOU"
{ head -c 16 /dev/zero; printf 'Paris'; head -c 21 /dev/zero; } >"$work/wthor.trn"
good convert "$work/one.wtb" --format record
is "a game of WTHOR" '{"quevedo":1,"game":"reversi","position":"start","seats":["Ann","Rob"],"tags":{"Event":"Paris","Date":"2026.??.??","BlackScore":"40","TheoreticalScore":"33"}}' "${out%%$'\n'*}"
good convert "$work/one.wtb" --format ggf
like "its score in GGF" '.*RE\[\+16\.000\].*' "$out"
head -c 80 "$work/one.wtb" >"$work/cut.wtb"
run convert "$work/cut.wtb"
is "a database that is cut" 1 "$rc"
like "what is wrong with it" '.*cut.wtb: WTHOR: the header and the size of the file do not fit together' "$(cat "$work/err")"
ffo="--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
printf '%% endgames\n%s; G8:+18; H1:+12; %% one\n%s; +16;\n' "$ffo" "$ffo" >"$work/suite.obf"
run epd "$work/suite.obf"
is "a suite of OBF" $'line 2 one: right: +18\nline 3: wrong: +18\nsolved 1 of 2' "$out"
is "its status" 1 "$rc"
printf 'no position\n' >>"$work/suite.obf"
run epd "$work/suite.obf"
is "with a bad line" "1 solved 1 of 2, bad lines 1" "$rc $(last_line)"

# --- a position of minichess over several lines, as the course paper's program reads it ---
start=$(dirname "$0")/../../examples/start.txt
good show minichess
first=$out
good show minichess "$(cat "$start")"
is "start.txt as an argument" "$first" "$out"
good show minichess --position-from "$start"
is "start.txt as a file" "$first" "$out"
sed 's/$/\r/' "$start" >"$work/start.txt"
good show minichess --position-from "$work/start.txt"
is "with the line ends of Windows" "$first" "$out"

refused replay race --format pgn
says "PGN is for games of two players who alternate"

good match chess --player A=level:2 --player B=random --games 2 --max-plies 60 --out "$work/match.pgn" --no-times
is "tags of a match" '[Event "Match"]
[Site "?"]
[Date "????.??.??"]
[Round "1"]
[White "A"]
[Black "B"]' "$(head -n 6 "$work/match.pgn")"
good book build chess "$work/in.pgn" --plies 20 --out "$work/book.bin"
is "a book of it" "book of chess: 0 lines, 0 replies, 20 positions, 20 moves" "$out"
good book show "$work/book.bin" --moves e2e4
is "looked up" "move e7e5: weight 1, 100.0 %" "$out"
good book check "$work/book.bin"
is "and checked" "wrong 0" "$(last_line)"
good book merge "$work/book.bin" --out "$work/book.text"
good book merge "$work/book.text" --out "$work/again.bin"
checks=$((checks + 1)); cmp -s "$work/book.bin" "$work/again.bin" || bad "a book through text is the same book"
good best chess --player level:1,book="$work/book.bin"
is "a player with it" "move e2e4" "$(last_line)"
printf x >"$work/short.bin"
refused book show "$work/short.bin"
refused book merge own:noughts --out "$work/noughts.bin"
says "for chess, not for noughts"

printf '%s\n' '# two' 'r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - dm 3; id "three";' \
	'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D2 401; D3 8902; D9 1;' \
	'6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#; am Ra1a2; id "back row";' >"$work/suite.epd"
run epd "$work/suite.epd" --player alphabeta:depth=2 --depth 3 --out "$work/out.epd"
is "a suite" 'line 2 three: right: mate 3
line 3: wrong: D1 20, D2 400, D3 8902
line 4 back row: right: Ra8#
solved 2 of 3' "$out"
is "not all are solved: the answer is no" 1 "$rc"
like "what was found" '.* bm Ra8#; am Ra1a2; id "back row"; acd [0-9]+; acn [0-9]+; ce 32766; pv Ra8#;' "$(tail -n 1 "$work/out.epd")"
refused epd "$work/in.pgn"
# Bad lines are passed over, each with a word; a far mate beside bm is the player's, and takes no time.
printf '%s\n' 'no position' 'r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - dm 3;' '6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra9;' \
	'7k/p7/1R5K/6r1/6p1/6P1/8/8 w - - bm Rb7; id "WAC.006"; dm 11;' >"$work/mixed.epd"
printf '6k1/5ppp/8/8/8/8/8/R3K3 w Q - \0 bm Ra8;\n' >>"$work/mixed.epd"
run epd "$work/mixed.epd" --player alphabeta:depth=1
like "bad lines" '1 line 2: right: mate 3\|line 4 WAC.006: (right|wrong): [^|]*\|solved [12] of 2, bad lines 3' "$rc $(paste -sd '|' "$work/out")"
is "each is named" "quevedo: line 1:|quevedo: line 3:|quevedo: line 5:" "$(sed 's/\(line [0-9]*:\).*/\1/' "$work/err" | paste -sd '|')"
run epd "$work/mixed.epd" --player alphabeta:depth=1 --json
is "and in JSON" "3 [True, False, True, False, True]" "$(python3 -c '
import json, sys
d = json.load(sys.stdin)
print(d["bad"], [c["error"] is not None for c in d["cases"]])' <<<"$out")"
# Each line is printed as soon as it is known, not at the end.
mkfifo "$work/fifo.epd"
"$quevedo" epd "$work/fifo.epd" --time 600s >"$work/streamed" 2>/dev/null &
child=$!
printf '%s\n' 'r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - dm 3;' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - dm 9;' >"$work/fifo.epd"
for ((i = 0; i < 1200; i++)); do
	[ -s "$work/streamed" ] && break
	sleep 0.05
done
is "a line at once" "line 1: right: mate 3 yes" "$(cat "$work/streamed") $(kill -0 $child 2>/dev/null && echo yes)"
kill -9 $child
wait $child 2>/dev/null
good puzzle mate 2 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1'
is "a famous problem" 'keys a1a6
line a1a6, b7a6, b6b7
mate in 2' "$out"
run puzzle mate 1 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1'
is "not in one" "1 no mate in 1" "$rc $out"
good puzzle proof 8 'rnbqkbnr/pp3ppp/2p1p3/8/4P3/8/PPPP1PPP/RNBQK1NR w KQ - 0 5'
is "the proof game" 'game e2e4, e7e6, f1b5, e8e7, b5d7, c7c6, d7e8, e7e8
games 1' "$out"
good puzzle mate 2 'kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1' --san
is "in algebraic notation" 'keys Ra6
line Ra6, bxa6, b7#
mate in 2' "$out"
good puzzle proof 8 'rnbqkbnr/pp3ppp/2p1p3/8/4P3/8/PPPP1PPP/RNBQK1NR w KQ - 0 5' --san
is "the proof game in algebraic notation" 'game e4, e6, Bb5, Ke7, Bxd7, c6, Be8, Kxe8' "$(head -n 1 <<<"$out")"
# Ctrl-C: nobody knows whether there is one. It may come before the program listens: then later, once more. The signal comes once
# (--foreground): a second one ends the program at once.
for seconds in 1 5 25; do
	timeout --foreground --preserve-status -k 60 -s INT $seconds "$quevedo" puzzle mate 9 >"$work/stopped" 2>&1
	rc=$?
	[ $rc = 130 ] || break
done
is "a puzzle that was ended says so" "1 quevedo: mate: stopped" "$rc $(cat "$work/stopped")"
run puzzle mate 9 --time 50ms
is "a puzzle without enough time" "1 value unknown " "$rc $out $err"
run puzzle mate 9 --time 50ms --json --no-times
like "and in JSON" '1 \{"mate":null,"keys":\[\],"line":\[\],"complete":false,"nodes":[0-9]+\}' "$rc $out"
run puzzle proof 30 'rnbqkbnr/pp3ppp/2p1p3/8/4P3/8/PPPP1PPP/RNBQK1NR w KQ - 0 5' --time 50ms --json --no-times
like "nor is a proof game known" '1 \{"games":null,"solutions":\[\],"complete":false,"nodes":[0-9]+\}' "$rc $out"
printf '%s\n' 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - dm 9; id "far";' >"$work/far.epd"
run epd "$work/far.epd" --time 50ms
is "a suite without enough time" $'1 line 1 far: not solved: value unknown\nsolved 0 of 1' "$rc $out"
printf '%s\n' '8/8/8/8/8/1k6/8/K2Q4 b - - dm 105;' >"$work/far.epd"
run epd "$work/far.epd"
is "a mate that is too far" $'0 line 1: not tested: without a player, a mate is proven up to move 50\nsolved 0 of 0' "$rc $out"
refused puzzle mate 0
refused puzzle chess 3

# --- a game that was broken off ---
printf '%s\n' '{"quevedo":1,"game":"chess","position":"start","seats":[]}' '{"move":"e2e4","seat":1}' \
	'{"result":"none","reason":"server stopped"}' >"$work/off.jsonl"
good convert "$work/off.jsonl"
is "it has no result in PGN" "1. e4 *" "$(tail -n 1 <<<"$out")"
refused book build chess "$work/off.jsonl" --out "$work/off.book"
like "a book does not count it" '.*the files have no finished game' "$err"
printf 'load %s\nquit\n' "$work/off.jsonl" | "$quevedo" play chess >"$work/seen" 2>&1
is "play says so" 1 "$(grep -c '^Broken off\.' "$work/seen")"

# --- a game that begins elsewhere ---
printf '20 W\nk....\nP..P.\n..b.n\n.B..N\n.p..p\n....K\n' >"$work/board"
printf '[FEN "8/8/8/8/8/5k2/7p/5K2 w - - 0 1"]\n\n1. Ke1 Ke3 *\n' >"$work/far.pgn"
printf 'position\nquit\n' | "$quevedo" play minichess --position-from "$work/board" >"$work/seen" 2>&1
is "play from a file" "20 W/k..../P..P./..b.n/.B..N/.p..p/....K" "$(sed -n '/> position$/{n;p}' "$work/seen")"
printf 'position\nquit\n' | "$quevedo" play chess --moves-from "$work/far.pgn" >"$work/seen" 2>&1
is "play on from PGN" "8/8/8/8/8/4k3/7p/4K3 w - - 2 2" "$(sed -n '/> position$/{n;p}' "$work/seen")"
refused play chess --trainer 3 --moves-from "$work/far.pgn"

# --- the trainer ---
# Hints go on after the book has ended, and are no beginner's.
printf 'A7A6\nH7H5\nhint\nquit\n' | "$quevedo" play chess --trainer any --seed 4 >"$work/lesson" 2>&1
is "the book has ended" 1 "$(grep -c 'The book ends here' "$work/lesson")"
is "a hint after the book, not by level 1" 0 "$(grep -c 'at depth 1\.' "$work/lesson")"
like "... is one" '.*Hint: .* at depth [0-9]+\. .*' "$(grep -o 'Hint: .*' "$work/lesson" | head -n 1)"
printf 'hint\ne5\nNc6\na6\nNf6\nBe7\nb5\nd6\nO-O\nquit\n' | "$quevedo" play chess --trainer 3 --level 1 >"$work/lesson" 2>&1
is "it says what is to be learned" 1 "$(grep -c "^To learn: Ruy Lopez - Closed\\." "$work/lesson")"
is "it prompts with the line" 1 "$(grep -c '^Hint: e7e5. Line: e7e5, g1f3, b8c6, f1b5' "$work/lesson")"
is "it plays the line" 1 "$(grep -c 'plays c2c3' "$work/lesson")"
printf 'e5\nNc6\nBc5\nNf6\nexd4\nBb4\nBxd2\nd5\nquit\n' | "$quevedo" play chess --trainer 4 --level 1 >"$work/lesson" 2>&1
is "and says where the book ends" 1 "$(grep -c 'The book ends here' "$work/lesson")"
printf 'Be7\nquit\n' | "$quevedo" play chess --trainer 'giuoco piano' --level 1 --moves 'e4 e5 Nf3 Nc6 Bc4' >"$work/lesson" 2>&1
is "a reply of another line changes to that" 1 "$(grep -c 'plays d2d4' "$work/lesson")"
printf 'hint\nmoves\nc7c5\nline\nvariations\nundo\nvariations\nquit\n' | "$quevedo" play chess --san --trainer 1 --level 1 >"$work/lesson" 2>&1
is "with --san the hint is in algebraic notation" 1 "$(grep -c '^Hint: c5. Line: c5, Nf3, d6, d4, cxd4' "$work/lesson")"
is "and so are the trainer's moves" 1 "$(grep -c 'plays Nf3\.' "$work/lesson")"
is "the legal moves" 1 "$(grep -c '^a6 .* Na6 *' "$work/lesson")"
is "the line" 1 "$(grep -c '^1\. e4   2\. c5   3\. Nf3$' "$work/lesson")"
is "and what was tried" 1 "$(grep -c '^c5$' "$work/lesson")"
refused play reversi --san
refused play chess --trainer 100000
refused play chess --trainer Sicillian
refused play chess --trainer dragon
like "a part of a name finds the whole" ".*did you mean 'Sicilian - Dragon'.*" "$err"
refused play morris --trainer any

# The players' scores in PGN: a mate that is not proven yet is written as a mate, too.
echo '8/8/8/3k4/8/3K4/8/5QR1 w - - 0 1' >"$work/mate.openings"
good match chess --openings "$work/mate.openings" --player A=selective:depth=4 --player B=selective:depth=4 --games 1 --out "$work/mate.pgn"
is "no score of more than 1000 pawns" 0 "$(grep -cE '\{[-+][0-9]{4}' "$work/mate.pgn")"
like "mates" '\{-M[0-9]+/4 .*' "$(grep -oE '\{-M[0-9]+/4 .*' "$work/mate.pgn" | head -n 1)"

# Another program's opinion of what we write.
if extract=$(command -v pgn-extract || { [ -x /usr/games/pgn-extract ] && echo /usr/games/pgn-extract; }); then
	for file in "$work/in.pgn" "$work/match.pgn" "$work/good.pgn"; do
		complaint=$("$extract" -s -r "$file" 2>&1)
		is "pgn-extract reads $(basename "$file")" "" "$complaint"
	done
	printf '[Event "x"]\n\n1. e4 e9 *\n' >"$work/wrong.pgn"
	checks=$((checks + 1))
	[ -n "$("$extract" -s -r "$work/wrong.pgn" 2>&1)" ] || bad "pgn-extract can complain"
fi
finish

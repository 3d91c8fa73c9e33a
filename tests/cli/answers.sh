#!/usr/bin/env bash
# answers.sh - the commands' answers, plain and JSON, as the contract has them.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

# --- version, help ---
good --version
like "version" 'quevedo [0-9]+\.[0-9]+\.[0-9]+' "$out"
good --version --json
like "version in JSON" '\{"version":"[0-9.]+"\}' "$out"
good
overview=$out
good help
is "no argument is help" "$overview" "$out"
good --help
is "--help is help" "$overview" "$out"
for command in games show replay perft best bench plugin help; do
	checks=$((checks + 1))
	grep -Eq "^  $command( |$)" <<<"$overview" || bad "the overview lacks $command"
	good help "$command"
	text=$out
	like "usage of $command" "usage: quevedo $command.*" "$(head -n 1 "$work/out")"
	good "$command" --help
	is "$command --help" "$text" "$out"
done
good help players
for kind in random level minimax negamax alphabeta negascout mtdf book learn; do
	checks=$((checks + 1))
	grep -qw "$kind" <<<"$out" || bad "help players lacks $kind"
done
# --- all help fits 80 columns ---
toys=$build/tests/toys.so
topics=$("$quevedo" games --json --plugin "$toys" | python3 -c 'import json, sys; print(*[g["name"] for g in json.load(sys.stdin)])')
topics+=" $("$quevedo" help | sed -n '/^usage/,/^$/s/^  \([a-z]*\) .*/\1/p' | tr '\n' ' ')"
for topic in '' players classics history $topics; do
	good help ${topic:+"$topic"} --plugin "$toys"
	checks=$((checks + 1))
	[ "$(LC_ALL=C.UTF-8 wc -L <"$work/out")" -le 80 ] || bad "help $topic is wider than 80 columns"
done
is "what is folded stands below its column" "              games" "$("$quevedo" help players | grep -A1 '^  learn' | tail -n 1)"
is "help of one kind" "mtdf: MTD(f): converges on the value with null windows" "$("$quevedo" help mtdf | head -n 1)"
for kind in $("$quevedo" help players | sed -n '/^Kinds:/,/qgp/s/^  \([a-z]*\) .*/\1/p'); do
	good help "$kind"
	checks=$((checks + 1))
	[ "$(LC_ALL=C.UTF-8 wc -L <"$work/out")" -le 80 ] || bad "help $kind is wider than 80 columns"
done
good help classics
for classic in book machine seed:time=1s mask level:3,ladder=lurgee; do
	like "help classics has $classic" "  $classic" "$out"
done
good help chess
like "the help of a game lists its classic opponents" "  machine +The automaton of 1912" "$out"
good help history
for name in 'Leonardo Torres y Quevedo' 'John White' 'Christoph Nahr' 'Michael Patricios' 'Rudd Johnson'; do
	checks=$((checks + 1))
	grep -q "$name" <<<"$out" || bad "help history lacks $name"
done
good help players --json
like "help in JSON" '\{"topic":"players","text":".*"\}' "$out"

# --- games ---
good games
is "a game a line" "$("$quevedo" games --json | grep -o '"name"' | wc -l)" "$(wc -l <"$work/out")"
names=$(awk '{print $1}' "$work/out")
for game in noughts connect4 reversi; do
	checks=$((checks + 1))
	grep -qx "$game" <<<"$names" || bad "games lacks $game"
done
good games --json
like "games in JSON" '\[(\{"name":"[a-z0-9-]+","title":"[^"]+","seats":[1-4],"chance":(true|false),"levels":[0-9]+,"solved":(null|"win"|"loss"|"draw")\},?)+\]' "$out"
checks=$((checks + 1))
grep -q '"name":"noughts"[^}]*"seats":2,"chance":false,"levels":[0-9]*,"solved":"draw"' <<<"$out" || bad "noughts is a draw: $out"
for game in $names; do
	good help "$game"
	like "help $game" "$game: .*" "$(head -n 1 "$work/out")"
	good show "$game"
	like "show $game" "position .+" "$(last_line)"
	good perft "$game" 0
	is "perft $game 0" "nodes 1" "$out"
	good show "$game" --json
	like "show $game in JSON" "\{\"game\":\"$game\",\"position\":\".*\",\"seat\":([1-4]|null),\"moves\":\[.+\],\"over\":false,\"result\":null,\"scores\":\[\],\"text\":\".+\"\}" "$out"
done

# --- show and replay ---
good show noughts 'x..oo..x. x'
is "noughts, drawn" " X | 2 | 3 
---+---+---
 O | O | 6 
---+---+---
 7 | X | 9 

turn seat 1
moves 2, 3, 6, 7, 9
position x..oo..x. x" "$out"
good show noughts start --moves '1, 4, 2, 5, 3' --json --ascii
is "a game that is over" '{"game":"noughts","position":"xxxoo.... o","seat":2,"moves":[],"over":true,"result":"win 1","scores":[1,0],"text":" X | X | X \n---+---+---\n O | O | 6 \n---+---+---\n 7 | 8 | 9 \n"}' "$out"
good show noughts 'xoxxoooxx o' --json
like "a draw" '.*"moves":\[\],"over":true,"result":"draw","scores":\[0,0\],.*' "$out"
good show noughts --moves '1 4 2 5 3'
like "the result in words" 'result win 1' "$(grep result "$work/out")"
reversi_start='---------------------------OX------XO--------------------------- X'
good show reversi "$reversi_start" --json
like "reversi's position begins with dashes" ".*\"position\":\"$reversi_start\",\"seat\":1,\"moves\":\[(\"[a-h][1-8]\",?){4}\].*" "$out"
plain=$out
good show reversi "" --json
is "an empty position is the start" "$plain" "$out"
good --json show -- reversi "$reversi_start"
is "options may come first, and end" "$plain" "$out"
good show reversi --moves-from=/dev/null --json
is "an empty file is no move" "$plain" "$out"
good show reversi --moves ' , ,
,' --json
is "an empty list is no move" "$plain" "$out"
good perft chess 1 'r3k2r/8/8/8/8/8/8/4K2R w Kkq -' --moves 'O-O, e8a8' --divide --san --json --no-times
like "notation and castling" '.*"move":"Rf8".*"move":"Kg2".*' "$out"
good show chess --moves 'f3 e5 g4 Qh4#'
is "what ended a game" 'result win 2 ending checkmate scores 0 1' "$(grep -E '^(result|ending|scores)' "$work/out" | xargs)"
good show chess --moves 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8' --json
like "a game ended by repetition" '.*"result":"draw","ending":"repetition".*' "$out"
good show chess --san
is "moves in algebraic notation, at the start" 'moves a3, b3, c3, d3, e3, f3, g3, h3, a4, b4, c4, d4, e4, f4, g4, h4, Na3, Nc3, Nf3, Nh3' "$(grep '^moves' "$work/out")"
for moves in '4,4,3' '4 4 3' $'4\n4\n3' ' 4 ,4,, 3 ' $'4\r\n4\r\n3\r\n'; do
	good replay connect4 --moves "$moves"
	is "replay of ${moves@Q}" '......./......./......./......./...o.../..xx... o' "$(last_line)"
	printf '%s' "$moves" >"$work/moves"
	good replay connect4 --moves-from "$work/moves"
	is "replay of ${moves@Q} from a file" '......./......./......./......./...o.../..xx... o' "$(last_line)"
	piped=$("$quevedo" replay connect4 --moves-from - <"$work/moves" | tail -n 1)
	is "replay of ${moves@Q} from standard input" '......./......./......./......./...o.../..xx... o' "$piped"
done
good replay hexapawn --moves 'a1a2 B3A2'
is "moves without the hyphen" 'p.p/p../.PP w' "$(last_line)"
good replay minichess --moves 'b1c3, a5a4'
is "in minichess, too" '2 W/kqbnr/.pppp/p..../..N../PPPPP/R.BQK' "$(last_line)"
refused replay hexapawn --moves 'A1 A2'
says "move 'A1'"
is "but blanks can stand for it in a game" 1 "$(printf 'A1 A2\n' | "$quevedo" play hexapawn --seat 2=human --seat 1=human | grep -c '^Black to move')"
is "hexapawn as in the 1983 program" 'ppp/P../.PP b' "$(printf '1,1 1,2\nposition\n' | "$quevedo" play hexapawn --seat 2=human --seat 1=human | grep -A1 '> position' | tail -n 1)"
printf '%s\r\n' '2 W' kqbnr ppp.p ...p. ..N.. PPPPP R.BQK '' >"$work/board"
good replay minichess --position-from "$work/board" --moves c3-d5
is "a position from a file, a rank a line" '2 B/kqbnr/pppNp/...p./...../PPPPP/R.BQK' "$(last_line)"
piped=$(printf '443\n' | "$quevedo" replay connect4 --position-from - --moves 3 | tail -n 1)
is "a position from standard input" '......./......./......./......./..oo.../..xx... x' "$piped"
good replay connect4 443 --moves 3
is "columns as digits, then moves" '......./......./......./......./..oo.../..xx... x' "$(last_line)"
good replay connect4 --json --moves '4 4 3'
replayed=$out
good show connect4 443 --json
is "replay's JSON is show's" "$out" "$replayed"
good show connect4 --moves '1 2 1 2 1 2 1' --json
like "four in a column" '.*"seat":2,"moves":\[\],"over":true,"result":"win 1",.*' "$out"

# --- the locale decides how a board is drawn ---
good show noughts --ascii
ascii=$out
for locale in C POSIX de_DE.ISO-8859-1; do
	is "LANG=$locale" "$ascii" "$(LANG=$locale "$quevedo" show noughts)"
done
for locale in C.UTF-8 en_US.utf8 es_ES.UTF8; do
	checks=$((checks + 1))
	LANG=$locale "$quevedo" show noughts | grep -q '│' || bad "LANG=$locale draws no lines"
	is "LANG=$locale --ascii" "$ascii" "$(LANG=$locale "$quevedo" show noughts --ascii)"
	is "LC_ALL wins over LANG=$locale" "$ascii" "$(LC_ALL=C LANG=$locale "$quevedo" show noughts)"
done

# --- perft ---
perft() {
	good perft "$1" "$2"
	is "perft $1 $2" "nodes $3" "$(last_line)"
}
perft noughts 9 127872
perft noughts 10 0
perft connect4 6 117649
perft connect4 7 823536
depth=0
for leaves in 1 4 12 56 244 1396 8200 55092 390216; do
	perft reversi $depth $leaves
	depth=$((depth + 1))
done
good perft noughts 2 --divide
is "divide" "$(for i in 1 2 3 4 5 6 7 8 9; do echo "$i: 8"; done; echo "nodes 72")" "$out"
good perft noughts 3 'xxxoo.... o'
is "nothing follows the end" "nodes 0" "$out"
good perft noughts 0 'xxxoo.... o' --divide
is "the end itself is a leaf" "nodes 1" "$out"
good perft noughts 2 --json --divide --no-times --moves '1 2 3 4 5 6'
is "divide in JSON" '{"game":"noughts","depth":2,"nodes":2,"moves":[{"move":"7","nodes":0},{"move":"8","nodes":2},{"move":"9","nodes":0}]}' "$out"
good perft connect4 5 --json
like "perft in JSON" '\{"game":"connect4","depth":5,"nodes":16807,"seconds":[0-9.e-]+\}' "$out"
good perft reversi 7 --hash 16
is "perft with a table" "nodes 55092" "$out"
good perft reversi 7 --threads 2
is "perft with threads" "nodes 55092" "$out"
good perft reversi 7 --threads=2 --hash=1 --divide
is "perft with both, divided" "nodes 55092" "$(last_line)"

# --- best ---
good solve noughts
is "noughts is a draw" "value draw" "$out"
good solve noughts 'xx.oo.... x' --distance
is "solved with its distance" "value win in 1" "$out"
good solve connect4 46225653644664 --distance --json --no-times
like "solve in JSON" '\{"value":"win","in":7,"margin":null,"nodes":[0-9]+\}' "$out"
good solve connect4 --moves '1 2 1 2 1 2' --json
like "solve with times" '\{"value":"win","in":null,"margin":null,"nodes":[0-9]+,"seconds":[0-9.e-]+\}' "$out"
late=OOOOOOOOOXXOXXOOOXXXXXOOOOXXXXXOOXOXXOOOOOXOOOOOOOOOOOOO-X-OO--O
good solve reversi "$late X" --json --no-times
like "solve with a margin" '\{"value":"loss","in":null,"margin":-12,"nodes":[0-9]+\}' "$out"
printf '# a remark\n121212\r\n\n1212121\n' >"$work/positions"
good solve connect4 --positions "$work/positions" --distance
is "a line for each position" $'value win in 1\nvalue loss in 0' "$out"
# --- noughts3d: a stored strategy, without the distance ---
good solve noughts3d
is "noughts3d is won" "value win" "$out"
good solve noughts3d --moves 'a1A d4D' --json --no-times
is "so is the answer to a reply" '{"value":"win","in":null,"margin":null,"nodes":0}' "$out"
good solve noughts3d --moves a1A
is "and lost for the second player" "value loss" "$out"
run solve noughts3d --distance --time 100ms
is "its distance is not found in time" "1 value win" "$rc $out"
good best noughts3d --player perfect --no-times
is "perfect follows the strategy" "move a1A" "$(last_line)"
good best noughts3d --player negascout:depth=1,prove=1000 --no-times
like "so does a player that proves first" 'proven win in [0-9]+' "$(sed -n 3p <<<"$out")"
good best noughts3d --no-times
is "as the strongest does" "player negascout:time=1s,prove=30000" "$(head -n 1 <<<"$out")"
# --- limits of solvers ---
run solve reversi --time 50ms
is "solve gives up" "1 value unknown " "$rc $out $err"
run solve reversi --time 50ms --json --no-times
like "solve gives up in JSON" '1 \{"value":"unknown","in":null,"margin":null,"nodes":[0-9]+\}' "$rc $out"
run solve reversi --time 50ms --certificate "$work/no-proof"
is "and writes no certificate" "1 value unknown" "$rc $out"
checks=$((checks + 1)); [ ! -e "$work/no-proof" ] || bad "a certificate without a value"
printf '%s\n' start "$late X" >"$work/positions"
run solve reversi --positions "$work/positions" --time 2s
is "the limit is for each position" $'1 value unknown\nvalue loss' "$rc $out"
refused solve reversi --time 0s
run best reversi --player perfect:time=50ms --no-times
is "a player that gave up has no score" "1 not solved" "$rc $(sed -n 2p <<<"$out")"
like "but a legal move" 'move (d3|c4|f5|e6)' "$(last_line)"
run best reversi --player perfect:nodes=1000 --json --no-times
like "nor in JSON" '1 \{"move":"[a-h][1-8]","score":null,"proven":false,"depth":0,.*' "$rc $out"
run analyse reversi --player perfect:nodes=1000 --no-times
like "nor in an analysis" '1 line 1  depth 0  not solved  nodes [0-9]+  pv [a-h][1-8]' "$rc $out"
run best connect4 424442 --no-times
is "the strongest player uses the solver" "0 proven win in 29" "$rc $(sed -n 3p <<<"$out")"
run analyse connect4 424442 --lines 2 --no-times
like "so does an analysis" 'line 2  depth [0-9]+  score ((win|loss) in [0-9]+|0)  proven (win|loss|draw).*' "$(last_line)"
# On a terminal a line shows the progress and is cleared; in JSON there is none. Who stands still for all of the time shows nothing:
# then once more, with more of it.
for seconds in 1 5 25; do
	python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$quevedo" solve reversi --time ${seconds}s </dev/null >"$work/out"
	grep -q 'solve: ' "$work/out" && break
done
checks=$((checks + 1)); grep -q $'solve: [0-9]* nodes, [0-9.]* s\033\\[K' "$work/out" || bad "no progress: $(cat -v "$work/out")"
checks=$((checks + 1)); grep -q $'\r\033\\[Kvalue unknown' "$work/out" || bad "the line stays: $(cat -v "$work/out")"
python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$quevedo" solve reversi --time 1s --json </dev/null >"$work/out"
checks=$((checks + 1)); ! grep -q nodes, "$work/out" || bad "progress beside JSON"

good best noughts 'xx.oo.... x' --player alphabeta:depth=9
is "takes the win" "move 3" "$(last_line)"
good best noughts 'xx.oo.... x' --player alphabeta:depth=9 --json
like "best in JSON" '\{"move":"3","score":1073741823,"proven":true,"in":1,"depth":[0-9]+,"nodes":[0-9]+,"evals":[0-9]+,"considered":[0-9]+,"seconds":[0-9.e-]+,"pv":\["3"\]\}' "$out"
good best noughts --player negascout:depth=9 --json --no-times
like "a draw, proven" '\{"move":"[1-9]","score":0,"proven":true,"in":(null|[0-9]+),"depth":[0-9]+,"nodes":[0-9]+,"evals":[0-9]+,"considered":[0-9]+,"pv":\[("[1-9]",?)+\]\}' "$out"
good best connect4 --player negascout:depth=4 --json
like "an estimate" '\{"move":"[1-7]","score":-?[0-9]+,"proven":false,"depth":4,"nodes":[0-9]+,"evals":[0-9]+,"considered":[0-9]+,"seconds":[0-9.e-]+,"pv":\[("[1-7]",?)+\]\}' "$out"
good best connect4 --moves '1 2 1 2 1' --player alphabeta:depth=6
is "stops three in a column" "move 1" "$(last_line)"
good best noughts
like "a player of its own" 'move [1-9]' "$(last_line)"
good best reversi --player random --seed 7
first=$out
good best reversi --player random --seed 7 --no-times
is "the seed decides" "$(tail -n 1 <<<"$first")" "$(last_line)"

# --- the same bytes twice ---
for line in 'best connect4 --player negascout:depth=7' 'best reversi --player mtdf:depth=5 --json' \
	'best reversi --player alphabeta:depth=20,nodes=50000 --json' 'best connect4 --player random --seed 3' \
	'perft reversi 6 --json' 'bench noughts' 'bench connect4 --json'; do
	# shellcheck disable=SC2086
	good $line --no-times
	once=$out
	# shellcheck disable=SC2086
	good $line --no-times
	is "twice: $line" "$once" "$out"
	checks=$((checks + 1))
	grep -Eq 'second| [0-9.]+ s |M/s' <<<"$once" && bad "times in: $once"
done
finish

#!/usr/bin/env bash
# refusals.sh - wrong use and bad input: status 2, one line that says what and why, nothing on standard output.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"

# --- the nearest right word is named ---
for pair in gmaes:games shwo:show Replay:replay perf:perft bets:best analyze:analyse trees:tree bnech:bench bakcup:backup srve:serve imsc:imcs plugins:plugin hlep:help; do
	refused "${pair%:*}"
	says "'${pair#*:}'"
done
for pair in --jsn:--json --no-time:--no-times --sed:--seed --thread:--threads --hsh:--hash --plguin:--plugin \
	--divde:--divide --asci:--ascii --move:--moves --palyer:--player --JSON:--json --moves_from:--moves-from --line:--lines --fromat:--format --max-node:--max-nodes; do
	refused games "${pair%:*}"
	says "${pair#*:}"
done
for pair in conect4:connect4 reversy:reversi nought:noughts connect5:connect4; do
	refused show "${pair%:*}"
	says "${pair#*:}"
	refused help "${pair%:*}"
	says "${pair#*:}"
done
refused help pleyers
says players
refused best noughts --player foo
is "no guess that is far-fetched" "quevedo: player 'foo': no such kind" "$err"
refused best noughts --player mcts:depth=5
says "no option 'depth'; its options: time, "
refused best noughts --player "alphabeta depth=4"
says "options follow a colon, as in alphabeta:depth=4"
refused best starchess --player expectimax
says "starchess is not one; mcts, maxn, paranoid and brs play it"
refused best starchess --player perfect
says "player perfect: needs a game of two players without dice"
refused show kalah
says "the game of a plug-in needs --plugin FILE"
refused show noughts --moves "5 5"
says "move 2 of the list: move '5': not a legal move here; legal: 1, 2, 3, 4, 6, 7, 8, 9"
refused engine backgammon --protocol external --listen localhost:65536
says "port must be"
refused match backgammon --player A=external:localhost:99999999999999999999 --player B=random
says "port must be"

# --- commands, options and arguments that do not fit ---
refused ''
refused frobnicate
refused 'no such command with blanks'
refused $'two\nlines'
refused $'\e[31mred\x7f'
refused $'\xff\xfe'
refused "$(printf 'x%.0s' {1..5000})"
refused solve
refused solve noughts start more
refused solve noughts --positions
refused solve noughts --positions ''
refused solve noughts --positions /nowhere/at/all
refused solve noughts start --positions /dev/null
refused solve noughts --positions "$0"
refused perft noughts 3 --distance
refused match noughts
refused -x
refused --frobnicate
refused "--$(printf 'x%.0s' {1..5000})"
refused --$'two\nlines'
refused --version games
refused games --version
refused --divide
refused games noughts
refused show
refused show noughts start extra
refused show connect4 ......./......./......./......./......./....... x
refused perft noughts
refused perft noughts 1 start more
refused perft
refused best
refused best noughts start extra
refused bench noughts start
refused replay
refused serve now
refused serve --port 65536
refused serve --port -1
refused serve --port x
refused serve --port
refused serve --host nowhere.invalid --port 0 --data "$work/serve"
refused serve --host 203.0.113.7 --port 0 --data "$work/serve"
refused serve --data '' --port 0
refused serve --workers 1000
refused serve --per-address 0
refused serve --allow-host 'a b'
refused serve --allow-host name:80
refused serve --allow-host ''
refused serve --cert "$0" --port 0 --data "$work/serve"
refused serve --cert "$0" --key "$0" --port 0 --data "$work/serve"
refused serve --classroom=1
refused serve --moves 1
refused games --port 1
refused imcs
refused imcs walk
refused imcs serve there
refused imcs play
refused imcs play 127.0.0.1
says --user
refused imcs play 127.0.0.1 --user 'a b' --password-file "$0"
refused imcs play 127.0.0.1 --user a --password-file "$work/nothing"
refused imcs play 127.0.0.1 --user a --password-file /dev/null
says --password-file
echo pw >"$work/pw"
refused imcs play 127.0.0.1 --user a --password-file "$work/pw" --list --offer
refused imcs play 127.0.0.1 --user a --password-file "$work/pw" --offer=X
refused imcs play 127.0.0.1 --user a --password-file "$work/pw" --accept x
refused imcs play 127.0.0.1 --user a --password-file "$work/pw" --accept 1 --time 60
refused imcs play 127.0.0.1 --user a --password-file "$work/pw" --time 5m
refused imcs play 127.0.0.1 --user a --password-file "$work/pw" --player nobody
for address in '' : :3589 127.0.0.1: 127.0.0.1:x 127.0.0.1:0 127.0.0.1:-1 127.0.0.1:+1 127.0.0.1:65536 '[::1' '[]' '[]:1' '[::1]3589' "$(printf 'x%.0s' {1..300})"; do
	refused imcs play "$address" --user a --password-file "$work/pw"
	says "is not HOST or HOST:PORT"
done
refused imcs play 127.0.0.1:3589 --port 3589 --user a --password-file "$work/pw"
says "the port is already in"
refused imcs play ::1 --list --port 1 --user a --password-file "$work/pw"
says "::1"
refused imcs play '[::1]:1' --list --user a --password-file "$work/pw"
says "::1"
refused imcs log x --data "$work"
refused imcs log 1 --data "$work/nothing"
refused serve --password-file "$work/pw"
says --imcs
refused serve --imcs 70000
refused backup
refused backup "$work/copy" extra
refused backup ''
refused backup "$work/copy" --data "$work/nothing"
says "quevedo.db"
refused backup "$work/copy" --data ''
refused backup "$work/copy" --moves 1
refused restore
refused restore "$work/copy" extra
refused restore ''
refused restore "$work/copy" --data "$work/nothing"
says "No such file"
refused restore "$work/copy" --data ''
refused plugin
refused plugin check
refused plugin chekc x.so
says "plugin chekc: expected check or new"
refused plugin check "$work/nothing.so"
refused plugin check "$0"
refused plugin check ''
refused plugin check "$work" extra
refused plugin check "$work" extra extra
refused plugin check "$work" --dir x
refused plugin check "$work" --time 0
refused plugin check "$work" --call-time never
refused plugin new
refused plugin new "$work"
refused plugin new Kalah
refused plugin new chess
says "chess: there is a game of this name"
refused plugin new kalah extra
refused plugin new kalah --dir "$0/x"
refused plugin new kalah --time 1s
refused help show extra
refused help nothing-of-the-kind
refused help ''
refused help $'\n'
refused help noughts:x=1
refused help --man show
refused help --man --json
refused help --man --completion bash
refused help --completion csh
says 'bash|zsh|fish'

# Sanitized builds, which are slow to start, see a part of what follows: every option, but not with every command.
part=$((${TEST_SCALE:-100} < 100))
commands=(games "show noughts" "replay noughts" "perft noughts 1" "best noughts" "analyse noughts" "tree noughts" "bench noughts" "help")
for command in "${commands[@]:0:part ? 2 : ${#commands[@]}}"; do
	read -ra words <<<"$command"
	for option in --json=1 --json= --no-times=x --seed --seed= --seed=x --seed=-1 --seed=1.5 --seed=1e3 --seed=0x10 \
		--seed=9223372036854775808 --seed=99999999999999999999999 '--seed= 1' '--seed=1 ' --threads --threads=0 \
		--threads=-1 --threads=257 --threads=two --hash=-1 --hash=1048577 --hash=many --hash --plugin \
		--plugin= --plugin=/nonexistent.so --plugin=/dev/null "--plugin=$0" --frob --frob=1 -q; do
		refused "${words[@]}" "$option"
	done
	refused "${words[@]}" --seed 1 --seed 2
	refused "${words[@]}" --seed --json
done
for command in games "bench noughts" help "plugin check x"; do
	read -ra words <<<"$command"
	for option in --divide --ascii --moves=1 --moves-from=- --player=random; do
		refused "${words[@]}" "$option"
		says "${option%%=*}"
	done
done
refused show noughts --divide
refused show noughts --player random
refused replay noughts --divide
refused replay noughts --player random
refused perft noughts 1 --ascii
refused perft noughts 1 --player random
refused best noughts --divide
refused best noughts --ascii
refused show noughts --san
refused solve chess --san

# --- games, positions, moves, depths, players ---
# shellcheck disable=SC2054 # the commas belong to the words
bad_games=('' ' ' noughts: noughts:x noughts:x= noughts:=1 noughts:size=3 noughts:, noughts,1 ':' '::' ' noughts' 'noughts '
	'start' '-' '---' 'nÖughts' $'noughts\n' "$(printf 'n%.0s' {1..3000})")
for game in "${bad_games[@]}"; do
	refused show "$game"
	[ $part = 0 ] || continue
	for command in replay best analyse tree bench; do
		refused "$command" "$game"
	done
	refused perft "$game" 1
done
bad_positions=(x ' ' nonsense 'start ' 'START' '0' '......... y' '.........' '......... o' 'xxxxxxxxx x' 'x........ x' '.......... x' '.........  x'
	'......... x ' ' ......... x' 'xxxooo... x' 'oo....... x' $'.........\nx' $'\x01' 'ΧΧΧ...... x' '-' '--' '---' '--x' '-1'
	"$(printf '.%.0s' {1..9000}) x")
# each_command WORDS: refused by all commands that read a game, or by one after the other of them.
readers=("show noughts" "replay noughts" "best noughts" "perft noughts 1") turn=0
each_command() {
	local i words
	for i in "${!readers[@]}"; do
		[ $part = 0 ] || [ $i = $((turn % ${#readers[@]})) ] || continue
		read -ra words <<<"${readers[i]}"
		refused "${words[@]}" "$@"
	done
	turn=$((turn + 1))
}
for position in "${bad_positions[@]}"; do
	[ "$position" = -- ] && continue
	each_command "$position"
done
for position in '......./......./......./......./......./x...... x' '......./......./......./......./x....../....... o' 8 0 44444444 '4 4' \
	'......./......./......./......./......./...... x' '......./......./......./......./......./....... z' 1212121 \
	'xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx o'; do
	[ "$position" = 1212121 ] || refused show connect4 "$position"
done
refused best connect4 1212121
says "the game has ended"
obf=---------------------------OX------XO---------------------------
for position in "$obf" "$obf " "$obf Y" "$obf  X" "${obf}- X" "${obf#-} X" "${obf/O/Q} X" "$obf XO"; do
	refused show reversi "$position"
done
bad_moves=(0 10 a x '1,1' '1 1' '5,5' '1;2' pass '1,2,x' '１' -1 +1 1.0 '1,4,2,5,3,6' $'1\n1' $'\x01' "$(printf '1%.0s' {1..500})" '1 2 3 4 5 6 7 8 9')
for moves in "${bad_moves[@]}"; do
	each_command --moves "$moves"
	printf '%s\n' "$moves" >"$work/moves"
	refused replay noughts --moves-from "$work/moves"
done
refused show noughts --moves 1 --moves-from /dev/null
refused show noughts --moves-from "$work/nothing"
refused show noughts start --position-from /dev/null
says "a position is given too"
refused show noughts --position-from "$work/nothing"
refused show noughts --position-from "$work"
refused show noughts --position-from ''
refused show noughts --position-from "$0"
refused show noughts --position-from /dev/zero
refused solve noughts --positions /dev/null --position-from /dev/null
refused book show own:noughts --position-from /dev/null
refused show noughts --moves-from "$work"
refused show noughts --moves-from ''
printf '1\0002' >"$work/nul"
refused show noughts --moves-from "$work/nul"
refused show noughts --moves-from /dev/zero
refused replay reversi --moves 'd3 d3'
refused replay reversi --moves 'a1'
for depth in '' x -1 1.5 1e2 0x1 ' 1' '1 ' 1001 99999999999999999999 '--' one; do
	refused perft noughts "$depth"
done
# shellcheck disable=SC2054
bad_players=('' ' ' x alpha-beta alphabeta: alphabeta:depth alphabeta:depth= alphabeta:depth=x alphabeta:depth=-1 alphabeta:dept=3
	alphabeta:depth=3, alphabeta:,depth=3 alphabeta:time=1x alphabeta:time=x alphabeta:tt=-1 alphabeta:nonsense=1 random:depth=3
	level:0 level: level:99 level:x level level:-1 random:x=1 RANDOM- human2 alphabeta:eval=nothing alphabeta:weights=/nonexistent
	alphabeta:depth=99999999999999999999 alphabeta:sort=2 alphabeta:threads=0 $'alphabeta\n' "$(printf 'a%.0s' {1..3000})")
for player in "${bad_players[@]}"; do
	refused best noughts --player "$player"
done
refused best noughts --player alphbeta
says alphabeta
refused best noughts --player alphabeta:dept=3
says depth
refused best noughts 'xxxoo.... o'
says "position: the game has ended"
refused best noughts --moves '1 4 2 5 3' --json
says "position: the game has ended"

# --- mutations of good lines: an answer or a refusal, never both, never anything else ---
alphabet=$' !"#%&\',-./0123456789:;=?@ABOXZ[]_abnosxz|~\t\n\xc3\xbf'
RANDOM=1
mutate() {
	local text=$1 at=$((RANDOM % (${#1} + 1))) letter=${alphabet:RANDOM % ${#alphabet}:1}
	case $((RANDOM % 3)) in
	0) text=${text:0:at}$letter${text:at} ;;
	1) text=${text:0:at}${text:at+1} ;;
	2) text=${text:0:at}$letter${text:at+1} ;;
	esac
	mutated=$text
}
either() {
	run "$@"
	checks=$((checks + 1))
	if [ $rc = 0 ]; then
		if [ ! -s "$work/out" ] || [ -s "$work/err" ]; then bad "accepted: quevedo ${*@Q}" "$err"; fi
	else
		refused "$@"
	fi
}
for ((round = part ? 54 : 0; round < 60; round++)); do
	mutate noughts && either show "$mutated"
	mutate 'x..oo..x. x' && either show noughts "$mutated"
	mutate "$obf X" && either show -- reversi "$mutated"
	mutate '......./......./......./......./...o.../..xx... o' && either show connect4 "$mutated" --json
	mutate '4, 4, 3' && either replay connect4 --moves "$mutated"
	mutate alphabeta:depth=3,tt=0 && mutate "$mutated" && either best noughts --player "$mutated,nodes=1000" --no-times
	mutate --no-times && either games "$mutated"
done
finish

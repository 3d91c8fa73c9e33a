#!/usr/bin/env bash
# engine.sh - the command engine through pipes: every started search answers, any bytes are answered, stop is heard; and
# engines as players of best and play.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
examples=$(cd "$(dirname "$0")/../../examples" && pwd)

# speak ARGS: feeds standard input to an engine; sets out, err and rc.
speak() {
	timeout 60 "$quevedo" engine --no-times --hash 1 "$@" >"$work/out" 2>"$work/err"
	rc=$?
	out=$(cat "$work/out") err=$(cat "$work/err")
}

# ---- The protocol on standard input ----
speak noughts < <(printf 'newgame noughts\nplay 1, 4, 2, 5\ngo depth 3\nquit\n')
is "status" 0 "$rc"
like "a game and its move" $'ok|info .* pv 3.*|bestmove 3' "$out"
is "one bestmove" 1 "$(grep -c '^bestmove ' "$work/out")"

for ending in 'go infinite\nstop\nquit\n' 'go infinite\nquit\n' 'go infinite\n' 'go infinite\nstop\nstop\n' 'go infinite' 'go depth 60\nquit'; do
	for i in 1 2 3 4 5; do
		# shellcheck disable=SC2059 # the endings are formats
		speak reversi < <(printf "$ending")
		is "status of '$ending', $i" 0 "$rc"
		is "one bestmove for '$ending', $i" 1 "$(grep -c '^bestmove ' "$work/out")"
		# A second stop may be read after the search has answered; its ok then comes last.
		[[ $ending == *stop*stop* ]] && sed -i '$ { /^ok$/ d }' "$work/out"
		is "... and it is last, $i" "bestmove" "$(tail -n 1 "$work/out" | cut -d ' ' -f 1)"
	done
done
speak reversi < <(printf 'solve\nstop\nquit\n')
is "a solution that was stopped" $'ok\nvalue unknown' "$out"
# Its input stays open here until the answer is there: the end of input would stop the solver.
mkfifo "$work/in"
exec 9<>"$work/in"
printf 'solve distance\n' >&9
: >"$work/out"
"$quevedo" engine noughts --hash 1 <"$work/in" >"$work/out" &
pid=$!
for ((i = 0; i < 600; i++)); do
	if grep -q value "$work/out"; then break; fi
	sleep 0.1
done
printf 'quit\n' >&9
wait "$pid"
like "a solution" 'value draw move [1-9]' "$(cat "$work/out")"

# Two searches in a row: the first does not end by itself, so the second is refused.
speak connect4 < <(printf 'go nodes 1000000000000\ngo depth 1\nstop\n')
is "busy" 1 "$(grep -c '^error busy ' "$work/out")"
is "... and one move" 1 "$(grep -c '^bestmove ' "$work/out")"

# ---- Any bytes ----
speak noughts < <(printf 'ping 1\r\nplay 1\r\n\r\nshow\r\n')
is "CRLF" $'pong 1\nok\nposition x........ o\nseat 2\nresult none\nmoves 2, 3, 4, 5, 6, 7, 8, 9\nok' "$out"
speak noughts < <(printf 'pi\0ng\nping 2\n')
is "NUL" $'error syntax the line holds control characters\npong 2' "$out"
speak noughts < <(printf 'ping 3\n'; head -c 3000000 /dev/zero | tr '\0' x; printf '\nping 4\n')
is "three million bytes" $'pong 3\nerror syntax the line is too long\npong 4' "$out"
speak noughts < <(head -c 1000000 /dev/zero | tr '\0' x; printf '\nping 5')
like "a million bytes" "error unknown 'x{40}': there is no such command|pong 5" "$out"
speak noughts < <(head -c 100000 /dev/urandom)
is "noise" 0 "$rc"
is "every answer to noise is an error" 0 "$(grep -cv '^error ' "$work/out")"
speak noughts </dev/null
is "no input" "0 " "$rc $out"
speak --protocol ugi noughts < <(printf 'ugi\nwhat\nposition startpos moves 1 4 2 5\ngo infinite\nisready\nstop\nquit\n')
like "ugi" 'id .*|option .*|ugiok|readyok|info .*|bestmove 3' "$out"
is "ugi answers once" 1 "$(grep -c '^bestmove ' "$work/out")"

# ---- Heard while it thinks ----
coproc engine { "$quevedo" engine reversi --hash 1; }
to=${engine[1]} from=${engine[0]} pid=$engine_PID
echo "go infinite" >&"$to"
for i in 1 2 3; do
	echo "ping $i" >&"$to"
	while read -r -t 60 line <&"$from" && [[ $line == info* ]]; do :; done
	is "pong while thinking" "pong $i" "$line"
done
echo stop >&"$to"
while read -r -t 60 line <&"$from" && [[ $line == info* ]]; do :; done
is "stop is taken" "ok" "$line"
while read -r -t 60 line <&"$from" && [[ $line == info* ]]; do :; done
like "and answered" 'bestmove .*' "$line"
echo quit >&"$to"
wait "$pid"
is "its end" 0 $?

# A reader that goes away ends it, thinking or not.
printf 'go infinite\n' >&9
timeout 60 "$quevedo" engine reversi 2>/dev/null <"$work/in" | head -n 1 >"$work/out"
exec 9>&-
like "the first line" 'info depth .*' "$(cat "$work/out")"

# ---- What docs/protocol.md shows ----
checks=$((checks + 1))
python3 - "$quevedo" "$examples/../docs/protocol.md" <<'P' || bad "the transcript of docs/protocol.md"
import re, subprocess, sys

block = re.search(r"```transcript\n(.*?)```", open(sys.argv[2]).read(), re.S).group(1)
engine = subprocess.Popen([sys.argv[1], "engine", "noughts", "--no-times"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True, bufsize=1)
said = 0
for line in block.splitlines():
    if line.startswith("> "):
        engine.stdin.write(line[2:] + "\n")
        engine.stdin.flush()
        continue
    answer = engine.stdout.readline().rstrip("\n")
    said += 1
    if "< " + answer != line:
        sys.exit(f"the page has '{line}', the engine says '{answer}'")
if engine.stdout.read() or engine.wait() != 0 or said < 20:
    sys.exit("it says more, or fails, or the page says too little")
P

# ---- Refusals ----
refused engine
refused engine golf
refused engine noughts --protocol esperanto
says "there are qgp, ugi, uci, xboard, external, hub, gomocup, nboard and gtp"
refused engine race --protocol ugi
says "use qgp"
refused engine noughts --player wizard
refused engine noughts --json

# ---- Engines as players ----
speaks="qgp:$quevedo engine"
run best connect4 --player "qgp:depth=5,cmd=$quevedo engine connect4" --no-times --json
mine=$out
run best connect4 --player negascout:depth=5 --no-times --json
is "best through qgp" "$out" "$mine"
run best race --moves "roll 4" --player "qgp:option.player=expectimax:depth=2,cmd=$quevedo engine noughts" --json
is "best of a game with dice" 0 "$rc"
refused best connect4 --player "qgp:no-such-program"
says "could not be started"
refused best connect4 --player "qgp:depth=x,cmd=y"
refused best race --moves "roll 4" --player "ugi:x"
refused best connect4 --player "qgp:"
refused best noughts --player "qgp:option.depth=1000,cmd=$quevedo engine noughts"
says "error option depth: '1000'"
run play noughts --seat "1=$speaks noughts --player alphabeta:depth=9" --seat "2=$speaks noughts --player alphabeta:depth=9"
like "two engines play" '.*|It is a draw.*|.*draw.*' "$(grep -i draw "$work/out" | head -n 1)"
four="python3 $examples/connect4_engine.py"
run best connect4 112233 --player "qgp:depth=3,cmd=$four"
is "a win in one, found in Python" "move 4" "$(last_line)"
run best connect4 444455 --player "qgp:depth=4,cmd=$four" --json
is "a position that is no start" 0 "$rc"
refused best noughts --player "qgp:$four"
says "error game only connect4 is supported"
run play connect4 --seat "1=qgp:depth=3,cmd=$four" --seat "2=qgp:depth=2,cmd=$four" --time 600
is "a game with clocks" 0 "$rc"
checks=$((checks + 1))
grep -Eq 'wins|draw' "$work/out" || bad "no end of connect4: $(tail -n 3 "$work/out")"
for game in noughts connect4 reversi hexapawn noughts3d race; do
	run play "$game" --seat "1=qgp:python3 $examples/random_engine.py" --seat "2=qgp:option.seed=7,cmd=python3 $examples/random_engine.py"
	is "$game by an engine in Python" 0 "$rc"
	checks=$((checks + 1))
	grep -Eq 'wins|draw' "$work/out" || bad "no end of $game: $(tail -n 3 "$work/out")"
done

# ---- Hub ----
speak draughts < <(printf 'hub\ninit\npos pos=BeeeeeeeeeeBeeeweeeeeeeeeeeeeeeee\nlevel depth=1\ngo think\nping\nquit\n')
is "status of hub" 0 "$rc"
like "hub is chosen by its greeting" 'id name=Quevedo .*|param .*|wait|ready|pong|info .* pv="11x18x15"|done move=11x18x15' "$out"
is "hub answers once" 1 "$(grep -c '^done ' "$work/out")"
refused engine chess --protocol hub
says "only draughts fits it"
refused best chess --player "hub:x"
says "only draughts fits it"
refused best draughts --player "hub:depth=1,option.colour=red,cmd=$quevedo engine draughts"
says "error set-param 'colour': there is no such parameter"
run best draughts "B:W15:BK11" --player "hub:depth=2,cmd=$quevedo engine draughts" --no-times
like "a capture through hub" '.*11x18' "$(last_line)"
run match draughts --player "A=hub:nodes=500,cmd=$quevedo engine draughts --protocol hub --hash 1" \
	--player "B=hub:depth=1,option.player=alphabeta,cmd=$quevedo engine draughts --hash 1" --games 4 --seed 1
is "a match of two copies through hub" 0 "$rc"
is "... of four games" 1 "$(grep -c '^games 4, ' "$work/out")"
run help players
is "hub in the help" 1 "$(grep -c '^  hub  ' "$work/out")"

# ---- NBoard and GTP ----
speak reversi < <(printf 'nboard 2\nset depth 1\nping 1\nquit\n')
is "nboard is chosen by its greeting" $'set myname Quevedo\nset myname Quevedo1\npong 1' "$out"
speak reversi < <(printf 'protocol_version\nquit\n')
is "gtp is chosen by its greeting" $'= 2\n\n=' "$out"
refused engine chess --protocol nboard
says "only reversi fits it"
refused best reversi "---------------------------OX------XO--------------------------- O" --player "gtp:$quevedo engine reversi --protocol gtp"
says "the protocol has no positions"
run best reversi --moves "d3 c3" --player "gtp:$quevedo engine reversi --protocol gtp --player alphabeta:depth=1" --no-times
is "a move through gtp" 0 "$rc"
run match reversi --player "N=nboard:depth=1,cmd=$quevedo engine reversi --hash 1" \
	--player "G=gtp:$quevedo engine reversi --protocol gtp --player alphabeta:depth=1 --hash 1" --games 2 --seed 1
is "a match of two copies through nboard and gtp" 0 "$rc"
is "... of two games" 1 "$(grep -c '^games 2, ' "$work/out")"

# A record that somebody else wrote starts no program, whatever its seats say.
printf '{"quevedo":1,"game":"noughts","position":"start","seats":["qgp:touch %s/touched","qgp:touch %s/touched"]}\n' "$work" "$work" >"$work/record"
printf 'load %s\n5\ngo\nquit\n' "$work/record" | "$quevedo" play noughts --seat 2=level:1 >"$work/out" 2>&1
is "the record is loaded and played" 0 $?
is "... by those who sat here" 0 "$(grep -c 'qgp' "$work/out")"
[ ! -e "$work/touched" ] || bad "a record has started a program"
finish

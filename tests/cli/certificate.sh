#!/usr/bin/env bash
# certificate.sh - solve --certificate, and the program that checks what it wrote.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
checker=$build/quevedo-check
proof=$work/proof.txt

# checked STATUS REGEX FILE...: what the checker says.
checked() {
	local status=$1 words=$2
	shift 2
	out=$("$checker" "$@" 2>&1)
	rc=$?
	is "quevedo-check $* (status)" "$status" "$rc"
	like "quevedo-check $*" "$words" "$out"
}

for case in "noughts start draw" "hexapawn start loss" "hexapawn:blocked=draw start draw" \
	"connect4 2252576253462244111563365343671351441 loss" "connect4 44444222222335 win"; do
	read -r game position value <<<"$case"
	good solve "$game" "$position" --certificate "$proof"
	is "value of $case" "value $value" "$out"
	checked 0 "holds: value $value, [0-9]+ positions" "$proof"
done
is "nothing else is left behind" "$(printf 'err\nout\nproof.txt')" "$(ls "$work")"

# Tampered with: another value, a missing entry, a missing end, not a certificate at all.
sed 's/^value win/value loss/' "$proof" >"$work/bad.txt"
checked 1 'does not hold: .*' "$work/bad.txt"
sed '8d' "$proof" >"$work/bad.txt"
checked 1 'does not hold: .*' "$work/bad.txt"
head -c 300 "$proof" >"$work/bad.txt"
checked 1 'does not hold: .*' "$work/bad.txt"
sed 's/^game connect4/game connect5/' "$proof" >"$work/bad.txt"
checked 1 'does not hold: .*connect4.*' "$work/bad.txt"
sed 's/^game connect4/game race/' "$proof" >"$work/bad.txt"
checked 1 'does not hold: race is not .*' "$work/bad.txt"
checked 1 'does not hold: .*' /dev/null
checked 2 'quevedo-check: .*cannot be read as text' "$work/none.txt"
head -c 1000 /dev/urandom >"$work/bad.txt"
printf '\0' >>"$work/bad.txt"
checked 2 'quevedo-check: .*cannot be read as text' "$work/bad.txt"
checked 2 'quevedo-check: usage: .*'

# A plug-in's game is checked with the plug-in.
dots=$(printf '%31s' '' | tr ' ' .)
position="${dots}b${dots:0:8}w${dots:0:23} w"
good solve breakthrough "$position" --plugin "$build/examples/breakthrough.so" --certificate "$proof"
is "the nearer pawn wins" "value win" "$out"
checked 0 'holds: value win, [0-9]+ positions' "$proof" "$build/examples/breakthrough.so"
checked 1 'does not hold: .*breakthrough.*' "$proof"
checked 2 'quevedo-check: .*' "$proof" "$work/none.so"

refused solve noughts --certificate "$work/no/such/folder/proof.txt"
says 'cannot be written'
refused solve noughts --positions "$proof" --certificate "$work/x.txt"
says 'not together with --positions'
refused solve race --certificate "$work/x.txt"
is "no file of a refusal" "" "$(ls "$work"/x.txt* 2>/dev/null)"

# Stopped, or not known for another reason: the answer says so, and there is no file.
interrupted INT solve reversi --certificate "$work/x.txt"
is "a stopped certificate (status)" 1 "$rc"
is "a stopped certificate" "value unknown" "$out"
# ... or stopped with only the distance missing.
cube="x..............x.....o............................o............. x"
after=2 interrupted INT solve noughts3d "$cube" --distance
is "a stopped distance (status)" 1 "$rc"
like "a stopped distance" 'value (win|unknown)' "$out"
toys=$build/tests/toys.so
"$quevedo" solve toy-repeat --plugin "$toys" --certificate "$work/x.txt" --json --no-times >"$work/out" 2>"$work/err"
is "nothing to certify (status)" 1 $?
like "nothing to certify" '\{"value":"unknown".*' "$(cat "$work/out")"
is "nothing to certify (remark)" "certificate: not written" "$(cat "$work/err")"
is "no file of what is not known" "" "$(ls "$work"/x.txt* 2>/dev/null)"
good solve toy-repeat --plugin "$toys" --by proof --certificate "$proof"
is "a proof search knows it" "value draw" "$out"
checked 0 'holds: value draw, [0-9]+ positions' "$proof" "$toys"
finish

#!/usr/bin/env bash
# xboard_match.sh - a match of our engine through the real xboard, without a screen, against hoichess or phalanx: every game
# has a result, and nobody forfeits, loses on time or is accused of an illegal move.
# SPDX-License-Identifier: MIT
# usage: tests/soak/xboard_match.sh QUEVEDO [GAMES [BASE]]      BASE: minutes:seconds for 40 moves (0:10)
set -euo pipefail
quevedo=$(realpath "${1:?the program is missing}")
games=${2:-2} base=${3:-0:10}
PATH=$PATH:/usr/games
opponent=
for name in hoichess phalanx; do
	command -v "$name" >/dev/null && opponent=$name && break
done
for tool in xvfb-run xboard "${opponent:-hoichess}"; do
	command -v "$tool" >/dev/null || { echo "xboard_match: skipped: $tool is not installed"; exit 0; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# It writes settings to its home.
HOME=$work timeout $((games * 600)) xvfb-run -a xboard -fcp "$quevedo engine chess --protocol xboard --hash 16" -scp "$opponent" \
	-mg "$games" -tc "$base" -inc -1 -mps 40 -xponder -sgf "$work/games.pgn" -soundProgram "" -popupExitMessage false \
	-debug -nameOfDebugFile "$work/debug" >"$work/log" 2>&1 || true
[ ! -e "$work/debug" ] || cp "$work/debug" "${XBOARD_DEBUG:-/dev/null}"
grep -E '^\[(White|Black|Result)|^\{|\} (1-0|0-1|1/2-1/2)$|(1-0|0-1|1/2-1/2)$' "$work/games.pgn" || true
finished=$(grep -Ec '^\[Result "(1-0|0-1|1/2-1/2)"\]' "$work/games.pgn" || true)
if [ "$finished" != "$games" ]; then
	echo "xboard_match: $finished of $games games have a result" >&2
	exit 1
fi
if grep -Ei 'forfeit|illegal|left the game|exited|false' "$work/games.pgn"; then
	echo "xboard_match: somebody is at fault" >&2
	exit 1
fi
if grep -E '^[0-9]+ <(first|second).*: (Error|Illegal move|tellusererror)' "$work/debug" | grep -F '<first'; then
	echo "xboard_match: our engine complained" >&2
	exit 1
fi
echo "xboard_match: $games games against $opponent, no complaint"

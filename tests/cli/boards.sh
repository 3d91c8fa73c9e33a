#!/usr/bin/env bash
# boards.sh - pictures of positions: those of docs/boards.md, that they are XML, and what is refused.
# SPDX-License-Identifier: MIT
. "$(dirname "$0")/common.bash"
root=$(cd "$(dirname "$0")/../.." && pwd)

is_xml() {
	checks=$((checks + 1))
	python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$work/out" 2>/dev/null || bad "$1: not XML"
}

# --- the pictures of docs/boards.md ---
count=0
while IFS= read -r line; do
	file=${line##*>}
	eval "arguments=(${line%% >*})"
	good "${arguments[@]:1}"
	is_xml "$file"
	is "$file" "$(cat "$root/$file" 2>/dev/null)" "$out"
	count=$((count + 1))
done < <(grep '^build/quevedo show .* >docs/boards/' "$root/docs/boards/draw.sh" | sed "s# build/# $build/#")
is "pictures that were drawn" "$(find "$root/docs/boards" -name '*.svg' | wc -l)" "$count"

# --- every game that has a board ---
for game in $("$quevedo" games | awk '{ print $1 }'); do
	[ "$game" != diagram ] || continue
	good show "$game" --format svg
	is_xml "$game"
	"$quevedo" show "$game" --format png > "$work/png"
	is "a PNG file of $game" "137 80 78 71" "$(od -An -tu1 -N4 "$work/png" | xargs)"
done
good show noughts --format text
text=$out
good show noughts
is "text is the default" "$text" "$out"

# --- refused ---
refused show diagram --format svg
says "diagram: the game has no board"
refused show diagram --format png
says "diagram: the game has no board"
refused show noughts --format gif
says "--format=gif: expected one of text|svg|png"
refused show noughts --format svg --json
says "--format: not together with --json"
refused replay noughts --format svg
finish

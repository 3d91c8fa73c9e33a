#!/usr/bin/env bash
# backgammon_files.sh - random games of ours as .mat and SGF, read and exported again by GNU Backgammon: the moves must come back.
# SPDX-License-Identifier: MIT
# usage: backgammon_files.sh PROGRAM GAMES
set -euo pipefail
quevedo=$1 games=$2
PATH=$PATH:/usr/games
command -v gnubg >/dev/null || { echo "gnubg is not installed"; exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The moves and results of a file, without its headings and times.
moves_of() { "$quevedo" convert "$1" --format record | grep -v '^{"quevedo"' | sed -E 's/,"time":[0-9.e-]+//'; }

for rules in backgammon:match=3 backgammon:match=9 backgammon:cube=1 backgammon:cube=1,jacoby=1 backgammon:cube=1,beavers=1; do
	for seed in $(seq "$games"); do
		rm -f "$work"/*
		"$quevedo" match "$rules" --player A=random --player B=random --games 1 --seed "$seed" --out "$work/ours.rec" >"$work/log"
		"$quevedo" convert "$work/ours.rec" --out "$work/ours.mat" >"$work/log"
		"$quevedo" convert "$work/ours.rec" --out "$work/ours.sgf" >"$work/log"
		for command in "import mat $work/ours.mat" "load match $work/ours.sgf"; do
			printf '%s\n' "set confirm new off" "$command" "export match mat $work/theirs.mat" >"$work/commands"
			gnubg -t -q -r -c "$work/commands" </dev/null >"$work/log" 2>&1
			cmp <(moves_of "$work/ours.rec") <(moves_of "$work/theirs.mat") || {
				echo "backgammon_files: $rules, seed $seed, '${command%% *}': other moves" >&2
				exit 1
			}
			rm "$work/theirs.mat"
		done
	done
	echo "backgammon_files: $rules: $games games in both formats ok"
done

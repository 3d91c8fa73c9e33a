#!/bin/sh
# The example games and the example evaluation from outside: install, copy examples/ away from the tree,
# build them with pkg-config alone, check them with the installed program, and count positions.
# Usage: example-plugin.sh BUILD
# SPDX-License-Identifier: MIT
set -eu

fail()
{
	echo "example-plugin: $*" >&2
	exit 1
}

[ $# -eq 1 ] || fail "usage: $0 BUILD"
build=$(cd "$1" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
prefix=$work/installed

cmake --install "$build" --prefix "$prefix" >"$work/log" || { cat "$work/log" >&2; fail "cannot install"; }
[ -x "$prefix/bin/quevedo" ] || fail "no program in $prefix/bin"
pc=$(find "$prefix" -name quevedo.pc)
[ -n "$pc" ] || fail "no quevedo.pc was installed"

# What the guide quotes must be in the examples, line by line.
awk '/^```/ { quoted = $0 == "```c"; next } quoted && NF' "$source/docs/add-a-game.md" >"$work/quotes"
[ -s "$work/quotes" ] || fail "docs/add-a-game.md quotes nothing"
while IFS= read -r line; do
	grep -qxF -e "$line" "$source/examples/breakthrough.c" "$source/examples/frontier.c" || fail "docs/add-a-game.md quotes: $line"
done <"$work/quotes"

mkdir "$work/mine"
cp "$source"/examples/breakthrough.c "$source"/examples/chase.c "$source"/examples/frontier.c "$source"/examples/Makefile "$work/mine"
cd "$work/mine"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags quevedo)
header=${flags#-I}
header=${header%% *}/quevedo.h
[ "$(realpath "$header")" = "$(realpath "$prefix/include/quevedo.h")" ] ||
	fail "pkg-config gives '$flags', which is not the installed header"
make -s breakthrough.so chase.so frontier.so
for plugin in breakthrough chase frontier; do
	if nm -D --undefined-only $plugin.so | grep -w 'qv_.*'; then
		fail "the plug-in $plugin calls the library"
	fi
	"$prefix/bin/quevedo" plugin check ./$plugin.so || fail "plugin check refuses $plugin"
done
answer=$("$prefix/bin/quevedo" eval reversi --moves f5 --eval frontier --plugin ./frontier.so | tail -n 1)
[ "$answer" = "value 12" ] || fail "the evaluation of f5 is '$answer', not 'value 12'"

# Published counts: 22, 484, 11132, 256036, 6182818.
for count in "1 22" "2 484" "3 11132" "4 256036"; do
	depth=${count% *}
	nodes=${count#* }
	answer=$("$prefix/bin/quevedo" perft breakthrough "$depth" --plugin ./breakthrough.so | tail -n 1)
	[ "$answer" = "nodes $nodes" ] || fail "perft $depth says '$answer', not 'nodes $nodes'"
done

# A side that can arrive next move must see it, and a wrong position is refused with one line.
position="..................................................w........b.... w"
answer=$("$prefix/bin/quevedo" best breakthrough "$position" --player alphabeta:depth=3 \
	--plugin ./breakthrough.so | tail -n 1)
case $answer in
"move c7-b8" | "move c7-c8" | "move c7-d8") ;;
*) fail "the winning move is missed: '$answer'" ;;
esac
if "$prefix/bin/quevedo" show breakthrough "w w" --plugin ./breakthrough.so >out 2>err; then
	fail "a wrong position is accepted"
fi
[ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] || fail "a wrong position is not refused with one line: $(cat out err)"

# Random, directed and intelligent hunters in 20 games each against a random runner: only the one
# that looks ahead finds the way around the wall.
hunts()
{
	"$prefix/bin/quevedo" match chase --player "hunter=$1" --player runner=random --games 40 --no-times \
		--plugin ./chase.so | sed -n 's/^Wins when starting *\([0-9]*\) .*/\1/p'
}
directed=$(hunts alphabeta:depth=1)
intelligent=$(hunts alphabeta:depth=14)
[ "$directed" -le 2 ] && [ "$intelligent" -ge 12 ] ||
	fail "the directed hunter wins $directed games of 20, the intelligent one $intelligent"
echo "example-plugin: passed"

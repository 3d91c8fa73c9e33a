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
	grep -qxF -e "$line" "$source"/examples/*.c || fail "docs/add-a-game.md quotes: $line"
done <"$work/quotes"

mkdir "$work/mine"
for name in breakthrough.c chase.c frontier.c kalah.c pig.c Makefile; do
	cp "$source/examples/$name" "$work/mine"
done
cd "$work/mine"
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
flags=$(pkg-config --cflags quevedo)
header=${flags#-I}
header=${header%% *}/quevedo.h
[ "$(realpath "$header")" = "$(realpath "$prefix/include/quevedo.h")" ] ||
	fail "pkg-config gives '$flags', which is not the installed header"
make -s breakthrough.so chase.so frontier.so kalah.so pig.so
for plugin in breakthrough chase frontier kalah pig; do
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
# A new game, as `plugin new` writes it: it compiles, passes, and is not overwritten.
cd "$work"
"$prefix/bin/quevedo" plugin new skeleton >out || fail "plugin new"
[ "$(cat out)" = "wrote skeleton/skeleton.c
wrote skeleton/Makefile
wrote skeleton/test.sh
wrote skeleton/README.md
next: cd skeleton && make check" ] || fail "plugin new says: $(cat out)"
if grep -r '@NAME@' skeleton; then
	fail "plugin new leaves a mark"
fi
CFLAGS="-O2 -Wall -Wextra -Wpedantic -Werror" make -s -C skeleton check QUEVEDO="$prefix/bin/quevedo" >out 2>&1 ||
	fail "the new game: $(cat out)"
grep -qx ok out || fail "the new game is not checked: $(cat out)"
sed -i 's/take <= h->left/take < h->left/' skeleton/skeleton.c
if make -s -C skeleton test QUEVEDO="$prefix/bin/quevedo" >out 2>&1; then
	fail "a change that breaks the game is not found"
fi
grep -q '^failed: skeleton: moves: ' out || fail "a change that breaks the game: $(cat out)"
if "$prefix/bin/quevedo" plugin new other --dir skeleton >out 2>err || [ ! -s err ] || [ -e skeleton/other.c ]; then
	fail "plugin new overwrites files"
fi
"$prefix/bin/quevedo" plugin new other --dir other-folder --json | grep -qxF \
	'{"name":"other","files":["other-folder/other.c","other-folder/Makefile","other-folder/test.sh","other-folder/README.md"]}' ||
	fail "plugin new --json"
echo "example-plugin: passed"

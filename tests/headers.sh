#!/usr/bin/env bash
# headers.sh - the public headers compile without a warning in every C and C++ that they promise, each alone and all together.
# SPDX-License-Identifier: MIT
# usage: headers.sh
set -euo pipefail
include=$(cd "$(dirname "$0")/../include" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

warnings=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror)
for header in $(cd "$include" && find . -name '*.h' | sed 's,^\./,,'); do
	echo "#include <$header>" >"$work/${header//\//_}.c"
done
# All together, twice, beside macros that a program or Windows may have; a plug-in and a caller in any of the languages.
cat >"$work/all.c" <<'END_ALL'
#define X mine
#define interface struct
#include <quevedo.h>
#include <quevedo.h>
#include <quevedo/search.h>
#ifndef X
#error "the header has removed the macro X"
#endif
#if QV_VERSION_NUMBER < 800 || QV_INTERFACE < 9
#error "the numbers are wrong"
#endif
static void start(const int64_t *options, void *state)
{
	(void)options;
	*(char *)state = 0;
}
int use(void);
int use(void)
{
	struct qv_game game;
	struct qv_limits limits;
	struct qv_flag stop;
	struct qv_sizes sizes = QV_SIZES;
	struct qv_context *context = qv_context_new(NULL);
	qv_move list[QV_MAX_MOVES];
	memset(&game, 0, sizeof game);
	memset(&limits, 0, sizeof limits);
	memset(&stop, 0, sizeof stop);
	game.interface_number = QV_INTERFACE;
	game.size = sizeof game;
	game.sizes = sizes;
	game.start = start;
	limits.size = sizeof limits;
	limits.stop = &stop;
	qv_flag_set(&stop);
	return qv_moves(qv_game_find(context, "noughts"), list, list, QV_MAX_MOVES);
}
END_ALL
for source in "$work"/*.c; do
	cp "$source" "${source%.c}.cpp"
done
# The idioms of the documents.
cat >"$work/idiom.c" <<'END_C'
#include <quevedo.h>
static const struct qv_game game = { QV_HEAD(qv_game), .name = "game" };
static const struct qv_added_evaluations added = { QV_HEAD(qv_added_evaluations), .game = "game" };
int idiom(void);
int idiom(void)
{
	struct qv_limits limits = { .size = sizeof limits, .depth = 3 };
	struct qv_answer answer = { .size = sizeof answer };
	return game.interface_number + added.interface_number + limits.depth + answer.depth;
}
END_C
cat >"$work/idiom.cpp" <<'END_CPP'
#include <quevedo.h>
int idiom();
int idiom()
{
	qv_limits limits = {};
	limits.size = sizeof limits;
	qv_game game = {};
	game.sizes = QV_SIZES;
	return limits.depth + game.interface_number;
}
END_CPP

checked=0
# compile COMPILER STANDARD SUFFIX: all files of the suffix; a compiler or standard that is missing is left out.
compile() {
	command -v "$1" >/dev/null || return 0
	echo 'int x;' >"$work/probe$3"
	"$1" "-std=$2" -fsyntax-only "$work/probe$3" 2>/dev/null || { rm "$work/probe$3"; return 0; }
	rm "$work/probe$3"
	"$1" "-std=$2" "${warnings[@]}" -I"$include" -fsyntax-only "$work"/*"$3" || { echo "headers.sh: $1 -std=$2 failed" >&2; exit 1; }
	checked=$((checked + 1))
}
# One compiler for each language, in turn: both see C and C++, old and new.
compile gcc c99 .c
compile clang c11 .c
compile gcc c17 .c
compile clang++ c++11 .cpp
compile g++ c++14 .cpp
compile clang++ c++17 .cpp
compile g++ c++20 .cpp
compile clang++ c++2b .cpp
[ $checked -ge 3 ] || { echo "headers.sh: no compiler was found" >&2; exit 1; }
echo "headers.sh: $checked languages and compilers"

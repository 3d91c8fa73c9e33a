#!/usr/bin/env bash
# install.sh - the installed library is usable from outside, shared and static, through pkg-config and as a CMake package.
# SPDX-License-Identifier: MIT
# usage: install.sh BUILD_DIR
set -euo pipefail
build=$(cd "${1:?usage: install.sh BUILD_DIR}" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() {
	echo "install.sh: $1" >&2
	exit 1
}

setting() {
	sed -n "s/^$1:[A-Z]*=//p" "$build/CMakeCache.txt"
}

cmake --install "$build" --prefix "$prefix" >"$work/install.log" || { cat "$work/install.log"; fail "cmake --install"; }

libdir=$(setting CMAKE_INSTALL_LIBDIR)
export PKG_CONFIG_PATH=$prefix/${libdir:-lib}/pkgconfig
[ -f "$PKG_CONFIG_PATH/quevedo.pc" ] || fail "no quevedo.pc in $PKG_CONFIG_PATH"
libdir=$(pkg-config --variable=libdir quevedo)
[ "$(realpath "$libdir")" = "$(realpath "$(dirname "$PKG_CONFIG_PATH")")" ] || fail "libdir is $libdir"
man=$prefix/share/man/man1
completions=("$prefix"/share/{bash-completion/completions/quevedo,zsh/site-functions/_quevedo,fish/vendor_completions.d/quevedo.fish})
for file in "$libdir"/libquevedo.{so,a} "$prefix"/{include/quevedo.h,bin/quevedo,bin/quevedo-check} "$man"/quevedo{,-check}.1 \
	"$prefix"/share/man/man3/quevedo.3 "$prefix"/share/doc/quevedo/{README.md,docs/embed.md,examples/loop.c} "${completions[@]}"; do
	[ -s "$file" ] || fail "$file is not installed"
done
# A manager of Gomocup starts the program under this name, and without arguments.
about=$(printf 'ABOUT\r\nEND\r\n' | "$prefix"/bin/pbrain-quevedo*) || fail "pbrain-quevedo failed"
[[ $about == 'name="Quevedo", '* ]] || fail "pbrain-quevedo is not a brain of Gomocup: $about"
version=$(pkg-config --modversion quevedo)
[[ $("$prefix/bin/quevedo" --version) == *"$version"* ]] || fail "the program's --version is not $version"
grep -qF "\"Quevedo $version\"" "$prefix/share/man/man1/quevedo.1" || fail "the man page is not for version $version"

[[ $(head -n 1 "$source/debian/changelog") == "quevedo ($version-"* ]] || fail "debian/changelog is not for version $version"

# The man page and the completions have every command and option of the tables.
# options_of COMMAND: those that its help lists, with their dashes.
options_of() {
	"$prefix/bin/quevedo" help "$1" | grep -o '^  --[a-z-]*' | tr -d ' '
}
commands=$("$prefix/bin/quevedo" help | sed -n '/^usage/,/^$/s/^  \([a-z]*\).*/\1/p')
for command in $commands; do
	section=$(sed -n "/^\.SS \"quevedo $command[ \"]/,/^\.S[SH]/p; /^\.SH OPTIONS OF EVERY/,/^\.SH EXIT/p" "$man/quevedo.1")
	[[ $section == .SS* ]] || fail "the man page lacks $command"
	zsh=$(sed -n "/^\t\t$command) _arguments/,/;;/p" "${completions[1]}")
	bash=$(sed -n "/^\t$command)$/,/;;/p" "${completions[0]}")
	for option in $(options_of "$command"); do
		grep -qF -- "\\fB${option//-/\\-}\\fP" <<<"$section" || fail "the man page lacks $command $option"
		[[ $zsh == *"$option"[\[=]* ]] || fail "zsh's completions lack $command $option"
		[[ $bash == *" $option"[\ =\']* ]] || fail "bash's completions lack $command $option"
		grep -q -- "from $command' -l ${option#--} " "${completions[2]}" || fail "fish's completions lack $command $option"
	done
done
for page in "$man"/*.1 "$prefix"/share/man/man3/*.3; do
	! command -v groff >/dev/null || [ -z "$(groff -man -ww -z "$page" 2>&1)" ] || fail "$page is not clean"
done
# complete WORD...: what bash offers after these words, the last of which is begun.
complete_words() {
	bash -c 'complete() { :; }; . "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _quevedo; echo "${COMPREPLY[*]}"' bash "${completions[0]}" "$@"
}
[ "$(complete_words quevedo sh)" = show ] || fail "bash does not complete a command"
[ "$(complete_words quevedo show con)" = connect4 ] || fail "bash does not complete a game"
[ "$(complete_words quevedo tables bu)" = build ] || fail "bash does not complete a word of a command"
[ "$(complete_words quevedo solve noughts --po)" = "--position-from --positions" ] || fail "bash does not complete an option"
[ "$(complete_words quevedo show noughts --format s)" = svg ] || fail "bash does not complete a choice"
for shell in zsh fish; do
	file=$(printf '%s\n' "${completions[@]}" | grep "$shell")
	! command -v $shell >/dev/null || $shell -n "$file" || fail "$shell does not read its completions"
done

# The tree has no say from here on: what the compiler sees is what pkg-config tells it.
cd "$work"
cat >player.c <<'END'
#include <quevedo.h>
int main(void)
{
	struct qv_context *context = qv_context_new(NULL);
	for (int i = 0; context && qv_game_at(context, i); i++) {
		const struct qv_game *game = qv_game_at(context, i);
		struct qv_rules rules;
		struct qv_error error;
		struct qv_text line = { (char[QV_POSITION_TEXT]){ 0 }, QV_POSITION_TEXT, 0 };
		qv_move moves[QV_MAX_MOVES];
		void *state = qv_state_new(context, game);
		if (!state || qv_rules_parse(context, game->name, &rules, &error) || qv_position_parse(&rules, "start", state, &error))
			return 1;
		if (game->moves(state, moves) < 1 || !qv_move_legal(game, state, moves[0]))
			return 1;
		game->play(state, moves[0]);
		game->position_text(state, &line);
		printf("%s after one move: %s\n", game->name, line.data);
		qv_state_free(context, game, state);
	}
	qv_context_free(context);
	return strcmp(qv_version(), QV_VERSION) != 0;
}
END

# A sanitized library wants its compiler's run-time library at link time.
cc=$(setting CMAKE_C_COMPILER)
sanitize=$(setting QV_SANITIZE)
link=()
[ -z "$sanitize" ] || link=("-fsanitize=$sanitize")
read -ra cflags <<<"$(pkg-config --cflags quevedo)"
read -ra shared <<<"$(pkg-config --libs quevedo)"
read -ra static <<<"$(pkg-config --static --libs quevedo | sed 's/-lquevedo/-l:libquevedo.a/')"

"$cc" -std=c11 -Wall -Wextra -Werror "${cflags[@]}" player.c -o player-shared "${shared[@]}" "${link[@]}"
# A program may have names that the library uses inside; an instrumented library is not one object, so there they collide.
plain=yes
! grep -Eq '^QV_(SANITIZE:.*=.|COVERAGE:.*=ON|FUZZ:.*=ON)' "$build/CMakeCache.txt" || plain=
[ -z "$plain" ] || cat >own.c <<'END'
int file_read(void);
int file_read(void)
{
	return 7;
}
END
"$cc" -std=c11 -Wall -Wextra -Werror "${cflags[@]}" player.c ${plain:+own.c} -o player-static "${static[@]}" "${link[@]}"
LD_LIBRARY_PATH=$libdir ./player-shared >shared.txt || fail "the program with the shared library failed"
./player-static >static.txt || fail "the program with the static library failed"
cmp shared.txt static.txt || fail "shared and static library differ"
[[ $(readelf -d player-shared) == *NEEDED*libquevedo.so* ]] || fail "the shared program does not want libquevedo.so"
[[ $(readelf -d player-static) != *libquevedo.so* ]] || fail "the static program wants libquevedo.so"

if [ -n "$plain" ]; then
	foreign=$(nm -g --defined-only "$libdir/libquevedo.a" | awk 'NF == 3 && $3 !~ /^qv_/ { print $3 }')
	[ -z "$foreign" ] || fail "libquevedo.a has global names of its own: $foreign"
fi

# The example programs, in three ways: pkg-config, and both targets of the CMake package.
mkdir embed
cp "$prefix"/share/doc/quevedo/examples/{loop,dice}.c embed
cat >embed/CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.16)
project(embed C)
# Programs for older headers run with newer libraries, but not the other way round.
foreach(newer 0.999 1.0)
  find_package(quevedo \${newer} QUIET)
  if(quevedo_FOUND)
    message(FATAL_ERROR "$version is no version \${newer}")
  endif()
endforeach()
find_package(quevedo 0.9 REQUIRED)
find_package(quevedo $version REQUIRED)
link_libraries(${link[*]})
foreach(program loop dice)
  add_executable(\${program} \${program}.c)
  target_link_libraries(\${program} quevedo::quevedo)
  add_executable(\${program}-static \${program}.c)
  target_link_libraries(\${program}-static quevedo::static)
endforeach()
END
cmake -S embed -B embed/build -DCMAKE_C_COMPILER="$cc" -DCMAKE_PREFIX_PATH="$prefix" >embed.log 2>&1 &&
	cmake --build embed/build >>embed.log 2>&1 || { cat embed.log; fail "the CMake package does not work"; }
export LD_LIBRARY_PATH=$libdir
for program in loop dice; do
	"$cc" -std=c11 -Wall -Wextra -Werror "${cflags[@]}" embed/$program.c -o embed/$program "${shared[@]}" "${link[@]}"
	[[ $(readelf -d embed/build/$program) == *NEEDED*libquevedo.so* ]] || fail "quevedo::quevedo is not the shared library"
	[[ $(readelf -d embed/build/$program-static) != *libquevedo.so* ]] || fail "quevedo::static is not the static library"
done
# same PROGRAM ARGUMENT...: all three print the same, but for times.
same() {
	local program=$1 way
	shift
	for way in embed/$program embed/build/$program embed/build/$program-static; do
		"$way" "$@" 2>"$program.err" | sed 's/,"time":[^,}]*//' >"$program.${way//\//-}" || fail "$way $*: $(cat "$program.err")"
		cmp "$program.embed-$program" "$program.${way//\//-}" || fail "$way $* prints something else"
	done
}
same loop connect4 level:2 negascout:depth=20,tt=4
grep -q "tt=4: depth 8," loop.err && ! grep -q "depth 9," loop.err || fail "the listener of loop does not end its searches: $(cat loop.err)"
grep -q '"result"' loop.embed-loop || fail "loop did not play to the end"
same dice race 7
same dice toy-die 7 "$build/tests/toys.so"
grep -q '^points of seat 2' dice.embed-dice || fail "dice did not play to the end"
status=0
embed/dice nogame 1 2>dice.err || status=$?
[ $status -eq 1 ] && [ "$(wc -l <dice.err)" -eq 1 ] || fail "dice with an unknown game: $status $(cat dice.err)"

# What was installed can be removed, and nothing else.
DESTDIR=$work/root cmake --install "$build" --prefix /opt/games >/dev/null
touch "$work/root/opt/games/bin/other"
make -s -C "$source" uninstall BUILD="$build" DESTDIR="$work/root" PREFIX=/opt/games -o installable >uninstall.log 2>&1 || { cat uninstall.log; fail "make uninstall"; }
[ "$(cd "$work/root" && find . ! -type d)" = ./opt/games/bin/other ] || fail "make uninstall leaves $(cd "$work/root" && find . ! -type d)"
[ -z "$(find "$work/root" -name '*quevedo*')" ] || fail "make uninstall leaves folders"

"$prefix/bin/quevedo" games --json | grep -o '"name": *"[^"]*"' | sed 's/.*"\([^"]*\)"$/\1/' >games.txt
[ -s games.txt ] || fail "the installed program lists no games"
sed 's/ after one move:.*//' shared.txt | cmp - games.txt || fail "the library and the program list different games"
echo "install.sh: $(wc -l <games.txt) games through pkg-config and CMake, shared and static"

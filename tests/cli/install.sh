#!/usr/bin/env bash
# install.sh - the installed library is usable from outside through pkg-config alone, shared and static.
# SPDX-License-Identifier: MIT
# usage: install.sh BUILD_DIR
set -euo pipefail
build=$(cd "${1:?usage: install.sh BUILD_DIR}" && pwd)
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
for file in "$libdir"/libquevedo.{so,a} "$prefix"/{include/quevedo.h,bin/quevedo,bin/quevedo-check} "$man"/quevedo{,-check}.1 "${completions[@]}"; do
	[ -s "$file" ] || fail "$file is not installed"
done
# A manager of Gomocup starts the program under this name, and without arguments.
about=$(printf 'ABOUT\r\nEND\r\n' | "$prefix"/bin/pbrain-quevedo*) || fail "pbrain-quevedo failed"
[[ $about == 'name="Quevedo", '* ]] || fail "pbrain-quevedo is not a brain of Gomocup: $about"
version=$(pkg-config --modversion quevedo)
[[ $("$prefix/bin/quevedo" --version) == *"$version"* ]] || fail "the program's --version is not $version"
grep -qF "\"Quevedo $version\"" "$prefix/share/man/man1/quevedo.1" || fail "the man page is not for version $version"

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
for page in "$man"/*.1; do
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
"$cc" -std=c11 -Wall -Wextra -Werror "${cflags[@]}" player.c -o player-static "${static[@]}" "${link[@]}"
LD_LIBRARY_PATH=$libdir ./player-shared >shared.txt || fail "the program with the shared library failed"
./player-static >static.txt || fail "the program with the static library failed"
cmp shared.txt static.txt || fail "shared and static library differ"
[[ $(readelf -d player-shared) == *NEEDED*libquevedo.so* ]] || fail "the shared program does not want libquevedo.so"
[[ $(readelf -d player-static) != *libquevedo.so* ]] || fail "the static program wants libquevedo.so"

"$prefix/bin/quevedo" games --json | grep -o '"name": *"[^"]*"' | sed 's/.*"\([^"]*\)"$/\1/' >games.txt
[ -s games.txt ] || fail "the installed program lists no games"
sed 's/ after one move:.*//' shared.txt | cmp - games.txt || fail "the library and the program list different games"
echo "install.sh: $(wc -l <games.txt) games through pkg-config, shared and static"

#!/usr/bin/env bash
# cplusplus.sh - a C++ program uses the shared library: it loads a plug-in, follows a search, plays a match.
# SPDX-License-Identifier: MIT
# usage: cplusplus.sh BUILD_DIR      exit status 77: there is no C++ compiler
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:?usage: cplusplus.sh BUILD_DIR}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cxx=$(command -v g++ || command -v clang++) || { echo "cplusplus.sh: there is no C++ compiler"; exit 77; }

cat >"$work/duel.cpp" <<'END_CPP'
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <quevedo.h>

static int iterations;

static void on_iteration(void *, const qv_answer *so_far)
{
	iterations += so_far->size == sizeof *so_far;
}

int main(int, char **arguments)
{
	std::unique_ptr<qv_context, decltype(&qv_context_free)> context(qv_context_new(nullptr), qv_context_free);
	qv_error error = {};
	qv_rules rules;
	if (qv_context_load(context.get(), arguments[1], &error) || qv_rules_parse(context.get(), "breakthrough", &rules, &error)) {
		std::fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	const qv_game *game = qv_rules_game(&rules);
	std::vector<unsigned char> state(qv_state_size(game));
	qv_start(&rules, state.data());
	std::vector<qv_move> moves(qv_game_max_moves(game));
	std::printf("%s: %d moves\n", qv_game_title(game), qv_moves(game, state.data(), moves.data(), (int)moves.size()));

	qv_flag stop = {};
	qv_limits limits = {};
	limits.size = sizeof limits;
	limits.depth = 2;
	limits.stop = &stop;
	qv_listener listener = {};
	listener.size = sizeof listener;
	listener.iteration = on_iteration;
	qv_answer answer = {};
	answer.size = sizeof answer;
	qv_player *player;
	if (qv_player_new(context.get(), &rules, "alphabeta", nullptr, &player, &error) ||
	    qv_player_think(player, state.data(), &limits, &listener, &answer, &error) ||
	    qv_play(game, state.data(), answer.move, &error)) {
		std::fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	qv_player_free(player);
	std::printf("%d iterations\n", iterations);

	const qv_match_player players[] = { { "level", "level:1" }, { "mcts", "mcts:playouts=30" } };
	qv_match_job job = {};
	job.size = sizeof job;
	job.players = players;
	job.player_count = 2;
	job.games = 4;
	qv_match *match;
	qv_match_figures figures = {};
	figures.size = sizeof figures;
	if (qv_match_run(context.get(), &rules, &job, &match, &error) || qv_match_score(match, 0, 1, &figures, &error)) {
		std::fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	qv_match_free(match);
	std::printf("%d games\n", (int)figures.games);
}
END_CPP
"$cxx" -std=c++11 -Wall -Wextra -Wpedantic -Werror -I"$source/include" "$work/duel.cpp" -o "$work/duel" -L"$build" -lquevedo
out=$(LD_LIBRARY_PATH=$build "$work/duel" "$build/examples/breakthrough.so")
[ "$out" = $'Breakthrough: 22 moves\n2 iterations\n4 games' ] || { echo "cplusplus.sh: the program wrote: $out" >&2; exit 1; }
echo "cplusplus.sh: a match in C++"
